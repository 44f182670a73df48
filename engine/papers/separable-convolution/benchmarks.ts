/** The separable convolution of a volume with the magic filter, and one of its passes: the sizes of [magic-filter]. */
import {
  convolution,
  convolutionVariants,
  bandOfTaps,
  bandProduct,
  eachLine,
  linesAlong,
} from '../../operators/convolution/index.ts';
import type { ConvolutionParameters } from '../../operators/convolution/index.ts';
import type { Backend, ArraysOf, Operator } from '../../compute/backend.ts';
import {
  type Benchmark,
  type VariantChoice,
  type Sizes,
  someNumbers,
  openOperator,
  type PublishedFigure,
} from '../../benchmarks/index.ts';
import { publishedOnGpu, publishedOnOneCore } from './published.ts';
import type { AxisConvolutionFields } from './axis-convolution/parameters.ts';

function reference(parameters: ConvolutionParameters): (arrays: ArraysOf<AxisConvolutionFields>) => void {
  const { n1, n2, n3 } = parameters;
  const apply = eachLine(linesAlong(n1 * n2, n3, 1), (lanes) => bandProduct(bandOfTaps(n3, parameters, true), lanes));
  return ({ input, output }) => apply(input, output);
}

/**
 * One pass of the separable convolution [magic-filter]: the filter along the fastest axis of a volume,
 *
 *   out(i₁, i₂, i₃) = Σ ω_j in(i₁, i₂, i₃ + j),  j from −lower to taps.length − 1 − lower, i₃ periodic,
 *
 * with the kernels that the room of the convolution has. It exists for its published figures, which are those of one axis;
 * there the pass writes transposed, here it leaves the layout as it is.
 */
export const axisConvolution: Operator<ConvolutionParameters, AxisConvolutionFields> = {
  name: 'axis-convolution',
  fields: { input: 'real', output: 'real' },
  cost({ n1, n2, n3, taps }, elementBytes) {
    const points = n1 * n2 * n3;
    return { bytes: 2 * points * elementBytes, flops: 2 * taps.length * points };
  },
  implementations: {
    reference,
    wasm: async () => (await import('./axis-convolution/wasm.ts')).default,
    webgpu: async () => (await import('./axis-convolution/webgpu.ts')).default,
  },
};

/**
 * The magic filter of the Daubechies wavelets of order 16: values of the scaling function's dual on the grid, sixteen taps
 * that sum to 1. The numbers are those of BigDFT (`magicfilter`, its OpenCL kernels and the BOAST generator give the same), to the nearest float64;
 * there they represent the offsets −8 … 7, and in reverse order, as [magic-filter] writes it, for −7 … 8: L = 7, U = 8.
 */
const BIGDFT = [
  8.433424733352934e-7, -0.00001290557201342061, 0.0000876298447621056, -0.00030158038132690465, 0.001747237136729939,
  -0.009420470302010804, 0.023738214637249424, 0.0612625895831208, 0.9940415697834004, -0.06048952891969835,
  -0.021030251609303816, 0.013372634148547948, -0.0034412814449349387, 0.0004944322768868992, -0.00005185986881173433,
  0.0000027273449291197967,
];

/** ω_j, j = −7 … 8. */
export const MAGIC_FILTER = { taps: BIGDFT.toReversed(), lower: 7 } as const;

/** Its transpose, j = −8 … 7: from values back to coefficients. */
export const INVERSE_MAGIC_FILTER = { taps: BIGDFT, lower: 8 } as const;

type Extents = readonly [n1: number, n2: number, n3: number];
type Direction = 'forward' | 'inverse';

interface Filtering {
  readonly axes?: 1 | 3;
  readonly direction?: Direction;
  /** @param flops operations of one run */
  readonly published?: (flops: number) => readonly PublishedFigure[];
}

function variantsOn({ name, tuning }: Backend, parameters: ConvolutionParameters): readonly VariantChoice[] {
  if (!tuning) return [];
  return convolutionVariants(name, tuning.traits, parameters).flatMap(({ kernel, sizeClass, variants }) =>
    variants.map((variant) => ({ kernel, sizeClass, variant })),
  );
}

function volume(
  [n1, n2, n3]: Extents,
  { axes = 3, direction = 'forward', published = () => [] }: Filtering = {},
): Benchmark {
  const points = n1 * n2 * n3;
  const inverse = direction === 'inverse';
  const parameters: ConvolutionParameters = { n1, n2, n3, ...(inverse ? INVERSE_MAGIC_FILTER : MAGIC_FILTER) };
  const operator = axes === 3 ? convolution : axisConvolution;
  const size = `${n1}x${n2}x${n3}`;
  return {
    suite: 'convolution',
    name: `convolution-${axes === 1 ? '1d-' : ''}${size}${inverse ? '-inverse' : ''}`,
    table: 'convolution, 16 taps of the magic filter',
    parameters: { size, axes, direction },
    published: published(operator.cost(parameters, 4).flops),
    // The pass along one axis is made by the kernel of all bands, which has one form; that of the inverse is no other than this one.
    ...(axes === 3 && !inverse && { variants: (backend: Backend) => variantsOn(backend, parameters) }),
    open: (backend) =>
      openOperator(backend, operator, parameters, {
        arrays: { input: someNumbers(points, 1, 1), output: points },
        output: 'output',
      }),
  };
}

/** At the size of the published GPUs. */
function onGpu(axes: 1 | 3, direction: Direction): Benchmark {
  return volume([124, 132, 130], {
    axes,
    direction,
    published: (flops) => publishedOnGpu(axes, direction, flops),
  });
}

/** At the sizes of the published processor: a volume, and 32 columns × 5040. */
function onOneCore(axes: 1 | 3, direction: Direction): Benchmark {
  const extents: Extents = axes === 3 ? [128, 126, 130] : [1, 32, 5040];
  const published = (flops: number): readonly PublishedFigure[] => publishedOnOneCore(axes, flops);
  return volume(extents, { axes, direction, ...(direction === 'forward' && { published }) });
}

const SMALL: Extents = [20, 24, 28];

/** The published size, and one that no cache holds; then both axes, directions and sizes of the paper. */
export const convolutionBenchmarks: Sizes = {
  usual: [onGpu(3, 'forward'), volume([256, 256, 256])],
  papers: [
    onGpu(3, 'inverse'),
    onGpu(1, 'forward'),
    onGpu(1, 'inverse'),
    onOneCore(3, 'forward'),
    onOneCore(3, 'inverse'),
    onOneCore(1, 'forward'),
    onOneCore(1, 'inverse'),
  ],
  quick: [
    volume(SMALL),
    volume(SMALL, { direction: 'inverse' }),
    volume(SMALL, { axes: 1 }),
    volume(SMALL, { axes: 1, direction: 'inverse' }),
  ],
};
