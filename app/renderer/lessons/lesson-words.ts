/** What a step says of itself in words: where it stands, and how the question of the step before it was answered. */
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

/** @param choice that a person has made, by its index */
export function answerTo({ choices, answer, why }: LessonQuestion, choice: number | undefined): Answer {
  const right = choices[answer];
  if (choice === undefined) return { isRight: undefined, text: `The answer: ${right}. ${why}` };
  if (choice === answer) return { isRight: true, text: `Right: ${right}. ${why}` };
  return { isRight: false, text: `Not ${choices[choice]}, but: ${right}. ${why}` };
}

/** @returns the answer that a step gives: to the question of the step before it, and the last step to its own once one has chosen */
export function answerAt(
  index: number,
  steps: readonly LessonStep[],
  chosen: ReadonlyMap<number, number>,
): Answer | undefined {
  const of = index === steps.length - 1 && chosen.has(index) ? index : index - 1;
  const question = steps[of]?.question;
  return question && answerTo(question, chosen.get(of));
}

/** @returns all that a step says, for who hears it */
export function spokenStep(index: number, steps: readonly LessonStep[], chosen: ReadonlyMap<number, number>): string {
  const { title, text, question } = steps[index];
  const answer = answerAt(index, steps, chosen);
  const asked = question ? ` Question: ${question.text}` : '';
  return `${stepCount(index, steps)}: ${title}. ${answer ? `${answer.text} ` : ''}${text}${asked}`;
}
