/** How far a sweep is: a bar on a terminal, like that of a run. */
import { createBar } from '../run/progress.ts';
import type { Terminal } from '../terminal.ts';
import type { Tally } from './tally.ts';

export interface SweepProgress {
  update(): void;
  end(): void;
}

/** @param total cases, of which those that the tally has already were done before */
export function createSweepProgress(terminal: Terminal, total: number, tally: Tally): SweepProgress {
  if (!terminal.showsProgress) return { update: () => undefined, end: () => undefined };
  const bar = createBar('{bar} {percentage} % | {value} of {total} cases | {ends} | ETA {eta_formatted}');
  const ends = (): string => `${(100 * tally.divergedShare).toFixed(0)} % diverged, ${tally.failed} failed`;
  bar.start(total, tally.done, { ends: ends() });
  return {
    update: () => bar.update(tally.done, { ends: ends() }),
    end: () => bar.stop(),
  };
}
