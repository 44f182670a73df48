/** The editor of the lesson: its steps in their order, and the words of one of them. */
import { useEffect } from 'preact/hooks';
import { CommandButton } from '../../controls/command-button.tsx';
import { Dialog } from '../../controls/dialog.tsx';
import { Icon } from '../../controls/icons.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import './lessons.css';
import { StepForm } from './step-form.tsx';
import { lessonOf } from './lesson-state.ts';
import { lessonEditsOf } from './lesson-edits.ts';

export function LessonEditor() {
  const { closeOverlay } = useLaboratory().overlays;
  const { at } = lessonOf(useRun());
  const { edited, choose } = lessonEditsOf(useRun());
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

/** @param number of the step in the list @param isLast whether none of the lesson's comes after it */
function StepItem({
  title,
  index,
  number,
  isLast,
}: {
  readonly title: string;
  readonly index: number;
  readonly number: number;
  readonly isLast: boolean;
}) {
  const { edited, choose, move, remove } = lessonEditsOf(useRun());
  const now = edited.value;
  const isChosen = now?.isNew === false && now.index === index;
  return (
    <li data-chosen={isChosen}>
      <button
        type="button"
        class="lesson-list-step"
        aria-current={isChosen ? 'step' : undefined}
        onClick={() => choose(index)}
      >
        <span class="number">{number}</span> {title}
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={`Move step ${number} up`}
        disabled={index === 0}
        onClick={() => move(index, -1)}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={`Move step ${number} down`}
        disabled={isLast}
        onClick={() => move(index, 1)}
      >
        <Icon name="down" />
      </button>
      <button type="button" class="icon-button" aria-label={`Remove step ${number}`} onClick={() => remove(index)}>
        <Icon name="close" />
      </button>
    </li>
  );
}

/** The steps, with one that is being written in the place that it will have. */
function StepList() {
  const { written, edited } = lessonEditsOf(useRun());
  const steps = written.value;
  const now = edited.value;
  const newAt = now?.isNew ? now.index : steps.length;
  const items = steps.map(({ title }, index) => (
    // Steps have no name of their own but their place.
    <StepItem
      key={index}
      title={title}
      index={index}
      number={index + (index < newAt ? 1 : 2)}
      isLast={index === steps.length - 1}
    />
  ));
  const fresh = now?.isNew && (
    <li key="new" data-chosen="true">
      <span class="lesson-list-step">
        <span class="number">{newAt + 1}</span> New step
      </span>
    </li>
  );
  return (
    <ol class="lesson-list" aria-label="Steps">
      {items.slice(0, newAt)}
      {fresh}
      {items.slice(newAt)}
    </ol>
  );
}
