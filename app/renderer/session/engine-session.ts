/**
 * An experiment on a backend, as a session: after each cycle one snapshot, its diagnostics, its kernel times and what the
 * probes saw. Runs in the page on WebGPU, and in a worker on the reference backend.
 */
import {
  AllDivergedError,
  checkMemory,
  createExperiment,
  createSnapshotRecorder,
  DEFAULT_MEMORY_BYTES,
  DeviceLostError,
  DivergenceError,
  estimateMemory,
  fingerprintOf,
  MAXIMUM_PROBES,
  readScenarioFiles,
} from '../../../engine/index.ts';
import type {
  Backend,
  Ceilings,
  Checkpoint,
  CycleDiagnostics,
  Experiment,
  ExperimentEvent,
  KernelSample,
  MethodSummary,
  ProbeCell,
  Scenario,
  SnapshotRecorder,
} from '../../../engine/index.ts';
import type { CeilingMeasurement } from './ceiling-measurement.ts';
import type { PlaneStore } from './planes.ts';
import type { BasinInfo, ProbeReading, SessionEvent, Snapshot, SnapshotObservations } from './session.ts';

/** What a probed cell (index y·nx + x) saw in one cycle. */
export interface CellReading {
  readonly cell: number;
  readonly reading: ProbeReading;
}

export interface EngineSessionOptions {
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly checkpoint?: Checkpoint | undefined;
  /** Why this backend, for people. */
  readonly reason: string;
  readonly planes: PlaneStore;
  readonly device?: GPUDevice;
  readonly listener: (event: SessionEvent) => void;
  readonly onReadings: (readings: readonly CellReading[]) => void;
  readonly onCheckpoint: (checkpoint: Checkpoint) => void;
  /** What the machine can do at most, where that is known. */
  readonly ceilings?: Ceilings | undefined;
  /** Begins to measure it where it is not known; without it nothing is measured. */
  readonly measure?: (() => CeilingMeasurement) | undefined;
  /** Lets messages in between the parts of a cycle. */
  readonly breathe?: () => Promise<void>;
}

export interface EngineSession {
  /** Runs one cycle after those asked for before, and tells what came of it; without effect after the end or a failure, which is an event. */
  step(): Promise<void>;
  probe(cells: readonly ProbeCell[]): void;
  checkpoint(): Promise<Checkpoint>;
  /** Gives up a cycle in progress; resolves when everything is freed. */
  dispose(): Promise<void>;
}

/** Cycles that are on screen before anything is measured beside them. */
const CYCLES_BEFORE_MEASURING = 3;
/** Surfaces inside a forecast window that are kept to be seen moving: at most so many, in at most so many bytes. */
const FRAMES = 6;
const LEAST_FRAMES = 2;
const FRAME_BYTES = 64 * 2 ** 20;
/** Checkpoints that are taken without asking come every so many cycles, while they take at most this share of the time; */
const CHECKPOINT_CYCLES = 4;
const CHECKPOINT_SHARE = 0.05;
/** in any case after this time; and for how large a run they come more rarely. */
const CHECKPOINT_MILLISECONDS = 10_000;
const LARGE_RUN_BYTES = 256 * 2 ** 20;
const LARGE_RUN_FACTOR = 6;

export function failureOf(error: unknown): Extract<SessionEvent, { type: 'failed' }> {
  const message = error instanceof Error ? error.message : String(error);
  const diverged = error instanceof DivergenceError || error instanceof AllDivergedError;
  return { type: 'failed', message, recoverable: error instanceof DeviceLostError, ...(diverged && { diverged }) };
}

/** @returns frames of a window that are affordable: 0 where the basin is too large for a few */
export function frameCountOf(subjects: number, cells: number, elementBytes: number): number {
  const affordable = Math.floor(FRAME_BYTES / (subjects * cells * elementBytes));
  return affordable < LEAST_FRAMES ? 0 : Math.min(FRAMES, affordable);
}

function basinOf(scenario: Scenario, { model: { grid, bed } }: Experiment): BasinInfo {
  const { gravity, coriolis } = scenario.model;
  return {
    ...grid,
    bed: bed ? Float32Array.from(bed) : new Float32Array(grid.nx * grid.ny),
    gravity,
    coriolis: coriolis.f,
  };
}

const NONE: SnapshotObservations = {
  x: new Float64Array(0),
  y: new Float64Array(0),
  variable: [],
  network: new Uint16Array(0),
  values: new Float64Array(0),
  inverseDeviation: new Float64Array(0),
  innovations: {},
};

/** A checkpoint that fits, or undefined. */
function fitting(
  checkpoint: Checkpoint | undefined,
  scenario: Scenario,
  backend: Backend,
  listener: EngineSessionOptions['listener'],
): Checkpoint | undefined {
  if (!checkpoint || checkpoint.fingerprint === fingerprintOf(scenario, backend, checkpoint.cycle)) return checkpoint;
  listener({
    type: 'warning',
    message: 'The run starts anew: its checkpoint is of another scenario, backend or adapter.',
  });
  return undefined;
}

