/**
 * The Gaussian recursive filter on a signal and on planes: the sizes of [rf-gpu], exactly (by literal sweeps, and by whatever
 * is quickest) and by its Algorithm 2 of overlapping blocks, whose error against the exact filter is beside its time.
 */
import { recursiveFilter, type RecursiveFilterParameters } from '../../operators/recursive-filter/index.ts';
import { configuredFilter } from './configured-filter.ts';
import { type Benchmark, type Sizes, someNumbers, openOperator, type PublishedFigure } from '../../benchmarks/index.ts';
import {
  PUBLISHED_CONFIGURATIONS,
  PUBLISHED_FIGURE_1_BLOCKS,
  PUBLISHED_ITERATIONS,
  PUBLISHED_LENGTHS,
  PUBLISHED_OVERLAP,
  PUBLISHED_TABLE_1_BLOCKS,
  PUBLISHED_TEST_1,
  publishedConfiguration,
  publishedOnCpu,
  publishedOnGpu,
} from './published.ts';

type Size = Pick<RecursiveFilterParameters, 'nx' | 'ny' | 'iterations' | 'form' | 'decomposition'> & {
  readonly sigma: number;
};
type Description = Pick<Benchmark, 'table' | 'parameters' | 'approximates' | 'cellWork'> & {
  readonly name: string;
  readonly published?: readonly PublishedFigure[];
};

function filtering({ name, published = [], ...description }: Description, size: Size): Benchmark {
  const { nx, ny, sigma, iterations, form, decomposition } = size;
  const parameters: RecursiveFilterParameters = {
    nx,
    ny,
    batch: 1,
    sigmaX: sigma,
    sigmaY: sigma,
    iterations,
    form,
    transpose: false,
    boundaryX: 'free',
    boundaryY: 'free',
    ...(decomposition && { decomposition }),
  };
  return {
    suite: 'recursive-filter',
    name: `recursive-filter-${name}`,
    published,
    ...description,
    open: (backend) =>
      openOperator(backend, recursiveFilter, parameters, {
        arrays: { input: someNumbers(nx * ny, 1, 1), output: nx * ny },
        output: 'output',
      }),
  };
}

/** σ of every signal in the paper. */
const SIGMA = 2;
const TABLE_1 = 'recursive filter: Table 1, N × K';
const TABLE_2 = 'recursive filter: Tables 2 and 3, blocks × threads, K = 500';
const OVERLAPS = 'recursive filter: Algorithm 2, t × m, K = 500';
const FIGURE_1 = 'recursive filter: Figure 1, time over K and N, t = 3 × 1024';
const PLANES = 'recursive filter: planes';

function signalName(length: number, iterations: number, form: Size['form']): string {
  return `1d-${length}-k${iterations}${form === 'sweeps' ? '-sweeps' : ''}`;
}

function signal(length: number, iterations: number, form: Size['form']) {
  return filtering(
    {
      name: signalName(length, iterations, form),
      table: TABLE_1,
      parameters: { N: length, K: iterations, form: form === 'sweeps' ? 'sweeps' : 'quickest' },
      published: publishedOnCpu(length, iterations),
    },
    { nx: length, ny: 1, sigma: SIGMA, iterations, form },
  );
}

interface Blocks {
  readonly length: number;
  readonly iterations: number;
  /** t */
  readonly blocks: number;
  /** m */
  readonly overlap: number;
}

/** Points at both ends that the exact filter’s end conditions reach and Algorithm 2 does not have: it takes zeros for what lies beyond. */
const ENDS = 10 * SIGMA;

/** The filter that Algorithm 2 approximates. */
function exactSweeps(length: number, iterations: number) {
  return { exact: `recursive-filter-${signalName(length, iterations, 'sweeps')}`, ends: ENDS };
}

/** Algorithm 2. The exact filter that it approximates is the one of literal sweeps. */
function overlapped(
  { length, iterations, blocks, overlap }: Blocks,
  table: string,
  published: readonly PublishedFigure[] = [],
): Benchmark {
  return filtering(
    {
      name: `1d-${length}-k${iterations}-t${blocks}-m${overlap}`,
      table,
      parameters: { N: length, K: iterations, t: blocks, m: overlap },
      approximates: exactSweeps(length, iterations),
      published,
    },
    { nx: length, ny: 1, sigma: SIGMA, iterations, form: 'sweeps', decomposition: { blocks, overlap } },
  );
}

function plane(n: number, iterations: number, sigma: number): Benchmark {
  return filtering(
    {
      name: `2d-${n}-k${iterations}`,
      table: PLANES,
      parameters: { n, K: iterations, σ: sigma },
      cellWork: { series: `recursive-filter-2d-k${iterations}`, cells: n * n },
    },
    { nx: n, ny: n, sigma, iterations, form: 'auto' },
  );
}

