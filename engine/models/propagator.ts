/** The propagator of every model: cuts a forecast into runs of its stepping operator and keeps status and clock. */
import type { Backend, Operator, Prepared, RealField } from '../compute/backend.ts';
import { DivergenceError } from '../errors.ts';
import { createBreather } from './breather.ts';
import { divide, divideAuto, frameSegments } from './division.ts';
import type { Segment } from './division.ts';
import type { ForecastFrames, Grid, ModelVariable, Propagator } from './model.ts';
import { CLOCK, DIVERGENCE_KINDS, NONE, STATUS, TICKS, freshStatus } from './stepping.ts';
import type { StepFields, StepParameters } from './stepping.ts';

/** Steps of one run at most. */
const STEPS_PER_RUN = 64;
/** Steps with "auto" that are queued at most before what remains is read back again. */
const LARGEST_TOP_UP = 4096;

export interface PropagatorDescription<Parameters extends StepParameters> {
  readonly backend: Backend;
  readonly operator: Operator<Parameters, StepFields>;
  /** The operator's parameters, with any `steps` and `begins` and, where the step is fixed, any `timeStep`. */
  readonly parameters: Parameters;
  readonly grid: Grid;
  readonly variables: readonly ModelVariable[];
  /**
   * With "auto": the wave rate, 1/s, that the longest step is made for. Where it is left out, that of each forecast's first
   * state, which is read back for it.
   */
  readonly pace: number | undefined;
  /** Largest wave rate of states [member][variable][y][x], 1/s. */
  readonly waveRate: (states: Float64Array) => number;
  /** The next step for a user whose forecast diverged; that of the kind of fault where left out. */
  readonly advice?: string;
  /** Prepared once; absent where every state is allowed. Disposed with the propagator. */
  readonly repair?: Prepared<{ state: 'real' }>;
}

type Onlookers = readonly (ForecastFrames | undefined)[];

function countOf(frames: ForecastFrames | undefined): number {
  return frames?.count ?? 0;
}

const takeFrames = async ({ due, share }: Segment, onlookers: Onlookers): Promise<void> => {
  for (const { onlooker, index } of due) await onlookers[onlooker]?.take(index, share);
};

export async function createPropagator<Parameters extends StepParameters>(
  description: PropagatorDescription<Parameters>,
): Promise<Propagator> {
  const { backend, operator, parameters, grid, variables, pace, waveRate, advice, repair } = description;
  const { timeStep, courant } = parameters;
  const cells = grid.nx * grid.ny;
  const stateLength = parameters.members * variables.length * cells;
  const status = backend.allocate(`${operator.name}.status`, 'index', STATUS.length);
  const clock = backend.allocate(`${operator.name}.clock`, 'real', CLOCK.length);
  const prepared = new Map<string, Prepared<StepFields>>();
  const breathe = createBreather(backend);
  /** Steps since the last check when each call began, so that a fault can be told in steps of its call. */
  let callStarts: number[] = [];
  let stepsQueued = 0;

  const clearStatus = (): void => {
    backend.write(status, freshStatus());
    callStarts = [];
    stepsQueued = 0;
  };

  const runOf = async (steps: number, seconds: number | 'auto', begins: boolean): Promise<Prepared<StepFields>> => {
    const key = `${steps} ${seconds} ${begins}`;
    let run = prepared.get(key);
    if (!run) {
      run = await backend.prepare(operator, { ...parameters, steps, timeStep: seconds, begins });
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

  /** Queues steps in runs. @param begins whether the first of them begins a forecast with "auto" */
  const queue = async (state: RealField, steps: number, seconds: number | 'auto', begins = false): Promise<void> => {
    for (let done = 0; done < steps; done += STEPS_PER_RUN) {
      const run = await runOf(Math.min(steps - done, STEPS_PER_RUN), seconds, begins && done === 0);
      run.run({ state, status, clock });
      await breathe();
    }
  };

  const advanceFixed = async (
    state: RealField,
    steps: number,
    seconds: number,
    onlookers: Onlookers,
  ): Promise<void> => {
    callStarts.push(stepsQueued);
    for (const segment of frameSegments(steps, onlookers.map(countOf))) {
      await queue(state, segment.steps, seconds);
      stepsQueued += segment.steps;
      await takeFrames(segment, onlookers);
    }
  };

  /** Steps through `segment` whole longest steps. @returns false when a step went wrong */
  const finishSegment = async (state: RealField, longest: number, { steps }: Segment, begins: boolean) => {
    backend.write(status, [steps * TICKS], STATUS.remaining);
    await queue(state, steps, 'auto', begins);
    for (;;) {
      const [times, words] = await Promise.all([backend.read(clock), backend.read(status)]);
      stepsQueued = words[STATUS.steps];
      if (words[STATUS.badStep] !== NONE) return false;
      const remaining = words[STATUS.remaining];
      if (remaining === 0) return true;
      // Steps were halved: about as many more as at the length of the last one.
      const more = ((remaining / TICKS) * longest) / times[CLOCK.timeStep];
      await queue(state, Math.min(Math.ceil(more), LARGEST_TOP_UP), 'auto');
    }
  };

  const advanceAuto = async (state: RealField, seconds: number, onlookers: Onlookers): Promise<void> => {
    callStarts.push(stepsQueued);
    const rate = pace ?? waveRate(Float64Array.from(await backend.read(state)));
    const { steps, timeStep: longest } = divideAuto(seconds, rate, courant);
    backend.write(clock, [longest], CLOCK.longest);
    // The survey before the first step raises it from 0.
    backend.write(status, [0, 0, 0], STATUS.rate);
    for (const [index, segment] of frameSegments(steps, onlookers.map(countOf)).entries()) {
      if (!(await finishSegment(state, longest, segment, index === 0))) return;
      await takeFrames(segment, onlookers);
    }
  };

  clearStatus();
  return {
    async advance(state, seconds, ...onlookers) {
      assertState(state);
      if (!(seconds >= 0 && seconds < Infinity)) throw new RangeError(`a forecast of ${seconds} seconds was asked for`);
      if (seconds === 0) return;
      if (timeStep === 'auto') return advanceAuto(state, seconds, onlookers);
      const division = divide(seconds, timeStep);
      return advanceFixed(state, division.steps, division.timeStep, onlookers);
    },
    async advanceSteps(state, steps) {
      assertState(state);
      if (timeStep === 'auto') throw new RangeError('a number of steps needs a fixed time step, this model has "auto"');
      if (!(Number.isInteger(steps) && steps >= 0)) throw new RangeError(`${steps} steps were asked for`);
      return advanceFixed(state, steps, timeStep, []);
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
        advice,
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
