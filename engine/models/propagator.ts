/** The propagator of every model: cuts a forecast into runs of its stepping operator and keeps status and clock. */
import type { Backend, Operator, Prepared, RealField } from '../compute/backend.ts';
import { DivergenceError } from '../errors.ts';
import { createBreather } from './breather.ts';
import { divideTogether, outcomeOf, takeAlong, type Outcome } from './companion.ts';
import { divide, divideAuto, frameSegments, type Division, type Segment } from './division.ts';
import type { ForecastFrames, Grid, ModelVariable, Onlookers, Propagator } from './model.ts';
import { CLOCK, DIVERGENCE_KINDS, NONE, STATUS, TICKS, freshStatus } from './stepping.ts';
import type { StepFields, StepParameters } from './stepping.ts';

/** Steps with "auto" that are queued at most before what remains is read back again. */
const LARGEST_TOP_UP = 4096;
/** Steps of a run that is queued in case steps are halved. */
const STEPS_PER_SPARE_RUN = 8;

export interface PropagatorDescription<Parameters extends StepParameters> {
  readonly backend: Backend;
  readonly operator: Operator<Parameters, StepFields>;
  /** The operator's parameters, with any `steps` and `begins` and, where the step is fixed, any `timeStep`. */
  readonly parameters: Parameters;
  readonly grid: Grid;
  readonly variables: readonly ModelVariable[];
  /**
   * With "auto": the wave rate, 1/s, that the longest step is made for. If omitted, that of each forecast's first
   * state, which is read back for it.
   */
  readonly pace: number | undefined;
  /** Largest wave rate of states [member][variable][y][x], 1/s. */
  readonly waveRate: (states: Float64Array) => number;
  /** Gives up a forecast that is under way. */
  readonly signal: AbortSignal | undefined;
  /** The next step for a user whose forecast diverged; that of the kind of fault if omitted. */
  readonly advice?: string;
  /** Prepared once; absent where every state is allowed. Disposed with the propagator. */
  readonly repair?: Prepared<{ state: 'real' }>;
  /** Prepared once; absent where no cell falls dry. Disposed with the propagator. */
  readonly speedLimit?: Prepared<{ forecast: 'real'; state: 'real' }>;
  /** Whether the operator can take a companion where runs are queued. */
  readonly takesCompanion?: boolean;
}

/**
 * Queues a forecast to its end; with "auto" it waits for the device.
 *
 * @returns to be called when a `collect` has followed. @throws DivergenceError then, if a step went wrong
 */
export async function queueWhole(
  backend: Backend,
  propagator: Propagator,
  state: RealField,
  seconds: number,
  ...onlookers: Onlookers
): Promise<(context: string) => Promise<void>> {
  const queued = await propagator.queue(state, seconds, ...onlookers);
  if (queued.complete) {
    await backend.collect();
    await queued.complete();
  }
  return (context) => queued.conclude(context);
}

function framesOf(frames: ForecastFrames | undefined): number | readonly number[] {
  return frames?.shares ?? frames?.count ?? 0;
}

/** Shares of a forecast that its steps are to end at. */
function sharesOf(onlookers: Onlookers): readonly number[] {
  return onlookers.flatMap((frames) => frames?.shares ?? []);
}

const takeFrames = async ({ due, share }: Segment, onlookers: Onlookers): Promise<void> => {
  for (const { onlooker, index } of due) await onlookers[onlooker]?.take(index, share);
};

