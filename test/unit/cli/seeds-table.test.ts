/** The table of a run over seeds: medians with intervals, verdicts, divergences, and what is worse than the free run. */
import { describe, expect, it } from 'vitest';
import { planSweep, summariseSeeds, sweepOverSeeds, validateScenario } from '../../../engine/index.ts';
import type { OverSeeds } from '../../../engine/index.ts';
import { formatOverSeeds, worseLines } from '../../../app/cli/run/over-seeds.ts';
import { resultsOverSeeds } from '../../setup/seeds-results.ts';
import type { SeedOutcomes } from '../../setup/seeds-results.ts';
import { REFERENCE, SMALL_SCENARIO } from '../sweep/small-sweep.ts';

const { scenario } = validateScenario(SMALL_SCENARIO, 'small');
const base = { raw: SMALL_SCENARIO, file: 'small.json', readFile: () => Promise.reject(new Error('there is none')) };

async function studyOf(count: number, of: (seed: number) => SeedOutcomes | undefined): Promise<OverSeeds> {
  const seeds = Array.from({ length: count }, (_, index) => index + 1);
  const plan = await planSweep(sweepOverSeeds(scenario, seeds, ['free-run', 'letkf']), base, REFERENCE);
  return summariseSeeds(resultsOverSeeds(plan, of));
}

function errors(seed: number, share: number, ofMomentum = share) {
  const [own, momentum] = [share * (0.1 + 0.01 * seed), ofMomentum * 0.1];
  return { rmse_forecast_h: own, rmse_analysis_h: own, rmse_analysis_hu: momentum, skill: 1 - share };
}

describe('the table over seeds', () => {
  it('has the median of each measure above its interval, and who is better on how many seeds', async () => {
    const study = await studyOf(10, (seed) => ({ 'free-run': errors(seed, 1), letkf: errors(seed, 0.2) }));
    const text = formatOverSeeds(study);
    const lines = text.split('\n');
    expect(lines.find((line) => line.includes(' letkf '))).toMatch(/│ letkf +│ +0\.0310 │ +0\.0310 │ +80\.0 % │/);
    expect(lines.some((line) => line.includes('0.0240 to 0.0380'))).toBe(true);
    expect(text).toContain('Medians over 10 seeds (1-10); beneath each, the 95 % interval of the median.');
    expect(text).toContain('better on 10 of 10 seeds');
    expect(text).toContain('worse on 10 of 10 seeds');
    expect(text).not.toContain('diverged');
  });

  it('says with which seeds a method diverged', async () => {
    const study = await studyOf(8, (seed) => ({
      'free-run': errors(seed, 1),
      letkf: [2, 3, 7].includes(seed) ? null : errors(seed, 0.2),
    }));
    const text = formatOverSeeds(study);
    expect(text).toContain('3 of 8');
    expect(text).toContain('seed 2-3,7');
    expect(text).toContain('(1-8; of a method, the seeds with which it did not diverge)');
  });

  it('says how many seeds an interval takes', async () => {
    const study = await studyOf(5, (seed) => ({ 'free-run': errors(seed, 1), letkf: errors(seed, 0.2) }));
    expect(formatOverSeeds(study)).toContain('the range: six seeds or more are needed for a 95 % interval.');
  });

  it('has nothing of seeds that were not run yet', async () => {
    expect(formatOverSeeds(await studyOf(3, () => undefined))).toBe('no seed is complete');
  });

  it('names what is worse than the free run, observed or not', async () => {
    const study = await studyOf(7, (seed) => ({ 'free-run': errors(seed, 1), letkf: errors(seed, 0.2, 2) }));
    expect(worseLines(study)).toEqual([
      expect.stringMatching(/^letkf: its analysis of hu is worse than the free run: worse on 7 of 7 seeds \(\+100/),
    ]);
  });
});
