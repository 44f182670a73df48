/** Takes from a running experiment what there is to draw of it: a snapshot of each cycle, the way to it, and its probes. */
import type { Backend } from '../compute/backend.ts';
import { createSnapshotRecorder, createStoredRecorder, MAXIMUM_PROBES } from '../experiment/index.ts';
import type {
  Experiment,
  ProbeCell,
  SnapshotRecorder,
  StoredRecorder,
  WindowObserver,
  ExperimentEvent,
} from '../experiment/index.ts';
import { valuesInCells, type Method } from '../methods/index.ts';
import { localVolumesOf, modelKindDefinition, physicsOf, scenarioAt, type Scenario } from '../scenario/index.ts';
import { withImpact, type ObservationImpact } from '../impact/index.ts';
import {
  hostPlanes,
  type BasinInfo,
  type CellReading,
  type CycleStates,
  type MemberSnapshot,
  type MethodSnapshot,
  type PlaneStore,
  type Snapshot,
  type SnapshotObservations,
} from './states.ts';

/** Surfaces inside a forecast window that are kept to be seen moving: at most so many, in at most so many bytes. */
const FRAMES = 6;
const LEAST_FRAMES = 2;
const FRAME_BYTES = 64 * 2 ** 20;

/** @returns frames of a window that are affordable: 0 where the basin is too large for a few */
export function frameCountOf(subjects: number, cells: number, elementBytes: number): number {
  const affordable = Math.floor(FRAME_BYTES / (subjects * cells * elementBytes));
  return affordable < LEAST_FRAMES ? 0 : Math.min(FRAMES, affordable);
}

/** @returns the basin of an experiment with the model's constants */
export function basinOf(
  { model }: Pick<Scenario, 'model'>,
  { model: { grid, bed } }: Pick<Experiment, 'model'>,
): BasinInfo {
  const { gravity, coriolis } = physicsOf(model);
  return {
    isRing: modelKindDefinition(model).world === 'ring',
    ...grid,
    bed: bed ? Float32Array.from(bed) : new Float32Array(grid.nx * grid.ny),
    gravity,
    coriolis: coriolis.f,
  };
}

/** A plane that can be asked for. */
export interface PlaneQuestion {
  /** A method's label; undefined for the truth. */
  readonly method?: string | undefined;
  readonly phase: 'forecast' | 'analysis';
  readonly plane: 'eta' | 'hu' | 'hv' | 'spread';
}

/** `forecast`, `analysis` and `window` are for the experiment's observer. */
interface StateRecorder {
  forecast(method: Method): void;
  analysis(method: Method): void;
  /** Undefined where the basin is too large for frames. */
  readonly window: WindowObserver | undefined;
  /** Cells of the grid whose members are recorded from the next cycle on. */
  probe(cells: readonly ProbeCell[]): void;
  /** Before a cycle: the probes that were asked for take effect. @param stored whether it is recorded to be stored */
  begin(stored: boolean): Promise<void>;
  /** Records the states as they are, forecast and analysis alike: before the first cycle that is recorded. */
  start(): void;
  /** Keeps the cycle that was run last, which began with `begin`, for `snapshot` and `plane`. */
  hold(): Promise<void>;
  /** The same, and all that is drawn of it. */
  states(): Promise<CycleStates>;
  /** Snapshot of what was recorded last. */
  snapshot(): Promise<Snapshot>;
  /** Numbers of a plane as it was recorded last, [y][x]. @throws RangeError if there is none */
  plane(question: PlaneQuestion): Promise<Float32Array>;
  /** y − mean H(x) by method, of the latest analysis that was recorded. */
  readonly innovations: Readonly<Record<string, Float64Array>>;
  dispose(): void;
}

const NONE: SnapshotObservations = {
  x: new Float64Array(0),
  y: new Float64Array(0),
  variable: [],
  network: new Uint16Array(0),
  values: new Float64Array(0),
  inverseErrorStd: new Float64Array(0),
  innovations: {},
};