export async function createPropagator<Parameters extends StepParameters>(
  description: PropagatorDescription<Parameters>,
): Promise<Propagator> {
  const { backend, operator, parameters, grid, variables, pace, waveRate, signal, advice, repair, speedLimit } =
    description;
  const takesCompanion = description.takesCompanion === true && !backend.immediate && parameters.timeStep !== 'auto';
  const statuses = takesCompanion ? 2 : 1;
  const { timeStep, courant } = parameters;
  const cells = grid.nx * grid.ny;
  const stateLength = parameters.members * variables.length * cells;
  const status = backend.allocate(`${operator.name}.status`, 'index', statuses * STATUS.length);
  const clock = backend.allocate(`${operator.name}.clock`, 'real', statuses * CLOCK.length);
  /** Those of steps that are taken again: they went well before, so that nobody looks. */
  const again = {
    status: backend.allocate(`${operator.name}.statusAgain`, 'index', STATUS.length),
    clock: backend.allocate(`${operator.name}.clockAgain`, 'real', CLOCK.length),
  };
  backend.write(again.status, freshStatus());
  const prepared = new Map<string, Prepared<StepFields>>();
  const breather = createBreather(backend, signal);
  /** Steps since the last check when each call began, so that a fault is counted in steps of its call. */
  let callStarts: number[] = [];
  let stepsQueued = 0;
  /** By state, how many steps more than the longest each segment of its last forecast with "auto" took. */
  const spare = new WeakMap<RealField, readonly number[]>();

  const clearStatus = (): void => {
    for (let index = 0; index < statuses; index++) backend.write(status, freshStatus(), index * STATUS.length);
    callStarts = [];
    stepsQueued = 0;
  };

  const runOf = async (
    steps: number,
    seconds: number | 'auto',
    begins: boolean,
    companion = false,
  ): Promise<Prepared<StepFields>> => {
    const key = `${steps} ${seconds} ${begins} ${companion}`;
    let run = prepared.get(key);
    if (!run) {
      const members = parameters.members + (companion ? 1 : 0);
      run = await backend.prepare(operator, { ...parameters, members, steps, timeStep: seconds, begins, companion });
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

  /**
   * Queues steps in runs.
   *
   * @param mayWait whether the device may be waited for
   * @param begins whether the first of them begins a forecast with "auto"
   * @param companion whether one goes along
   */
  const queue = async (
    state: RealField,
    steps: number,
    seconds: number | 'auto',
    mayWait: boolean,
    begins = false,
    companion = false,
  ): Promise<void> => {
    for (let done = 0; done < steps;) {
      const count = Math.min(steps - done, breather.stepsOfRun(mayWait));
      const run = await runOf(count, seconds, begins && done === 0, companion);
      run.run({ state, status, clock });
      done += count;
      await breather.after(count, mayWait);
    }
  };

  const advanceFixed = async (
    state: RealField,
    steps: number,
    seconds: number,
    onlookers: Onlookers,
    mayWait: boolean,
    companion = false,
  ): Promise<void> => {
    callStarts.push(stepsQueued);
    for (const segment of frameSegments(steps, onlookers.map(framesOf))) {
      await queue(state, segment.steps, seconds, mayWait, false, companion);
      stepsQueued += segment.steps;
      await takeFrames(segment, onlookers);
    }
  };

  /** Queues runs that do nothing unless steps were halved. */
  const queueSpare = async (state: RealField, steps: number): Promise<void> => {
    if (steps === 0) return;
    const run = await runOf(STEPS_PER_SPARE_RUN, 'auto', false);
    for (let done = 0; done < steps; done += STEPS_PER_SPARE_RUN) run.run({ state, status, clock });
  };

  const stageOutcome = (): Promise<Outcome> => {
    const outcome = Promise.all([backend.stage(status), backend.stage(clock)]);
    outcome.catch(() => undefined);
    return outcome;
  };

  /** Continues with "auto" until only `until` ticks remain, looking at the device in between. @returns false after a wrong step */
  const finish = async (state: RealField, longest: number, until: number): Promise<boolean> => {
    for (;;) {
      const staged = stageOutcome();
      await backend.collect();
      const [words, times] = await staged;
      stepsQueued = words[STATUS.steps];
      if (words[STATUS.badStep] !== NONE) return false;
      const remaining = words[STATUS.remaining] - until;
      if (remaining === 0) return true;
      // Steps were halved: about as many more as at the length of the last one.
      const more = ((remaining / TICKS) * longest) / times[CLOCK.timeStep];
      await queue(state, Math.min(Math.ceil(more), LARGEST_TOP_UP), 'auto', true);
    }
  };

  /** Sets what remains of a forecast with "auto". @returns its longest steps */
  const beginAuto = async (state: RealField, seconds: number, onlookers: Onlookers): Promise<Division> => {
    const rate = pace ?? waveRate(Float64Array.from(await backend.read(state)));
    const division = divideAuto(seconds, rate, courant, sharesOf(onlookers));
    backend.write(clock, [division.timeStep], CLOCK.longest);
    // The survey before the first step raises the rate from 0.
    backend.write(status, [0, 0, 0, division.steps * TICKS], STATUS.rate);
    return division;
  };

  /** Queues a segment of a forecast with "auto", without what halved steps may leave of it. */
  const queueSegment = (
    state: RealField,
    { steps }: Segment,
    until: number,
    mayWait: boolean,
    begins: boolean,
  ): Promise<void> => {
    backend.write(status, [until], STATUS.until);
    return queue(state, steps, 'auto', mayWait, begins);
  };

  const advanceAuto = async (state: RealField, seconds: number, onlookers: Onlookers): Promise<void> => {
    callStarts.push(stepsQueued);
    const { steps, timeStep: longest } = await beginAuto(state, seconds, onlookers);
    let until = steps * TICKS;
    for (const [index, segment] of frameSegments(steps, onlookers.map(framesOf)).entries()) {
      until -= segment.steps * TICKS;
      await queueSegment(state, segment, until, true, index === 0);
      if (!(await finish(state, longest, until))) return;
      await takeFrames(segment, onlookers);
    }
  };

  /** @returns what completes it when its outcome has arrived */
  const queueAuto = async (state: RealField, seconds: number, onlookers: Onlookers) => {
    const { steps, timeStep: longest } = await beginAuto(state, seconds, onlookers);
    const segments = frameSegments(steps, onlookers.map(framesOf));
    const expected = spare.get(state) ?? [];
    const ends: Promise<Uint32Array>[] = [];
    let until = steps * TICKS;
    for (const [index, segment] of segments.entries()) {
      until -= segment.steps * TICKS;
      await queueSegment(state, segment, until, false, index === 0);
      await queueSpare(state, expected[index] ?? 0);
      ends.push(backend.stage(status));
      await takeFrames(segment, onlookers);
    }
    /** How many more steps each segment would have needed, for the next forecast; what is left over is taken for halved once. */
    const learn = async (): Promise<void> => {
      let before = 0;
      const more = (await Promise.all(ends)).map((words, index) => {
        const taken = words[STATUS.steps] - before;
        const left = (words[STATUS.remaining] - words[STATUS.until]) / TICKS;
        before = words[STATUS.steps];
        return Math.max(0, taken - segments[index].steps + Math.ceil(2 * left));
      });
      spare.set(state, more);
    };
    return async ([words, times]: Outcome): Promise<Outcome> => {
      await learn();
      if (words[STATUS.badStep] !== NONE || words[STATUS.remaining] === 0) return [words, times];
      // More than was expected: on from where it is.
      backend.write(status, words);
      backend.write(clock, times);
      await finish(state, longest, 0);
      const staged = stageOutcome();
      clearStatus();
      await backend.collect();
      return staged;
    };
  };

  /**
   * @param firstMember of those that the outcome is of
   * @throws DivergenceError where a step went wrong
   */
  const judge = ([words, times]: Outcome, start: number, context: string, firstMember = 0): void => {
    if (words[STATUS.badStep] === NONE) return;
    const place = words[STATUS.badPlace];
    const cell = place % cells;
    throw new DivergenceError(
      {
        kind: DIVERGENCE_KINDS[words[STATUS.kind]],
        step: words[STATUS.badStep] - start,
        member: Math.floor(place / cells) - firstMember,
        x: cell % grid.nx,
        y: Math.floor(cell / grid.nx),
        variable: variables[words[STATUS.variable]].name,
        value: times[CLOCK.value],
      },
      context,
      advice,
    );
  };

  const assertDuration = (state: RealField, seconds: number): void => {
    assertState(state);
    if (!(seconds >= 0 && seconds < Infinity)) throw new RangeError(`a forecast of ${seconds} seconds was asked for`);
  };

  const commonDivision = (seconds: number, onlookers: Onlookers, ofCompanion: Onlookers): Division | undefined =>
    timeStep === 'auto' ? undefined : divideTogether(seconds, timeStep, sharesOf(onlookers), sharesOf(ofCompanion));

  clearStatus();
  return {
    async advance(state, seconds, ...onlookers) {
      assertDuration(state, seconds);
      if (seconds === 0) return;
      if (timeStep === 'auto') return advanceAuto(state, seconds, onlookers);
      const division = divide(seconds, timeStep, sharesOf(onlookers));
      return advanceFixed(state, division.steps, division.timeStep, onlookers, true);
    },
    async queue(state, seconds, ...onlookers) {
      assertDuration(state, seconds);
      if (seconds === 0) return { conclude: () => Promise.resolve() };
      let goOn: ((outcome: Outcome) => Promise<Outcome>) | undefined;
      if (timeStep !== 'auto') {
        const division = divide(seconds, timeStep, sharesOf(onlookers));
        await advanceFixed(state, division.steps, division.timeStep, onlookers, false);
      } else if (onlookers.some((frames) => frames?.exact)) await advanceAuto(state, seconds, onlookers);
      else goOn = await queueAuto(state, seconds, onlookers);
      let outcome = stageOutcome();
      clearStatus();
      return {
        ...(goOn && {
          complete: async () => {
            outcome = goOn(await outcome);
            await outcome;
          },
        }),
        conclude: async (context) => judge(await outcome, 0, context),
      };
    },
    canQueueTogether: (state, companion, seconds, onlookers, ofCompanion) =>
      takesCompanion &&
      seconds > 0 &&
      (state.spare ?? 0) >= companion.length &&
      companion.length * parameters.members === state.length &&
      commonDivision(seconds, onlookers, ofCompanion) !== undefined,
    async queueTogether(state, companion, seconds, onlookers, ofCompanion) {
      assertDuration(state, seconds);
      const division = commonDivision(seconds, onlookers, ofCompanion);
      if (!division) throw new RangeError('two forecasts of different steps cannot go together');
      const along = takeAlong(backend, state, companion, ofCompanion);
      // What the companion is seen as is what the ensemble is held against.
      const all = [...along.onlookers, ...onlookers];
      await advanceFixed(state, division.steps, division.timeStep, all, false, true);
      along.bringBack();
      const outcome = stageOutcome();
      clearStatus();
      return [
        { conclude: async (context) => judge(outcomeOf(await outcome, 0), 0, context) },
        { conclude: async (context) => judge(outcomeOf(await outcome, 1), 0, context, parameters.members) },
      ];
    },
    async advanceSteps(state, steps) {
      assertState(state);
      if (timeStep === 'auto') throw new RangeError('a number of steps needs a fixed time step, this model has "auto"');
      if (!(Number.isInteger(steps) && steps >= 0)) throw new RangeError(`${steps} steps were asked for`);
      return advanceFixed(state, steps, timeStep, [], false);
    },
    async stepOf(seconds) {
      const run = await runOf(1, seconds, false);
      return (state) => run.run({ state, ...again });
    },
    divide(seconds, shares) {
      if (timeStep !== 'auto') return divide(seconds, timeStep, shares);
      if (pace === undefined)
        throw new RangeError('the steps of "auto" follow from the state: the propagator has no pace');
      return divideAuto(seconds, pace, courant, shares);
    },
    repair(state, forecast) {
      assertState(state);
      repair?.run({ state });
      if (!forecast || !speedLimit) return;
      assertState(forecast);
      speedLimit.run({ forecast, state });
    },
    async check(context) {
      const staged = stageOutcome();
      await backend.collect();
      const outcome = await staged;
      const start = callStarts.findLast((first) => first <= outcome[0][STATUS.badStep]) ?? 0;
      clearStatus();
      judge(outcome, start, context);
    },
    dispose() {
      for (const run of prepared.values()) run.dispose();
      prepared.clear();
      repair?.dispose();
      speedLimit?.dispose();
      for (const field of [status, clock, again.status, again.clock]) field.dispose();
    },
  };
}
