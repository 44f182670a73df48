/** A method that diverged, as a notice: the likely cause, and the way back to before it. */
import type { MethodDivergence } from '../../../engine/index.ts';
import type { Notices } from '../../page/notices.ts';
import type { RunEdits } from '../scenario/run-edits.ts';
import type { RunCourse } from './run-course.ts';

export interface DivergenceStates {
  readonly notices: Pick<Notices, 'notify'>;
  readonly edits: Pick<RunEdits, 'wayBack'>;
  readonly course: Pick<RunCourse, 'styleOf'>;
}

/** @param goBack goes back to a cycle, and plays on from there */
export function tellDivergence(
  { notices, edits, course }: DivergenceStates,
  divergence: MethodDivergence,
  goBack: (cycle: number, play: boolean) => void,
): void {
  const { method, cycle, message } = divergence;
  const { cycle: to, title } = edits.wayBack(divergence);
  notices.notify('warning', `${course.styleOf(method)?.title ?? method} diverged in cycle ${cycle}`, {
    lines: [message],
    actions: [{ title, run: () => goBack(to, true) }],
    run: course,
  });
}
