/** A single state that goes along with an ensemble, as its last member in the runs of a stepping operator, but is none of it. */
import type { Backend, RealField } from '../compute/backend.ts';
import { divide, type Division } from './division.ts';
import type { Onlookers } from './model.ts';
import { CLOCK, STATUS } from './stepping.ts';

/** Status and clock after a forecast. */
export type Outcome = readonly [words: Uint32Array, times: Float64Array];

/** @returns the outcome of the ensemble (0), or of its companion (1), of both one after the other */
export function outcomeOf([words, times]: Outcome, index: number): Outcome {
  return [
    words.subarray(index * STATUS.length, (index + 1) * STATUS.length),
    times.subarray(index * CLOCK.length, (index + 1) * CLOCK.length),
  ];
}

/**
 * @param timeStep seconds, the longest that is allowed
 * @param shares, ofCompanion of the seconds, that steps are to end at
 * @returns the division that both would have alone; undefined if these differ
 */
export function divideTogether(
  seconds: number,
  timeStep: number,
  shares: readonly number[],
  ofCompanion: readonly number[],
): Division | undefined {
  const both = divide(seconds, timeStep, [...shares, ...ofCompanion]);
  const isAlike = [shares, ofCompanion].every((own) => divide(seconds, timeStep, own).steps === both.steps);
  return isAlike ? both : undefined;
}

/**
 * Queues a copy of the companion into the room behind the ensemble.
 *
 * @returns how it is brought back, and its onlookers, for whom it is brought back first
 */
export function takeAlong(
  backend: Backend,
  state: RealField,
  companion: RealField,
  onlookers: Onlookers,
): { readonly bringBack: () => void; readonly onlookers: Onlookers } {
  backend.copy(companion, state, { targetOffset: state.length });
  const bringBack = (): void =>
    backend.copy(state, companion, { sourceOffset: state.length, length: companion.length });
  return {
    bringBack,
    onlookers: onlookers.map(
      (frames) =>
        frames && {
          ...frames,
          take(index, share) {
            bringBack();
            return frames.take(index, share);
          },
        },
    ),
  };
}
