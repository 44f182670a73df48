/** The convolution of a volume on the GPU: along rows and across them, then across planes. */
import { uniformBlock } from '../../compute/parameter-block.ts';
import { partsOf, type KernelBuilder, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import { bandOfTaps } from './band.ts';
import { linesAlong, type convolutionFields, type ConvolutionParameters } from './reference.ts';
import { acrossVariants, inQuads, planeVariants, tileNumbers, type AcrossVariant, type PlaneTile } from './variants.ts';
import source from './volume.wgsl?raw';
import { prepareBandPass, type RecordPass } from './webgpu-band.ts';

const part = partsOf(source);

const PARAMETERS = uniformBlock('Parameters', {
  n2: 'u32',
  n3: 'u32',
  lower: 'u32',
  /** How far before a point the weights along rows begin: at least `lower`, and a multiple of four where points are read so. */
  reach: 'u32',
  /** Parameters of a pass across: points of a column, and columns side by side, in Points. */
  length: 'u32',
  columns: 'u32',
});

const BINDINGS = ['uniform', 'read', 'read', 'write'] as const;
/** Groups of four weights across. */
const ACROSS_GROUPS = 4;
/** Workgroup of the pass along rows, as in volume.wgsl. */
const ALONG_LANES = 32;
const ALONG_ROWS = 4;

/** How the kernels read the volume, and the weights that go with it. */
interface Reading {
  readonly library: string;
  /** Numbers that are read together. */
  readonly point: 1 | 4;
  readonly reach: number;
  readonly alongGroups: number;
  readonly weights: GPUBuffer;
}

function readingOf(builder: KernelBuilder, { taps, lower }: ConvolutionParameters, point: 1 | 4): Reading {
  const reach = point * Math.ceil(lower / point);
  const alongGroups = Math.ceil((reach - lower + taps.length) / 4);
  const weights = new Float64Array(4 * (ACROSS_GROUPS + alongGroups));
  weights.set(taps);
  weights.set(taps, 4 * ACROSS_GROUPS + reach - lower);
  return {
    library: point === 4 ? part('volume-quads') : part('volume-singles'),
    point,
    reach,
    alongGroups,
    weights: builder.table('convolution.weights', 'real', weights),
  };
}

function uniformOf(
  builder: KernelBuilder,
  { n2, n3, lower }: ConvolutionParameters,
  { reach }: Reading,
  length: number,
  columns: number,
): GPUBuffer {
  return builder.uniform('convolution.parameters', PARAMETERS, { n2, n3, lower, reach, length, columns });
}

async function preparePlane(
  builder: KernelBuilder,
  parameters: ConvolutionParameters,
  reading: Reading,
  tile: PlaneTile,
): Promise<RecordPass> {
  const { n1, n2, n3 } = parameters;
  const program = await builder.program({
    label: 'convolution.plane',
    code: [PARAMETERS.wgsl, reading.library, part('volume-sums'), part('volume-rows'), part('volume-plane')],
    constants: {
      ALONG_GROUPS: reading.alongGroups,
      TILE_QUADS: tile.quads,
      TILE_ROWS: tile.rows,
      LANES: tile.lanes,
      TILE_POINTS: tileNumbers(tile) / reading.point,
    },
    bindings: BINDINGS,
  });
  const uniform = uniformOf(builder, parameters, reading, 0, 0);
  const counts = [Math.ceil(n3 / (4 * tile.quads)), Math.ceil(n2 / tile.rows), n1] as const;
  return (recorder, input, output) => recorder.dispatch(program, [uniform, reading.weights, input, output], counts);
}

async function prepareAlong(
  builder: KernelBuilder,
  parameters: ConvolutionParameters,
  reading: Reading,
): Promise<RecordPass> {
  const { n1, n2, n3 } = parameters;
  const program = await builder.program({
    label: 'convolution.along',
    code: [PARAMETERS.wgsl, reading.library, part('volume-sums'), part('volume-rows'), part('volume-along')],
    constants: { ALONG_GROUPS: reading.alongGroups, LANES: ALONG_LANES, ROWS: ALONG_ROWS },
    bindings: BINDINGS,
  });
  const uniform = uniformOf(builder, parameters, reading, 0, 0);
  const counts = [Math.ceil(n3 / (4 * ALONG_LANES)), Math.ceil(n2 / ALONG_ROWS), n1] as const;
  return (recorder, input, output) => recorder.dispatch(program, [uniform, reading.weights, input, output], counts);
}

/** A pass along the second axis of [outer][length][inner] numbers. */
async function prepareAcross(
  builder: KernelBuilder,
  parameters: ConvolutionParameters,
  variant: AcrossVariant,
  [outer, length, inner]: readonly [number, number, number],
): Promise<RecordPass> {
  if (variant.form === 'bands') {
    const lines = linesAlong(outer, length, inner);
    return prepareBandPass(builder, 'convolution', lines, bandOfTaps(length, parameters, true));
  }
  const { point, columns, segments, groups } = variant;
  const reading = readingOf(builder, parameters, point);
  const program = await builder.program({
    label: 'convolution.across',
    code: [PARAMETERS.wgsl, reading.library, part('volume-sums'), part('volume-across')],
    constants: { COLUMNS: columns, SEGMENTS: segments, GROUPS: groups },
    bindings: BINDINGS,
  });
  const uniform = uniformOf(builder, parameters, reading, length, inner / point);
  const counts = [Math.ceil(inner / point / columns), Math.ceil(length / (4 * groups * segments)), outer] as const;
  return (recorder, input, output) => recorder.dispatch(program, [uniform, reading.weights, input, output], counts);
}

/** The passes along rows and across them. */
async function prepareRows(
  builder: KernelBuilder,
  parameters: ConvolutionParameters,
  across: AcrossVariant,
): Promise<readonly RecordPass[]> {
  const { n1, n2, n3 } = parameters;
  const variant = builder.variant(planeVariants, parameters);
  const reading = readingOf(builder, parameters, inQuads(parameters) ? 4 : 1);
  switch (variant.form) {
    case 'plane':
      return [await preparePlane(builder, parameters, reading, variant)];
    case 'lines':
      return Promise.all([
        prepareAlong(builder, parameters, reading),
        prepareAcross(builder, parameters, across, [n1, n2, n3]),
      ]);
    case 'bands':
      return Promise.all([
        prepareBandPass(builder, 'convolution', linesAlong(n1 * n2, n3, 1), bandOfTaps(n3, parameters, true)),
        prepareAcross(builder, parameters, { form: 'bands' }, [n1, n2, n3]),
      ]);
    default:
      return variant satisfies never;
  }
}

const prepare: WebGpuOperator<ConvolutionParameters, typeof convolutionFields> = async (builder, parameters) => {
  const { n1, n2, n3 } = parameters;
  const across = builder.variant(acrossVariants, parameters);
  const [rows, planes] = await Promise.all([
    prepareRows(builder, parameters, across),
    prepareAcross(builder, parameters, across, [1, n1, n2 * n3]),
  ]);
  const scratch = builder.scratch('convolution.scratch', 'real', n1 * n2 * n3);
  const [first, second] = rows;
  if (!second) {
    return (recorder, { input, output }) => {
      first(recorder, input, scratch);
      planes(recorder, scratch, output);
    };
  }
  return (recorder, { input, output }) => {
    first(recorder, input, output);
    second(recorder, output, scratch);
    planes(recorder, scratch, output);
  };
};

export default prepare;