/**
 * Prepares an experiment and emits `ready`.
 *
 * @param backend stays the caller's
 * @throws LimitError, ScenarioError, BackendError, DivergenceError (in the spin-up)
 */
export async function createEngineSession(
  backend: Backend,
  scenario: Scenario,
  options: EngineSessionOptions,
): Promise<EngineSession> {
  const { listener, planes, breathe } = options;
  checkMemory(scenario, backend.elementBytes, DEFAULT_MEMORY_BYTES);
  const files = await readScenarioFiles(scenario, (name) => fileOf(options.files, name), scenario.name);
  const checkpoint = fitting(options.checkpoint, scenario, backend, listener);

  let recorder: SnapshotRecorder | undefined;
  let summaries: readonly MethodSummary[] = [];
  let diagnostics: CycleDiagnostics[] = [];
  let samples: KernelSample[] = [];
  const hear = (event: ExperimentEvent): void => {
    switch (event.type) {
      case 'start':
        summaries = event.methods;
        break;
      case 'diagnostics':
        diagnostics.push(event.diagnostics);
        break;
      case 'kernel':
        samples.push(event.sample);
        break;
      case 'warning':
        listener({ type: 'warning', message: event.message });
        break;
      case 'diverged': {
        const { type: _type, ...divergence } = event;
        listener({ type: 'diverged', divergence });
        break;
      }
      case 'ceilings':
      case 'edited':
      case 'forecast':
      case 'analysis':
      case 'cycle':
      case 'end':
        break;
      default:
        event satisfies never;
    }
  };
  let disposed = false;
  const pause = async (): Promise<void> => {
    await breathe?.();
    if (disposed) throw new Error('the session was closed in the middle of a cycle');
  };
  const frameCount = frameCountOf(
    1 + scenario.methods.length,
    scenario.grid.nx * scenario.grid.ny,
    backend.elementBytes,
  );
  const experiment = await createExperiment(backend, scenario, {
    files,
    ...(checkpoint && { checkpoint }),
    listener: hear,
    observer: {
      forecast: (method) => {
        recorder?.forecast(method);
        return pause();
      },
      analysis: (method) => {
        recorder?.analysis(method);
        return pause();
      },
      ...(frameCount > 0 && {
        window: { count: frameCount, take: (who, index, share) => recorder?.frame(who, index, share) },
      }),
    },
  });
  const { nx, ny } = experiment.model.grid;
  const windowSeconds = scenario.experiment.window;
  const isCell = ({ x, y }: ProbeCell): boolean =>
    Number.isInteger(x) && Number.isInteger(y) && x >= 0 && y >= 0 && x < nx && y < ny;

  /** Without what is left of methods that have diverged. */
  function ofThoseThatTakePart<Value>(byMethod: Readonly<Record<string, Value>>): Record<string, Value> {
    return Object.fromEntries(Object.entries(byMethod).filter(([method]) => !experiment.diverged.has(method)));
  }

  async function snapshotOf(recorded: SnapshotRecorder, observations: SnapshotObservations): Promise<Snapshot> {
    const cycle = experiment.nextCycle - 1;
    const { truth, methods } = await planes.keep(recorded, nx * ny);
    return {
      cycle,
      timeSeconds: (cycle + 1) * windowSeconds,
      truth,
      methods: methods.map((each) => {
        const divergedAt = experiment.diverged.get(each.method);
        return divergedAt === undefined ? each : { ...each, divergedAt };
      }),
      observations,
    };
  }

  try {
    recorder = await createSnapshotRecorder(backend, experiment, frameCount);
    recorder.start();
    const snapshot = await snapshotOf(recorder, NONE);
    await backend.settle();
    samples = [];
    const memoryBytes = estimateMemory(scenario, backend.elementBytes);
    const info = {
      scenario,
      basin: basinOf(scenario, experiment),
      methods: summaries,
      cycles: experiment.cycles,
      backend: { name: backend.name, adapter: backend.adapter, reason: options.reason },
      memoryBytes,
      device: options.device,
    };
    listener({ type: 'ready', info, snapshot });
    if (options.ceilings) listener({ type: 'ceilings', ceilings: options.ceilings });
    return run(recorder, memoryBytes);
  } catch (error) {
    recorder?.dispose();
    experiment.dispose();
    throw error;
  }

  async function observed(recorded: SnapshotRecorder): Promise<SnapshotObservations> {
    const { observations } = experiment;
    if (!observations || observations.count === 0) return NONE;
    const { x, y, variable, network, values, inverseDeviation, count } = observations;
    return {
      x,
      y,
      variable,
      network,
      values,
      inverseDeviation,
      innovations: ofThoseThatTakePart(await recorded.innovations(count)),
    };
  }

  function run(recorded: SnapshotRecorder, memoryBytes: number): EngineSession {
    const interval = CHECKPOINT_MILLISECONDS * (memoryBytes > LARGE_RUN_BYTES ? LARGE_RUN_FACTOR : 1);
    let points: readonly ProbeCell[] = [];
    let wanted: readonly ProbeCell[] = [];
    let saved = performance.now();
    let savedCycle = experiment.nextCycle;
    /** Of the latest one, milliseconds. */
    let cost = 0;
    let over = false;
    let running: Promise<void> = Promise.resolve();
    let cyclesHere = 0;
    let measurement: CeilingMeasurement | undefined;

    async function readings(snapshot: Snapshot): Promise<CellReading[]> {
      const { cycle, timeSeconds } = snapshot;
      const values = await recorded.readProbes();
      return values.map((value, i) => ({
        cell: points[i].y * nx + points[i].x,
        reading: { cycle, timeSeconds, truth: value.truth, methods: ofThoseThatTakePart(value.methods) },
      }));
    }

    /** Now and then; as often as costs little, so that there is always one to go back to that is near. */
    async function keepCheckpoint(): Promise<void> {
      const { nextCycle } = experiment;
      const now = performance.now();
      const isCheap = nextCycle - savedCycle >= CHECKPOINT_CYCLES && now - saved > cost / CHECKPOINT_SHARE;
      if (!isCheap && now - saved <= interval) return;
      options.onCheckpoint(await experiment.checkpoint());
      saved = performance.now();
      savedCycle = nextCycle;
      cost = saved - now;
    }

    async function cycle(): Promise<void> {
      if (points !== wanted) recorded.probe(wanted);
      points = wanted;
      diagnostics = [];
      await experiment.step();
      recorded.truth();
      const snapshot = await snapshotOf(recorded, await observed(recorded));
      const kept = await planes.keepFrames(recorded, nx * ny);
      const surfaces = kept?.filter(({ method }) => method === undefined || !experiment.diverged.has(method));
      const motion = surfaces && { cycle: snapshot.cycle, surfaces };
      const told = await readings(snapshot);
      listener({ type: 'cycle', snapshot, motion, diagnostics });
      if (told.length > 0) options.onReadings(told);
      if (samples.length > 0) listener({ type: 'kernels', cycle: snapshot.cycle, samples });
      samples = [];
      if (experiment.nextCycle < experiment.cycles) {
        await keepCheckpoint();
      } else {
        over = true;
        listener({ type: 'ended', cycles: experiment.cycles });
      }
    }

    function measure(): void {
      if (options.ceilings || measurement || (cyclesHere < CYCLES_BEFORE_MEASURING && !over)) return;
      measurement = options.measure?.();
      if (measurement) running = running.then(measurePart);
    }

    /** One part at a time at the end of the row, so that a cycle that is asked for waits for one at most. */
    async function measurePart(): Promise<void> {
      await breathe?.();
      if (disposed || !measurement) return;
      const measured = await measurement.next();
      if (disposed || measured === 'given-up') return;
      if (measured === 'unfinished') running = running.then(measurePart);
      else listener({ type: 'ceilings', ceilings: measured });
    }

    if (experiment.nextCycle >= experiment.cycles) {
      over = true;
      listener({ type: 'ended', cycles: experiment.cycles });
    }
    async function step(): Promise<void> {
      if (over) return;
      try {
        await cycle();
        cyclesHere += 1;
        measure();
      } catch (error) {
        over = true;
        if (!disposed) listener(failureOf(error));
      }
    }
    return {
      step() {
        running = running.then(step);
        return running;
      },
      probe(cells) {
        wanted = cells.filter(isCell).slice(0, MAXIMUM_PROBES);
        if (wanted.length === cells.length) return;
        const message = `Of ${cells.length} probes ${wanted.length} are recorded: cells of the grid, at most ${MAXIMUM_PROBES}.`;
        listener({ type: 'warning', message });
      },
      // Between cycles, when the states belong together: the next one waits until all of them are read.
      checkpoint() {
        const taken = running.then(() => experiment.checkpoint());
        running = taken.then(nothing, nothing);
        return taken;
      },
      async dispose() {
        over = true;
        disposed = true;
        await running;
        await measurement?.stop();
        recorded.dispose();
        experiment.dispose();
      },
    };
  }
}

const nothing = (): void => undefined;

function fileOf(files: Readonly<Record<string, Uint8Array>>, name: string): Promise<Uint8Array> {
  if (Object.hasOwn(files, name)) return Promise.resolve(files[name]);
  return Promise.reject(Object.assign(new Error(`${name} was not opened`), { code: 'ENOENT' }));
}
