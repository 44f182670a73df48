/**
 * Real runs of equal methods: EnKFs with the same settings whose labels give them other streams of perturbations, beside a free run.
 * Their differences over the cycles of a run persist, and over seeds they are chance.
 */
import { compareFamily, gatherSummary, parseScenario, summaryTerms } from '../../engine/index.ts';
import { createExperiment } from '../../engine/experiment/index.ts';
import { NO_FILES } from '../../engine/scenario/index.ts';
import type { Backend, CycleDiagnostics } from '../../engine/index.ts';

const FILTERS = ['a', 'b', 'c', 'd'] as const;
/** Seeds of each trial: with four filters and the free run, ten comparisons, of which ten seeds can decide each. */
export const SEEDS_PER_TRIAL = 10;

const SCENARIO = {
  version: 3,
  name: 'equals',
  grid: { nx: 8, ny: 8, dx: 1, dy: 1 },
  model: { scheme: 'richtmyer', timeStep: 0.1, bathymetry: { kind: 'flat', depth: 1 } },
  truth: { initial: { kind: 'drops', count: 2, amplitude: [0.1, 0.3], width: 3 }, spinup: 0.5 },
  background: { initial: { kind: 'drops', count: 2, amplitude: [0.1, 0.3], width: 3 }, members: 5 },
  observations: [
    {
      name: 'gauges',
      variable: 'h',
      network: { kind: 'regular', stride: [3, 3], offset: [1, 1] },
      errorStandardDeviation: 0.02,
    },
  ],
  methods: [
    { kind: 'free-run' },
    ...FILTERS.map((label) => ({ kind: 'enkf', label, localisation: { halfWidth: 4 }, inflation: 1.1 })),
  ],
  experiment: { cycles: 4, window: 0.5 },
} as const;

/** @returns the error of each filter, and of the free run last, in the run of one seed */
async function errorsOf(backend: Backend, seed: number): Promise<readonly (number | null)[]> {
  const { scenario } = parseScenario(JSON.stringify({ ...SCENARIO, seed }), 'equals.json');
  const rows: CycleDiagnostics[] = [];
  const diverged = new Set<string>();
  const experiment = await createExperiment(backend, scenario, {
    files: NO_FILES,
    listener(event) {
      if (event.type === 'diagnostics') rows.push(event.diagnostics);
      if (event.type === 'diverged') diverged.add(event.method);
    },
  });
  try {
    while (experiment.nextCycle < experiment.cycles) await experiment.step();
  } finally {
    experiment.dispose();
  }
  const methods = scenario.methods.map(({ label, kind }) => ({ label, kind, members: 1 }));
  const results = gatherSummary(rows, summaryTerms(scenario)).results(methods);
  const byLabel = new Map(results.map(({ method, rmse }) => [method, rmse.analysis['h']]));
  return [...FILTERS, 'free-run'].map((label) => (diverged.has(label) ? null : (byLabel.get(label) ?? null)));
}

/** @returns a row of errors for each seed, from 1 */
export async function equalFilters(backend: Backend, seeds: number): Promise<(readonly (number | null)[])[]> {
  const rows: (readonly (number | null)[])[] = [];
  for (let seed = 1; seed <= seeds; seed++) rows.push(await errorsOf(backend, seed));
  return rows;
}

/**
 * @param rows of `equalFilters`
 * @param filters how many of the filters take part
 * @returns the share of trials, each of other seeds, in which one of the equal filters is named better than another
 */
export function toldApart(rows: readonly (readonly (number | null)[])[], filters: number): number {
  const trials = Math.floor(rows.length / SEEDS_PER_TRIAL);
  const named = Array.from({ length: trials }, (_, trial) => {
    const own = rows.slice(trial * SEEDS_PER_TRIAL, (trial + 1) * SEEDS_PER_TRIAL);
    const columns = [...Array(filters).keys(), FILTERS.length].map((column) => own.map((row) => row[column]));
    const { between } = compareFamily(columns);
    const pairs = columns.flatMap((_values, a) => columns.slice(0, a).map((_other, b) => [a, b] as const));
    return pairs.some(([a, b]) => {
      const verdict = a < filters && b < filters ? between(a, b)?.verdict : undefined;
      return verdict === 'a' || verdict === 'b';
    });
  });
  return named.filter(Boolean).length / trials;
}
