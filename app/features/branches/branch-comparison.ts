/** The errors of branches beside those of the run, in the same cycles. Pure but for the signals that it reads. */
import type { CycleDiagnostics } from '../../../engine/index.ts';
import type { DataTable } from '../../format/csv.ts';
import type { RunView } from '../../document/run-view.ts';
import type { BranchEntry } from '../../document/lines/branch-list.ts';
import { withoutOwner } from '../../document/lines/branch-title.ts';

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
export function comparisonOf(
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
export function branchComparisons(run: BranchedRun, variables: readonly string[]): readonly BranchComparison[] {
  return run.branches.entries.value.flatMap((entry) =>
    run.branches.comparedOf(entry).flatMap((label) => comparisonOf(run, entry, label, variables) ?? []),
  );
}

/** @returns the errors of both by cycle, a column each for every method of every branch */
export function comparisonTable(run: BranchedRun, variables: readonly string[]): DataTable {
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
