import { describe, expect, it } from 'vitest';
import { parseUnicodeRange, usesRange } from '../../../app/figures/export.ts';

describe('parseUnicodeRange', () => {
  it('reads single code points, ranges and wild cards', () => {
    expect(parseUnicodeRange('U+0000-00FF, U+0131, u+30??')).toEqual([
      { from: 0, to: 0xff },
      { from: 0x131, to: 0x131 },
      { from: 0x3000, to: 0x30ff },
    ]);
  });

  it('takes no range for all, and omits what it cannot read', () => {
    expect(parseUnicodeRange('')).toEqual([{ from: 0, to: 0x10ffff }]);
    expect(parseUnicodeRange('latin')).toEqual([]);
  });
});

describe('usesRange', () => {
  it('finds a Greek letter, also beyond Latin ones', () => {
    const greek = parseUnicodeRange('U+0370-03FF');
    expect(usesRange('RMSE of η', greek)).toBe(true);
    expect(usesRange('RMSE of h', greek)).toBe(false);
    expect(usesRange('', greek)).toBe(false);
  });
});
