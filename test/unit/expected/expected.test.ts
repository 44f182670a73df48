/** What a scenario file expects, from what came of its cases. */
import { describe, expect, it } from 'vitest';
import type { MeasuredCase } from '../../expected/measured.ts';
import { measuredCase } from '../../expected/measured.ts';
import { expectedResult, ownResults, rangeOf } from '../../expected/numbers.ts';

function caseOf(measures: Readonly<Record<string, number | null>>, changes: object = {}): MeasuredCase {
  const method = { method: 'letkf', state: 'complete' as const, measures, cycles: {}, ...changes };
  return { hash: '0'.repeat(32), reason: null, methods: [method] };
}

/** Results of h, the same with every seed. */
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
    expect(expectedResult(cases, 'letkf', false)).toEqual({
      forecast: always(0.4),
      analysis: always(0.25),
      spread: always(0.2),
      skill: { median: 0.6, low: 0.5, high: 0.75 },
    });
  });

  it('has no spread of a single state, and no skill without a free run', () => {
    const cases = [caseOf({ rmse_forecast_h: 1, rmse_analysis_h: 1, spread_analysis_h: null, skill: null })];
    expect(Object.keys(expectedResult(cases, 'letkf', false))).toEqual(['forecast', 'analysis']);
  });

  it('has the error of the pattern where forcing changes the volume', () => {
    const cases = [caseOf({ ...MEASURES, rmse_pattern_analysis_h: 0.1, skill_pattern: 0.6 })];
    expect(expectedResult(cases, 'letkf', true)).toMatchObject({
      pattern: always(0.1),
      skillPattern: { median: 0.6, low: 0.6, high: 0.6 },
    });
  });

  it('says with how many seeds a method diverged, and is of the others', () => {
    const cases = [caseOf(MEASURES), caseOf({}, { state: 'diverged' })];
    expect(expectedResult(cases, 'letkf', false)).toMatchObject({ analysis: always(0.25), diverged: 1 });
  });

  it('is nothing if all runs diverged, or one could not be run', () => {
    expect(() => expectedResult([caseOf({}, { state: 'diverged' })], 'letkf', false)).toThrow(
      'letkf: all 1 runs diverged',
    );
    const failed = [{ ...caseOf(MEASURES), reason: 'too large', methods: [] }];
    expect(() => expectedResult(failed, 'letkf', false)).toThrow('letkf: too large');
  });

  it('has the numbers of the run with its own seed', () => {
    expect(ownResults(3, caseOf({ ...MEASURES, chi_square: 1 }))).toEqual({ seed: 3, results: { letkf: MEASURES } });
  });
});

it('keeps of a case its measures under their present names, and of its cycles errors and spreads', () => {
  const method = { method: 'a', kind: 'letkf', members: 2, state: 'complete', divergedAt: null } as const;
  const summary = {
    hash: 'x',
    state: 'complete',
    reason: null,
    methods: [{ ...method, measures: { 'rmse.analysis.h': 1 / 3, 'spread-error.analysis.h': null } }],
  } as const;
  const csv = 'method,cycle,rmse_analysis_h,crps_analysis_h,spread_analysis_h\na,0,0.5,9,\na,1,0.25,9,0.125\n';
  expect(measuredCase(summary, csv)).toEqual({
    hash: 'x',
    reason: null,
    methods: [
      {
        method: 'a',
        state: 'complete',
        measures: { rmse_analysis_h: 0.333333, spread_error_analysis_h: null },
        cycles: { rmse_analysis_h: [0.5, 0.25], spread_analysis_h: [null, 0.125] },
      },
    ],
  });
});
