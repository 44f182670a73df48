/** The table of a run over seeds, for people: of each method the medians with their intervals, and which method is better. */
import Table from 'cli-table3';
import { describeAgainst, HEADLINE_REMARKS, formatSeeds, nameWithUnit } from '../../../engine/index.ts';
import type { OverSeeds, SeedsMeasure, SeedsRow, SweepMeasure } from '../../../engine/index.ts';
import { formatComparisons } from './comparison-table.ts';
import { digits } from './results-table.ts';

const ABSENT = '–';

function isSkill(name: string): boolean {
  return name === 'skill' || name === 'skill_pattern';
}

/** `RMSE analysis` over `h (m)`, as in the table of one run. */
function headOf({ name, title }: SweepMeasure): string {
  const [, pattern = '', stage, variable] = /^rmse_(pattern_)?(forecast|analysis)_(.+)$/.exec(name) ?? [];
  const error = pattern === '' ? 'RMSE' : 'pattern RMSE';
  if (stage !== undefined && variable !== undefined) return `${error} ${stage}\n${nameWithUnit(variable)}`;
  return isSkill(name) ? name.replace('_', ' of\nthe ') : title;
}

function textOf({ name }: SweepMeasure): (value: number) => string {
  return isSkill(name) ? (value) => `${(100 * value).toFixed(1)} %` : digits;
}

/** The median, and beneath it the interval, which is nothing for a value that every seed gives. */
function cellOf({ measure, median }: SeedsMeasure): string {
  if (median === undefined) return ABSENT;
  const text = textOf(measure);
  const [estimate, low, high] = [median.estimate, median.low, median.high].map(text);
  return low === high ? estimate : `${estimate}\n${low} to ${high}`;
}

function divergedText({ diverged }: SeedsRow, complete: number): string {
  if (diverged.length === 0) return '';
  return `${diverged.length} of ${complete}\nseed ${formatSeeds(diverged.map(({ seed }) => seed))}`;
}

/** What the numbers of the table are. */
function captionOf({ complete, rows, shown, headline }: OverSeeds): string {
  const all = rows.flatMap(({ measures }) => shown.flatMap(({ name }) => measures.get(name)?.median ?? []));
  const isSure = all.some(({ coverage, level }) => coverage >= level);
  const interval = isSure ? '95 % interval of the median' : 'range: six seeds or more are needed for a 95 % interval';
  const without = rows.some(({ diverged }) => diverged.length > 0)
    ? '; of a method, the seeds with which it did not diverge'
    : '';
  const medians = `Medians over ${complete.length} seeds (${formatSeeds(complete)}${without}); beneath each, the ${interval}.`;
  const remark = HEADLINE_REMARKS[headline];
  return remark === '' ? medians : `${medians}\n${remark}`;
}

function formatMedians({ rows, shown, complete }: OverSeeds): string {
  const hasDiverged = rows.some(({ diverged }) => diverged.length > 0);
  const table = new Table({
    head: ['method', ...shown.map(headOf), ...(hasDiverged ? ['diverged'] : [])],
    colAligns: ['left', ...shown.map(() => 'right' as const), 'right'],
    style: { head: [], border: [] },
  });
  for (const row of rows) {
    const cells = shown.flatMap(({ name }) => row.measures.get(name) ?? []).map(cellOf);
    table.push([row.method, ...cells, ...(hasDiverged ? [divergedText(row, complete.length)] : [])]);
  }
  return table.toString();
}

/** @returns a sentence for each method and variable that is worse than the free run */
export function worseLines({ worse }: OverSeeds): readonly string[] {
  return worse.map(
    ({ method, variable, comparison }) =>
      `${method}: its analysis of ${variable} is worse than the free run: ${describeAgainst(comparison)}`,
  );
}

/** @returns both tables and what has to be known to read them; of no complete seed, a line that says so */
export function formatOverSeeds(study: OverSeeds): string {
  if (study.complete.length === 0) return 'no seed is complete';
  const { comparisons, compared } = study;
  return [formatMedians(study), captionOf(study), formatComparisons({ over: 'seeds', comparisons }, compared)]
    .filter((part) => part !== '')
    .join('\n');
}
