/** What a scenario file expects, from what came of a sweep's cases. */
import { describe, expect, it } from 'vitest';
import type { CaseSummary } from '../../../engine/index.ts';
import { expectedResult, rangeOf } from '../../expected/numbers.ts';

function caseOf(measures: Readonly<Record<string, number | null>>, changes: object = {}): CaseSummary {
  const method = {
    method: 'letkf',
    kind: 'letkf',
    members: 4,
    state: 'complete',
    divergedAt: null,
    measures,
    ...changes,
  };
  return { hash: '0'.repeat(32), state: 'complete', reason: null, methods: [method as never] };
}

/** Of h, the same with every seed. */
function always(value: number) {
  return { h: { median: value, low: value, high: value } };
}

const MEASURES = { rmse_forecast_h: 0.4, rmse_analysis_h: 0.25, spread_analysis_h: 0.2, skill: 0.75 };

describe('what is expected of a method', () => {
  it('has median, lowest and highest, to four digits', () => {
    expect(rangeOf([0.123456, 0.2, 0.1])).toEqual({ median: 0.1235, low: 0.1, high: 0.2 });
  });

  it('is the range over the seeds of each variable and measure that it has', () => {
    const cases = [caseOf(MEASURES), caseOf({ ...MEASURES, skill: 0.5 }), caseOf({ ...MEASURES, skill: 0.6 })];
    expect(expectedResult(cases, 'letkf')).toEqual({
      forecast: always(0.4),
      analysis: always(0.25),
      spread: always(0.2),
      skill: { median: 0.6, low: 0.5, high: 0.75 },
    });
  });

  it('has no spread of a single state, and no skill without a free run', () => {
    const cases = [caseOf({ rmse_forecast_h: 1, rmse_analysis_h: 1, spread_analysis_h: null, skill: null })];
    expect(Object.keys(expectedResult(cases, 'letkf'))).toEqual(['forecast', 'analysis']);
  });

  it('is nothing where a run diverged, or could not be run', () => {
    const diverged = [caseOf(MEASURES), caseOf({}, { state: 'diverged', divergedAt: 3 })];
    expect(() => expectedResult(diverged, 'letkf')).toThrow('letkf: 1 of 2 runs diverged');
    const failed = [{ ...caseOf(MEASURES), state: 'failed', reason: 'too large', methods: [] } as const];
    expect(() => expectedResult(failed, 'letkf')).toThrow('letkf: too large');
  });
});
