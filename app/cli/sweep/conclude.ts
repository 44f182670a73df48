/** The end of a sweep's command: what failed, how it is continued, and the exit code. */
import type { SweepPlan } from '../../../engine/index.ts';
import { EXIT } from '../context.ts';
import type { Context, ExitCode } from '../context.ts';
import type { SweepEnding } from './execute.ts';
import { resumeCommand } from './resume-command.ts';
import type { Tally } from './tally.ts';

export function exitCodeOf(state: SweepEnding['state'], { failed }: Pick<Tally, 'failed'>): ExitCode {
  if (state === 'stopped') return EXIT.interrupted;
  return failed > 0 ? EXIT.failed : EXIT.done;
}

/** Warns of the cases that failed, once for each reason. */
export function warnOfFailures({ terminal }: Context, plan: SweepPlan, tally: Tally, wanted: readonly number[]): void {
  const counts = new Map<string, number>();
  for (const index of wanted) {
    const kept = tally.of(plan.hashes[index]);
    if (kept?.state === 'failed') counts.set(kept.reason ?? '', (counts.get(kept.reason ?? '') ?? 0) + 1);
  }
  for (const [reason, count] of counts) {
    terminal.warn(`shoal: ${count} ${count === 1 ? 'case' : 'cases'} failed: ${reason}`);
  }
}

/** Says how a sweep that was stopped is continued. @param path of its folder */
export function sayHowToContinue(context: Context, { done }: Tally, count: number, path: string): void {
  context.terminal.warn(`stopped after ${done} of ${count} cases; continue with:`);
  context.terminal.warn(`  ${resumeCommand(context, path)}`);
}
