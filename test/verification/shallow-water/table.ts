import { passes, shownBar, shownNumber } from '../../../engine/check/measures.ts';
import type { Measurement } from '../../../engine/check/measures.ts';

export const TABLE_HEADER = ['| case | measured | value | bar | |', '|---|---|---|---|---|'];

/** One measurement as a row of a Markdown table. */
export function tableRow(name: string, measurement: Measurement): string {
  const { what, value, bar } = measurement;
  const verdict = passes(measurement) ? 'pass' : 'FAIL';
  return `| ${name} | ${what} | ${shownNumber(value)} | ${shownBar(bar)} | ${verdict} |`;
}
