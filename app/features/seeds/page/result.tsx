/** What the seeds say: the medians of each method, which method is better, and what can be saved of it. */
import {
  describeAgainst,
  formatResultsTable,
  HEADLINE_REMARKS,
  formatRanges,
  nameWithUnit,
} from '../../../../engine/index.ts';
import type { OverSeeds, Reference, SweepResults, SweepMeasure } from '../../../../engine/index.ts';
import { Figure } from '../../../figures/figure.tsx';
import { attempt, saveFile } from '../../../page/notices.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { unbroken, ABSENT, formatMeasured, formatPercent } from '../../../format/numbers.ts';
import { titlesOf, type MethodStyle } from '../../../document/views/method-style.ts';
import { seedsNeeded } from '../../sweeps/contest.ts';
import { sweepStyles } from '../../sweeps/arrangement.ts';
import { tableOfResults } from '../../reading/sweep-table.ts';
import { sweepsOf } from '../../sweeps/sweeps-state.ts';
import type { DataTable } from '../../../format/tables.ts';

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

/** What the seeds say as tables: medians with their intervals, and each method against the least error and the free run. */
interface SeedsTableRow {
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
function headOf(measure: SweepMeasure): string {
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

interface ResultProps {
  readonly results: SweepResults;
  readonly study: OverSeeds;
  readonly isRunning: boolean;
}

const HELP =
  'Median over the seeds, and beneath it the 95 % interval of the median; of fewer than six seeds, their range. The comparison is seed by seed, by the RMSE of the analysis: a sign test at 5 %, corrected for all pairs of methods. It holds whatever the cycles of a run have in common.';

export function SeedsResult({ results, study, isRunning }: ResultProps) {
  const styles = sweepStyles(results);
  const titleOf = titlesOf(styles);
  const { complete, failures } = study;
  const rows = seedsRows(study);
  return (
    <>
      <Figure
        id="seeds"
        title={`${complete.length} ${complete.length === 1 ? 'seed' : 'seeds'} (${formatRanges(complete) || 'none'})`}
        help={`${HELP} ${seedsNeeded(styles.length)}`.trim()}
        picture={false}
        note={HEADLINE_REMARKS[study.headline] || undefined}
        table={() => seedsData(study, titleOf)}
        subject={{ name: results.name, subtitle: results.name }}
      >
        <div class="results-scroll">
          <MedianTable study={study} rows={rows} styles={styles} />
        </div>
        <div class="results-scroll">
          <VerdictTable study={study} rows={rows} styles={styles} />
        </div>
      </Figure>
      <Remarks study={study} titleOf={titleOf} />
      {failures.length > 0 && (
        <ul class="seeds-failures">
          {failures.map(({ seed, reason }) => (
            <li key={seed}>
              Seed {seed} failed: {reason}
            </li>
          ))}
        </ul>
      )}
      {!isRunning && <Actions results={results} />}
    </>
  );
}

interface TableProps {
  readonly study: OverSeeds;
  readonly rows: readonly SeedsTableRow[];
  readonly styles: readonly MethodStyle[];
}

function MethodHead({ method, styles }: { readonly method: string; readonly styles: readonly MethodStyle[] }) {
  const style = styles.find(({ label }) => label === method);
  return (
    <th scope="row">
      <i class="swatch" style={{ background: style?.colour ?? 'currentColor' }} />
      {style?.title ?? method}
    </th>
  );
}

function MedianTable({ study, rows, styles }: TableProps) {
  const hasDiverged = rows.some(({ diverged }) => diverged !== '');
  return (
    <table class="results seeds-medians" aria-label="Medians over the seeds">
      <thead>
        <tr>
          <th scope="col">Method</th>
          {study.shown.map((measure) => (
            <th key={measure.name} scope="col">
              {headOf(measure)}
            </th>
          ))}
          {hasDiverged && <th scope="col">Diverged</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ method, medians, diverged }) => (
          <tr key={method}>
            <MethodHead method={method} styles={styles} />
            {medians.map(({ estimate, interval }, index) => (
              <td key={study.shown[index].name}>
                {estimate}
                {interval !== '' && <span class="seeds-interval">{interval}</span>}
              </td>
            ))}
            {hasDiverged && <td class={diverged === '' ? undefined : 'results-diverged'}>{diverged}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function VerdictTable({ study: { comparisons, rows: all }, rows, styles }: TableProps) {
  const { least, pairs } = comparisons;
  if (least === undefined || pairs.length === 0) return null;
  const titleOf = titlesOf(styles);
  const columns: readonly { readonly reference: Reference; readonly title: string }[] = [
    { reference: 'least', title: `Against ${titleOf(least)}` },
    // If the free run has the least error, one column says it.
    ...(pairs.some(({ reference, against }) => reference === 'free-run' && against !== least)
      ? [{ reference: 'free-run' as const, title: 'Against the free run' }]
      : []),
  ];
  return (
    <table class="results seeds-verdicts" aria-label={`Comparison of ${all.length} methods over the seeds`}>
      <thead>
        <tr>
          <th scope="col">Method</th>
          {columns.map(({ reference, title }) => (
            <th key={reference} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ method, verdicts }) => (
          <tr key={method}>
            <MethodHead method={method} styles={styles} />
            {columns.map(({ reference }) => {
              const verdict = verdicts.find((each) => each.reference === reference);
              return (
                <td key={reference} class={verdict?.isBetter === true ? 'best' : undefined}>
                  {unbroken(verdict?.words ?? '')}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Variables in which a method is worse than the free run, observed or not. */
function Remarks({ study: { worse }, titleOf }: { study: OverSeeds; titleOf: (label: string) => string }) {
  if (worse.length === 0) return null;
  return (
    <ul class="seeds-failures">
      {worse.map(({ method, variable, comparison }) => (
        <li key={`${method} ${variable}`}>
          {titleOf(method)}: its analysis of {variable} is worse than the free run: {describeAgainst(comparison)}
        </li>
      ))}
    </ul>
  );
}

function Actions({ results }: Pick<ResultProps, 'results'>) {
  const laboratory = useLaboratory();
  const { overlays } = laboratory;
  const sweeps = sweepsOf(laboratory);
  const keep = (name: string, type: string, text: () => string) => () =>
    attempt(laboratory, 'Saving the seeds', () => saveFile(laboratory, name, type, text()));
  return (
    <div class="seeds-actions">
      <button
        type="button"
        class="button"
        onClick={keep(`${results.name}-seeds.sweep.json`, 'application/json', () => `${JSON.stringify(results)}\n`)}
      >
        Save as sweep.json…
      </button>
      <button
        type="button"
        class="button"
        onClick={keep(`${results.name}-seeds.csv`, 'text/csv', () => formatResultsTable(results))}
      >
        Save every seed as CSV…
      </button>
      <button
        type="button"
        class="button"
        onClick={() => {
          sweeps.show(tableOfResults(results, `${results.name}, ${results.seeds.length} seeds`));
          overlays.openOverlay('sweeps');
        }}
      >
        Open among the sweeps
      </button>
    </div>
  );
}
