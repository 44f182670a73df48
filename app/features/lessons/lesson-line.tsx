/** Where a scenario says what it is about: that it has a lesson, and the way into it. */
import type { Scenario } from '../../../engine/index.ts';

interface LessonLineProps {
  readonly scenario: Scenario;
  readonly onTake: () => void;
}

/** @returns `a lesson in 6 steps`; empty if there is none */
export function lessonWords({ lesson }: Pick<Scenario, 'lesson'>): string {
  const count = lesson.length;
  return count === 0 ? '' : `a lesson in ${count} ${count === 1 ? 'step' : 'steps'}`;
}

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
