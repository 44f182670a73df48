/**
 * The loop of a run, the only one that steps an experiment: cycle after cycle as they are asked for, with questions, edits and
 * what is written down between two of them. It knows nothing of files, windows or threads.
 */
import { errorOf } from '../errors.ts';
import type { Backend } from '../compute/backend.ts';
import type { OpenHdf5 } from '../files/hdf5-reader.ts';
import {
  DEFAULT_MEMORY_BYTES,
  checkGround,
  checkMemory,
  estimateExplanationMemory,
  estimateImpactMemory,
  estimateMemory,
  fileWarningsOf,
  readScenarioFiles,
  warningTexts,
  recordedImpact,
} from '../scenario/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { createExperiment, isOwnCheckpoint } from '../experiment/index.ts';
import type { Cycle, Experiment, ExperimentEvent, MethodSummary, ProbeCell } from '../experiment/index.ts';
import { observationImpact, recordedImpacts } from '../impact/index.ts';
import { measureCeilings } from '../performance/ceilings/index.ts';
import { measureInTurn, type CeilingMeasurement } from './ceiling-measurement.ts';
import type { Answers, Outcome, Question, RunEvent, RunInfo, RunOpening } from './run.ts';
import { startDrawing, fileReader, type DrawThreads } from './drawing.ts';
import { createRecording, basinOf, createImpactRecording, type Recording } from './state-recorder.ts';
import type { CycleStates, PlaneStore } from './states.ts';
import { createWriterRow, type Prepared, type WriterPlan } from './writers.ts';
import type { Moment } from './checkpoint-ring.ts';

/** Cycles that are reported before anything is measured beside them. */
const CYCLES_BEFORE_MEASURING = 3;

/** Where a run computes, and to whom it reports. */
export interface RunPlace {
  /** Stays the place's. */
  readonly backend: Backend;
  /** Keeps the planes of the states that are asked for. */
  readonly planes: PlaneStore;
  /** Lets messages and signals in, between the parts of a cycle. */
  readonly yieldToEventLoop?: (() => Promise<void>) | undefined;
  /** Begins to measure what the machine can do beside the run. */
  readonly measure?: (() => CeilingMeasurement) | undefined;
  readonly memoryLimitBytes?: number | undefined;
  /** Threads that draw the states of large runs; those of others are drawn in the thread of the run. */
  readonly drawThreads?: DrawThreads | undefined;
  /** Reads the NetCDF-4 files that a scenario names where it can be stopped; where it is missing they are refused. */
  readonly openHdf5?: OpenHdf5 | undefined;
}

export interface RunListener {
  event(event: RunEvent): void;
  /** Hands what was prepared to the writer of that index; settles when it is committed. */
  commit(writer: number, prepared: Prepared[keyof Prepared]): Promise<void>;
}

/** `Run` without what is the holder's own. */
export interface RunLoop {
  readonly info: RunInfo;
  step(): Promise<void>;
  play(until?: number): Promise<Outcome>;
  stop(): void;
  edit(scenario: Scenario): Promise<void>;
  ask(question: Question): Promise<Answers[Question['kind']]>;
  probe(cells: readonly ProbeCell[]): void;
  wantStates(wanted: boolean): void;
  wantForecasts(wanted: boolean): void;
  /** The place of the run is gone, while nothing runs that would notice. */
  fail(error: Error): void;
  /** Resolves when everything is freed. */
  dispose(): Promise<void>;
}

const nothing = (): void => undefined;
const resolved = (): Promise<void> => Promise.resolve();

/** Where the run begins: at its checkpoint, or at its start where that does not fit and is not to be refused. */
function startOf({ checkpoint, misfit, scenario }: RunOpening, backend: Backend, listener: RunListener) {
  if (!checkpoint || misfit === 'refuse') return checkpoint;
  if (isOwnCheckpoint(checkpoint, scenario, backend)) return checkpoint;
  const message = 'The run starts again from the beginning: its checkpoint is of another scenario, backend or adapter.';
  listener.event({ type: 'warning', message });
  return undefined;
}

