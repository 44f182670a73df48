/** The list of runs in words: how much of it there is, how far a run came. */
import type { KeptRun } from './kept-run.ts';

const MEGABYTE = 2 ** 20;

/** @returns megabytes of 2²⁰ bytes: `3.1`, `64` if nothing is left over, `< 0.1` of little */
export function megabytes(bytes: number): string {
  const value = bytes / MEGABYTE;
  if (Number.isInteger(value)) return String(value);
  return value < 0.1 ? '< 0.1' : value.toFixed(1);
}

/** @returns `12 runs, 3.1 of 64 MB` */
export function listWords(count: number, bytes: number, limit: number): string {
  return `${count} ${count === 1 ? 'run' : 'runs'}, ${megabytes(bytes)} of ${megabytes(limit)} MB`;
}

/** @returns `60 cycles`, `12 of 60 cycles`, and of a long run whose rows were thinned, which of them are kept */
export function cyclesWords({ completed, cycles, stride }: Pick<KeptRun, 'completed' | 'cycles' | 'stride'>): string {
  const far = completed >= cycles ? `${cycles} cycles` : `${completed} of ${cycles} cycles`;
  return stride === 1 ? far : `${far}, one in ${stride} kept`;
}
