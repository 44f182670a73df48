import { passes } from './measures.ts';
import type { Measurement } from './measures.ts';

export const TABLE_HEADER = ['| case | measured | value | bar | |', '|---|---|---|---|---|'];

function shown(value: number): string {
  if (value === 0 || Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 0.1 && Math.abs(value) < 1000 ? value.toFixed(3) : value.toExponential(2);
}

/** One measurement as a row of a Markdown table. */
export function tableRow(name: string, measurement: Measurement): string {
  const { what, value, bar } = measurement;
  const bound = 'atMost' in bar ? `≤ ${shown(bar.atMost)}` : `≥ ${shown(bar.atLeast)}`;
  return `| ${name} | ${what} | ${shown(value)} | ${bound} | ${passes(measurement) ? 'pass' : 'FAIL'} |`;
}
