/** The editor of the lesson: its steps in their order, and the words of one of them. */
import { useEffect, useId, useState } from 'preact/hooks';
import { CommandButton, Icon } from '../../controls/buttons.tsx';
import { Dialog } from '../../controls/dialog.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import './lessons.css';
import { lessonOf } from './lesson-state.ts';
import { lessonEditsOf, shownInWords, type EditedStep } from './lesson-edits.ts';
import {
  LONGEST_TEXT,
  LONGEST_TITLE,
  LONGEST_CHOICE,
  MOST_CHOICES,
  MOST_POINTED,
  POINTED_PARTS,
  type WrittenLessonStep,
} from '../../../engine/index.ts';

/** The fields of a question: what is asked, the choices with the right one marked, and why it is right. */
type WrittenQuestion = NonNullable<WrittenLessonStep['question']>;

const EMPTY_QUESTION: WrittenQuestion = { text: '', choices: ['', ''], answer: 0, why: '' };

const LEAST_CHOICES = 2;

const PARTS = POINTED_PARTS.map((label) => ({ label, title: label.charAt(0).toUpperCase() + label.slice(1) }));

interface QuestionFieldsProps {
  readonly question: WrittenQuestion;
  readonly onChange: (question: WrittenQuestion) => void;
}

function QuestionFields({ question, onChange }: QuestionFieldsProps) {
  const { text, choices, answer, why, hides } = question;
  const id = useId();
  const removeChoice = (index: number): void =>
    onChange({
      ...question,
      choices: choices.toSpliced(index, 1),
      answer: answer > index ? answer - 1 : Math.min(answer, choices.length - 2),
    });
  return (
    <fieldset class="lesson-form-question">
      <legend class="visually-hidden">Question</legend>
      <label for={`${id}-text`}>Question</label>
      <input
        id={`${id}-text`}
        class="input"
        required
        maxLength={LONGEST_TEXT}
        value={text}
        onInput={({ currentTarget }) => onChange({ ...question, text: currentTarget.value })}
      />
      <p id={`${id}-choices`}>Choices, the right one marked</p>
      <ul aria-labelledby={`${id}-choices`}>
        {choices.map((choice, index) => (
          // Choices have no name of their own but their place.
          <li key={index}>
            <input
              type="radio"
              name={`${id}-answer`}
              aria-label={`Choice ${index + 1} is right`}
              checked={answer === index}
              onChange={() => onChange({ ...question, answer: index })}
            />
            <input
              class="input"
              required
              aria-label={`Choice ${index + 1}`}
              maxLength={LONGEST_CHOICE}
              value={choice}
              onInput={({ currentTarget }) =>
                onChange({ ...question, choices: choices.with(index, currentTarget.value) })
              }
            />
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove choice ${index + 1}`}
              disabled={choices.length <= LEAST_CHOICES}
              onClick={() => removeChoice(index)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      {choices.length < MOST_CHOICES && (
        <div>
          <button type="button" class="button" onClick={() => onChange({ ...question, choices: [...choices, ''] })}>
            One more choice
          </button>
        </div>
      )}
      <label class="lesson-form-check">
        <input
          type="checkbox"
          checked={hides === 'results'}
          onChange={({ currentTarget }) =>
            onChange({ text, choices, answer, why, ...(currentTarget.checked && { hides: 'results' }) })
          }
        />
        Hide all results until it is answered
      </label>
      <label for={`${id}-why`}>Why it is right</label>
      <textarea
        id={`${id}-why`}
        class="input"
        required
        rows={2}
        maxLength={LONGEST_TEXT}
        value={why}
        onInput={({ currentTarget }) => onChange({ ...question, why: currentTarget.value })}
      />
    </fieldset>
  );
}

interface PointedChoicesProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** What a step points at: methods, and parts of the window. */
function PointedChoices({ chosen, onChange }: PointedChoicesProps) {
  const { styles } = useRun().course;
  const parts = [...styles.value.map(({ label, title }) => ({ label, title })), ...PARTS];
  return (
    <fieldset class="lesson-form-pointed">
      <legend>Points at</legend>
      {parts.map(({ label, title }) => (
        <label key={label} class="lesson-form-check">
          <input
            type="checkbox"
            checked={chosen.includes(label)}
            disabled={!chosen.includes(label) && chosen.length >= MOST_POINTED}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...chosen, label] : chosen.filter((each) => each !== label))
            }
          />
          {title}
        </label>
      ))}
    </fieldset>
  );
}

/** Texts are plain and of one line. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function plainQuestion({ text, choices, why, ...rest }: WrittenQuestion): WrittenQuestion {
  return { ...rest, text: plain(text), choices: choices.map(plain), why: plain(why) };
}

/** The words of one step: title, text, task, question; and what it shows. */
function StepForm({ edited: { index, isNew, step } }: { readonly edited: EditedStep }) {
  const { closeOverlay } = useLaboratory().overlays;
  const { problems, keep, retake } = lessonEditsOf(useRun());
  const [title, setTitle] = useState(step.title);
  const [text, setText] = useState(step.text);
  const [task, setTask] = useState(step.task ?? '');
  const [show, setShow] = useState(step.show ?? {});
  const [question, setQuestion] = useState(step.question);
  const id = useId();
  const stepNow = (): WrittenLessonStep => ({
    title: plain(title),
    text: plain(text),
    show,
    ...(question && { question: plainQuestion(question) }),
    ...(plain(task) !== '' && { task: plain(task) }),
  });
  const settings = show.settings ?? [];
  return (
    <form
      class="lesson-form"
      aria-label={isNew ? 'New step' : `Step ${index + 1}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (keep(stepNow())) closeOverlay();
      }}
    >
      <label for={`${id}-title`}>Title</label>
      <input
        id={`${id}-title`}
        class="input"
        required
        autofocus
        maxLength={LONGEST_TITLE}
        value={title}
        onInput={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      <label for={`${id}-text`}>Text, one to three sentences</label>
      <textarea
        id={`${id}-text`}
        class="input"
        required
        rows={3}
        maxLength={LONGEST_TEXT}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <p class="label">Shows: {shownInWords(show)}</p>
      <div class="lesson-form-ways">
        <button type="button" class="button" onClick={() => setShow({ ...retake(), pointsAt: show.pointsAt })}>
          Take what is on screen
        </button>
        {settings.length > 0 && (
          <button type="button" class="button" onClick={() => setShow({ ...show, settings: [] })}>
            Leave the settings as they are
          </button>
        )}
        <label class="lesson-form-check">
          <input
            type="checkbox"
            checked={show.playTo !== undefined}
            disabled={(show.cycle ?? show.playTo ?? -1) < 0}
            onChange={({ currentTarget }) => {
              const { cycle, playTo, ...rest } = show;
              const end = cycle ?? playTo;
              setShow(currentTarget.checked ? { playTo: end, ...rest } : { cycle: end, ...rest });
            }}
          />
          Play up to the cycle
        </label>
      </div>
      <PointedChoices
        chosen={show.pointsAt ?? []}
        onChange={(pointsAt) => setShow({ ...show, pointsAt: pointsAt.length > 0 ? pointsAt : undefined })}
      />
      <label for={`${id}-task`}>Task to try (optional)</label>
      <textarea
        id={`${id}-task`}
        class="input"
        rows={2}
        maxLength={LONGEST_TEXT}
        value={task}
        onInput={({ currentTarget }) => setTask(currentTarget.value)}
      />
      <label class="lesson-form-check">
        <input
          type="checkbox"
          checked={question !== undefined}
          onChange={({ currentTarget }) => setQuestion(currentTarget.checked ? EMPTY_QUESTION : undefined)}
        />
        Ask a question
      </label>
      {question && <QuestionFields question={question} onChange={setQuestion} />}
      {problems.value.length > 0 && (
        <ul class="lesson-form-problems" role="alert">
          {problems.value.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <div class="lesson-form-ways">
        <button type="submit" class="button primary">
          {isNew ? 'Add the step' : 'Keep the step'}
        </button>
      </div>
    </form>
  );
}

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
