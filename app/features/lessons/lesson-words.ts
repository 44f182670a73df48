/** What a step says of itself in words: its number, and how its question was answered. */
import type { LessonQuestion, LessonStep } from '../../../engine/index.ts';

/** @returns `Step 2 of 6` */
export function stepCount(index: number, steps: readonly LessonStep[]): string {
  return `Step ${index + 1} of ${steps.length}`;
}

/** What became of a question. */
export interface Answer {
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

/** @returns all that a step says, for screen readers */
export function spokenStep(index: number, steps: readonly LessonStep[], chosen: ReadonlyMap<number, number>): string {
  const { title, text, question } = steps[index];
  const answer = answerAt(index, steps, chosen);
  const asked = question ? ` Question: ${question.text}` : '';
  return `${stepCount(index, steps)}: ${title}. ${answer ? `${answer.text} ` : ''}${text}${asked}`;
}
