/**
 * What the steps of all models have in common: the fields of a stepping operator, the layout of its status and clock, the
 * choice of the step's length, and the driver of the reference implementations. A run of a stepping operator is up to
 * `steps` steps; it stops changing the state after the first step that went wrong, and when no time remains.
 */
import type { ArraysOf } from '../compute/backend.ts';
import type { Divergence } from '../errors.ts';

/** `state` is [member][variable][y][x]; the other two are laid out as below. */
export const STEP_FIELDS = { state: 'real', status: 'index', clock: 'real' } as const;
export type StepFields = typeof STEP_FIELDS;

/** In an index field: none. */
export const NONE = 0xffff_ffff;

/**
 * Words of the status. Between runs the first of three slots counts; inside a run on a GPU step s reads slot s mod 3, writes
 * the next and clears the one after, so that no invocation reads what another one writes.
 */
export const STATUS = {
  /** First step that went wrong, or NONE. */
  badStep: 0,
  /** Lowest member · cells + cell of that step that is wrong, or NONE. */
  badPlace: 1,
  /** Index into DIVERGENCE_KINDS; NONE until the fault is described. */
  kind: 2,
  variable: 3,
  /** Steps since the last check, three slots. */
  steps: 4,
  /** Largest wave rate, 1/s, as the bits of a float32, three slots. */
  rate: 7,
  length: 12,
} as const;

/** @returns the status before the first step */
export function freshStatus(): Uint32Array {
  const words = new Uint32Array(STATUS.length);
  words[STATUS.badStep] = NONE;
  words[STATUS.badPlace] = NONE;
  words[STATUS.kind] = NONE;
  return words;
}

/** Reals of the clock. */
export const CLOCK = {
  /** Seconds that remain of this call, three slots. Not used with a fixed step. */
  remaining: 0,
  /** Offending value. */
  value: 3,
  /** Length of the last step, seconds. */
  timeStep: 4,
  length: 8,
} as const;

export const DIVERGENCE_KINDS: readonly Divergence['kind'][] = ['not-finite', 'negative-depth', 'courant'];

export interface StepParameters {
  readonly members: number;
  /** Steps of one run. */
  readonly steps: number;
  /** Seconds, or "auto": `courant` over the largest wave rate of all members. */
  readonly timeStep: number | 'auto';
  readonly courant: number;
}

/** What is wrong with a state, and where. */
export interface Fault {
  /** member · cells + cell */
  readonly place: number;
  readonly kind: Divergence['kind'];
  readonly variable: number;
  readonly value: number;
}

/** One model's mathematics on one ensemble, as the reference driver needs it. */
export interface Stepper {
  /** Largest wave rate of the ensemble, 1/s. */
  waveRate(): number;
  /** One step of `seconds`, in place. */
  step(seconds: number): void;
  /** The fault of the lowest place, if there is one, after a step of `seconds` (0: of any length). */
  fault(seconds: number): Fault | undefined;
}

/**
 * Length of the next step: `courant` over the wave rate, but what remains is reached exactly, and not by a last step that is
 * much shorter than the one before.
 */
export function nextStep(rate: number, remaining: number, courant: number): number {
  const longest = rate > 0 && rate < Infinity ? courant / rate : remaining;
  if (remaining <= longest) return remaining;
  return remaining < 2 * longest ? remaining / 2 : longest;
}

/** The reference implementation of a stepping operator. */
export function referenceSteps(
  { steps, timeStep, courant }: StepParameters,
  stepperOf: (state: Float64Array) => Stepper,
): (arrays: ArraysOf<StepFields>) => void {
  return ({ state, status, clock }) => {
    const stepper = stepperOf(state);
    for (let s = 0; s < steps && status[STATUS.badStep] === NONE; s++) {
      const remaining = clock[CLOCK.remaining];
      const seconds = timeStep === 'auto' ? nextStep(stepper.waveRate(), remaining, courant) : timeStep;
      if (seconds <= 0) return;
      stepper.step(seconds);
      if (timeStep === 'auto') clock[CLOCK.remaining] = remaining - seconds;
      clock[CLOCK.timeStep] = seconds;
      // A step of the right length for the next state is chosen with "auto", so none is too long.
      const fault = stepper.fault(timeStep === 'auto' ? 0 : seconds);
      if (fault) {
        status[STATUS.badStep] = status[STATUS.steps];
        status[STATUS.badPlace] = fault.place;
        status[STATUS.kind] = DIVERGENCE_KINDS.indexOf(fault.kind);
        status[STATUS.variable] = fault.variable;
        clock[CLOCK.value] = fault.value;
      }
      status[STATUS.steps] += 1;
    }
  };
}
