/** How a branch stands and does, in words: for the strip and for screen readers. */
import type { CycleDiagnostics } from '../../../engine/index.ts';
import { formatMeasured } from '../charts/numbers.ts';
import { unitOf } from '../charts/series.ts';
import type { RunView } from '../state/run-view.ts';
import type { BranchEntry } from './branch-list.ts';

/** The minus sign. */
const MINUS = '\u2212';

export interface BranchStanding {
  readonly text: string;
  /** Whether it waits for a hand: the run is past the cycle where it would have been opened. */
  readonly isMissed: boolean;
  readonly isWrong: boolean;
}

/** @returns where a branch is, where it is not with the run */
export function standingOf({ branch, line }: BranchEntry, newestOfRun: number): BranchStanding | undefined {
  const plain = (text: string): BranchStanding => ({ text, isMissed: false, isWrong: false });
  if (!line) {
    const isMissed = branch.cycle <= newestOfRun;
    return { text: isMissed ? 'not computed' : `from cycle ${branch.cycle}`, isMissed, isWrong: false };
  }
  const { status, newestCycle } = line.session;
  if (status.value === 'failed') {
    return { text: `failed after cycle ${newestCycle.value}`, isMissed: false, isWrong: true };
  }
  if (status.value === 'opening') return plain('preparing');
  if (status.value === 'ended' && newestCycle.value < newestOfRun) return plain(`ended at cycle ${newestCycle.value}`);
  return newestCycle.value < newestOfRun ? plain(`at cycle ${newestCycle.value} of ${newestOfRun}`) : undefined;
}

export interface BranchScore {
  /** As in `LETKF −18 %`. */
  readonly text: string;
  /** With the numbers and their units. */
  readonly help: string;
  /** Whether its error is the smaller one. */
  readonly isBetter: boolean;
}

function errorOf(row: CycleDiagnostics | undefined, variables: readonly string[]): number | undefined {
  const rmse = row?.rmse.analysis;
  if (!rmse || variables.length === 0 || !variables.every((name) => Object.hasOwn(rmse, name))) return undefined;
  return Math.hypot(...variables.map((name) => rmse[name]));
}

function percent(ratio: number): string {
  const share = Math.abs(100 * (ratio - 1));
  if (share < 0.05) return '±0 %';
  const sign = ratio < 1 ? MINUS : '+';
  // Beyond some times as wrong, a share says less than the factor.
  return share < 1000 ? `${sign}${share.toFixed(share < 10 ? 1 : 0)} %` : `×${ratio.toFixed(0)}`;
}

/** @returns how wrong a method of a branch is beside the run's in the cycle on screen; undefined where it is not known */
export function scoreOf(
  { session, charts, branches }: Pick<RunView, 'session' | 'charts' | 'branches'>,
  { branch, line }: BranchEntry,
  label: string,
): BranchScore | undefined {
  const cycle = session.cycle.value;
  if (!line || cycle < branch.cycle) return undefined;
  const variables = charts.shownVariables.value;
  const own = line.session.diagnostics.value.get(label)?.find((row) => row.cycle === cycle);
  const [a, b] = [errorOf(branches.rowOf(label, cycle), variables), errorOf(own, variables)];
  if (a === undefined || b === undefined || a === 0) return undefined;
  const title = session.styleOf(label)?.title ?? label;
  const unit = unitOf(variables[0]);
  return {
    text: `${title} ${percent(b / a)}`,
    help:
      `${title} in cycle ${cycle}: RMSE of ${variables.join(', ')} of the analysis ${formatMeasured(b)} ${unit}, ` +
      `in the run ${formatMeasured(a)} ${unit}`,
    isBetter: b < a,
  };
}
