/** What is compared: benchmarks, each with the Python suite that computes the same. */
import { benchmarkNamed, SUITES } from '../../../engine/index.ts';
import type { Benchmark, Suite } from '../../../engine/index.ts';
import { forecastAnalysis } from './forecast-analysis.ts';

/** Script of a suite, in test/bench/python. */
const SCRIPTS: Readonly<Partial<Record<Suite, string>>> = {
  'recursive-filter': 'recursive_filter.py',
  convolution: 'convolution.py',
  letkf: 'letkf.py',
  'gain-covariance': 'gain_covariance.py',
  'shallow-water': 'shallow_water.py',
  cycle: 'cycle.py',
};

export interface Comparison {
  readonly benchmark: Benchmark;
  readonly script: string;
}

const FULL = [
  'recursive-filter-1d-100000-k500',
  'recursive-filter-2d-1024-k10',
  'convolution-124x132x130',
  'letkf-256-k32-l9',
  'gain-covariance-16384x64-m129',
  'lax-wendroff-512',
];
const QUICK = [
  'recursive-filter-1d-2000-k50',
  'recursive-filter-2d-64-k4',
  'convolution-20x24x28',
  'letkf-32-k12-l9',
  'gain-covariance-256x8-m9',
  'lax-wendroff-48',
];

function scriptOf(suite: Suite): string {
  const script = SCRIPTS[suite];
  if (script === undefined) throw new Error(`the suite ${suite} has nothing to be compared with`);
  return script;
}

function named(name: string): Benchmark {
  const benchmark = benchmarkNamed(name);
  if (!benchmark) throw new Error(`there is no benchmark ${name}`);
  return benchmark;
}

/**
 * @param suites of these alone, of all if there are none
 * @throws Error for a name that is no suite
 */
export function comparisonsOf(suites: readonly string[], quick: boolean): readonly Comparison[] {
  const unknown = suites.find((name) => !SUITES.some((suite) => suite === name));
  if (unknown !== undefined) throw new Error(`unknown suite '${unknown}'; suites are ${SUITES.join(', ')}`);
  // A suite without a script says so, instead of comparing nothing.
  for (const suite of SUITES) if (suites.includes(suite)) scriptOf(suite);
  const cycle = forecastAnalysis(quick ? { n: 32, members: 12, steps: 5 } : { n: 256, members: 32, steps: 20 });
  return [...(quick ? QUICK : FULL).map(named), cycle]
    .filter(({ suite }) => suites.length === 0 || suites.includes(suite))
    .map((benchmark) => ({ benchmark, script: scriptOf(benchmark.suite) }));
}
