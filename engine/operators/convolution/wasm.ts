/** Convolutions in SIMD: of a volume, and a band applied to all lines along an axis, which other filters use too. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import type { WasmBuilder, WasmOperator, WasmProgram } from '../../compute/wasm/program.ts';
import type { Band } from './band.ts';
import type {
  Lines,
  separableConvolution2dFields,
  SeparableConvolution2dParameters,
  convolutionFields,
  ConvolutionParameters,
} from './reference.ts';
import { planesPasses } from './reference.ts';
import { volumeVariants } from './variants.ts';

const VOLUME = parameterBlock('Volume', {
  n1: 'i32',
  n2: 'i32',
  n3: 'i32',
  lower: 'i32',
  width: 'i32',
  /** Rows of a tile. */
  tileRows: 'i32',
  /** Reals from one row that was filtered along to the next. */
  stride: 'i32',
  weights: 'pointer',
  input: 'pointer',
  output: 'pointer',
});

/** Reals that vectors reach beyond what they keep. */
const SLACK = 16;
/** Points of a strip that is filtered across planes, about. */
const STRIP_POINTS = 2048;
/** Rows that are filtered along at a time. */
const ROWS_TOGETHER = 3;

/** Bytes of work space to filter a tile of rows along and across: rows that were extended, rows that were filtered, a table. */
function planeBytes({ taps: { length: width } }: ConvolutionParameters, stride: number, tileRows: number): number {
  const rows = ROWS_TOGETHER * Math.ceil((tileRows + width) / ROWS_TOGETHER);
  return 4 * (ROWS_TOGETHER * (stride + width + 4) + rows * stride + rows + ROWS_TOGETHER + SLACK);
}

/** Bytes of the planes that go round, and their table. */
function ringBytes({ n1, n3, taps: { length: width } }: ConvolutionParameters, tileRows: number): number {
  return 4 * (n1 + width + 4 + 2 * width * (tileRows * n3 + SLACK));
}

type Programs = (kernel: string, tileRows: number, scratchBytes: number) => WasmProgram<(typeof VOLUME)['members']>;

function programsOf(
  builder: WasmBuilder,
  { n1, n2, n3, taps, lower }: ConvolutionParameters,
  stride: number,
): Programs {
  const weights = builder.realTable('convolution.taps', taps);
  return (kernel, tileRows, scratchBytes) =>
    builder.program(kernel, VOLUME, { n1, n2, n3, lower, width: taps.length, tileRows, stride, weights }, scratchBytes);
}

/** The convolution of a volume in SIMD: passes made one after the other while planes are in cache. */
const prepare: WasmOperator<ConvolutionParameters, typeof convolutionFields> = (builder, parameters) => {
  const { n1, n2, n3, taps } = parameters;
  const { form, tiles } = builder.variant(volumeVariants, parameters);
  const stride = 4 * Math.ceil(n3 / 4);
  const programs = programsOf(builder, parameters, stride);
  const tileRows = Math.ceil(n2 / tiles);
  const parts = Math.ceil(n2 / tileRows);
  const inPlane = planeBytes(parameters, stride, tileRows);
  if (form === 'columns') {
    const columns = programs('volumeColumns', tileRows, inPlane + ringBytes(parameters, tileRows));
    return ({ input, output }) => {
      columns.set({ input: input.byteOffset, output: output.byteOffset });
      columns.run(parts);
    };
  }
  const stripRows = Math.max(1, Math.min(n2, Math.floor(STRIP_POINTS / n3)));
  const planes = programs('volumePlanes', tileRows, inPlane);
  const across = programs('volumeAcrossPlanes', stripRows, 4 * (n1 + taps.length + 1));
  const between = builder.reals('convolution.between', n1 * n2 * n3);
  return ({ input, output }) => {
    planes.set({ input: input.byteOffset, output: between.address });
    planes.run(n1 * parts);
    across.set({ input: between.address, output: output.byteOffset });
    across.run(Math.ceil(n2 / stripRows));
  };
};

export default prepare;

const BAND_PASS = parameterBlock('BandPass', {
  /** Points of a line, and elements from one to the next. */
  length: 'i32',
  step: 'i32',
  lower: 'i32',
  width: 'i32',
  /** Reals from one row of weights to the next; what is beyond `width` is 0. */
  stride: 'i32',
  periodic: 'i32',
  /** Rows with weights of their own at the start and at the end; the others share row `left`. */
  left: 'i32',
  right: 'i32',
  /** Points of a part. */
  segment: 'i32',
  /** Parts of a line, or of adjacent lines. */
  segments: 'i32',
  weights: 'pointer',
  input: 'pointer',
  output: 'pointer',
});

/** Multiplications of a part, about. */
const PART_OPERATIONS = 131_072;

/** One pass over the lines of an array: addresses of its input and output, which are not the same. */
export type WasmPass = (input: number, output: number) => void;

/** The rows of weights, each padded with zeros to a multiple of four. */
function paddedRows({ rows, width }: Band, stride: number): Float64Array {
  const padded = new Float64Array((rows.length / width) * stride);
  for (let row = 0; row * width < rows.length; row++) {
    padded.set(rows.subarray(row * width, (row + 1) * width), row * stride);
  }
  return padded;
}

export function prepareBandPass(builder: WasmBuilder, lines: Lines, band: Band): WasmPass {
  const { length, step, count } = lines;
  const { lower, width, periodic, left, right } = band;
  const stride = 4 * Math.ceil(width / 4);
  const along = step === 1;
  // Adjacent lines are a plane of them.
  const planes = along ? count : count / step;
  const segment = Math.min(length, Math.max(along ? 64 : 1, Math.floor(PART_OPERATIONS / (width * step))));
  const segments = Math.ceil(length / segment);
  const program = builder.program(
    along ? 'bandAlongLines' : 'bandAcrossLines',
    BAND_PASS,
    {
      length,
      step,
      lower,
      width,
      stride,
      periodic: Number(periodic),
      left,
      right,
      segment,
      segments,
      weights: builder.realTable('band.weights', paddedRows(band, stride)),
    },
    4 * (segment + stride + 2 * SLACK),
  );
  return (input, output) => {
    program.set({ input, output });
    program.run(planes * segments);
  };
}

/** The separable convolution of planes: a pass an axis. */
export const separableConvolution2d: WasmOperator<
  SeparableConvolution2dParameters,
  typeof separableConvolution2dFields
> = (builder, parameters) => {
  const { nx, ny, batch } = parameters;
  const [first, second] = planesPasses(parameters).map(({ lines, band }) => prepareBandPass(builder, lines, band));
  const between = builder.reals('convolution.between', nx * ny * batch);
  return ({ input, output }) => {
    first(input.byteOffset, between.address);
    second(between.address, output.byteOffset);
  };
};
