/** The separable convolution of a volume with the magic filter, and one of its passes: the sizes of [magic-filter]. */
import { convolution } from '../operators/convolution/index.ts';
import type { ConvolutionParameters } from '../operators/convolution/index.ts';
import { axisConvolution } from './axis-convolution/index.ts';
import type { Benchmark } from './benchmark.ts';
import { someNumbers } from './inputs.ts';
import { INVERSE_MAGIC_FILTER, MAGIC_FILTER } from './magic-filter.ts';
import { openOperator } from './operator-workload.ts';
import { publishedConvolution } from './published/index.ts';
import type { Sizes } from './sizes.ts';

type Extents = readonly [n1: number, n2: number, n3: number];
type Direction = 'forward' | 'inverse';

interface Filtering {
  readonly axes?: 1 | 3;
  readonly direction?: Direction;
  readonly isPublished?: boolean;
}

function volume(
  [n1, n2, n3]: Extents,
  { axes = 3, direction = 'forward', isPublished = false }: Filtering = {},
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
    published: isPublished ? publishedConvolution(axes, inverse, operator.cost(parameters, 4).flops) : [],
    open: (backend) =>
      openOperator(backend, operator, parameters, {
        arrays: { input: someNumbers(points, 1, 1), output: points },
        output: 'output',
      }),
  };
}

const GPU_SIZE: Extents = [124, 132, 130];
const CPU_SIZE: Extents = [128, 126, 130];
const SMALL: Extents = [20, 24, 28];

/** The published size, and one that no cache holds; then both axes, directions and sizes of the paper. */
export const convolutionBenchmarks: Sizes = {
  usual: [volume(GPU_SIZE, { isPublished: true }), volume([256, 256, 256])],
  papers: [
    volume(GPU_SIZE, { direction: 'inverse', isPublished: true }),
    volume(GPU_SIZE, { axes: 1, isPublished: true }),
    volume(GPU_SIZE, { axes: 1, direction: 'inverse', isPublished: true }),
    volume(CPU_SIZE, { isPublished: true }),
    volume(CPU_SIZE, { direction: 'inverse', isPublished: true }),
    volume(CPU_SIZE, { axes: 1, isPublished: true }),
    volume(CPU_SIZE, { axes: 1, direction: 'inverse', isPublished: true }),
  ],
  quick: [
    volume(SMALL),
    volume(SMALL, { direction: 'inverse' }),
    volume(SMALL, { axes: 1 }),
    volume(SMALL, { axes: 1, direction: 'inverse' }),
  ],
};
