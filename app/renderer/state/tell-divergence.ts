/** A method that diverged, as a notice: the likely cause, and the way back to before it. */
import type { MethodDivergence } from '../../../engine/index.ts';
import { notify } from './notices.ts';
import { wayBack } from './run-edits.ts';
import { styleOf } from './session-state.ts';

/** @param goBack goes back to a cycle, and plays on from there */
export function tellDivergence(divergence: MethodDivergence, goBack: (cycle: number, play: boolean) => void): void {
  const { method, cycle, message } = divergence;
  const { cycle: to, title } = wayBack(divergence);
  notify('warning', `${styleOf(method)?.title ?? method} diverged in cycle ${cycle}`, {
    lines: [message],
    actions: [{ title, run: () => goBack(to, true) }],
  });
}
