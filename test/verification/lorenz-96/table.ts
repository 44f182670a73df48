/** The benchmark's result: the analysis errors of several seeds beside the published one, as they come and as the README shows them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { BAR, isWithin } from '../../../engine/check/lorenz-96.ts';
import type { BenchmarkCase } from '../../../engine/check/lorenz-96.ts';
import { median } from '../../../engine/index.ts';

export { analysisErrors, BAR, FULL, isWithin, SHORT, SHORT_BAR } from '../../../engine/check/lorenz-96.ts';

export const TABLE_HEADER = ['| method | published | median RMSE | range | |', '|---|---|---|---|---|'];

/** Published, median and range, as text. */
function cells({ published, isOwn }: BenchmarkCase, errors: readonly number[]): readonly [string, string, string] {
  const [least, most] = [Math.min(...errors), Math.max(...errors)].map((error) => error.toFixed(3));
  return [isOwn ? '–' : published.toFixed(2), median(errors).toFixed(3), `${least} to ${most}`];
}

/** The errors of one case as a row of a Markdown table. */
export function tableRow(of: BenchmarkCase, errors: readonly number[]): string {
  const verdict = isWithin(BAR, of.published, median(errors)) ? 'pass' : 'FAIL';
  return `| ${[of.name, ...cells(of, errors), verdict].join(' | ')} |`;
}

/** Errors of the seeds 1 … 10 at full size, on `reference`, by what `idOf` gives for their case. */
type Recorded = Readonly<Record<string, readonly number[]>>;

const RECORDED = new URL('errors.json', import.meta.url);
const README = new URL('../README.md', import.meta.url);

/** @returns the first word of its name, which it is recorded by */
export const idOf = ({ name }: BenchmarkCase): string => name.slice(0, name.indexOf(' '));

export function recordedErrors(): Recorded {
  return existsSync(RECORDED) ? (JSON.parse(readFileSync(RECORDED, 'utf8')) as Recorded) : {};
}

/** @returns the table of the README, a line each, of the cases whose errors are recorded */
export function publishedTable(cases: readonly BenchmarkCase[], recorded: Recorded): readonly string[] {
  const rows = [
    ['method on Lorenz-96', 'DAPPER’s settings', 'published', 'median RMSE of ten seeds', 'range'],
    ...cases.flatMap((of) => {
      const errors = recorded[idOf(of)];
      const { isOwn, source = 'sakov2008' } = of;
      return errors ? [[of.name, isOwn ? '–' : source, ...cells(of, errors)]] : [];
    }),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row: readonly string[], filler = ' ') =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column], filler)).join(' | ')} |`;
  const [header, ...body] = rows;
  const rule = header.map(() => '');
  return [line(header), line(rule, '-'), ...body.map((row) => line(row))];
}

const IN_README = /^\| method on Lorenz-96 [^]*?\n(?=\n)/m;

/** @returns the table as the README has it */
export function tableOfReadme(): readonly string[] {
  const [found = ''] = IN_README.exec(readFileSync(README, 'utf8')) ?? [];
  return found.trimEnd().split('\n');
}

/** Keeps the errors of a case at full size, and writes the table of the README. */
export function record(cases: readonly BenchmarkCase[], of: BenchmarkCase, errors: readonly number[]): void {
  const found = { ...recordedErrors(), [idOf(of)]: errors.map((error) => Number(error.toFixed(5))) };
  const inOrder = cases.map(idOf).filter((id) => Object.hasOwn(found, id));
  const lines = inOrder.map((id) => `  "${id}": [${found[id].join(', ')}]`);
  writeFileSync(RECORDED, `{\n${lines.join(',\n')}\n}\n`);
  const table = `${publishedTable(cases, recordedErrors()).join('\n')}\n`;
  writeFileSync(
    README,
    readFileSync(README, 'utf8').replace(IN_README, () => table),
  );
}
