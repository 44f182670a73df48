/** The separable convolution with the magic filter: the rows of the tables of [magic-filter], and the program's own kernels at its sizes. */
import { convolution, convolutionVariants, type ConvolutionParameters } from '../../operators/convolution/index.ts';
import type { Backend, BackendName } from '../../compute/backend.ts';
import { type Benchmark, type VariantChoice, type Sizes, someNumbers, openOperator } from '../../benchmarks/index.ts';
import { filterPasses, nameOfKernel, type PassesParameters } from './pass/index.ts';
import { figuresOf, ON_GPU, ON_ONE_CORE, type PublishedRow } from './published.ts';

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
type Direction = PublishedRow['direction'];

const FILTERS = { forward: MAGIC_FILTER, inverse: INVERSE_MAGIC_FILTER } as const;

function variantsOn({ name, tuning }: Backend, parameters: ConvolutionParameters): readonly VariantChoice[] {
  if (!tuning) return [];
  return convolutionVariants(name, tuning.traits, parameters).flatMap(({ kernel, sizeClass, variants }) =>
    variants.map((variant) => ({ kernel, sizeClass, variant })),
  );
}

/** By the program's own kernels, which make passes while planes are in cache. */
function volume([n1, n2, n3]: Extents, direction: Direction = 'forward', beside?: PublishedRow): Benchmark {
  const points = n1 * n2 * n3;
  const parameters: ConvolutionParameters = { n1, n2, n3, ...FILTERS[direction] };
  const size = `${n1}x${n2}x${n3}`;
  return {
    suite: 'convolution',
    name: `convolution-${size}${direction === 'inverse' ? '-inverse' : ''}`,
    table: 'The program’s own kernels: three axes',
    parameters: { size, direction },
    published: beside ? figuresOf(beside, convolution.cost(parameters, 4).flops) : [],
    // Those of the inverse are the same.
    ...(direction === 'forward' && { variants: (backend: Backend) => variantsOn(backend, parameters) }),
    open: (backend) =>
      openOperator(backend, convolution, parameters, {
        arrays: { input: someNumbers(points, 1, 1), output: points },
        output: 'output',
      }),
  };
}

/** How a row is computed that is not as the paper has it, or not as the other rows of the backend. */
function notesOf(backend: BackendName, threads: number | undefined, isOfGpu: boolean): readonly string[] {
  if (backend !== 'wasm') return [];
  return [
    ...(threads === 1
      ? []
      : ['one thread computes it, as in the paper: the kernels of its passes are generated for one']),
    ...(isOfGpu ? ['in the pattern that is quickest on this processor, in place of the GPU’s kernel'] : []),
  ];
}

/** A row of the paper: its passes in kernels from one description, in float64 on one thread, or in float32 on a GPU. */
function published([n1, n2, n3]: Extents, row: PublishedRow, isOfGpu = false): Benchmark {
  const { table, name, axes, direction, transposed, kernel } = row;
  const points = n1 * n2 * n3;
  const parameters: PassesParameters = { n1, n2, n3, axes, transposed, ...FILTERS[direction], kernel };
  const how = `${nameOfKernel(kernel)}${transposed ? '-transposed' : ''}${direction === 'inverse' ? '-inverse' : ''}`;
  return {
    suite: 'convolution',
    name: `convolution-passes-${axes}d-${n1}x${n2}x${n3}-${how}`,
    table,
    parameters: { kernel: name },
    published: figuresOf(row, filterPasses.double.cost(parameters, 8).flops),
    notes: ({ name: backend, threads }) => notesOf(backend, threads, isOfGpu),
    open: (backend) => {
      const inputs = { arrays: { input: someNumbers(points, 1, 1), output: points }, output: 'output' } as const;
      if (backend.name === 'webgpu') return openOperator(backend, filterPasses.real, parameters, inputs);
      // A processor takes its best pattern where the row is of a GPU.
      const asked = isOfGpu ? { ...parameters, kernel: undefined } : parameters;
      return openOperator(backend, filterPasses.double, asked, inputs);
    },
  };
}

const GPU_SIZE: Extents = [124, 132, 130];
const SMALL: Extents = [20, 24, 28];
const BLOCK = ON_GPU.find(({ name, axes }) => name === 'block' && axes === 3);

/** The published size of a GPU, and one that no cache holds; then every row of the paper. */
export const convolutionBenchmarks: Sizes = {
  usual: [volume(GPU_SIZE, 'forward', BLOCK), volume([256, 256, 256])],
  papers: [
    volume(GPU_SIZE, 'inverse'),
    volume([128, 126, 130]),
    ...ON_ONE_CORE.map((row) => published(row.axes === 3 ? [128, 126, 130] : [1, 32, 5040], row)),
    ...ON_GPU.map((row) => published(GPU_SIZE, row, true)),
  ],
  quick: [
    volume(SMALL),
    volume(SMALL, 'inverse'),
    ...ON_ONE_CORE.filter(({ axes }) => axes === 3).map((row) => published(SMALL, { ...row, published: [] })),
    ...ON_GPU.filter(({ axes }) => axes === 1).map((row) => published(SMALL, { ...row, published: [] }, true)),
  ],
};
