/** What came of reproducing a run, for a terminal. */
import type { Reproduction, RowDifference, StatisticComparison } from '../../../engine/index.ts';

function digits(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(4))) : 'none';
}

function describeFirst({ method, cycle, column, expected, found }: RowDifference): string {
  const place = `cycle ${cycle}, ${method}${column === undefined ? '' : `, ${column}`}`;
  return `The rows differ first in ${place}: expected ${expected ?? 'none'}, found ${found ?? 'none'}.`;
}

function describeStatistic({ method, column, from, to, mean, tolerance, found, passed }: StatisticComparison): string {
  const cycles = to - from === 1 ? `cycle ${from}` : `mean of cycles ${from} to ${to - 1}`;
  const sign = passed ? '✓' : '✗';
  return `${sign} ${method}, ${column}, ${cycles}: ${digits(found)}, expected ${digits(mean)} within ${(100 * tolerance).toFixed(1)} %`;
}

/** @param all every statistic, not those alone that fail */
export function describeReproduction(found: Reproduction, all: boolean): string[] {
  const { reproduced, by, otherwise, rows, first, statistics } = found;
  const told = statistics.filter(({ passed }) => all || !passed).map(describeStatistic);
  const difference = first ? [describeFirst(first)] : [];
  if (by === 'bits' && reproduced) return [`✓ reproduced bit for bit: all numbers of ${rows} rows are the same.`];
  if (by === 'bits') {
    return ['✗ not reproduced: backend, adapter and versions are the same, and the numbers are not.', ...difference];
  }
  const why = `The last bits may differ here: ${otherwise.join('; ')}.`;
  const held = statistics.length - statistics.filter(({ passed }) => !passed).length;
  const verdict = reproduced
    ? `✓ reproduced within its statistics: ${held} of ${statistics.length} means agree.`
    : `✗ not reproduced: ${held} of ${statistics.length} means agree.`;
  return [verdict, why, ...difference, ...told];
}
