/**
 * The strip that plays a lesson, over the timeline: a step's words, its question, and the ways on. It is as high as the longest
 * step needs when it is answered, so that the stage keeps its size from step to step.
 */
import type { LessonStep, LessonQuestion, Scenario } from '../../../engine/index.ts';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { commandHint, Icon } from '../../controls/buttons.tsx';
import { GlossedText } from '../../controls/line-name.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { observeSize } from '../../plot/use-size.ts';
import { stageOf } from '../../stage/stage-state.ts';
import './lessons.css';
import { lessonOf } from './lesson-state.ts';

/** @returns `Step 2 of 6` */
function stepCount(index: number, steps: readonly LessonStep[]): string {
  return `Step ${index + 1} of ${steps.length}`;
}

/** What became of a question. */
interface Answer {
  /** Undefined where nobody has chosen. */
  readonly isRight: boolean | undefined;
  readonly text: string;
}

/** @param choice the chosen answer, by its index; undefined if the question was not answered */
function answerTo({ choices, answer, why }: LessonQuestion, choice: number | undefined): Answer {
  const right = choices[answer];
  if (choice === undefined) return { isRight: undefined, text: `The answer to the last question: ${right}. ${why}` };
  if (choice === answer) return { isRight: true, text: `Right. ${why}` };
  return { isRight: false, text: `Not quite. The right answer is “${right}”. ${why}` };
}

/**
 * @returns the answer that a step shows: to its own question as soon as one has chosen, before that to the question of the step
 * before, unless it was answered there
 */
export function answerAt(
  index: number,
  steps: readonly LessonStep[],
  chosen: ReadonlyMap<number, number>,
): Answer | undefined {
  const own = steps[index]?.question;
  const choice = chosen.get(index);
  if (own && choice !== undefined) return answerTo(own, choice);
  const before = steps[index - 1]?.question;
  return before && !chosen.has(index - 1) ? answerTo(before, undefined) : undefined;
}

/** What a step shows of answers. */
interface StepState {
  /** Above its text: the answer to the question of the step before. */
  readonly before: Answer | undefined;
  /** The chosen answer to its own question, by its index. */
  readonly choice: number | undefined;
}

function statedAt(index: number, steps: readonly LessonStep[], chosen: ReadonlyMap<number, number>): StepState {
  const choice = chosen.get(index);
  return { choice, before: choice === undefined ? answerAt(index, steps, chosen) : undefined };
}

/** @returns the state in which a step takes the most room, which the strip keeps for it: nothing moves when one answers */
function tallest(index: number, steps: readonly LessonStep[]): StepState {
  const before = steps[index - 1]?.question;
  const own = steps[index].question;
  return {
    before: before && answerTo(before, undefined),
    choice: own && own.choices.findIndex((_, each) => each !== own.answer),
  };
}

/** @returns all that a step says, for screen readers */
function spokenStep(index: number, steps: readonly LessonStep[], chosen: ReadonlyMap<number, number>): string {
  const { title, text, question } = steps[index];
  const answer = answerAt(index, steps, chosen);
  const asked = question ? ` Question: ${question.text}` : '';
  return `${stepCount(index, steps)}: ${title}. ${answer ? `${answer.text} ` : ''}${text}${asked}`;
}

const FREE = 'The laboratory is yours: change a setting, look at another cycle or field.';

interface LessonStripProps {
  /** The way to what follows, at the last step. */
  readonly next: ComponentChildren;
}

export function LessonStrip({ next }: LessonStripProps) {
  const { at } = lessonOf(useRun());
  return at.value === undefined ? null : <Strip index={at.value} next={next} />;
}

/** What the legends take at the foot of the stage, beneath a caption, in the size of the type. */
const LEGENDS_REM = 2.5;

/**
 * On the stage the strip is a caption over the canvas. Views stay clear of it; within a step and in a window of one size they do not
 * grow again.
 */
function useFoot(index: number) {
  const { foot } = stageOf(useRun());
  const isCaption = useLaboratory().preferences.presentation.value;
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured || !isCaption) return undefined;
    const legends = LEGENDS_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
    let highest = 0;
    let size = '';
    return observeSize(measured, () => {
      const { innerWidth, innerHeight } = window;
      const before = size;
      size = `${innerWidth} × ${innerHeight}`;
      highest = Math.max(size === before ? highest : 0, measured.offsetHeight);
      foot.value = highest + legends;
    });
  }, [foot, isCaption, index]);
  useLayoutEffect(
    () => () => {
      foot.value = 0;
    },
    [foot, isCaption],
  );
  return element;
}

function Strip({ index, next }: LessonStripProps & { readonly index: number }) {
  const { steps, isTrying, chosen } = lessonOf(useRun());
  const foot = useFoot(index);
  const all = steps.value;
  const { title, task = FREE } = all[index];
  return (
    <section class="lesson" aria-label="Lesson" data-trying={isTrying.value} ref={foot}>
      <div class="lesson-head">
        <p class="lesson-count">{stepCount(index, all)}</p>
        <h2 class="lesson-title">{isTrying.value ? 'Try it yourself' : title}</h2>
        <Ways index={index} count={all.length} next={next} />
      </div>
      {isTrying.value ? (
        <p class="lesson-text">
          <GlossedText text={task} />
        </p>
      ) : (
        <div class="lesson-steps">
          {all.map((step, each) => (
            <Step key={each} step={step} {...tallest(each, all)} isShown={false} />
          ))}
          <Step key="shown" step={all[index]} {...statedAt(index, all, chosen.value)} isShown />
        </div>
      )}
      <p class="visually-hidden" role="status">
        {isTrying.value ? `Try it yourself. ${task}` : spokenStep(index, all, chosen.value)}
      </p>
    </section>
  );
}

