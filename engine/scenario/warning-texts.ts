/** Warnings of a scenario as lines for people. */
import { describeProblem } from '../settings/index.ts';
import type { Problem } from '../settings/index.ts';

/** @returns each warning once, in order; those about the lesson, which one change can bring about in many steps, as one line */
export function warningTexts(warnings: readonly Problem[]): readonly string[] {
  const ofLesson = warnings.filter(({ path }) => path[0] === 'lesson');
  const [first] = ofLesson;
  const texts = warnings.flatMap((warning): string[] => {
    if (warning.path[0] !== 'lesson' || ofLesson.length === 1) return [describeProblem(warning)];
    if (warning !== first) return [];
    return [
      `lesson: ${ofLesson.length} settings of its steps do not fit this run; the first: ${describeProblem(first)}`,
    ];
  });
  return [...new Set(texts)];
}
