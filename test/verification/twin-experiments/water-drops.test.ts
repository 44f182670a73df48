/**
 * T1: the statistics of `t1.json` against the same experiment computed independently (numpy, float64): medians over
 * ten seeds of the means over cycles 10 to 39 of the RMSE of h. Other random numbers, the same statistics: within 12 %.
 */
import { describe, expect, it } from 'vitest';
import { createReferenceBackend } from '../../../engine/index.ts';
import { readScenario, runScenario } from '../../setup/run-scenario.ts';
import type { ScenarioRun } from '../../setup/run-scenario.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const BAND = 0.12;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

describe('T1: water drops over ten seeds', async () => {
  const scenario = readScenario(new URL('t1.json', import.meta.url));
  const runs: ScenarioRun[] = [];
  for (const seed of SEEDS) {
    const backend = createReferenceBackend();
    runs.push(await runScenario(backend, { ...scenario, seed }, ['free-run', '3dvar', 'letkf']));
    backend.dispose();
  }

  it.each([
    { method: 'free-run', measure: 'forecast', published: 0.069 },
    { method: '3dvar', measure: 'forecast', published: 0.0217 },
    { method: '3dvar', measure: 'analysis', published: 0.0209 },
    { method: 'letkf', measure: 'forecast', published: 0.018 },
    { method: 'letkf', measure: 'analysis', published: 0.017 },
    { method: 'letkf', measure: 'spread', published: 0.0164 },
  ] as const)('$method: median $measure of h is within 12 % of $published m', ({ method, measure, published }) => {
    const found = median(runs.map(({ means }) => means[method][measure]));
    expect(Math.abs(found / published - 1), `median ${found}`).toBeLessThan(BAND);
  });

  it('3D-Var reaches its tolerance in about the 24 to 25 iterations of the independent run', () => {
    const iterations = runs.flatMap(({ diagnostics }) =>
      diagnostics.flatMap(({ minimisation }) => (minimisation ? [minimisation.iterations] : [])),
    );
    expect(median(iterations)).toBeGreaterThanOrEqual(23);
    expect(median(iterations)).toBeLessThanOrEqual(26);
    expect(runs.every(({ diagnostics }) => diagnostics.every(({ minimisation: m }) => !m || m.converged))).toBe(true);
  });
});
