/** The table of a run, for people. */
import Table from 'cli-table3';
import { leadingVariable } from '../../../engine/index.ts';
import type { MethodResult } from '../../../engine/index.ts';

const HEAD = ['method', 'RMSE forecast', 'RMSE analysis', 'spread', 'skill', 'ms per cycle'];
const ABSENT = '–';

/** Three significant digits, which is more than a seed's difference leaves certain. */
function digits(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return ABSENT;
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-4 || size >= 1e5) ? value.toExponential(2) : String(Number(value.toPrecision(3)));
}

function percent(share: number | null): string {
  return share === null ? ABSENT : `${(100 * share).toFixed(1)} %`;
}

/** @returns RMSE and spread of the leading variable, skill against the free run, and time; one row a method */
export function formatResults(results: readonly MethodResult[]): string {
  const variable = results.map(({ rmse }) => leadingVariable(rmse.analysis)).find((name) => name !== undefined);
  const table = new Table({
    head: HEAD.map((title) => (variable && /^(RMSE|spread)/.test(title) ? `${title} ${variable}` : title)),
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  });
  for (const { method, rmse, spread, skill, milliseconds } of results) {
    const of = (values: Readonly<Record<string, number>>): string =>
      digits(variable === undefined ? undefined : values[variable]);
    const time = milliseconds.forecast + milliseconds.analysis;
    const counted = Object.keys(rmse.analysis).length > 0;
    table.push([
      method,
      of(rmse.forecast),
      of(rmse.analysis),
      of(spread.analysis),
      percent(skill),
      counted ? digits(time) : ABSENT,
    ]);
  }
  return table.toString();
}
