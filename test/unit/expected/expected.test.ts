/** The arithmetic behind the shipped scenarios' expected results: combinations, medians, skill, edges of a scan. */
import { describe, expect, it } from 'vitest';
import { median, rangeOf, skillOf } from '../../expected/numbers.ts';
import { combinations, edgesOf, withValues } from '../../expected/scan.ts';

const numbers = (h: number) => ({ rmse: { forecast: { h }, analysis: { h } }, spread: { forecast: {}, analysis: {} } });

describe('numbers', () => {
  it.each([
    [[3], 3],
    [[4, 1], 2.5],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2.5],
  ])('the median of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('a range has median, lowest and highest, to four digits', () => {
    expect(rangeOf([0.123456, 0.2, 0.1])).toEqual({ median: 0.1235, low: 0.1, high: 0.2 });
  });

  it('skill is the share of the free run’s error that is gone', () => {
    expect(skillOf(numbers(0.25), numbers(1), ['h'])).toBe(0.75);
  });

  it('a run that diverged has the worst skill', () => {
    expect(skillOf(null, numbers(1), ['h'])).toBe(-Infinity);
  });
});

describe('a scan', () => {
  it('tries every combination, the last parameter running fastest', () => {
    expect(
      combinations([
        [1, 2],
        [3, 4],
      ]),
    ).toEqual([
      [1, 3],
      [1, 4],
      [2, 3],
      [2, 4],
    ]);
  });

  it('sets the values of the method that it names', () => {
    const raw = { methods: [{ kind: 'free-run' }, { kind: 'letkf', label: 'local' }] };
    const scan = { method: 'local', parameters: { inflation: [1, 2] } };
    expect(withValues(raw, scan, [2])).toEqual({
      methods: [{ kind: 'free-run' }, { kind: 'letkf', label: 'local', inflation: 2 }],
    });
  });

  it('says which best value lies at the edge of what was tried', () => {
    const record = {
      method: 'letkf',
      parameters: { inflation: [1, 1.1, 1.2], 'localisation.halfWidth': [4, 8, 16] },
      measure: 'skill',
      seeds: [1],
      table: [],
      best: [1.1, 16],
    };
    expect(edgesOf(record)).toEqual(['localisation.halfWidth = 16']);
  });
});
