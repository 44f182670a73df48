/** Whether scores can still be those of a state of the basin. */
import { describe, expect, it } from 'vitest';
import { createModel } from '../../../engine/experiment/draw.ts';
import { createPlausibility } from '../../../engine/experiment/divergence-cause.ts';
import { NO_FILES } from '../../../engine/index.ts';
import type { CycleDiagnostics } from '../../../engine/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

/** 1 m of water under drops of up to 0.5 m. */
const scenario = tinyScenario({
  model: { scheme: 'lax-wendroff', timeStep: 0.1, gravity: 10, bathymetry: { kind: 'flat', depth: 1 } },
  truth: { initial: { kind: 'drops', count: 6, amplitude: [0.1, 0.5], width: 4 } },
  background: { initial: { kind: 'drops', count: 6, amplitude: [0.1, 0.4], width: 4 }, members: 4 },
});
const plausibility = createPlausibility(scenario, createModel(scenario, NO_FILES));

interface Scores {
  readonly forecast?: number;
  readonly analysis?: number;
  readonly spread?: number;
  readonly momentum?: number;
}

const of = (h: number, hu = 0.1): CycleDiagnostics['rmse']['forecast'] => ({ h, hu, hv: 0.1 });

/** Scores of 0.1 m, and of 0.1 m²/s, but for those that are given. */
function scores({ forecast = 0.1, analysis = 0.1, spread = 0.1, momentum = 0.1 }: Scores) {
  return {
    rmse: { forecast: of(forecast, momentum), analysis: of(analysis) },
    spread: { forecast: of(0.1), analysis: of(spread) },
  };
}

describe('scores', () => {
  it('are plausible up to ten depths of the water with what is raised on it', () => {
    expect(plausibility.judge(scores({ forecast: 14.9, analysis: 14.9, spread: 14.9 }))).toBeUndefined();
  });

  it('are not beyond that', () => {
    expect(plausibility.judge(scores({ forecast: 15.1 }))).toEqual({
      stage: 'forecast',
      found: 'its forecast has an RMSE of h of 15.1 m',
    });
  });

  it('are not where they are no number', () => {
    expect(plausibility.judge(scores({ analysis: Number.NaN }))).toEqual({
      stage: 'analysis',
      found: 'its analysis has an RMSE of h that is no number',
    });
  });

  it('are not where the spread is infinite', () => {
    expect(plausibility.judge(scores({ spread: Infinity }))).toMatchObject({ stage: 'analysis' });
  });

  it('are of momenta up to ten times what the fastest wave carries', () => {
    // 1.5 m deep: waves of √15 m/s, hence 10 · 1.5 · √15 = 58.1 m²/s.
    expect(plausibility.judge(scores({ momentum: 58 }))).toBeUndefined();
    expect(plausibility.judge(scores({ momentum: 58.2 }))).toMatchObject({ stage: 'forecast' });
  });
});
