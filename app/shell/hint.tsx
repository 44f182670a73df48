/** The line of the first minute, under the views: what is being seen and what to try next. It leaves at the first touch. */
import { useSignalEffect } from '@preact/signals';
import { useRun } from '../document/context.ts';
import { useLaboratory } from '../page/context.ts';
import { lessonOf } from '../features/lessons/lesson-state.ts';

/** @returns a number of things as words: `one method`, `3 methods` */
function counted(count: number, what: string): string {
  return count === 1 ? `one ${what}` : `${String(count)} ${what}s`;
}

export function Hint() {
  const { touched, hintSeen } = useLaboratory().preferences;
  const {
    course: { info, currentSnapshot },
    view: { selectedMethods },
  } = useRun();
  const lesson = lessonOf(useRun());
  useSignalEffect(() => {
    if (touched.value && info.value !== undefined) hintSeen.value = true;
  });
  // Effects come a frame later.
  if (hintSeen.value || touched.value || info.value === undefined) return null;
  const count = currentSnapshot.value?.observations.x.length ?? 0;
  const methods = selectedMethods.value.length;
  const from = count > 0 ? ` ${counted(count, 'observation')} a cycle` : ' it';
  return (
    <p class="hint">
      {`The truth, and what ${counted(methods, 'method')} make${methods === 1 ? 's' : ''} of${from}. Drag to turn it, click to pin a probe${lesson.steps.value.length > 0 ? ', T for the lesson' : ''}.`}
    </p>
  );
}