/** Ends a lesson; the focus would be lost with the strip. */
function leave(end: () => void): void {
  end();
  // Of both buttons one is on screen.
  for (const button of document.querySelectorAll<HTMLElement>('.lesson-button, .course-button')) button.focus();
}

/** Where one can go from a step. Buttons stay what they are while they have the focus. */
function Ways({
  index,
  count,
  next: following,
}: LessonStripProps & { readonly index: number; readonly count: number }) {
  const laboratory = useLaboratory();
  const { steps, isTrying, isOnTheWay, goal, next, back, close, finish, skip, tryIt, goOn } = lessonOf(useRun());
  const isFirst = index === 0;
  const isLast = index === count - 1;
  const hasChanged = steps.value.some(({ show }) => show.settings.length > 0);
  return (
    <div class="lesson-ways" role="group" aria-label="Steps of the lesson">
      {isOnTheWay.value && !isTrying.value && (
        <button type="button" class="button" onClick={skip}>
          Skip to cycle {goal.value}
        </button>
      )}
      <button type="button" class="button" onClick={isTrying.value ? goOn : tryIt}>
        {isTrying.value ? 'Continue the lesson' : 'Try it yourself'}
      </button>
      {!isTrying.value && (
        <>
          <button
            type="button"
            class="button"
            aria-disabled={isFirst}
            title={commandHint(laboratory, 'lesson.back')}
            onClick={() => {
              if (!isFirst) back();
            }}
          >
            Back
          </button>
          <button
            type="button"
            class="button primary lesson-next"
            title={
              isLast
                ? 'Ends the lesson, and restores the settings and views that it changed'
                : commandHint(laboratory, 'lesson.next')
            }
            onClick={isLast ? () => leave(finish) : next}
          >
            {isLast ? (hasChanged ? 'Put the scenario back' : 'Finish') : 'Next'}
          </button>
          {isLast && following}
        </>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label="Close the lesson"
        title={commandHint(laboratory, 'lesson.open', 'Close the lesson')}
        onClick={() => leave(close)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/** @returns how a choice is marked once one was made: the right one, and the one that was made in its place */
function markOf(each: number, choice: number, { answer }: LessonQuestion): boolean | undefined {
  if (each === answer) return true;
  return each === choice ? false : undefined;
}

interface StepProps extends StepState {
  readonly step: LessonStep;
  /** One that is not shown keeps its space. */
  readonly isShown: boolean;
}

function Step({ step: { text, question }, before, choice, isShown }: StepProps) {
  const { choose } = lessonOf(useRun());
  const own = question && choice !== undefined ? answerTo(question, choice) : undefined;
  return (
    <div class="lesson-step" data-shown={isShown} aria-hidden={!isShown}>
      <div class="lesson-words">
        {before && (
          <p class="lesson-answer">
            <GlossedText text={before.text} />
          </p>
        )}
        <p class="lesson-text">
          <GlossedText text={text} />
        </p>
      </div>
      {question && (
        <div class="lesson-question" role="group" aria-label="Question">
          <p>
            <GlossedText text={question.text} />
          </p>
          <div class="lesson-choices">
            {question.choices.map((words, each) => (
              <button
                key={words}
                type="button"
                class="button lesson-choice"
                aria-pressed={choice === each}
                data-right={choice === undefined ? undefined : markOf(each, choice, question)}
                onClick={() => choose(each)}
              >
                {words}
              </button>
            ))}
          </div>
          {own && (
            <p class="lesson-answer" data-right={own.isRight}>
              <GlossedText text={own.text} />
            </p>
          )}
        </div>
      )}
    </div>
  );
}

interface LessonButtonProps {
  /** Whether a newcomer has another way to it. */
  readonly isFullOnly: boolean;
}

/** In the bar, where the scenario has a lesson. */
export function LessonButton({ isFullOnly }: LessonButtonProps) {
  const laboratory = useLaboratory();
  const { at, steps } = lessonOf(useRun());
  const { runCommand } = laboratory.commands;
  const count = steps.value.length;
  if (count === 0) return null;
  return (
    <button
      type="button"
      class={`icon-button lesson-button ${isFullOnly ? 'full-only' : ''}`}
      aria-pressed={at.value !== undefined}
      aria-label={`Lesson, ${count} steps`}
      title={commandHint(laboratory, 'lesson.open', `Lesson in ${count} steps`)}
      onClick={() => void runCommand('lesson.open')}
    >
      <Icon name="lesson" />
    </button>
  );
}

interface LessonLineProps {
  readonly scenario: Scenario;
  readonly onTake: () => void;
}

/** @returns `a lesson in 6 steps`; empty if there is none */
export function lessonWords({ lesson }: Pick<Scenario, 'lesson'>): string {
  const count = lesson.length;
  return count === 0 ? '' : `a lesson in ${count} ${count === 1 ? 'step' : 'steps'}`;
}

/** Where a scenario says what it is about: that it has a lesson, and the way into it. */
export function LessonLine({ scenario, onTake }: LessonLineProps) {
  if (scenario.lesson.length === 0) return null;
  return (
    <p class="lesson-line">
      <button type="button" class="button" onClick={onTake}>
        Take the lesson: {scenario.lesson.length} {scenario.lesson.length === 1 ? 'step' : 'steps'}
      </button>
    </p>
  );
}
