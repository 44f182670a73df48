/** What is said of views, on screen and in pictures: scores, that a method diverged, and which views carry a colour bar. */
import type { RunView } from '../document/run-view.ts';
import { isTruth } from '../document/views/method-style.ts';
import { viewScore } from '../document/views/view-score.ts';
import type { ViewScore } from '../document/views/view-score.ts';
import { isShownField } from '../document/views/shown-planes.ts';
import { divergedAt } from './snapshot-numbers.ts';
import type { DrawnView } from './stage-model.ts';
import { stageOf } from './stage-state.ts';
import { chartsOf } from '../figures/chart-state.ts';
import { fieldOf } from '../fields/fields.ts';
import type { StageLook } from '../document/views/view-state.ts';
import type { FieldWords } from '../document/views/shown-planes.ts';

/**
 * While an analysis is made, the score of its forecast: so that one sees what the observations are worth.
 * @param cycle that the view was drawn of: number and picture change together
 * @returns undefined for the truth, and if there are no numbers
 */
export function scoreNow(
  run: RunView,
  { subject, field }: Pick<DrawnView, 'subject' | 'field'>,
  cycle: number,
): ViewScore | undefined {
  const {
    course: { transit },
    branches: { rowOf },
    view: { phase },
  } = run;
  const { drawnLeg } = stageOf(run);
  const { shownVariables } = chartsOf(run);
  // What is shown in place of a field has no score.
  if (isTruth(subject) || isShownField(field)) return undefined;
  const coming = transit.value?.to.cycle;
  if (drawnLeg.value !== 'increment' || coming === undefined) {
    return viewScore(rowOf(subject, cycle), field, phase.value, shownVariables.value);
  }
  return viewScore(rowOf(subject, coming), field, 'forecast', shownVariables.value);
}

function stateName(cycle: number): string {
  return cycle < 0 ? 'the start' : `cycle ${cycle}`;
}

/** @returns what is said while the picture is not of the cycle on screen yet; undefined if it is */
export function lateWords(run: RunView): string | undefined {
  const wanted = run.branches.snapshot.value?.cycle;
  const drawn = stageOf(run).drawnFrame.value?.cycle;
  if (wanted === undefined || drawn === undefined || wanted === drawn) return undefined;
  return `Drawing ${stateName(wanted)}; the picture is of ${stateName(drawn)}`;
}

/** @returns the cycle in which the method of a view diverged, where it is past */
export function divergenceNow(run: RunView, subject: string): number | undefined {
  const snapshot = run.branches.snapshot.value;
  return snapshot && divergedAt(snapshot, subject);
}

/** Whether one bar can serve both: numbers of one quantity in the same colours. */
function isAlike(a: FieldWords, b: FieldWords): boolean {
  return a.symbol === b.symbol && a.unit === b.unit && a.colourMap === b.colourMap;
}

/** @returns views that need a bar of their own: the last of those with one quantity and one range */
export function barredViews<View extends Pick<DrawnView, 'field' | 'range' | 'words'>>(
  views: readonly View[],
  look: StageLook,
): readonly View[] {
  return views.filter(({ field, range, words }, n) => {
    // Water that looks like water has no colours to be read.
    if (look === 'photoreal' && fieldOf(field).isWater) return false;
    const later = views.slice(n + 1).filter((other) => isAlike(other.words, words));
    return !later.some((other) => other.range.from === range.from && other.range.to === range.to);
  });
}
