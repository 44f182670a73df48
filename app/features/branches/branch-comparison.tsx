/** The errors of branches beside those of the run, in the same cycles: in words, and as a table. */
import type { CycleDiagnostics } from '../../../engine/index.ts';
import type { DataTable } from '../../format/tables.ts';
import type { RunView } from '../../document/run-view.ts';
import type { BranchEntry } from '../../document/lines/branch-list.ts';
import { withoutOwner } from '../../document/views/method-style.ts';
import { formatMeasured, formatColumn } from '../../format/numbers.ts';
import { unitOf } from '../../document/views/series.ts';
import { chartsOf } from '../../figures/chart-state.ts';
import { Figure } from '../../figures/figure.tsx';
import { useRun } from '../../document/context.ts';

type BranchedRun = Pick<RunView, 'course' | 'branches'>;

/** Errors of both in the same cycles. */
interface Errors {
  readonly ofRun: number;
  readonly ofBranch: number;
  /** Ratio of the branch's error to the run's. */
  readonly ratio: number;
}

export interface BranchComparison {
  readonly key: string;
  /** As in `LETKF, half-width 4 → 8`. */
  readonly title: string;
  /** In the cycle on screen; undefined where both have not got it. */
  readonly now: Errors | undefined;
  /** Means over all cycles that both have since the branch left the run. */
  readonly since: Errors | undefined;
}

/** @returns the RMSE of the analysis over these variables; undefined if there is none */
function errorOf(row: CycleDiagnostics, variables: readonly string[]): number | undefined {
  const { analysis } = row.rmse;
  if (variables.length === 0 || !variables.every((name) => Object.hasOwn(analysis, name))) return undefined;
  return Math.hypot(...variables.map((name) => analysis[name]));
}

interface Pair {
  readonly cycle: number;
  readonly ofRun: number;
  readonly ofBranch: number;
}

