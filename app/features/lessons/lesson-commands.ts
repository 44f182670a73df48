/** What can be done with the lesson of the scenario on screen: taken, gone through, recorded. */
import { MOST_STEPS_OF_A_LESSON } from '../../../engine/index.ts';
import type { Command } from '../../page/commands.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { lessonOf } from './lesson-state.ts';
import { lessonEditsOf } from './lesson-edits.ts';

export function lessonCommands({ overlays }: Pick<Laboratory, 'overlays'>, run: RunView): readonly Command[] {
  const {
    course: { info },
    scenario: { draftScenario },
  } = run;
  const { at, steps, isOnTheWay, isTrying, open, next, back, close, skip, tryIt, goOn } = lessonOf(run);
  const { record } = lessonEditsOf(run);
  const isOpen = (): boolean => at.value !== undefined;
  const canEdit = (): boolean => info.value !== undefined && draftScenario.value !== undefined;
  return [
    {
      id: 'lesson.open',
      group: 'Lesson',
      title: 'Lesson',
      shortcuts: ['T'],
      keywords: 'take teach steps explain begin close',
      enabled: () => steps.value.length > 0,
      checked: isOpen,
      run: () => (isOpen() ? close() : open()),
    },
    {
      id: 'lesson.next',
      group: 'Lesson',
      title: 'Next step of the lesson',
      shortcuts: ['PageDown', 'ArrowRight'],
      enabled: () => at.value !== undefined && at.value < steps.value.length - 1,
      run: next,
    },
    {
      id: 'lesson.back',
      group: 'Lesson',
      title: 'Step before in the lesson',
      shortcuts: ['PageUp', 'ArrowLeft'],
      enabled: () => at.value !== undefined && at.value > 0,
      run: back,
    },
    {
      id: 'lesson.skip',
      group: 'Lesson',
      title: 'Skip to the cycle that the lesson plays to',
      enabled: () => isOnTheWay.value,
      run: skip,
    },
    {
      id: 'lesson.try',
      group: 'Lesson',
      title: 'Try it yourself, and continue the lesson later',
      enabled: isOpen,
      checked: () => isTrying.value,
      run: () => (isTrying.value ? goOn() : tryIt()),
    },
    {
      id: 'lesson.record',
      group: 'Lesson',
      title: 'Record a lesson step…',
      keywords: 'author write teach take what is on screen',
      enabled: () => canEdit() && steps.value.length < MOST_STEPS_OF_A_LESSON,
      run: () => {
        record();
        overlays.openOverlay('lesson');
      },
    },
    {
      id: 'lesson.edit',
      group: 'Lesson',
      title: 'Edit the lesson…',
      keywords: 'steps reorder remove title text question',
      enabled: () => canEdit() && steps.value.length > 0,
      run: () => overlays.openOverlay('lesson'),
    },
  ];
}