/** m: the paper's 2.5σ, and those at which the approximation becomes as good as float32. */
const ALL_OVERLAPS = [PUBLISHED_OVERLAP, 2 * PUBLISHED_OVERLAP, 4 * PUBLISHED_OVERLAP];

function everySize(rows: (length: number, iterations: number) => readonly Benchmark[]): readonly Benchmark[] {
  return PUBLISHED_LENGTHS.flatMap((length) => PUBLISHED_ITERATIONS.flatMap((iterations) => rows(length, iterations)));
}

/** A row of Tables 2 and 3. */
function configured(length: number, iterations: number, [blocks, threads]: readonly [number, number]): Benchmark {
  const overlap = PUBLISHED_OVERLAP;
  const parameters = { length, sigma: SIGMA, iterations, blocks, threads, overlap };
  return {
    suite: 'recursive-filter',
    name: `recursive-filter-1d-${length}-k${iterations}-${blocks}x${threads}-m${overlap}`,
    table: TABLE_2,
    parameters: { N: length, blocks, threads },
    approximates: exactSweeps(length, iterations),
    published: publishedConfiguration(length, blocks, threads),
    open: (backend) =>
      openOperator(backend, configuredFilter, parameters, {
        arrays: { input: someNumbers(length, 1, 1), output: length },
        output: 'output',
      }),
  };
}

/** Time and error over t × m; with t = 1000 a row of Table 1 as well. */
function ofOverlap(length: number, blocks: number, overlap: number): Benchmark {
  const isTable1 = blocks === PUBLISHED_TABLE_1_BLOCKS && overlap === PUBLISHED_OVERLAP;
  return overlapped(
    { length, iterations: 500, blocks, overlap },
    OVERLAPS,
    isTable1 ? publishedOnGpu(length, 500) : [],
  );
}

/** A row of Table 1 or Figure 1. */
function ofAllK(length: number, iterations: number, blocks: number, table: string): Benchmark {
  const published = table === TABLE_1 ? publishedOnGpu(length, iterations) : [];
  return overlapped({ length, iterations, blocks, overlap: PUBLISHED_OVERLAP }, table, published);
}

/** The form that is quicker, and the literal sweeps that were published; σ = 8 and, as scenarios have it, 3. */
const usual: readonly Benchmark[] = [
  signal(100_000, 500, 'auto'),
  signal(100_000, 500, 'sweeps'),
  ofOverlap(100_000, PUBLISHED_FIGURE_1_BLOCKS, PUBLISHED_OVERLAP),
  plane(1024, 10, 8),
  plane(256, 4, 3),
];
const usualNames = new Set(usual.map(({ name }) => name));

const table1 = everySize((length, iterations) => [
  signal(length, iterations, 'auto'),
  signal(length, iterations, 'sweeps'),
  // With K = 500 it is a row of t × m.
  ...(iterations === 500 ? [] : [ofAllK(length, iterations, PUBLISHED_TABLE_1_BLOCKS, TABLE_1)]),
]);

const tables2And3 = PUBLISHED_LENGTHS.flatMap((length) =>
  PUBLISHED_CONFIGURATIONS.map((configuration) => configured(length, 500, configuration)),
);

const overlaps = PUBLISHED_LENGTHS.flatMap((length) =>
  [PUBLISHED_TABLE_1_BLOCKS, PUBLISHED_FIGURE_1_BLOCKS].flatMap((blocks) =>
    ALL_OVERLAPS.map((overlap) => ofOverlap(length, blocks, overlap)),
  ),
);

const figure1 = everySize((length, iterations) =>
  iterations === 500 ? [] : [ofAllK(length, iterations, PUBLISHED_FIGURE_1_BLOCKS, FIGURE_1)],
);

const test1 = overlapped(
  { length: 100_000, iterations: 10, blocks: 100, overlap: PUBLISHED_OVERLAP },
  'recursive filter: Test 1',
  PUBLISHED_TEST_1,
);

export const recursiveFilterBenchmarks: Sizes = {
  usual,
  papers: [
    ...[...table1, ...tables2And3, ...overlaps, ...figure1, test1].filter(({ name }) => !usualNames.has(name)),
    ...[256, 512, 2048].map((n) => plane(n, 10, 8)),
  ],
  quick: [
    signal(2000, 50, 'auto'),
    signal(2000, 50, 'sweeps'),
    overlapped({ length: 2000, iterations: 50, blocks: 20, overlap: 10 }, OVERLAPS),
    configured(2000, 50, [2, 10]),
    plane(64, 4, 3),
  ],
};
