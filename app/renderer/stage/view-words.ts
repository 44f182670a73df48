/** What a view says under its title, on screen and in pictures: its score now, or that its method diverged. */
import { TRUTH } from '../state/method-style.ts';
import { currentDiagnostics, currentSnapshot, diagnostics } from '../state/session-state.ts';
import { transit } from '../state/transit.ts';
import { viewScore } from '../state/view-score.ts';
import type { ViewScore } from '../state/view-score.ts';
import { phase } from '../state/view-state.ts';
import { divergedAt } from './snapshot-numbers.ts';
import type { DrawnView } from './stage-model.ts';
import { drawnLeg } from './stage-state.ts';

/**
 * While an analysis is made, the score of its forecast: so that one sees what the observations are worth.
 * @returns undefined for the truth, and where there are no numbers
 */
export function scoreNow({ subject, field }: Pick<DrawnView, 'subject' | 'field'>): ViewScore | undefined {
  if (subject === TRUTH) return undefined;
  const coming = transit.value?.to.cycle;
  if (drawnLeg.value !== 'increment' || coming === undefined) {
    return viewScore(currentDiagnostics.value.get(subject), field, phase.value);
  }
  return viewScore(
    diagnostics.value.get(subject)?.find(({ cycle }) => cycle === coming),
    field,
    'forecast',
  );
}

/** @returns the cycle in which the method of a view diverged, where it is past */
export function divergenceNow(subject: string): number | undefined {
  const snapshot = currentSnapshot.value;
  return snapshot && divergedAt(snapshot, subject);
}