/** Where a plane begins in a recorded state, in planes. */
const POSITION = { eta: 0, hu: 1, hv: 2 } as const;

/**
 * @param windowSeconds of a cycle
 * @param planes keeps what is recorded
 * @param members that are stored of every ensemble, from 0
 */
async function createStateRecorder(
  backend: Backend,
  experiment: Experiment,
  windowSeconds: number,
  planes: PlaneStore,
  members: readonly number[] = [],
): Promise<StateRecorder> {
  const { nx, ny } = experiment.model.grid;
  const cells = nx * ny;
  const frameCount = frameCountOf(1 + experiment.methods.length, cells, backend.elementBytes);
  const recorder: SnapshotRecorder = await createSnapshotRecorder(backend, experiment, frameCount);
  let points: readonly ProbeCell[] = [];
  let wanted: readonly ProbeCell[] = [];
  let observations = NONE;
  let storing: StoredRecorder | undefined;
  let isStored = false;

  /** Without what is left of methods that have diverged. */
  function ofThoseThatTakePart<Value>(byMethod: Readonly<Record<string, Value>>): Record<string, Value> {
    return Object.fromEntries(Object.entries(byMethod).filter(([method]) => !experiment.diverged.has(method)));
  }

  async function observed(): Promise<SnapshotObservations> {
    const found = experiment.observations;
    if (!found || found.count === 0) return NONE;
    const { x, y, variable, network, values, inverseErrorStd, share, count } = found;
    const innovations = ofThoseThatTakePart(await recorder.innovations(count));
    const taking = experiment.methods.filter(({ label }) => !experiment.diverged.has(label));
    const analysed = isStored ? await storing?.observations(taking) : undefined;
    return { x, y, variable, network, values, inverseErrorStd, share, innovations, ...analysed };
  }

  /** What is stored of a method beside what is drawn of it. */
  async function storedOf(label: string): Promise<Pick<MethodSnapshot, 'forecastSpread' | 'members'>> {
    const method = experiment.methods.find((each) => each.label === label);
    if (!isStored || !storing || !method || experiment.diverged.has(label)) return {};
    const spread = await storing.forecastSpread(method);
    const kept: MemberSnapshot[] = [];
    // A method with one state has no members beside its mean.
    for (const member of method.members > 1 ? members.filter((index) => index < method.members) : []) {
      kept.push({ member, analysis: hostPlanes(await storing.member(method, member), cells) });
    }
    return {
      ...(spread && { forecastSpread: { kind: 'host', values: spread } }),
      ...(kept.length > 0 && { members: kept }),
    };
  }

  /** How the latest analysis of a method was localised and inflated. */
  async function analysedBy(label: string, cycle: number): Promise<Pick<MethodSnapshot, 'volumes' | 'inflation'>> {
    const now = scenarioAt(experiment.scenario, cycle);
    const volumes = localVolumesOf(now, label);
    const adapted = experiment.methods.find((method) => method.label === label)?.inflation;
    if (!adapted) {
      const settings = now.methods.find((method) => method.label === label);
      const inflation = settings && 'inflation' in settings ? settings.inflation : undefined;
      return { volumes, inflation };
    }
    const factors = await backend.readSingle(adapted.used);
    const isOne = factors.length === 1 || !volumes;
    return { volumes, inflation: isOne ? factors[0] : { kind: 'host', values: valuesInCells(volumes, factors) } };
  }

  async function snapshot(): Promise<Snapshot> {
    const cycle = experiment.nextCycle - 1;
    const { truth, methods } = await planes.keep(recorder, cells);
    const all: MethodSnapshot[] = [];
    for (const each of methods) {
      const divergedAt = experiment.diverged.get(each.method);
      all.push({
        ...each,
        ...(divergedAt === undefined ? await analysedBy(each.method, cycle) : { divergedAt }),
        ...(await storedOf(each.method)),
      });
    }
    return { cycle, timeSeconds: (cycle + 1) * windowSeconds, truth, methods: all, observations };
  }

  async function readings({ cycle, timeSeconds }: Snapshot): Promise<CellReading[]> {
    const values = await recorder.readProbes();
    return values.map((value, i) => ({
      cell: points[i].y * nx + points[i].x,
      reading: { cycle, timeSeconds, truth: value.truth, methods: ofThoseThatTakePart(value.methods) },
    }));
  }

  async function hold(): Promise<void> {
    recorder.truth();
    observations = await observed();
  }

  return {
    forecast(method) {
      recorder.forecast(method);
      if (isStored) storing?.forecast(method);
    },
    analysis: (method) => recorder.analysis(method),
    window:
      frameCount > 0
        ? { count: frameCount, take: (who, index, share) => recorder.frame(who, index, share) }
        : undefined,
    probe(next) {
      wanted = next;
    },
    async begin(stored) {
      isStored = stored;
      if (stored) storing ??= await createStoredRecorder(backend, experiment);
      if (points !== wanted) recorder.probe(wanted);
      points = wanted;
    },
    start() {
      isStored = false;
      recorder.start();
      observations = NONE;
    },
    hold,
    async states() {
      await hold();
      const taken = await snapshot();
      const kept = await planes.keepFrames(recorder, cells);
      const surfaces = kept?.filter(({ method }) => method === undefined || !experiment.diverged.has(method));
      return {
        snapshot: taken,
        motion: surfaces && { cycle: taken.cycle, surfaces },
        readings: await readings(taken),
      };
    },
    snapshot,
    async plane({ method, phase, plane }) {
      const of = method === undefined ? undefined : recorder.methods.find((each) => each.method === method);
      if (method !== undefined && !of) throw new RangeError(`the run has no method ${method}`);
      const state = of ? of[phase] : recorder.truthPlanes;
      const field = plane === 'spread' ? of?.spread : state;
      if (!field) throw new RangeError(`${method ?? 'the truth'} has no spread`);
      const first = plane === 'spread' ? 0 : POSITION[plane] * cells;
      return backend.readSingle(field, first, cells);
    },
    get innovations() {
      return observations.innovations;
    },
    dispose() {
      storing?.dispose();
      recorder.dispose();
    },
  };
}