/** The errors of a method in the cycles that both lines have since the branch left the run, ascending. */
function pairsOf({ course }: BranchedRun, { line }: BranchEntry, label: string, variables: readonly string[]): Pair[] {
  if (!line) return [];
  const own = new Map(
    (line.course.diagnostics.value.get(label) ?? []).map((row) => [row.cycle, errorOf(row, variables)]),
  );
  return (course.diagnostics.value.get(label) ?? []).flatMap((row): Pair[] => {
    const [ofRun, ofBranch] = [errorOf(row, variables), own.get(row.cycle)];
    if (row.cycle < line.first || ofRun === undefined || ofBranch === undefined) return [];
    return [{ cycle: row.cycle, ofRun, ofBranch }];
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function errors(ofRun: number, ofBranch: number): Errors | undefined {
  return ofRun > 0 ? { ofRun, ofBranch, ratio: ofBranch / ofRun } : undefined;
}

/** @returns how a method of a branch does beside the run's; undefined while there is nothing to compare */
function comparisonOf(
  run: BranchedRun,
  entry: BranchEntry,
  label: string,
  variables: readonly string[],
): BranchComparison | undefined {
  const pairs = pairsOf(run, entry, label, variables);
  if (pairs.length === 0) return undefined;
  const now = pairs.find(({ cycle }) => cycle === run.course.cycle.value);
  const title = run.course.styleOf(label)?.title ?? label;
  return {
    key: `${entry.id} ${label}`,
    title: `${title}, ${withoutOwner(run.branches.titleOf(entry.id), { title })}`,
    now: now && errors(now.ofRun, now.ofBranch),
    since: errors(mean(pairs.map(({ ofRun }) => ofRun)), mean(pairs.map(({ ofBranch }) => ofBranch))),
  };
}

/** @returns a comparison for each method that a branch changes, branch by branch */
function branchComparisons(run: BranchedRun, variables: readonly string[]): readonly BranchComparison[] {
  return run.branches.entries.value.flatMap((entry) =>
    run.branches.comparedOf(entry).flatMap((label) => comparisonOf(run, entry, label, variables) ?? []),
  );
}

/** @returns the errors of both by cycle, a column each for every method of every branch */
function comparisonTable(run: BranchedRun, variables: readonly string[]): DataTable {
  const compared = run.branches.entries.value.flatMap((entry) =>
    run.branches.comparedOf(entry).flatMap((label) => {
      const pairs = new Map(pairsOf(run, entry, label, variables).map((pair) => [pair.cycle, pair]));
      const title = comparisonOf(run, entry, label, variables)?.title;
      return title === undefined ? [] : [{ title, pairs }];
    }),
  );
  const cycles = [...new Set(compared.flatMap(({ pairs }) => [...pairs.keys()]))].sort((a, b) => a - b);
  return {
    columns: ['cycle', ...compared.flatMap(({ title }) => [`${title}: run`, `${title}: branch`])],
    rows: cycles.map((cycle) => [
      cycle,
      ...compared.flatMap(({ pairs }) => {
        const pair = pairs.get(cycle);
        return [pair?.ofRun ?? null, pair?.ofBranch ?? null];
      }),
    ]),
  };
}

/** The minus sign. */
const MINUS = '\u2212';

/** The state of a branch, in words: for the strip and for screen readers. */
interface BranchStanding {
  readonly text: string;
  /** Whether it waits for a hand: the run is past the cycle where it would have been opened. */
  readonly isMissed: boolean;
  readonly isWrong: boolean;
}

function plain(text: string): BranchStanding {
  return { text, isMissed: false, isWrong: false };
}

/** @returns where a branch is, where it is not with the run */
export function standingOf({ branch, line }: BranchEntry, newestOfRun: number): BranchStanding | undefined {
  if (!line) {
    const isMissed = branch.cycle <= newestOfRun;
    return { text: isMissed ? 'not computed' : `from cycle ${branch.cycle}`, isMissed, isWrong: false };
  }
  const { status, newestCycle } = line.course;
  if (status.value === 'failed') {
    return { text: `failed after cycle ${newestCycle.value}`, isMissed: false, isWrong: true };
  }
  if (status.value === 'opening') return plain('preparing');
  if (status.value === 'ended' && newestCycle.value < newestOfRun) return plain(`ended at cycle ${newestCycle.value}`);
  return newestCycle.value < newestOfRun ? plain(`at cycle ${newestCycle.value} of ${newestOfRun}`) : undefined;
}

interface BranchScore {
  /** As in `−18 %`. */
  readonly text: string;
  /** With the numbers and their units. */
  readonly help: string;
  /** Whether its error is the smaller one. */
  readonly isBetter: boolean;
}

/** @returns how far an error is from another, as a share: `−18 %` */
function percentText(ratio: number): string {
  const share = Math.abs(100 * (ratio - 1));
  if (share < 0.05) return '±0 %';
  const sign = ratio < 1 ? MINUS : '+';
  // Beyond some times as wrong, a share says less than the factor.
  return share < 1000 ? `${sign}${share.toFixed(share < 10 ? 1 : 0)} %` : `×${ratio.toFixed(0)}`;
}

/** @returns how wrong a method of a branch is beside the run's in the cycle on screen; undefined where it is not known */
export function scoreOf(run: RunView, entry: BranchEntry, label: string): BranchScore | undefined {
  const { course } = run;
  const charts = chartsOf(run);
  const variables = charts.shownVariables.value;
  const now = comparisonOf(run, entry, label, variables)?.now;
  if (!now) return undefined;
  const title = course.styleOf(label)?.title ?? label;
  const unit = unitOf(variables[0]);
  const [ofRun, ofBranch] = [now.ofRun, now.ofBranch].map((error) => `${formatMeasured(error)} ${unit}`);
  return {
    text: percentText(now.ratio),
    help:
      `${title} in cycle ${course.cycle.value}: RMSE of ${variables.join(', ')} of the analysis ${ofBranch}, ` +
      `in the run ${ofRun}`,
    isBetter: now.ratio < 1,
  };
}

function Rows({ rows }: { readonly rows: readonly BranchComparison[] }) {
  const texts = formatColumn(rows.flatMap(({ now }) => [now?.ofRun, now?.ofBranch]));
  return (
    <tbody>
      {rows.map(({ key, title, now, since }, index) => (
        <tr key={key}>
          <th scope="row">{title}</th>
          <td>{texts[2 * index]}</td>
          <td>{texts[2 * index + 1]}</td>
          <td class={now && now.ratio < 1 ? 'best' : undefined}>{now ? percentText(now.ratio) : ''}</td>
          <td class={since && since.ratio < 1 ? 'best' : undefined}>{since ? percentText(since.ratio) : ''}</td>
        </tr>
      ))}
    </tbody>
  );
}

/** The branches beside the run, cycle by cycle: the errors of both in the cycle on screen, and the means since the branch left it. */
export function BranchTable() {
  const run = useRun();
  const { branches } = run;
  const charts = chartsOf(run);
  if (branches.entries.value.length === 0) return null;
  const variables = charts.shownVariables.value;
  const rows = branchComparisons(run, variables);
  const table = (): DataTable => comparisonTable(run, variables);
  const what = `RMSE of ${variables.join(', ')} of the analysis`;
  return (
    <Figure
      id="branches"
      title="Branches"
      help={`${what}${variables[0] === undefined ? '' : ` in ${unitOf(variables[0])}`}: in the cycle on screen, and as a mean since the branch left the run.`}
      picture={false}
      table={table}
      empty={
        rows.length === 0 ? 'Branches are compared here once the run is past the cycle where they leave it.' : undefined
      }
    >
      <div class="results-scroll">
        <table class="results">
          <thead>
            <tr>
              <th scope="col">Method</th>
              <th scope="col">Run</th>
              <th scope="col">Branch</th>
              <th scope="col" title="Of the branch’s error from the run’s, in the cycle on screen">
                Difference
              </th>
              <th scope="col" title="Of the mean errors since the branch left the run">
                Mean
              </th>
            </tr>
          </thead>
          <Rows rows={rows} />
        </table>
      </div>
    </Figure>
  );
}
