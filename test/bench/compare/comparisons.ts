/** What is compared: benchmarks, each with the Python suite and the C program that compute the same. */
import { benchmarkNamed, SUITES } from '../../../engine/index.ts';
import type { Benchmark } from '../../../engine/index.ts';
import { forecastAnalysis } from './forecast-analysis.ts';

export interface Comparison {
  readonly benchmark: Benchmark;
  /** The suite of test/bench/python, if it has one. */
  readonly script?: string;
  /** The program of test/bench/native, if it has one. */
  readonly program?: string;
}

interface Compared extends Omit<Comparison, 'benchmark'> {
  readonly full: string;
  readonly quick: string;
}

const COMPARED: readonly Compared[] = [
  {
    full: 'recursive-filter-1d-100000-k500',
    quick: 'recursive-filter-1d-2000-k50',
    script: 'recursive_filter.py',
    program: 'recursive_filter',
  },
  {
    full: 'recursive-filter-1d-100000-k500-sweeps',
    quick: 'recursive-filter-1d-2000-k50-sweeps',
    program: 'recursive_filter',
  },
  {
    full: 'recursive-filter-2d-1024-k10',
    quick: 'recursive-filter-2d-64-k4',
    script: 'recursive_filter.py',
    program: 'recursive_filter',
  },
  {
    full: 'convolution-124x132x130',
    quick: 'convolution-20x24x28',
    script: 'convolution.py',
    program: 'convolution',
  },
  { full: 'letkf-256-k32-l9', quick: 'letkf-32-k12-l9', script: 'letkf.py', program: 'letkf' },
  {
    full: 'gain-covariance-16384x64-m129',
    quick: 'gain-covariance-256x8-m9',
    script: 'gain_covariance.py',
    program: 'gain_covariance',
  },
  { full: 'lax-wendroff-512', quick: 'lax-wendroff-48', script: 'shallow_water.py', program: 'lax_wendroff' },
  { full: 'central-upwind-512', quick: 'central-upwind-48', program: 'central_upwind' },
];

function named(name: string): Benchmark {
  const benchmark = benchmarkNamed(name);
  if (!benchmark) throw new Error(`there is no benchmark ${name}`);
  return benchmark;
}

/**
 * @param suites of these alone, of all if there are none
 * @throws Error for a name that is no suite, or that of a suite which nothing is compared with
 */
export function comparisonsOf(suites: readonly string[], quick: boolean): readonly Comparison[] {
  const unknown = suites.find((name) => !SUITES.some((suite) => suite === name));
  if (unknown !== undefined) throw new Error(`unknown suite '${unknown}'; suites are ${SUITES.join(', ')}`);
  const cycle = forecastAnalysis(quick ? { n: 32, members: 12, steps: 5 } : { n: 256, members: 32, steps: 20 });
  const all: readonly Comparison[] = [
    ...COMPARED.map(({ full, quick: small, ...programs }) => ({ ...programs, benchmark: named(quick ? small : full) })),
    { benchmark: cycle, script: 'cycle.py' },
  ];
  const alone = suites.find((name) => !all.some(({ benchmark: { suite } }) => suite === name));
  if (alone !== undefined) throw new Error(`the suite ${alone} has nothing to be compared with`);
  return all.filter(({ benchmark: { suite } }) => suites.length === 0 || suites.includes(suite));
}
