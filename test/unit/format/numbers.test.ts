import { describe, expect, it } from 'vitest';
import {
  formatColumn,
  formatMeasured,
  formatNumber,
  formatPercent,
  formatProbability,
  formatQuantity,
  formatTimes,
  splitPower,
} from '../../../app/format/numbers.ts';

describe('numbers', () => {
  it('has few digits and one minus sign', () => {
    expect(formatNumber(0.041234)).toBe('0.0412');
    expect(formatNumber(-12.345)).toBe('−12.3');
    expect(formatNumber(0)).toBe('0');
    expect(formatNumber(0.00001234)).toBe('1.23e−5');
    expect(formatNumber(-1e-7)).toBe('−1e−7');
    expect(formatNumber(250_000)).toBe('2.5e5');
    expect(formatNumber(Number.NaN)).toBe('–');
    expect(formatNumber(undefined)).toBe('–');
    expect(formatQuantity(1.5, 'm')).toBe('1.5\u00a0m');
    expect(formatQuantity(null, 'm')).toBe('–');
    expect(formatPercent(0.8734)).toBe('87.3\u00a0%');
    expect(formatPercent(null)).toBe('–');
    expect(formatProbability(0.0002)).toBe('< 0.001');
    expect(formatProbability(0.2749)).toBe('0.27');
  });

  it('uses only glyphs that the bundled fonts have, and gives the parts of a power of ten for markup', () => {
    for (const value of [1e-4, -2.5e-7, 3e12]) expect(formatNumber(value)).toMatch(/^[\d.e−]+$/);
    expect(splitPower('1e−4')).toStrictEqual({ base: '10', exponent: '−4' });
    expect(splitPower('2e5')).toStrictEqual({ base: '2·10', exponent: '5' });
    expect(splitPower('0.02')).toBeUndefined();
  });

  it('keeps the digits of what was measured', () => {
    expect([0.018, 0.0175, 46, 105, 0].map(formatMeasured)).toEqual(['0.0180', '0.0175', '46.0', '105', '0']);
    expect(formatMeasured(-1e-7)).toBe('−1.00e−7');
    expect(formatMeasured(null)).toBe('–');
  });

  it('is below each other with decimal points in one line', () => {
    const blank = '\u00a0';
    expect(formatColumn([0.018, 0.0175])).toEqual(['0.0180', '0.0175']);
    expect(formatColumn([105, 46, 3.25])).toEqual([`105${blank.repeat(3)}`, `46.0${blank}`, '3.25']);
    // What is not there, and powers of ten, push nothing aside.
    expect(formatColumn([undefined, 0.5, 2e-5])).toEqual(['–', '0.500', '2.00e−5']);
  });

  it('gives times of one column the same decimals', () => {
    expect(formatTimes([31.5, 1.953, 25.71])).toEqual(['31.5', '2.0', '25.7']);
    expect(formatTimes([0.412, 3.1, undefined])).toEqual(['0.41', '3.10', '–']);
    expect(formatTimes([1250.4, 8, 0.02, Number.NaN])).toEqual(['1250', '8', '<1', '–']);
    expect(formatTimes([0, 31.5, 0.02])).toEqual(['0.0', '31.5', '<0.1']);
    expect(formatTimes([])).toEqual([]);
  });
});
