/** The numbers that a scenario promises, beside those of a run. */
import { describe, expect, it } from 'vitest';
import type { MethodResult } from '../../../../engine/index.ts';
import {
  expectedRows,
  expectedVerdict,
  haveSameSettings,
  isInRange,
  rowTitle,
  groupScenarios,
} from '../../../../app/document/scenario/bundled-scenarios.ts';
import { scenarioOf } from '../run/fake-run.ts';

const range = (median: number) => ({ median, low: 0.9 * median, high: 1.1 * median });
const scenario = scenarioOf(4, {
  methods: [{ kind: 'free-run' }, { kind: 'letkf' }, { kind: 'enkf' }],
  observations: [{ name: 'a', variable: 'u', network: { kind: 'regular' } }],
  expected: {
    seeds: [1, 2, 3],
    results: {
      'free-run': { forecast: {}, analysis: { hu: range(1) } },
      letkf: { forecast: {}, analysis: { h: range(2), hu: range(0.5) }, skill: range(0.5) },
    },
  },
});

function result(method: string, hu: number, skill: number | null): MethodResult {
  return {
    method,
    cycles: 9,
    rmse: { forecast: {}, analysis: { h: 1, hu } },
    rmseLevel: { forecast: {}, analysis: {} },
    rmsePattern: { forecast: {}, analysis: {} },
    spread: { forecast: {}, analysis: {} },
    skill,
    skillByVariable: {},
    skillPattern: null,
    skillPatternByVariable: {},
    milliseconds: { forecast: 0, analysis: 0 },
  };
}

describe('expected results', () => {
  it('have a row for each method and compared variable, and one for the skill', () => {
    const rows = expectedRows(scenario, []);
    expect(rows.map(({ label, variable }) => [label, variable])).toEqual([
      ['free-run', 'hu'],
      ['letkf', 'hu'],
      ['letkf', 'skill'],
    ]);
    expect(rows.every(({ isInside }) => isInside === undefined)).toBe(true);
    expect(expectedVerdict(rows, 3, true)).toBe('');
  });

  it('say whether the run lies inside', () => {
    const inside = expectedRows(scenario, [result('free-run', 1.05, 0), result('letkf', 0.5, 0.5)]);
    expect(inside.map(({ isInside }) => isInside)).toEqual([true, true, true]);
    expect(expectedVerdict(inside, 3, true)).toBe('This run lies inside the range of 3 seeds.');
    const outside = expectedRows(scenario, [result('free-run', 1.05, 0), result('letkf', 0.7, 0.3)]);
    expect(outside.map(({ isInside }) => isInside)).toEqual([true, false, false]);
    expect(expectedVerdict(outside, 3, false)).toBe(
      'This run so far lies outside the range of 3 seeds in 2 of 3 numbers.',
    );
  });

  it('allow for rounding to three digits at the ends, below zero too', () => {
    expect(isInRange(1.104, { median: 1, low: 0.9, high: 1.1 })).toBe(true);
    expect(isInRange(1.12, { median: 1, low: 0.9, high: 1.1 })).toBe(false);
    expect(isInRange(-0.2, { median: -0.1, low: -0.15, high: 0.05 })).toBe(false);
    expect(isInRange(-0.1505, { median: -0.1, low: -0.15, high: 0.05 })).toBe(true);
  });

  it('are those of a scenario with other words or another seed, and of no other settings', () => {
    expect(haveSameSettings(scenario, { ...scenario, seed: 99, title: 'Other' })).toBe(true);
    expect(haveSameSettings(scenario, { ...scenario, grid: { ...scenario.grid, dx: 3 } })).toBe(false);
    expect(rowTitle('hu')).toBe('hu (m²/s)');
    expect(rowTitle('skill')).toBe('skill (%)');
  });
});

describe('groups of the gallery', () => {
  it('have every scenario once, also one that no group names', () => {
    const names = ['dam-break', 'first-light', 'brand-new', 'large'];
    const groups = groupScenarios(names);
    expect(groups.flatMap((group) => group.names).sort()).toEqual([...names].sort());
    expect(groups[0].names).toEqual(['first-light']);
    expect(groups.at(-1)?.names).toEqual(['brand-new']);
  });
});
