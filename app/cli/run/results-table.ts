/** The table of a run, for people. */
import Table from 'cli-table3';
import { nameWithUnit } from '../../../engine/index.ts';
import type { MethodResult, RunSummary } from '../../../engine/index.ts';

const ABSENT = '–';
/** A number without a power of ten. */
const PLAIN = /^-?\d+(\.\d+)?$/;

/** Three significant digits, which is more than a seed's difference leaves certain. */
export function digits(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return ABSENT;
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e5) return value.toExponential(2);
  const text = value.toPrecision(3);
  return text.includes('e') ? value.toFixed(0) : text;
}

/** @returns the numbers of a column with their decimal points below each other, if the column is aligned to the right */
function inColumn(values: readonly (number | undefined)[]): readonly string[] {
  const texts = values.map(digits);
  const after = texts.map((text) => (/^-?\d+\.\d+$/.test(text) ? text.length - text.indexOf('.') : 0));
  const most = Math.max(0, ...after);
  return texts.map((text, row) => (PLAIN.test(text) ? text + ' '.repeat(most - after[row]) : text));
}

function percent(share: number | null): string {
  return share === null ? ABSENT : `${(100 * share).toFixed(1)} %`;
}

const ABOUT_PATTERN =
  "Level: error of the basin's mean; pattern: the rest. Water is added to the truth without the members' knowing, so the skill of the pattern comes first.";

/** Level and pattern of the analysis' error, if they are shown. */
function splitOf(variable: string, headline: RunSummary['headline']) {
  if (headline === 'total') return [];
  const name = nameWithUnit(variable);
  return [
    { head: `of it level\n${name}`, of: ({ rmseLevel }: MethodResult) => rmseLevel.analysis[variable] },
    { head: `of it pattern\n${name}`, of: ({ rmsePattern }: MethodResult) => rmsePattern.analysis[variable] },
  ];
}

function time({ rmse, milliseconds }: MethodResult): number | undefined {
  const isCounted = Object.keys(rmse.analysis).length > 0;
  return isCounted ? milliseconds.forecast + milliseconds.analysis : undefined;
}

/**
 * @param compared names of the variables by which the methods are compared
 * @param diverged by label, the cycle in which a method did so: its means are of the cycles before
 * @param headline the error whose skill comes first: `pattern` if water is added to the truth alone
 * @returns RMSE and spread of each compared variable, skill against the free run, and time; one row a method
 */
export function formatResults(
  results: readonly MethodResult[],
  compared: readonly string[],
  diverged: ReadonlyMap<string, number> = new Map(),
  headline: RunSummary['headline'] = 'total',
): string {
  const measures = compared.flatMap((variable) => [
    { head: `RMSE forecast\n${nameWithUnit(variable)}`, of: ({ rmse }: MethodResult) => rmse.forecast[variable] },
    { head: `RMSE analysis\n${nameWithUnit(variable)}`, of: ({ rmse }: MethodResult) => rmse.analysis[variable] },
    ...splitOf(variable, headline),
    { head: `spread\n${nameWithUnit(variable)}`, of: ({ spread }: MethodResult) => spread.analysis[variable] },
  ]);
  const columns = measures.map(({ head, of }) => ({ head, texts: inColumn(results.map(of)) }));
  // Means over other cycles than the free run's cannot be compared with it.
  const skillsOf = (quantity: 'skill' | 'skillPattern'): string[] =>
    results.map(({ method, ...result }) => (diverged.has(method) ? ABSENT : percent(result[quantity])));
  const skills =
    headline === 'total'
      ? [{ head: 'skill', texts: skillsOf('skill') }]
      : [
          { head: 'skill of\nthe pattern', texts: skillsOf('skillPattern') },
          { head: 'skill with\nthe level', texts: skillsOf('skill') },
        ];
  const all = [...columns, ...skills, { head: 'ms per cycle', texts: inColumn(results.map(time)) }];
  const table = new Table({
    head: ['method', ...all.map(({ head }) => head)],
    colAligns: ['left', ...all.map(() => 'right' as const)],
    style: { head: [], border: [] },
  });
  for (const [row, { method }] of results.entries()) {
    const name = diverged.has(method) ? `${method}\ndiverged in cycle ${diverged.get(method)}` : method;
    table.push([name, ...all.map(({ texts }) => texts[row])]);
  }
  return headline === 'total' ? table.toString() : `${table.toString()}\n${ABOUT_PATTERN}`;
}
