import { describe, expect, it } from 'vitest';
import { valueAt, withValue, withoutValue } from '../../../app/format/paths.ts';
import { isWithin } from '../../../app/form/edits.ts';
import { parseNumber, parseRows, rangeText, stepNumber, stepOf, writeRows } from '../../../app/form/number-field.tsx';

describe('paths', () => {
  it('changes a copy and shares the rest', () => {
    const root = { grid: { nx: 4 }, methods: [{ kind: 'a' }] };
    const next = withValue(root, ['grid', 'nx'], 8) as typeof root;
    expect(next).toEqual({ grid: { nx: 8 }, methods: [{ kind: 'a' }] });
    expect(root.grid.nx).toBe(4);
    expect(next.methods).toBe(root.methods);
  });

  it('adds the sections that are missing', () => {
    expect(withValue({}, ['model', 'coriolis', 'f'], 1e-4)).toEqual({ model: { coriolis: { f: 1e-4 } } });
    expect(withValue({}, ['methods', 0, 'kind'], 'letkf')).toEqual({ methods: [{ kind: 'letkf' }] });
  });

  it('takes values and entries out', () => {
    const root = { grid: { nx: 4, ny: 5 }, list: [1, 2, 3] };
    expect(withoutValue(root, ['grid', 'nx'])).toEqual({ grid: { ny: 5 }, list: [1, 2, 3] });
    expect(withoutValue(root, ['list', 1])).toEqual({ grid: { nx: 4, ny: 5 }, list: [1, 3] });
    expect(withoutValue(root, ['grid', 'dx'])).toBe(root);
  });

  it('reads only what a value itself has', () => {
    expect(valueAt({ a: [{ b: 1 }] }, ['a', 0, 'b'])).toBe(1);
    expect(valueAt({ a: 1 }, ['a', 'b'])).toBeUndefined();
    expect(valueAt({}, ['constructor'])).toBeUndefined();
  });
});

describe('messages', () => {
  it('knows what is within a path', () => {
    expect(isWithin('methods[1].inflation', 'methods[1]')).toBe(true);
    expect(isWithin('methods[10]', 'methods[1]')).toBe(false);
    expect(isWithin('grid', 'grid')).toBe(true);
    expect(isWithin('grids.nx', 'grid')).toBe(false);
  });
});

describe('numbers', () => {
  it('reads what people type, and nothing else', () => {
    expect(parseNumber(' 1,5 ')).toBe(1.5);
    expect(parseNumber('−2e-3')).toBe(-0.002);
    expect(parseNumber('.5')).toBe(0.5);
    for (const text of ['', 'abc', '1.2.3', '0x10', 'Infinity', '1e999']) expect(parseNumber(text)).toBeUndefined();
  });

  it('steps on round numbers within the range', () => {
    expect(stepOf(7, true)).toBe(1);
    expect(stepNumber(1.1, 1, false, {})).toBe(1.2);
    expect(stepNumber(1, -1, false, { minimum: 1 })).toBe(1);
    expect(stepNumber(0.02, 1, false, {})).toBe(0.025);
    expect(stepNumber(1e-4, 1, false, {})).toBe(1.1e-4);
    expect(stepNumber(0.1, -1, false, { exclusiveMinimum: 0 })).toBe(0.09);
    expect(stepNumber(0, -1, false, { minimum: 0 })).toBe(0);
    expect(stepNumber(8190, 10, true, { maximum: 8192 })).toBe(8192);
  });

  it('reports the range in a few words', () => {
    expect(rangeText({ minimum: 0, maximum: 1 })).toBe('0 to 1');
    expect(rangeText({ exclusiveMinimum: 0, maximum: 1 })).toBe('above 0 to 1');
    expect(rangeText({ exclusiveMinimum: 0, exclusiveMaximum: 1 })).toBe('above 0, below 1');
    expect(rangeText({ minimum: 2 })).toBe('at least 2');
    expect(rangeText({ maximum: 2 })).toBe('at most 2');
    expect(rangeText({})).toBe('');
  });

  it('reads and writes rows', () => {
    expect(parseRows('1, 2\n3 4\n\n5;6', 2)).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(parseRows('1\n2.5', 1)).toEqual([1, 2.5]);
    expect(parseRows('1, 2, 3', 2)).toBeUndefined();
    expect(parseRows('a', 1)).toBeUndefined();
    expect(parseRows('', 1)).toEqual([]);
    expect(
      writeRows([
        [1, 2],
        [3, 4],
      ]),
    ).toBe('1, 2\n3, 4');
    expect(writeRows([1, 2])).toBe('1\n2');
  });
});
