/** The propagator of every model: cuts a forecast into runs of its stepping operator and keeps status and clock. */
import type { Backend, Operator, Prepared, RealField } from '../compute/backend.ts';
import { DivergenceError } from '../errors.ts';
import type { Grid, ModelVariable, Propagator } from './model.ts';
import { CLOCK, DIVERGENCE_KINDS, NONE, STATUS, freshStatus } from './stepping.ts';
import type { StepFields, StepParameters } from './stepping.ts';

/** Steps of one run at most with a fixed length, and of one batch with "auto". */
const STEPS_PER_RUN = 64;
const STEPS_PER_BATCH = 8;
/** Steps that the device counts down from at most. */
const STEPS_PER_COUNTDOWN = 1024;
/** Batches queued before the remaining time is read back, at most. */
const LARGEST_QUEUE = 32;
/** A window that is a whole number of steps to this relative error is taken as one. */
const WHOLE = 1e-9;

export interface PropagatorDescription<Parameters extends StepParameters> {
  readonly backend: Backend;
  readonly operator: Operator<Parameters, StepFields>;
  /** The operator's parameters, with any `steps` and, where the step is fixed, any `timeStep`. */
  readonly parameters: Parameters;
  readonly grid: Grid;
  readonly variables: readonly ModelVariable[];
  /** Prepared once; absent where every state is allowed. Disposed with the propagator. */
  readonly repair?: Prepared<{ state: 'real' }>;
}

/** Whole steps that fill `seconds`, none longer than `longest`. */
export function divide(seconds: number, longest: number): { readonly steps: number; readonly timeStep: number } {
  const whole = Math.round(seconds / longest);
  if (whole > 0 && Math.abs(whole * longest - seconds) <= WHOLE * seconds) return { steps: whole, timeStep: longest };
  const steps = Math.ceil(seconds / longest);
  return { steps, timeStep: seconds / steps };
}

export async function createPropagator<Parameters extends StepParameters>(
  description: PropagatorDescription<Parameters>,
): Promise<Propagator> {
  const { backend, operator, parameters, grid, variables, repair } = description;
  const { timeStep } = parameters;
  const cells = grid.nx * grid.ny;
  const stateLength = parameters.members * variables.length * cells;
  const status = backend.allocate(`${operator.name}.status`, 'index', STATUS.length);
  const clock = backend.allocate(`${operator.name}.clock`, 'real', CLOCK.length);
  const prepared = new Map<string, Prepared<StepFields>>();
  /** Steps since the last check when each call began, so that a fault can be told in steps of its call. */
  let callStarts: number[] = [];
  let stepsQueued = 0;
  let lastStep = 0;

  const clearStatus = (): void => {
    backend.write(status, freshStatus());
    callStarts = [];
    stepsQueued = 0;
  };

  const runOf = async (steps: number, seconds: number | 'auto'): Promise<Prepared<StepFields>> => {
    const key = `${steps} ${seconds}`;
    let run = prepared.get(key);
    if (!run) {
      run = await backend.prepare(operator, { ...parameters, steps, timeStep: seconds });
      prepared.set(key, run);
    }
    return run;
  };

  const assertState = (state: RealField): void => {
    if (state.length !== stateLength) {
      throw new RangeError(
        `${state.label} has ${state.length} elements, ${parameters.members} members of ${variables.length} variables on ` +
          `${grid.nx} × ${grid.ny} cells have ${stateLength}`,
      );
    }
  };

  const advanceFixed = async (state: RealField, steps: number, seconds: number): Promise<void> => {
    callStarts.push(stepsQueued);
    for (let left = steps; left > 0; left -= STEPS_PER_RUN) {
      const run = await runOf(Math.min(left, STEPS_PER_RUN), seconds);
      run.run({ state, status, clock });
    }
    stepsQueued += steps;
  };

  const advanceAuto = async (state: RealField, seconds: number): Promise<void> => {
    callStarts.push(stepsQueued);
    const batch = await runOf(STEPS_PER_BATCH, 'auto');
    let left = seconds;
    while (left > 0) {
      // The device counts down in its own precision: from no more than it can tell from a step less.
      const target = lastStep > 0 ? Math.min(left, STEPS_PER_COUNTDOWN * lastStep) : left;
      const batches = lastStep > 0 ? Math.ceil(target / lastStep / STEPS_PER_BATCH) : 1;
      backend.write(clock, [target], CLOCK.remaining);
      for (let b = 0; b < Math.min(batches, LARGEST_QUEUE); b++) batch.run({ state, status, clock });
      const [times, words] = await Promise.all([backend.read(clock), backend.read(status)]);
      stepsQueued = words[STATUS.steps];
      if (words[STATUS.badStep] !== NONE) return;
      const remaining = times[CLOCK.remaining];
      if (!(remaining < target)) {
        throw new RangeError(
          `steps of ${times[CLOCK.timeStep]} s do not move a forecast of ${seconds} s on; use shorter windows, or a fixed step`,
        );
      }
      left -= target - remaining;
      // The last step of a countdown is shortened to land on time; it does not foretell the next.
      if (remaining > 0 || lastStep === 0) lastStep = times[CLOCK.timeStep];
    }
  };

  clearStatus();
  if (timeStep === 'auto') await runOf(STEPS_PER_BATCH, 'auto');
  return {
    async advance(state, seconds) {
      assertState(state);
      if (!(seconds >= 0 && seconds < Infinity)) throw new RangeError(`a forecast of ${seconds} seconds was asked for`);
      if (seconds === 0) return;
      if (timeStep === 'auto') return advanceAuto(state, seconds);
      const division = divide(seconds, timeStep);
      return advanceFixed(state, division.steps, division.timeStep);
    },
    async advanceSteps(state, steps) {
      assertState(state);
      if (timeStep === 'auto') throw new RangeError('a number of steps needs a fixed time step, this model has "auto"');
      if (!(Number.isInteger(steps) && steps >= 0)) throw new RangeError(`${steps} steps were asked for`);
      return advanceFixed(state, steps, timeStep);
    },
    repair(state) {
      assertState(state);
      repair?.run({ state });
    },
    async check(context) {
      const words = await backend.read(status);
      if (words[STATUS.badStep] === NONE) {
        clearStatus();
        return;
      }
      const [value] = await backend.read(clock, CLOCK.value, 1);
      const start = callStarts.findLast((first) => first <= words[STATUS.badStep]) ?? 0;
      clearStatus();
      const place = words[STATUS.badPlace];
      const cell = place % cells;
      throw new DivergenceError(
        {
          kind: DIVERGENCE_KINDS[words[STATUS.kind]],
          step: words[STATUS.badStep] - start,
          member: Math.floor(place / cells),
          x: cell % grid.nx,
          y: Math.floor(cell / grid.nx),
          variable: variables[words[STATUS.variable]].name,
          value,
        },
        context,
      );
    },
    dispose() {
      for (const run of prepared.values()) run.dispose();
      prepared.clear();
      repair?.dispose();
      status.dispose();
      clock.dispose();
    },
  };
}
