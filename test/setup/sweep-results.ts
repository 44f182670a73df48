/** Results of a sweep as `shoal sweep` writes them, made up from a formula: what tests of the map open. */
import type { SweepResults } from '../../engine/index.ts';

export const INFLATIONS = [1, 1.02, 1.05, 1.1, 1.2];
export const HALF_WIDTHS = [2, 3, 5, 8];
const MEMBERS = [10, 20];
const METHODS = ['free-run', '3dvar', 'letkf'];

/** A scenario that runs in a moment. */
export const SWEPT_SCENARIO = {
  version: 3,
  name: 'swept',
  title: 'A swept basin',
  grid: { nx: 16, ny: 16, dx: 1, dy: 1 },
  background: { members: 10 },
  methods: [{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf' }],
  experiment: { cycles: 2, window: 1 },
};

/** RMSE of the LETKF: least at an inflation of 1.05 and a half-width of 5, in both numbers of members. */
function letkfError(inflation: number, halfWidth: number, members: number): number {
  const tuned = 1 + 20 * (inflation - 1.05) ** 2 + 0.6 * Math.log(halfWidth / 5) ** 2;
  return 0.04 * tuned * Math.sqrt(20 / members);
}

/** Seeds differ by up to 10 %, in each method alike, and a little by themselves. */
function seedFactor(seed: number, n: number): number {
  return 1 + 0.1 * Math.sin(7 * seed) + 0.02 * Math.sin(13 * seed + 5 * n);
}

export interface SweepShape {
  readonly inflations?: readonly number[];
  readonly halfWidths?: readonly number[];
  readonly members?: readonly number[];
  readonly seeds?: readonly number[];
}

/**
 * Inflation × half-width × members over seeds: the LETKF of the largest inflation diverges in some seeds, with the widest
 * taper in all; one case failed and one waits.
 */
export function sweepResults({
  inflations = INFLATIONS,
  halfWidths = HALF_WIDTHS,
  members = MEMBERS,
  seeds = [1, 2, 3, 4, 5, 6, 7, 8],
}: SweepShape = {}): SweepResults {
  const [largest, widest] = [Math.max(...inflations), Math.max(...halfWidths)];
  const settings = inflations.flatMap((inflation) =>
    halfWidths.flatMap((halfWidth) => members.map((count) => [inflation, halfWidth, count] as const)),
  );
  const cases = settings.flatMap((values, n) =>
    seeds.map((seed): SweepResults['cases'][number] => {
      const [inflation, halfWidth, count] = values;
      const index = n * seeds.length + seeds.indexOf(seed);
      const place = { hash: index.toString(16).padStart(32, '0'), values: [...values], seed };
      if (index === 1) return { ...place, state: 'failed', reason: 'the disk is full', methods: [] };
      if (index === 2) return { ...place, state: 'waiting', reason: null, methods: [] };
      const isDiverged = inflation === largest && (halfWidth === widest || seed % 3 === 0);
      const errors = [0.2, 0.055, letkfError(inflation, halfWidth, count)].map(
        (error, m) => error * seedFactor(seed, n + m),
      );
      return {
        ...place,
        state: 'complete',
        reason: null,
        methods: METHODS.map((method, m) => {
          if (method === 'letkf' && isDiverged)
            return { method, state: 'diverged', divergedAt: 7, values: [null, null, null] };
          const ratio = method === 'letkf' ? 0.5 * inflation ** 6 * seedFactor(seed, m) : null;
          return { method, state: 'complete', divergedAt: null, values: [errors[m], 1 - errors[m] / errors[0], ratio] };
        }),
      };
    }),
  );
  return {
    format: 1,
    name: 'letkf-tuning',
    scenario: SWEPT_SCENARIO,
    backend: { name: 'wasm', adapter: 'WebAssembly SIMD' },
    versions: { shoal: '0.1.0' },
    axes: [
      { path: 'methods[2].inflation', title: 'letkf: Inflation', values: [...inflations] },
      { path: 'methods[2].localisation.halfWidth', title: 'letkf: Half-width (m)', values: [...halfWidths] },
      { path: 'background.members', title: 'Background: Members', values: [...members] },
    ],
    seeds: [...seeds],
    methods: METHODS,
    measures: [
      { name: 'rmse_analysis_h', title: 'RMSE of the analysis, h', unit: 'm', best: 'least' },
      { name: 'skill', title: 'Skill against the free run', unit: '', best: 'most' },
      { name: 'spread_error_analysis_h', title: 'Spread over error of the analysis, h', unit: '', best: { near: 1 } },
    ],
    cases,
  };
}