/** @returns those of the cells that can be recorded, and where they are not all, a warning that says so */
function recordable(
  cells: readonly ProbeCell[],
  { nx, ny }: { readonly nx: number; readonly ny: number },
): { readonly probes: readonly ProbeCell[]; readonly warning: string | undefined } {
  const probes = cells
    .filter(({ x, y }) => Number.isInteger(x) && Number.isInteger(y) && x >= 0 && y >= 0 && x < nx && y < ny)
    .slice(0, MAXIMUM_PROBES);
  if (probes.length === cells.length) return { probes, warning: undefined };
  const which = `cells of the grid, at most ${MAXIMUM_PROBES}`;
  return { probes, warning: `Of ${cells.length} probes ${probes.length} are recorded: ${which}.` };
}

/** Which cycles of a run are recorded to be drawn: those of which somebody wants the states. */
export interface Recording {
  /** The recorder of the cycle in progress; undefined while it is not recorded. */
  readonly active: StateRecorder | undefined;
  /** Who looks at the forecasts of the cycle in progress on their way; undefined where nobody does. */
  readonly window: WindowObserver | undefined;
  /** Whether cycles are recorded from the next one on. */
  want(wanted: boolean): void;
  /** Cells whose members are recorded from the next cycle on. @returns a warning where not all of them can be */
  probe(cells: readonly ProbeCell[]): string | undefined;
  /** Before a cycle. @param taken whether somebody takes its snapshot to store it */
  begin(taken: boolean): Promise<void>;
  /** After it. @returns what it left to be drawn, where that is wanted */
  finish(): Promise<CycleStates | undefined>;
  /** The recorder with the latest states: where their cycle was not recorded, as they are now. */
  latest(): Promise<StateRecorder>;
  /** y − mean H(x) by method of the latest cycle; nothing where it was not recorded. */
  readonly innovations: Readonly<Record<string, Float64Array>>;
  dispose(): void;
}

