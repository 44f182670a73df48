/** `sweep.csv`: a row for each case and method, with the values of the axes, the seed, the outcome, and the measures. */
import { csvFormatRows } from 'd3-dsv';
import { toSpreadsheetText } from '../files/spreadsheet-text.ts';
import type { SweepResults } from './results.ts';

/** A number or a word as it is; a section as JSON. */
function cell(value: unknown): string {
  if (typeof value === 'string') return toSpreadsheetText(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

/** @returns the file's text; a case that is not complete has one row without a method */
export function formatResultsTable({ axes, measures, cases }: SweepResults): string {
  const header = ['hash', ...axes.map(({ path }) => path), 'seed', 'method', 'state', 'diverged_at', 'reason'];
  const none = measures.map(() => '');
  const rows = cases.flatMap(({ hash, values, seed, state, reason, methods }): string[][] => {
    const place = [hash, ...values.map(cell), String(seed)];
    if (state !== 'complete') return [[...place, '', state, '', toSpreadsheetText(reason ?? ''), ...none]];
    return methods.map(({ method, state: ended, divergedAt, values: measured }) => [
      ...place,
      toSpreadsheetText(method),
      ended,
      String(divergedAt ?? ''),
      '',
      ...measured.map((value) => String(value ?? '')),
    ]);
  });
  return `${csvFormatRows([[...header, ...measures.map(({ name }) => name)], ...rows])}\n`;
}
