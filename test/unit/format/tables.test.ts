import { describe, expect, it } from 'vitest';
import { formatCsv } from '../../../app/format/tables.ts';

describe('formatCsv', () => {
  it('quotes, omits what is not there, and keeps every digit', () => {
    const rows = [
      ['a,b', 0.1 + 0.2, null],
      ['say "so"', Number.NaN, -1e-9],
    ] as const;
    expect(formatCsv({ columns: ['name', 'x (m)', 'y'], rows })).toBe(
      'name,x (m),y\r\n"a,b",0.30000000000000004,\r\n"say ""so""",,-1e-9\r\n',
    );
  });

  it('keeps a spreadsheet from running a label as a formula', () => {
    expect(formatCsv({ columns: ['method'], rows: [['=1+1'], ['-x']] })).toBe("method\r\n'=1+1\r\n'-x\r\n");
  });
});
