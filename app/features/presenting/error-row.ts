/** A row of errors beneath the views: on the stage it is there until it is sent away, elsewhere it is one field of those chosen. */
import { computed, signal } from '@preact/signals';
import { MAXIMUM_ROWS } from '../../../engine/index.ts';
import type { RunView } from '../../document/run-view.ts';
import type { FieldId } from '../../fields/fields.ts';
import { lessonOf } from '../lessons/lesson-state.ts';
import { slot } from '../../page/laboratory.ts';

function createErrorRow(run: RunView) {
  const { fields: chosen, toggleRow } = run.view;
  const { presentation } = run.laboratory.preferences;
  const isWanted = signal(true);
  /** Rows that are drawn, top to bottom. A lesson shows what its steps name. */
  const fields = computed<readonly FieldId[]>(() => {
    const isFree = chosen.value.length < MAXIMUM_ROWS && !chosen.value.includes('error');
    const isAdded = presentation.value && isWanted.value && isFree && lessonOf(run).at.value === undefined;
    return isAdded ? [...chosen.value, 'error'] : chosen.value;
  });
  const isShown = computed(() => fields.value.includes('error'));

  function toggle(): void {
    if (!presentation.value || chosen.value.includes('error')) toggleRow('error');
    else isWanted.value = !isWanted.value;
  }

  return { fields, isShown, toggle };
}

/** @returns the row of errors of a run */
export const errorRowOf = slot(createErrorRow);
