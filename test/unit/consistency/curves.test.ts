/** The curves behind the figures: pooled over cycles as sums, in the units of the variable. */
import { describe, expect, it } from 'vitest';
import { crpsParts, meanSpectra, spectralOctaves, spreadSkillPoints } from '../../../engine/index.ts';
import type { ConsistencyMeasures, CycleDiagnostics } from '../../../engine/index.ts';
import { spectralPlan } from '../../../engine/operators/consistency/index.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';

type Sampled = ConsistencyMeasures['sampled'][string];

/** Two members. */
const sampled: Sampled = {
  alpha: [0, 0.3, 0.1],
  beta: [0.1, 0.3, 0],
  below: 0.2,
  above: 0.2,
  uncertainty: 0.5,
  share: [0, 0.25, 0.75],
  variance: [0, 0.01, 0.12],
  squaredError: [0, 0.04, 0.27],
};

function row(cycle: number, of: Sampled | undefined, factor = 1): CycleDiagnostics {
  const powers = [4, 2, 1].map((power) => factor * power);
  return {
    ...diagnosticsRow('letkf', cycle, { h: 0.1, hu: 0.1 }),
    consistency: {
      departures: {},
      sampled: of ? { h: of } : {},
      spectra: { forecastError: powers, analysisError: powers, increment: [0, 0, factor], forecastSpread: powers },
      budgets: undefined,
    },
  };
}

describe('errors by bins of spread', () => {
  it('are roots of means over the cells of a bin, the spread with the correction for two members, without empty bins', () => {
    const points = spreadSkillPoints([row(0, sampled)], 'h');
    expect(points.map(({ share }) => share)).toEqual([0.25, 0.75]);
    // 3/2 of the variances 0.04 and 0.16; squared errors 0.16 and 0.36.
    expect(points[0].spread).toBeCloseTo(Math.sqrt(0.06), 12);
    expect(points[1].spread).toBeCloseTo(Math.sqrt(0.24), 12);
    expect(points[0].rmse).toBeCloseTo(0.4, 12);
    expect(points[1].rmse).toBeCloseTo(0.6, 12);
  });

  it('count each cycle by the cells that it has in the bin', () => {
    const other = { ...sampled, share: [0, 0.75, 0.25], variance: [0, 0.06, 0.04], squaredError: [0, 0.12, 0.09] };
    const [first, second] = spreadSkillPoints([row(0, sampled), row(1, other)], 'h');
    expect(first.share).toBeCloseTo(0.5, 12);
    expect(first.rmse).toBeCloseTo(Math.sqrt(0.16 / 1), 12);
    expect(second.rmse).toBeCloseTo(Math.sqrt(0.36 / 1), 12);
    expect(second.spread).toBeCloseTo(Math.sqrt(1.5 * 0.16), 12);
  });

  it('are none of a single state, and of another variable', () => {
    expect(spreadSkillPoints([row(0, undefined)], 'h')).toEqual([]);
    expect(spreadSkillPoints([row(0, sampled)], 'hu')).toEqual([]);
  });
});

describe('spectra', () => {
  it('are means over cycles, and none of rows without them', () => {
    const found = meanSpectra([row(0, undefined), row(1, undefined, 3)]);
    expect(found?.forecastError).toEqual([8, 4, 2]);
    expect(found?.increment).toEqual([0, 0, 2]);
    expect(meanSpectra([diagnosticsRow('letkf', 0, { h: 0.1, hu: 0.1 })])).toBeUndefined();
  });

  it.each([
    { nx: 24, ny: 24, dx: 1, dy: 1, periodicX: false, periodicY: false },
    { nx: 300, ny: 40, dx: 2, dy: 3, periodicX: true, periodicY: false },
    { nx: 40, ny: 1, dx: 1, dy: 1, periodicX: true, periodicY: false },
    { nx: 1, ny: 1, dx: 1, dy: 1, periodicX: true, periodicY: true },
  ])('have the octaves of the plan that they are made with: $nx × $ny', (grid) => {
    expect(spectralOctaves(grid)).toEqual(spectralPlan(grid).edges);
  });

  it('begin with the longest wave that fits: half a wave between walls, a whole one around a ring', () => {
    const square = { nx: 24, ny: 24, dx: 2, dy: 2, periodicX: false, periodicY: false };
    expect(spectralOctaves(square)[0]).toBeCloseTo(1 / 96, 15);
    expect(spectralOctaves({ ...square, periodicX: true })[0]).toBeCloseTo(1 / 48, 15);
  });
});

describe('the score of a cycle', () => {
  it('is the sum of its two parts', () => {
    const parts = crpsParts(row(0, sampled), 'h');
    expect(parts?.crps).toBeCloseTo(0.35, 12);
    expect((parts?.reliability ?? 0) + (parts?.potential ?? 0)).toBeCloseTo(0.35, 12);
    expect(parts?.uncertainty).toBe(0.5);
  });

  it('is none of a single state', () => {
    expect(crpsParts(row(0, undefined), 'h')).toBeUndefined();
  });
});
