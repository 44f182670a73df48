/** What the window says by itself: the hint of the first minute, questions, and what is in place of the water. */
import { useRun } from '../document/context.ts';
import { useSignalEffect } from '@preact/signals';
import { useLaboratory } from '../page/laboratory.ts';
import { lessonOf } from '../features/lessons/lesson-state.ts';
import { Dialog } from '../controls/dialog.tsx';

/** The question that waits for an answer, as a dialog. */
export function QuestionDialog() {
  const { question } = useLaboratory().questions;
  const open = question.value;
  if (!open) return null;
  const { title, text, answers, cancel, answer } = open;
  return (
    <Dialog label={title} class="question" onClose={() => answer(cancel)}>
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="question-answers">
        {answers.map(({ id, title: words, kind }) => (
          <button
            key={id}
            type="button"
            class={`button ${kind}`}
            // The answer that loses nothing is at hand.
            autofocus={id === cancel}
            onClick={() => answer(id)}
          >
            {words}
          </button>
        ))}
      </div>
    </Dialog>
  );
}

/** @returns a number of things as words: `one method`, `3 methods` */
function counted(count: number, what: string): string {
  return count === 1 ? `one ${what}` : `${String(count)} ${what}s`;
}

/** The line of the first minute, under the views: what is being seen and what to try next. It leaves at the first touch. */
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

/** The message in place of the water while there is none: that it is being prepared, or why it cannot be. */
export function StageMessage() {
  const {
    controller,
    course: { history, status, failure },
    scenario: { appliedScenario },
  } = useRun();
  if (history.value.snapshots.length > 0) return null;
  const scenario = appliedScenario.value;
  if (status.value === 'opening' && scenario) {
    const { nx, ny } = scenario.grid;
    return (
      <div class="stage-message" role="status">
        <p>
          Preparing {scenario.title || scenario.name}: {nx} × {ny} cells, {scenario.background.members} members
        </p>
      </div>
    );
  }
  if (failure.value) {
    return (
      <div class="stage-message">
        <p>{failure.value.message}</p>
        <button type="button" class="button" onClick={() => controller.restart()}>
          Start again
        </button>
      </div>
    );
  }
  return null;
}
