/** The separable convolution of a volume with the magic filter, and one of its passes: the sizes of [magic-filter]. */
import { convolution, convolutionVariants } from '../operators/convolution/index.ts';
import type { ConvolutionParameters } from '../operators/convolution/index.ts';
import { axisConvolution } from './axis-convolution/index.ts';
import type { Backend } from '../compute/backend.ts';
import type { Benchmark, VariantChoice } from './benchmark.ts';
import { someNumbers } from './inputs.ts';
import { INVERSE_MAGIC_FILTER, MAGIC_FILTER } from './magic-filter.ts';
import { openOperator } from './operator-workload.ts';
import { publishedOnGpu, publishedOnOneCore } from './published/index.ts';
import type { PublishedFigure } from './published/index.ts';
import type { Sizes } from './sizes.ts';

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

/** At that of the published processor. */
function onOneCore(axes: 1 | 3, direction: Direction): Benchmark {
  const isPublished = axes === 1 && direction === 'forward';
  return volume([128, 126, 130], { axes, direction, ...(isPublished && { published: publishedOnOneCore }) });
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
