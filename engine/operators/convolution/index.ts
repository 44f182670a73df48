/**
 * Separable convolution, the magic filter of the wavelet code [magic-filter] in three dimensions and a pair of filters on
 * planes in two:
 *
 *   out(i₁, i₂, i₃) = Σ ω_{j₁} ω_{j₂} ω_{j₃} in(i₁ + j₁, i₂ + j₂, i₃ + j₃),  each j from −lower to taps.length − 1 − lower.
 *
 * A volume's reference makes one pass an axis, which reads along the fast axis and writes transposed, as published. The other forms
 * leave the layout as it is: they filter a tile of a plane along its rows and then across them while it is near at hand, and go
 * across planes with sums that stay in registers (variants.ts). Every sum has its terms in the order of its taps, whatever the
 * tile, so that all variants give the same bits.
 */
import type { Cost, BackendName } from '../../compute/backend.ts';
import { count, defineOperator } from '../../compute/define-operator.ts';
import { tuningTask, type TuningTask } from '../../compute/tuning/index.ts';
import type { DeviceTraits, KernelVariants } from '../../compute/variants.ts';
import {
  separableConvolution2dFields,
  convolutionFields,
  volumeReference,
  checkTaps,
  planesReference,
  planesPasses,
} from './reference.ts';
import type { ConvolutionParameters, SeparableConvolution2dParameters } from './reference.ts';
import { acrossVariants, planeVariants, volumeVariants } from './variants.ts';

export {
  bandGram,
  bandOfTaps,
  bandProduct,
  rowIndex,
  transposeBand,
  gaussianTaps,
  type Band,
  type Taps,
} from './band.ts';
export { checkTaps, eachLine, linesAlong } from './reference.ts';
export type { Lines, LinesFilter, ConvolutionParameters, SeparableConvolution2dParameters } from './reference.ts';

/** Two passes, each of which reads and writes the fields once; a multiplication and an addition a tap and point. */
function planesCost(parameters: SeparableConvolution2dParameters, elementBytes: number): Cost {
  const [first, second] = planesPasses(parameters);
  const points = parameters.nx * parameters.ny * parameters.batch;
  return {
    bytes: 2 * 2 * points * elementBytes,
    flops: 2 * (first.band.width + second.band.width) * points,
  };
}

/** The operator `separableConvolution2d`: a filter along x and another along y, on each field of a batch. */
export const separableConvolution2d = defineOperator<
  SeparableConvolution2dParameters,
  typeof separableConvolution2dFields
>({
  name: 'separable-convolution-2d',
  parameters: { nx: count, ny: count, batch: count },
  check({ tapsX, tapsY }) {
    checkTaps('separable-convolution-2d', 'tapsX', tapsX);
    checkTaps('separable-convolution-2d', 'tapsY', tapsY);
  },
  fields: separableConvolution2dFields,
  cost: planesCost,
  reference: (parameters) => planesReference(parameters, planesPasses(parameters)),
  wasm: async () => (await import('./wasm.ts')).separableConvolution2d,
  webgpu: async () => (await import('./webgpu-band.ts')).separableConvolution2d,
});

/** The volume is read once and written once, at least, however the passes are made; a multiplication and an addition a tap and axis. */
function cost(parameters: ConvolutionParameters, elementBytes: number): Cost {
  const { n1, n2, n3, taps } = parameters;
  const points = n1 * n2 * n3;
  return { bytes: 2 * points * elementBytes, flops: 3 * 2 * taps.length * points };
}

/** The operator `convolution`: one filter along all three axes of a volume. */
export const convolution = defineOperator<ConvolutionParameters, typeof convolutionFields>({
  name: 'convolution',
  parameters: { n1: count, n2: count, n3: count },
  check: (parameters) => checkTaps('convolution', 'taps', parameters),
  fields: convolutionFields,
  cost,
  reference: volumeReference,
  wasm: async () => (await import('./wasm.ts')).default,
  webgpu: async () => (await import('./webgpu-volume.ts')).default,
});

const TAPS = Array.from({ length: 16 }, (_, q) => 1 / (q + 1));

/** On the GPU. */
const VOLUMES = [
  [124, 132, 130],
  [256, 256, 256],
] as const;

function volumeTask<Variant>(
  variants: KernelVariants<ConvolutionParameters, Variant>,
  [n1, n2, n3]: readonly [number, number, number],
): TuningTask {
  const parameters: ConvolutionParameters = { n1, n2, n3, taps: TAPS, lower: 7 };
  const points = n1 * n2 * n3;
  return tuningTask({
    operator: convolution,
    parameters,
    variants,
    subject: parameters,
    size: `${n1} × ${n2} × ${n3}, ${TAPS.length} taps`,
    arrays: { input: points, output: points },
  });
}

/** What a kernel of the convolution offers for a volume, and what a choice of it holds for. */
interface OfferedVariants {
  readonly kernel: string;
  readonly sizeClass: string;
  /** By name, the one that is taken if nothing was measured first. */
  readonly variants: readonly string[];
}

/** @returns what the kernels of a backend offer for a volume */
export function convolutionVariants(
  backend: BackendName,
  traits: DeviceTraits,
  parameters: ConvolutionParameters,
): readonly OfferedVariants[] {
  const offered = <Variant>(variants: KernelVariants<ConvolutionParameters, Variant>): OfferedVariants => ({
    kernel: variants.kernel,
    sizeClass: variants.sizeClass(parameters),
    variants: Object.keys(variants.offered(parameters, traits)),
  });
  switch (backend) {
    case 'reference':
      return [];
    case 'wasm':
      return [offered(volumeVariants)];
    case 'webgpu':
      return [offered(planeVariants), offered(acrossVariants)];
    default:
      return backend satisfies never;
  }
}

export const convolutionTuning = {
  wasm: [volumeTask(volumeVariants, [124, 132, 130]), volumeTask(volumeVariants, [36, 256, 256])],
  webgpu: VOLUMES.flatMap((volume) => [volumeTask(planeVariants, volume), volumeTask(acrossVariants, volume)]),
} as const;