/** @returns members of every ensemble that any writer wants the states of, from 0 */
function membersOf(writers: readonly WriterPlan[]): readonly number[] {
  return [...new Set(writers.flatMap(({ members = [] }) => members))].sort((a, b) => a - b);
}

/** After a failure nothing is reported any more, and what was recorded is drawn by nobody. */
function letGo({ snapshot, motion }: CycleStates, planes: PlaneStore): void {
  planes.release(snapshot);
  if (motion) planes.release(motion);
}

/**
 * Prepares a run, and reports that it is ready.
 *
 * @param signal gives up what is under way, the preparation as well as a cycle
 * @throws LimitError, ScenarioError, BackendError, DivergenceError (in the spin-up), the signal's reason
 */
export async function createRunLoop(
  opening: RunOpening,
  place: RunPlace,
  listener: RunListener,
  signal: AbortSignal,
): Promise<RunLoop> {
  const { backend, planes, yieldToEventLoop = resolved, memoryLimitBytes = DEFAULT_MEMORY_BYTES } = place;
  const { source, methods } = opening;
  let { scenario } = opening;
  checkMemory(scenario, backend.elementBytes, memoryLimitBytes);
  const files = await readScenarioFiles(scenario, fileReader(opening.files), source, place.openHdf5);
  const checkpoint = startOf(opening, backend, listener);

  let summaries: readonly MethodSummary[] = [];
  let state: 'running' | 'ended' | 'failed' = 'running';
  let failure: Error | undefined;
  let disposed = false;
  let stopping = false;
  const emit = (event: RunEvent): void => {
    if (state !== 'failed') listener.event(event);
    else if (event.type === 'states') letGo(event, planes);
  };
  const impacts = createImpactRecording(emit);
  const receive = (event: ExperimentEvent): void => {
    if (event.type === 'start') summaries = event.methods;
    // The end is reported after all else of the last cycle.
    if (event.type !== 'end') impacts.receive(event);
  };
  let recording: Recording | undefined;
  const pause = async (): Promise<void> => {
    await yieldToEventLoop();
    signal.throwIfAborted();
  };
  for (const message of warningTexts(fileWarningsOf(scenario, files))) emit({ type: 'warning', message });
  const draw = checkpoint ? undefined : startDrawing(place.drawThreads, opening, signal);
  const experiment: Experiment = await createExperiment(backend, scenario, {
    files,
    ...(methods && { methods }),
    ...(checkpoint && { checkpoint }),
    ...(draw && { draw }),
    signal,
    listener: receive,
    observer: {
      forecast: (method) => {
        recording?.active?.forecast(method);
        return pause();
      },
      analysis: (method) => {
        recording?.active?.analysis(method);
        return pause();
      },
      get window() {
        return recording?.window;
      },
    },
  }).finally(() => draw?.dispose());
  const { window } = scenario.experiment;
  const states = createRecording(backend, experiment, window, planes, opening.states, membersOf(opening.writers));
  recording = states;
  let memoryBytes = estimateMemory(scenario, backend.elementBytes);
  let explanationBytes = estimateExplanationMemory(scenario, backend.elementBytes);
  /** If there is no room for the forecasts nothing can be asked, and the run continues. Those of recorded impacts have room. */
  const wantForecasts = (wanted: boolean): void => {
    const fits = memoryBytes + explanationBytes <= memoryLimitBytes;
    experiment.keepForecasts((wanted && fits) || recordedImpact(scenario.experiment) !== undefined);
    if (!wanted || fits) return;
    const [needed, left] = [explanationBytes, memoryLimitBytes - memoryBytes].map((bytes) =>
      Math.ceil(bytes / 2 ** 20),
    );
    const message = `Why the analyses are what they are cannot be asked: that needs ${needed} MiB beside the run, allowed: ${left} MiB.`;
    emit({ type: 'warning', message });
  };
  wantForecasts(opening.forecasts);
  const isAtEnd = (): boolean => experiment.nextCycle >= experiment.cycles;
  const free = (): void => {
    states.dispose();
    experiment.dispose();
  };

  const infoNow = (): RunInfo => ({
    scenario,
    basin: basinOf(scenario, experiment),
    methods: summaries,
    cycles: experiment.cycles,
    backend: { name: backend.name, adapter: backend.adapter, threads: backend.threads },
    memoryBytes,
    explanationBytes,
    checkpointBytes: experiment.checkpointBytes,
  });

  let last: Promise<unknown> = Promise.resolve();
  /** Does something between cycles, after what was asked for before. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.then(nothing, nothing);
    return turn;
  };

  /** The cycle that was begun last, until its numbers are waited for. */
  let untold: Cycle | undefined;
  const untilTold = async (): Promise<void> => {
    const begun = untold;
    untold = undefined;
    await begun?.reported;
  };

  /** Room for the impacts that are recorded; the estimate has it. */
  const recordedBytes = (): number => estimateImpactMemory(scenario, backend.elementBytes);
  /** The forecasts that impacts need are kept. What is asked about is found at other times, in the same room and in what is left. */
  const impactSituation = () => {
    const left = memoryLimitBytes - memoryBytes - explanationBytes;
    return { backend, scenario, files, memoryBytes: left + recordedBytes() };
  };
  /** What was done after the last cycle. */
  const tellRest = (): void => {
    const rest = experiment.rest();
    if (rest) emit({ type: 'trace', ...rest });
  };

  const writers = createWriterRow(
    opening.writers,
    experiment.nextCycle,
    async (what) => {
      if (what === 'nothing') return undefined;
      // What has ended the run meanwhile is reported as what it is.
      await untilTold();
      if (what === 'checkpoint') return experiment.time('checkpoint', () => experiment.checkpoint());
      return experiment.time('writing', async () => impacts.inStates(await (await states.latest()).snapshot()));
    },
    (writer, prepared) => experiment.time('writing', () => listener.commit(writer, prepared)),
  );
  const momentSince = (begin: number): Moment => {
    const now = performance.now();
    const { nextCycle, checkpointBytes } = experiment;
    return { now, cycle: nextCycle, cycleMilliseconds: now - begin, memoryBytes, checkpointBytes };
  };

  function fail(error: Error): void {
    if (state === 'failed') return;
    emit({ type: 'failed', error });
    failure = error;
    state = 'failed';
  }

  function end(): void {
    emit({ type: 'end', cycles: experiment.cycles });
    if (state === 'running') state = 'ended';
  }

  /** @param goesAhead whether the next cycle may be queued before the numbers of this one have arrived */
  async function cycle(goesAhead: boolean): Promise<void> {
    const begin = performance.now();
    const hasImpacts = recordedImpact(scenario.experiment) !== undefined;
    await states.begin(writers.wantsStates(experiment.nextCycle));
    const run = async (): Promise<CycleStates | undefined> => {
      untold = await experiment.begin();
      // What is drawn goes with its numbers; where a cycle is done when it is queued nothing is to be gained.
      if (!goesAhead || hasImpacts || states.active || backend.immediate || isAtEnd()) await untilTold();
      // If nothing is waited for but promises, messages and signals are not let in.
      await yieldToEventLoop();
      return states.finish();
    };
    const ask = () => recordedImpacts(experiment, { ...impactSituation(), memoryBytes: recordedBytes() });
    const seen = hasImpacts ? await impacts.record(scenario, run, ask) : await run();
    if (seen) emit({ type: 'states', ...seen });
    if (opening.ceilings === 'between' && cyclesHere === 0) {
      await untilTold();
      emit({ type: 'ceilings', ...(await measureCeilings(backend)) });
    }
    if (isAtEnd()) {
      end();
      await writers.last(momentSince(begin));
      tellRest();
    } else await writers.between(momentSince(begin));
  }

  const isDisposed = (): boolean => disposed;
  let cyclesHere = 0;
  let measurement: CeilingMeasurement | undefined;

  function measureBeside(): void {
    const isTooEarly = cyclesHere < CYCLES_BEFORE_MEASURING && state === 'running';
    if (opening.ceilings !== 'beside' || measurement || isTooEarly) return;
    measurement = place.measure?.();
    if (!measurement) return;
    const measured = { inTurn, yieldToEventLoop, cycles: () => cyclesHere, isOver: isDisposed };
    measureInTurn(measurement, measured, (ceilings) => emit({ type: 'ceilings', ...ceilings }));
  }

  /** What goes wrong ends the run. */
  async function orFail(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      fail(errorOf(error));
      throw error;
    }
  }

  async function step(goesAhead: boolean): Promise<void> {
    if (failure) throw failure;
    if (disposed || state === 'ended') return;
    await orFail(async () => {
      await cycle(goesAhead);
      cyclesHere += 1;
      measureBeside();
    });
  }

  async function play(until = Infinity): Promise<Outcome> {
    stopping = false;
    if (failure) throw failure;
    const goesOn = (): boolean => state === 'running' && !disposed && !stopping && experiment.nextCycle < until;
    while (goesOn()) await inTurn(() => step(true));
    const begin = performance.now();
    if (state === 'running' && !disposed) {
      await inTurn(() => orFail(untilTold));
      await inTurn(async () => {
        await writers.last(momentSince(begin));
        tellRest();
      });
    }
    return isAtEnd() ? 'complete' : 'stopped';
  }

  async function answer(question: Question): Promise<Answers[Question['kind']]> {
    if (disposed) throw new Error('the run is not running any more');
    switch (question.kind) {
      case 'checkpoint':
        return experiment.checkpoint();
      case 'snapshot':
        return (await states.latest()).snapshot();
      case 'plane':
        return (await states.latest()).plane(question);
      case 'innovations':
        return states.innovations;
      case 'explanation':
        return experiment.explain(question.method, question.question, question.cycle);
      case 'impact':
        return observationImpact(experiment, question, impactSituation(), question.cycle);
      default:
        return question satisfies never;
    }
  }

  try {
    const snapshot = opening.states ? await (await states.latest()).snapshot() : undefined;
    await backend.settle();
    emit({ type: 'ready', info: infoNow(), snapshot });
    if (typeof opening.ceilings === 'object') emit({ type: 'ceilings', ...opening.ceilings });
    if (isAtEnd()) end();
  } catch (error) {
    free();
    throw error;
  }

  return {
    get info() {
      return infoNow();
    },
    step: () => inTurn(() => step(false)),
    play,
    stop() {
      stopping = true;
    },
    edit: (next) =>
      inTurn(async () => {
        await orFail(untilTold);
        checkMemory(next, backend.elementBytes, memoryLimitBytes);
        checkGround(next, files);
        experiment.edit(next);
        scenario = next;
        memoryBytes = estimateMemory(next, backend.elementBytes);
        explanationBytes = estimateExplanationMemory(next, backend.elementBytes);
        if (state === 'ended' && !isAtEnd()) state = 'running';
        else if (state === 'running' && isAtEnd()) end();
      }),
    ask: (question) =>
      inTurn(async () => {
        if (!failure) await orFail(untilTold);
        return answer(question);
      }),
    probe(cells) {
      const warning = states.probe(cells);
      if (warning !== undefined) emit({ type: 'warning', message: warning });
    },
    wantStates: (wanted) => states.want(wanted),
    wantForecasts: (wanted) => void inTurn(() => Promise.resolve(wantForecasts(wanted))),
    fail,
    async dispose() {
      disposed = true;
      await last;
      await measurement?.stop();
      free();
    },
  };
}
