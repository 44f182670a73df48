/** What a film is made of, and how long it is. */
import type { FilmSize } from '../../stage/export.ts';

export interface FilmChoice {
  /** Cycles, both included. */
  readonly from: number;
  readonly to: number;
  readonly size: FilmSize;
  /** Frames a second. */
  readonly rate: number;
  readonly secondsPerCycle: number;
}

/** What the first and the last cycle stay on screen, s. */
const STILL = 0.5;

export function stillFrames({ rate }: Pick<FilmChoice, 'rate'>): number {
  return Math.round(STILL * rate);
}

/** @returns frames from a cycle to the next one */
export function wayFrames({ rate, secondsPerCycle }: Pick<FilmChoice, 'rate' | 'secondsPerCycle'>): number {
  return Math.max(1, Math.round(rate * secondsPerCycle));
}

/** @returns milliseconds from frame to frame, to 1/1024: sums of them are exact, and a way ends with its last frame */
export function frameTime({ rate }: Pick<FilmChoice, 'rate'>): number {
  return Math.round((1000 * 1024) / rate) / 1024;
}

/** @param shown the cycles that are stored @returns frames of the whole film */
export function filmFrames(choice: FilmChoice, shown: readonly number[]): number {
  const cycles = shown.filter((cycle) => cycle >= choice.from && cycle <= choice.to).length;
  return 2 * stillFrames(choice) + Math.max(0, cycles - 1) * wayFrames(choice);
}

/** As it is typed. */
export interface TypedChoice {
  readonly from: string;
  readonly to: string;
  readonly secondsPerCycle: string;
}

export type ChoiceProblems = Readonly<Partial<Record<keyof TypedChoice, string>>>;

/** Longer, and a film of a few cycles fills the memory. */
const SECONDS = { least: 0.05, most: 20 };

function found(text: string): string {
  return `found ${text.trim() || 'nothing'}, allowed:`;
}

/**
 * @param shown the cycles that are stored, ascending
 * @returns what is wrong with what was typed; empty if nothing is
 */
export function choiceProblems({ from, to, secondsPerCycle }: TypedChoice, shown: readonly number[]): ChoiceProblems {
  const [first, last] = [shown[0], shown[shown.length - 1]];
  const isCycle = (text: string, least: number): boolean =>
    /^-?\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= last;
  const seconds = Number(secondsPerCycle);
  const isTime = secondsPerCycle.trim() !== '' && seconds >= SECONDS.least && seconds <= SECONDS.most;
  const least = isCycle(from, first) ? Number(from) : first;
  return {
    ...(!isCycle(from, first) && { from: `${found(from)} cycles from ${first} to ${last}` }),
    ...(!isCycle(to, least) && { to: `${found(to)} cycles from ${least} to ${last}` }),
    ...(!isTime && { secondsPerCycle: `${found(secondsPerCycle)} ${SECONDS.least} to ${SECONDS.most} s` }),
  };
}
