/** A band applied to all lines along an axis, in SIMD. Shared by the filters that are convolutions. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import type { WasmBuilder, WasmOperator } from '../../compute/wasm/program.ts';
import type { Band } from './band.ts';
import type { Lines } from './lines.ts';
import type { SeparableConvolution2dFields, SeparableConvolution2dParameters } from './parameters.ts';
import { planesPasses } from './passes.ts';

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
/** Vectors reach so many reals beyond what they keep. */
const SLACK = 16;

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
export const separableConvolution2d: WasmOperator<SeparableConvolution2dParameters, SeparableConvolution2dFields> = (
  builder,
  parameters,
) => {
  const { nx, ny, batch } = parameters;
  const [first, second] = planesPasses(parameters).map(({ lines, band }) => prepareBandPass(builder, lines, band));
  const between = builder.reals('convolution.between', nx * ny * batch);
  return ({ input, output }) => {
    first(input.byteOffset, between.address);
    second(between.address, output.byteOffset);
  };
};
