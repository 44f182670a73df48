/** A sweep of one point: what it runs, and what its seeds say of the methods. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createReferenceBackend,
  keepCase,
  planSweep,
  runCases,
  summariseSeeds,
  sweepOverSeeds,
  validateScenario,
} from '../../../engine/index.ts';
import type { SweepPlan } from '../../../engine/index.ts';
import { resultsOverSeeds } from '../../setup/seeds-results.ts';
import { planSmall, REFERENCE, SMALL_SCENARIO } from './small-sweep.ts';

const { scenario } = validateScenario(SMALL_SCENARIO, 'small');
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const METHODS = ['free-run', 'letkf'];

function planOf(seeds: readonly number[], methods?: readonly string[]): Promise<SweepPlan> {
  const base = { raw: SMALL_SCENARIO, file: 'small.json', readFile: () => Promise.reject(new Error('there is none')) };
  return planSweep(sweepOverSeeds(scenario, seeds, methods), base, REFERENCE);
}

/** Errors of a method that is as good as its share of the free run's. */
function errors(seed: number, share: number, ofMomentum = share) {
  const free = 0.1 + 0.01 * seed;
  return {
    rmse_forecast_h: 1.1 * share * free,
    rmse_analysis_h: share * free,
    rmse_analysis_hu: ofMomentum * free,
    rmse_analysis_hv: ofMomentum * free,
    skill: 1 - share,
  };
}

/** @param ofPattern error of the pattern, as a share of what the seed has */
function withPattern(seed: number, share: number, ofPattern: number) {
  return { ...errors(seed, share), rmse_pattern_analysis_h: ofPattern * (0.1 + 0.01 * seed) };
}

describe('the sweep of a scenario over seeds', () => {
  it('has a case for each seed, which is that of any other sweep', async () => {
    const plan = await planOf([3, 5], METHODS);
    expect(plan).toMatchObject({ name: 'small', axes: [], seeds: [3, 5], methods: METHODS, count: 2 });
    const other = await planSmall({ seeds: [5], methods: METHODS });
    expect(plan.hashes[1]).toBe(other.hashes[0]);
  });

  it('measures the error of every variable, observed or not', async () => {
    const names = (await planOf([1, 2])).measures.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['rmse_analysis_h', 'rmse_analysis_hu', 'rmse_analysis_hv', 'skill']));
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('what the seeds say', () => {
  let plan: SweepPlan;
  beforeAll(async () => {
    plan = await planOf(SEEDS, METHODS);
  });

  it('names a winner, with medians and their intervals', () => {
    const study = summariseSeeds(
      resultsOverSeeds(plan, (seed) => ({ 'free-run': errors(seed, 1), letkf: errors(seed, 0.2 + 0.01 * seed) })),
    );
    expect(study.complete).toEqual(SEEDS);
    expect(study.shown.map(({ name }) => name)).toEqual(['rmse_forecast_h', 'rmse_analysis_h', 'skill']);
    const skill = study.rows[1].measures.get('skill')?.median;
    expect(skill?.estimate).toBeCloseTo(0.755, 12);
    expect([skill?.low, skill?.high]).toEqual([expect.closeTo(0.72, 12), expect.closeTo(0.79, 12)]);
    expect(study.comparisons.least).toBe('letkf');
    const [freeRun, letkf] = study.comparisons.pairs;
    expect(freeRun).toMatchObject({ method: 'free-run', reference: 'least', comparison: { verdict: 'b', pairs: 8 } });
    expect(letkf).toMatchObject({ method: 'letkf', reference: 'free-run', comparison: { verdict: 'a', wins: 8 } });
    expect(study.worse).toEqual([]);
  });

  it('count a divergence against its method, list a failure, and leave a seed that waits out of everything', () => {
    const study = summariseSeeds(
      resultsOverSeeds(plan, (seed) => {
        if (seed === 8) return undefined;
        if (seed === 7) return 'no room';
        return { 'free-run': errors(seed, 1), letkf: seed === 2 ? null : errors(seed, 0.5) };
      }),
    );
    expect(study.complete).toEqual([1, 2, 3, 4, 5, 6]);
    expect(study.failures).toEqual([{ seed: 7, reason: 'no room' }]);
    expect(study.rows.map(({ diverged }) => diverged)).toEqual([[], [{ seed: 2, cycle: 3 }]]);
    expect(study.rows[1].measures.get('skill')?.bySeed).toEqual([0.5, null, 0.5, 0.5, 0.5, 0.5]);
    const letkf = study.comparisons.pairs.find(({ method }) => method === 'letkf');
    expect(letkf?.comparison).toMatchObject({ pairs: 6, wins: 5, verdict: 'undecided', absent: { a: 1, b: 0 } });
  });

  it('flag a variable that is not observed and worse than the free run', () => {
    const study = summariseSeeds(
      resultsOverSeeds(plan, (seed) => ({ 'free-run': errors(seed, 1), letkf: errors(seed, 0.2, 1.5) })),
    );
    expect(study.worse.map(({ method, variable }) => [method, variable])).toEqual([
      ['letkf', 'hu'],
      ['letkf', 'hv'],
    ]);
    expect(study.worse[0].comparison).toMatchObject({ verdict: 'b', wins: 0, pairs: 8 });
  });

  it('compare by the pattern if the volume changes without the methods’ knowledge', async () => {
    const drop = { kind: 'drop', cycle: 1, x: 8, y: 8, height: 0.2, radius: 2, seenBy: 'truth' };
    const rainy = { ...SMALL_SCENARIO, interventions: [drop] };
    const { scenario: changed } = validateScenario(rainy, 'rainy');
    const base = { raw: rainy, file: 'rainy.json', readFile: () => Promise.reject(new Error('there is none')) };
    const rainyPlan = await planSweep(sweepOverSeeds(changed, SEEDS, METHODS), base, REFERENCE);
    // The LETKF has a quarter of the free run's pattern, and a worse mean level.
    const study = summariseSeeds(
      resultsOverSeeds(rainyPlan, (seed) => ({
        'free-run': withPattern(seed, 1, 0.8),
        letkf: withPattern(seed, 1.1, 0.2),
      })),
    );
    expect(study.headline).toBe('pattern');
    expect(study.shown.map(({ name }) => name)).toEqual([
      'rmse_pattern_forecast_h',
      'rmse_pattern_analysis_h',
      'skill_pattern',
      'skill',
    ]);
    expect(study.comparisons.least).toBe('letkf');
  });

  it('name nobody with fewer than six seeds', () => {
    const study = summariseSeeds(
      resultsOverSeeds(plan, (seed) =>
        seed > 5 ? undefined : { 'free-run': errors(seed, 1), letkf: errors(seed, 0.2) },
      ),
    );
    expect(new Set(study.comparisons.pairs.map(({ comparison }) => comparison?.verdict))).toEqual(new Set(['too-few']));
    expect(study.worse).toEqual([]);
  });
});

it('is run as any case is, and its errors are those of the cases', async () => {
  const plan = await planOf([1, 2], METHODS);
  const backend = createReferenceBackend();
  const [outcome] = await runCases(backend, [plan.caseAt(0)]);
  backend.dispose();
  const measured = outcome.methods[1].measures;
  const study = summariseSeeds(
    resultsOverSeeds(plan, (seed) => (seed === 1 ? { letkf: measured as never } : undefined)),
  );
  expect(study.rows[1].measures.get('rmse_analysis_hu')?.bySeed).toEqual([measured['rmse_analysis_hu']]);
  expect(keepCase(plan, outcome).methods[1].values).not.toContain(undefined);
});
