/** What an observation is taken to have read: how hands and keys change its value and its error. */
import type { XraySubject } from './subject.ts';

export interface Reading {
  readonly value: number;
  /** Above 0. */
  readonly errorStd: number;
}

/** A key moves the value by this share of σₒ, with Shift by all of it; and σₒ by this factor. */
const KEY_SHARE = 0.1;
const KEY_FACTOR = 1.1;
/** Smallest share of the observation's error: smaller ones have no meaning. */
const LEAST_ERROR = 0.01;
const MOST_ERROR = 100;

/** @returns the error within what is sensible beside the one that the observation has */
export function boundedError(errorStd: number, own: number): number {
  return Math.min(MOST_ERROR * own, Math.max(LEAST_ERROR * own, errorStd));
}

/** @returns the value after a key; undefined for keys that mean nothing here */
export function movedValue({ value, errorStd }: Reading, key: string, isFar: boolean): number | undefined {
  const step = errorStd * (isFar ? 1 : KEY_SHARE);
  if (key === 'ArrowLeft' || key === 'ArrowDown') return value - step;
  if (key === 'ArrowRight' || key === 'ArrowUp') return value + step;
  return undefined;
}

/** @returns σₒ after a key; undefined for keys that mean nothing here */
export function movedError({ errorStd }: Reading, key: string): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return errorStd / KEY_FACTOR;
  if (key === 'ArrowRight' || key === 'ArrowUp') return errorStd * KEY_FACTOR;
  return undefined;
}

/** @returns the reading as a method receives it: with the errors that it assumes, if no others are given */
export function readBy(reading: Reading, own: Reading, { errorStd }: Pick<Reading, 'errorStd'>): Reading {
  return { ...reading, errorStd: reading.errorStd === own.errorStd ? errorStd : reading.errorStd };
}

/** @returns the subject with what its observation is taken to have read, as it was if nothing is given */
export function takenToRead(subject: XraySubject, reading: Partial<Reading>): XraySubject {
  if (subject.kind === 'point') return subject;
  const { index } = subject;
  return Object.keys(reading).length === 0
    ? { kind: 'observation', index }
    : { kind: 'observation', index, value: subject.value, errorStd: subject.errorStd, ...reading };
}