/**
 * The recorder, with the memory that it takes, is made when it is first needed.
 *
 * @param wanted from the first cycle on
 * @param members that are stored of every ensemble, from 0
 */
export function createRecording(
  backend: Backend,
  experiment: Experiment,
  windowSeconds: number,
  planes: PlaneStore,
  wanted: boolean,
  members: readonly number[] = [],
): Recording {
  let isWanted = wanted;
  let probes: readonly ProbeCell[] = [];
  let recorder: StateRecorder | undefined;
  let active: StateRecorder | undefined;
  let isDrawn = false;
  let holdsLatest = false;

  async function made(): Promise<StateRecorder> {
    if (!recorder) {
      recorder = await createStateRecorder(backend, experiment, windowSeconds, planes, members);
      recorder.probe(probes);
    }
    return recorder;
  }

  return {
    get active() {
      return active;
    },
    get window() {
      return isDrawn ? active?.window : undefined;
    },
    want(next) {
      isWanted = next;
    },
    probe(cells) {
      const found = recordable(cells, experiment.model.grid);
      ({ probes } = found);
      recorder?.probe(probes);
      return found.warning;
    },
    async begin(taken) {
      isDrawn = isWanted;
      active = isDrawn || taken ? await made() : undefined;
      await active?.begin(taken);
      holdsLatest = false;
    },
    async finish() {
      const recorded = active;
      if (!isDrawn) await recorded?.hold();
      const states = isDrawn ? await recorded?.states() : undefined;
      holdsLatest = recorded !== undefined;
      active = undefined;
      return states;
    },
    async latest() {
      const present = await made();
      if (!holdsLatest) present.start();
      holdsLatest = true;
      return present;
    },
    get innovations() {
      return holdsLatest && recorder ? recorder.innovations : {};
    },
    dispose: () => recorder?.dispose(),
  };
}

type Impacts = ReadonlyMap<string, ObservationImpact>;

/**
 * The impacts of every cycle, where the experiment of a run asks for them: what a cycle says waits until they are known, so that
 * its diagnostics have them, and the states that are stored of it as well.
 *
 * @param emit takes what a cycle says
 */
export function createImpactRecording(emit: (event: ExperimentEvent) => void) {
  let waiting: ExperimentEvent[] | undefined;
  /** Those of the latest cycle, by the labels of methods. */
  let impacts: Impacts = new Map();
  return {
    receive(event: ExperimentEvent): void {
      if (waiting) waiting.push(event);
      else emit(event);
    },
    /**
     * @param cycle runs a cycle until it is reported
     * @param ask gives the impacts of its observations
     * @returns what `cycle` does
     */
    async record<Ran>(scenario: Scenario, cycle: () => Promise<Ran>, ask: () => Promise<Impacts>): Promise<Ran> {
      const held: ExperimentEvent[] = [];
      waiting = held;
      impacts = new Map();
      try {
        const ran = await cycle();
        impacts = await ask();
        return ran;
      } finally {
        waiting = undefined;
        for (const event of held) {
          if (event.type !== 'diagnostics') emit(event);
          else emit({ ...event, diagnostics: withImpact(event.diagnostics, impacts, scenario) });
        }
      }
    },
    /** @returns a snapshot of the latest cycle with its impacts: copies, since it may be transferred */
    inStates(snapshot: Snapshot): Snapshot {
      if (impacts.size === 0) return snapshot;
      const byMethod = Object.fromEntries([...impacts].map(([label, each]) => [label, each.impacts.slice()]));
      return { ...snapshot, observations: { ...snapshot.observations, impacts: byMethod } };
    },
  };
}
