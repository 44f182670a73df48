/** The editor of the lesson: its steps in their order, and the words of one of them. */
import { useEffect } from 'preact/hooks';
import { CommandButton } from '../../layout/command-button.tsx';
import { Dialog } from '../../layout/dialog.tsx';
import { Icon } from '../../layout/icons.tsx';
import { useLaboratory, useRun } from '../../state/context.ts';
import './editor.css';
import { StepForm } from './step-form.tsx';

export function LessonEditor() {
  const { closeOverlay } = useLaboratory().overlays;
  const {
    lesson: { at },
    lessonEdits: { edited, choose },
  } = useRun();
  useEffect(() => {
    if (edited.peek() === undefined) choose(at.peek() ?? 0);
    return () => {
      edited.value = undefined;
    };
  }, []);
  const now = edited.value;
  return (
    <Dialog label="Edit the lesson" class="lesson-editor" onClose={closeOverlay}>
      <header class="lesson-editor-head">
        <h2>Lesson</h2>
        <CommandButton command="edit.undo" icon="undo" />
        <CommandButton command="edit.redo" icon="redo" />
        <button type="button" class="icon-button" aria-label="Close" onClick={closeOverlay}>
          <Icon name="close" />
        </button>
      </header>
      <div class="lesson-editor-panes">
        <StepList />
        {now ? (
          <StepForm key={`${now.isNew} ${now.index} ${JSON.stringify(now.step)}`} edited={now} />
        ) : (
          <p class="label lesson-editor-empty">
            The lesson has no steps. Arrange the views, close this, and record what is on screen as its first step.
          </p>
        )}
      </div>
    </Dialog>
  );
}

function StepList() {
  const { written, edited, choose, move, remove } = useRun().lessonEdits;
  const steps = written.value;
  const now = edited.value;
  return (
    <ol class="lesson-list" aria-label="Steps">
      {steps.map(({ title }, index) => {
        const isChosen = now?.isNew === false && now.index === index;
        return (
          // Steps have no name of their own but their place.
          <li key={index} data-chosen={isChosen}>
            <button
              type="button"
              class="lesson-list-step"
              aria-current={isChosen ? 'step' : undefined}
              onClick={() => choose(index)}
            >
              <span class="number">{index + 1}</span> {title}
            </button>
            <button
              type="button"
              class="icon-button"
              aria-label={`Move step ${index + 1} up`}
              disabled={index === 0}
              onClick={() => move(index, -1)}
            >
              <Icon name="up" />
            </button>
            <button
              type="button"
              class="icon-button"
              aria-label={`Move step ${index + 1} down`}
              disabled={index === steps.length - 1}
              onClick={() => move(index, 1)}
            >
              <Icon name="down" />
            </button>
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove step ${index + 1}`}
              onClick={() => remove(index)}
            >
              <Icon name="close" />
            </button>
          </li>
        );
      })}
      {now?.isNew && (
        <li data-chosen="true">
          <span class="lesson-list-step">
            <span class="number">{now.index + 1}</span> New step
          </span>
        </li>
      )}
    </ol>
  );
}
