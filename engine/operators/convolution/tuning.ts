/** What is tuned of the convolutions: the published volume, and planes that a cache does not hold in number. */
import { tuningTask } from '../../compute/tuning/index.ts';
import type { TuningTask } from '../../compute/tuning/index.ts';
import type { BackendName } from '../../compute/backend.ts';
import type { DeviceTraits, KernelVariants } from '../../compute/variants.ts';
import type { ConvolutionParameters } from './parameters.ts';
import { acrossVariants, planeVariants } from './webgpu-volume-variants.ts';
import { volumeVariants } from './wasm-volume-variants.ts';
import { convolution } from './volume.ts';

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
