/** What the seeds say as tables: medians with their intervals, and each method against the least error and the free run. */
import { describeAgainst, nameWithUnit } from '../../../engine/index.ts';
import type { OverSeeds, Reference, SweepMeasure } from '../../../engine/index.ts';
import type { DataTable } from '../../format/csv.ts';
import { ABSENT, formatMeasured, formatPercent } from '../../format/numbers.ts';

/** A median and its interval as they are shown; the interval is empty if every seed has the same value. */
interface MedianText {
  readonly estimate: string;
  readonly interval: string;
}

/** What a method is against another one. */
interface VerdictText {
  readonly reference: Reference;
  readonly words: string;
  readonly isBetter: boolean;
}

export interface SeedsTableRow {
  readonly method: string;
  readonly medians: readonly MedianText[];
  /** `2 of 10`; empty if it diverged with no seed. */
  readonly diverged: string;
  readonly verdicts: readonly VerdictText[];
}

const NONE: MedianText = { estimate: ABSENT, interval: '' };

function isSkill({ name }: SweepMeasure): boolean {
  return name === 'skill' || name === 'skill_pattern';
}

/** @returns `RMSE forecast, h (m)` */
export function headOf(measure: SweepMeasure): string {
  const [, pattern = '', stage, variable] = /^rmse_(pattern_)?(forecast|analysis)_(.+)$/.exec(measure.name) ?? [];
  const error = pattern === '' ? 'RMSE' : 'Pattern RMSE';
  if (stage !== undefined && variable !== undefined) return `${error} ${stage}, ${nameWithUnit(variable)}`;
  if (measure.name === 'skill_pattern') return 'Skill of the pattern';
  return isSkill(measure) ? 'Skill' : measure.title;
}

/** @returns the rows of both tables, in the scenario's order */
export function seedsRows({ rows, shown, complete, comparisons }: OverSeeds): readonly SeedsTableRow[] {
  return rows.map(({ method, measures, diverged }) => ({
    method,
    medians: shown.map((measure) => {
      const median = measures.get(measure.name)?.median;
      if (!median) return NONE;
      const text = isSkill(measure) ? formatPercent : formatMeasured;
      const [estimate, low, high] = [median.estimate, median.low, median.high].map(text);
      return { estimate, interval: low === high ? '' : `${low} to ${high}` };
    }),
    diverged: diverged.length === 0 ? '' : `${diverged.length} of ${complete.length}`,
    verdicts: comparisons.pairs
      .filter((pair) => pair.method === method)
      .map(({ reference, comparison }) => ({
        reference,
        words: describeAgainst(comparison),
        isBetter: comparison?.verdict === 'a',
      })),
  }));
}

/** @returns all of it for a spreadsheet: a row for each method */
export function seedsData(study: OverSeeds, titleOf: (method: string) => string): DataTable {
  const { shown, rows, complete, comparisons } = study;
  const least = comparisons.least === undefined ? '' : titleOf(comparisons.least);
  return {
    columns: [
      'method',
      ...shown.flatMap((measure) => [`${headOf(measure)}, median`, 'interval from', 'interval to']),
      'seeds',
      'seeds that diverged',
      `against ${least}`,
      'against the free run',
    ],
    rows: seedsRows(study).map(({ method, verdicts }, index) => {
      const { measures, diverged } = rows[index];
      const wordsOf = (wanted: Reference): string =>
        verdicts.find(({ reference }) => reference === wanted)?.words ?? '';
      const numbers = shown.flatMap(({ name }) => {
        const median = measures.get(name)?.median;
        return [median?.estimate ?? null, median?.low ?? null, median?.high ?? null];
      });
      return [titleOf(method), ...numbers, complete.length, diverged.length, wordsOf('least'), wordsOf('free-run')];
    }),
  };
}
