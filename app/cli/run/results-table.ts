/** The table of a run, for people. */
import Table from 'cli-table3';
import { nameWithUnit } from '../../../engine/index.ts';
import type { MethodResult } from '../../../engine/index.ts';

const ABSENT = '–';

/** Three significant digits, which is more than a seed's difference leaves certain. */
export function digits(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return ABSENT;
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-4 || size >= 1e5) ? value.toExponential(2) : String(Number(value.toPrecision(3)));
}

function percent(share: number | null): string {
  return share === null ? ABSENT : `${(100 * share).toFixed(1)} %`;
}

/**
 * @param compared names of the variables by which the methods are compared
 * @param diverged by label, the cycle in which a method did so: its means are of the cycles before
 * @returns RMSE and spread of each compared variable, skill against the free run, and time; one row a method
 */
export function formatResults(
  results: readonly MethodResult[],
  compared: readonly string[],
  diverged: ReadonlyMap<string, number> = new Map(),
): string {
  const measures = compared.flatMap((variable) => [
    { head: `RMSE forecast\n${nameWithUnit(variable)}`, of: ({ rmse }: MethodResult) => rmse.forecast[variable] },
    { head: `RMSE analysis\n${nameWithUnit(variable)}`, of: ({ rmse }: MethodResult) => rmse.analysis[variable] },
    { head: `spread\n${nameWithUnit(variable)}`, of: ({ spread }: MethodResult) => spread.analysis[variable] },
  ]);
  const table = new Table({
    head: ['method', ...measures.map(({ head }) => head), 'skill', 'ms per cycle'],
    colAligns: ['left', ...measures.map(() => 'right' as const), 'right', 'right'],
    style: { head: [], border: [] },
  });
  for (const result of results) {
    const { method, rmse, skill, milliseconds } = result;
    const isCounted = Object.keys(rmse.analysis).length > 0;
    table.push([
      diverged.has(method) ? `${method}\ndiverged in cycle ${diverged.get(method)}` : method,
      ...measures.map(({ of }) => digits(of(result))),
      // Means over other cycles than the free run's cannot be compared with it.
      diverged.has(method) ? ABSENT : percent(skill),
      isCounted ? digits(milliseconds.forecast + milliseconds.analysis) : ABSENT,
    ]);
  }
  return table.toString();
}
