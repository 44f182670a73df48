/** The state of a branch, in words: for the strip and for screen readers. */
import { formatMeasured } from '../../format/numbers.ts';
import { unitOf } from '../../document/views/series.ts';
import type { RunView } from '../../document/run-view.ts';
import { comparisonOf } from './branch-comparison.ts';
import type { BranchEntry } from '../../document/lines/branch-list.ts';
import { chartsOf } from '../../figures/chart-state.ts';

/** The minus sign. */
const MINUS = '\u2212';

export interface BranchStanding {
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

export interface BranchScore {
  /** As in `−18 %`. */
  readonly text: string;
  /** With the numbers and their units. */
  readonly help: string;
  /** Whether its error is the smaller one. */
  readonly isBetter: boolean;
}

/** @returns how far an error is from another, as a share: `−18 %` */
export function percentText(ratio: number): string {
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
