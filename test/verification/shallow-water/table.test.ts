import { describe, expect, it } from 'vitest';
import { tableRow } from './table.ts';

describe('a row of the verification table', () => {
  it('says what passed and what did not', () => {
    expect(tableRow('V2', { what: 'order', value: 0.8512, bar: { atLeast: 0.8 } })).toBe(
      '| V2 | order | 0.851 | ≥ 0.800 | pass |',
    );
    expect(tableRow('V3', { what: 'L1', value: 4.4e-4, bar: { atMost: 4.3e-4 } })).toBe(
      '| V3 | L1 | 4.40e-4 | ≤ 4.30e-4 | FAIL |',
    );
    expect(tableRow('V3', { what: 'L1', value: NaN, bar: { atMost: 1 } })).toContain('| NaN | ≤ 1 | FAIL |');
  });
});
