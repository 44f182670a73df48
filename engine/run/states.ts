/** What there is to draw of a run, as it is reported: the basin, planes of a cycle, what moves between two, and what probes saw. */
import type { SnapshotRecorder, MethodPlanes } from '../experiment/index.ts';
import { createPlaneBuffers, type DevicePlane } from '../compute/webgpu/planes/index.ts';
import type { RealField, Backend } from '../compute/backend.ts';
import type { LocalVolumes } from '../methods/index.ts';
import type { WebGpuBackendHandle } from '../compute/webgpu/webgpu-backend.ts';

export type { DevicePlane } from '../compute/webgpu/planes/index.ts';

/** A plane of numbers, [y][x], dense, in memory. */
export interface HostPlane {
  readonly kind: 'host';
  readonly values: Float32Array;
}

/** A plane of numbers where it was computed. */
export type Plane = HostPlane | DevicePlane;

/** A state as planes: surface elevation η (m above the water at rest) and the momenta hu, hv (m²/s). */
export interface StatePlanes {
  readonly eta: Plane;
  readonly hu: Plane;
  readonly hv: Plane;
}

export interface MethodSnapshot {
  readonly method: string;
  /** The cycle in which the method diverged: what is drawn is then what it was last, water at rest after a restart. */
  readonly divergedAt?: number;
  /** Mean of the analysis, and of the forecast before it. */
  readonly analysis: StatePlanes;
  readonly forecast: StatePlanes;
  /** Standard deviation of η over the members after the analysis, m; absent for a method with one member. */
  readonly spread: Plane | undefined;
  /** The same before the analysis; of a cycle whose states are stored. */
  readonly forecastSpread?: Plane | undefined;
  /** Where the latest analysis was one of every place, by the observations around it. */
  readonly volumes?: LocalVolumes | undefined;
  /** Factor of the forecast's covariance in the latest analysis, of all cells or [y][x]; undefined for a method that inflates nothing. */
  readonly inflation?: number | HostPlane | undefined;
  /** Chosen members after the analysis; of a cycle whose states are stored with members. */
  readonly members?: readonly MemberSnapshot[];
}

/** One member of an ensemble. */
export interface MemberSnapshot {
  /** From 0. */
  readonly member: number;
  readonly analysis: StatePlanes;
}

/** Observations of a cycle; places in grid units. */
export interface SnapshotObservations {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly variable: readonly string[];
  readonly network: Uint16Array;
  readonly values: Float64Array;
  /** 1/σₒ, 0 where missing. */
  readonly inverseErrorStd: Float64Array;
  /** Share of the window that had passed when it was observed, 1 at the analysis; undefined for records of an earlier version. */
  readonly share?: Float64Array;
  /** y − mean H(x) by method label; 0 where it is not used. */
  readonly innovations: Readonly<Record<string, Float64Array>>;
  /** The same after the analysis, of all observations that there are, 0 where one is missing; of a cycle whose states are stored. */
  readonly departures?: Readonly<Record<string, Float64Array>>;
  /** 1/σₒ by method label as the method believes it, 0 where one is missing or was rejected; of a cycle whose states are stored. */
  readonly believed?: Readonly<Record<string, Float64Array>>;
  /** What each changed about a later forecast by method label, as `ObservationImpact`; of a stored cycle of a run that asks for it. */
  readonly impacts?: Readonly<Record<string, Float64Array>>;
}

/** @returns whether an observation, by its index, had a part in a method's analysis */
export function usedIn(
  { inverseErrorStd, innovations }: Pick<SnapshotObservations, 'inverseErrorStd' | 'innovations'>,
  label: string,
): (observation: number) => boolean {
  const own = innovations[label];
  return (observation) => own !== undefined && inverseErrorStd[observation] > 0 && own[observation] !== 0;
}

/** All there is to draw of a cycle. */
export interface Snapshot {
  /** −1: the state before the first cycle. */
  readonly cycle: number;
  readonly timeSeconds: number;
  readonly truth: StatePlanes;
  readonly methods: readonly MethodSnapshot[];
  readonly observations: SnapshotObservations;
}

/** The surface of one subject inside a forecast window. */
export interface MovingSurface {
  /** A method's label; undefined for the truth. */
  readonly method: string | undefined;
  /** η in m of the mean, and the share of the window that had passed, 0 < share < 1, ascending. */
  readonly frames: readonly { readonly share: number; readonly eta: Plane }[];
}

/** What moves between two analyses: the surfaces inside the forecast window that ends with a cycle. */
export interface Motion {
  readonly cycle: number;
  readonly surfaces: readonly MovingSurface[];
}

/** What is kept of a cycle until it is released. */
export type Kept = Snapshot | Motion;

/** The basin, fixed for a run. */
export interface BasinInfo {
  /** Whether it is a ring in place of a basin: one row of places, which are counted, and a variable without a unit in place of η. */
  readonly isRing?: boolean;
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** Elevation of the bed, m above the water at rest, [y][x]. */
  readonly bed: Float32Array;
  /** The model's gravity, m/s², and Coriolis parameter, 1/s. */
  readonly gravity: number;
  readonly coriolis: number;
}

/** Members at a probed cell after one cycle. */
export interface ProbeReading {
  readonly cycle: number;
  readonly timeSeconds: number;
  /** Surface elevation η of the truth, m. */
  readonly truth: number;
  /** By method label. `members` is the ensemble's analysis at the point. */
  readonly methods: Readonly<
    Record<string, { readonly forecast: number; readonly analysis: number; readonly members: Float32Array }>
  >;
}

/** What a probed cell (index y·nx + x) saw in one cycle. */
export interface CellReading {
  readonly cell: number;
  readonly reading: ProbeReading;
}

/** What one cycle left to be drawn. */
export interface CycleStates {
  readonly snapshot: Snapshot;
  /** Undefined where the basin is too large for frames. */
  readonly motion: Motion | undefined;
  readonly readings: readonly CellReading[];
}

interface DrawnStates {
  readonly truth: StatePlanes;
  readonly methods: readonly MethodSnapshot[];
}

/** Where planes are kept: in memory, or on the device where they were computed. */
export interface PlaneStore {
  /** Keeps what the recorder holds now. @param cells of the grid */
  keep(recorder: SnapshotRecorder, cells: number): Promise<DrawnStates>;
  /** Keeps the frames of the latest window; undefined where the recorder has none. */
  keepFrames(recorder: SnapshotRecorder, cells: number): Promise<readonly MovingSurface[] | undefined>;
  /** It is drawn no more. */
  release(kept: Kept): void;
  /** Keeps nothing more. What was kept stays until it is released: a run that continues elsewhere still shows it. */
  close(): void;
}

/** @returns the surfaces of a window, whose planes are where `planeAt` says: of a subject, its frame of that index */
export function surfacesOf(
  { frames, methods }: SnapshotRecorder,
  planeAt: (subject: number, index: number) => Plane,
): readonly MovingSurface[] | undefined {
  return frames?.shares.map((shares, subject) => ({
    method: subject === 0 ? undefined : methods[subject - 1].method,
    frames: shares.map((share, index) => ({ share, eta: planeAt(subject, index) })),
  }));
}

/** @returns a plane of what is kept; all of them are in the same place. Undefined where it has none */
export function firstPlane(kept: Kept): Plane | undefined {
  if ('truth' in kept) return kept.truth.eta;
  return kept.surfaces.flatMap(({ frames }) => frames.map(({ eta }) => eta)).at(0);
}

/** @returns the planes in memory of what is kept, to be given away */
export function hostPlanesOf(kept: Kept): Float32Array[] {
  const planes =
    'truth' in kept
      ? [
          kept.truth.eta,
          ...kept.methods.flatMap(({ forecast, analysis, spread, inflation }) => [
            forecast.eta,
            analysis.eta,
            ...(spread ? [spread] : []),
            ...(typeof inflation === 'object' ? [inflation] : []),
          ]),
        ]
      : kept.surfaces.flatMap(({ frames }) => frames.map(({ eta }) => eta));
  return planes.flatMap((plane) => (plane.kind === 'host' ? [plane.values] : []));
}

const PLANES_OF_A_STATE = 3;

/** Planes in buffers of the backend's device, one for each cycle. */
export function createDevicePlanes(backend: WebGpuBackendHandle): PlaneStore {
  const buffers = createPlaneBuffers(backend.device);
  return {
    async keep({ truthPlanes, methods }, cells) {
      const spreads = methods.filter(({ spread }) => spread !== undefined).length;
      const states = 1 + 2 * methods.length;
      const copies = buffers.begin('run.snapshot', PLANES_OF_A_STATE * states + spreads, cells);
      const stateOf = (field: RealField): StatePlanes => {
        const source = backend.bufferOf(field);
        // A model with one variable has that one for all.
        const last = truthPlanes.length / cells - 1;
        return { eta: copies.add(source, 0), hu: copies.add(source, Math.min(1, last)), hv: copies.add(source, last) };
      };
      const kept = {
        truth: stateOf(truthPlanes),
        methods: methods.map(({ method, forecast, analysis, spread }) => ({
          method,
          forecast: stateOf(forecast),
          analysis: stateOf(analysis),
          spread: spread && copies.add(backend.bufferOf(spread), 0),
        })),
      };
      // What was recorded must be with the device before the copies are.
      backend.submit();
      copies.submit();
      return kept;
    },
    async keepFrames(recorder, cells) {
      const { frames } = recorder;
      if (!frames?.shares.some(({ length }) => length > 0)) return undefined;
      const { shares, count, field } = frames;
      // Of one size for all windows, so that buffers are used again.
      const copies = buffers.begin('run.motion', shares.length * count, cells);
      const source = backend.bufferOf(field);
      const surfaces = surfacesOf(recorder, (subject, index) => copies.add(source, subject * count + index));
      backend.submit();
      copies.submit();
      return surfaces;
    },
    release(kept) {
      const plane = firstPlane(kept);
      if (plane?.kind === 'device') buffers.release(plane);
    },
    close: () => buffers.close(),
  };
}

/** @param values η, hu, hv, one after the other; a model with one variable has that one for all */
export function hostPlanes(values: Float32Array, cells: number): StatePlanes {
  const plane = (wanted: number): Plane => {
    const index = Math.min(wanted, values.length / cells - 1);
    return { kind: 'host', values: values.subarray(index * cells, (index + 1) * cells) };
  };
  return { eta: plane(0), hu: plane(1), hv: plane(2) };
}

/** Planes in memory as float32; a state's three share one array. */
export function createHostPlanes(backend: Backend): PlaneStore {
  const read = (field: RealField): Promise<Float32Array> => backend.readSingle(field);
  const methodOf = async (planes: MethodPlanes, cells: number): Promise<MethodSnapshot> => ({
    method: planes.method,
    forecast: hostPlanes(await read(planes.forecast), cells),
    analysis: hostPlanes(await read(planes.analysis), cells),
    spread: planes.spread && { kind: 'host', values: await read(planes.spread) },
  });
  return {
    async keep({ truthPlanes, methods }, cells) {
      const kept: MethodSnapshot[] = [];
      for (const planes of methods) kept.push(await methodOf(planes, cells));
      return { truth: hostPlanes(await read(truthPlanes), cells), methods: kept };
    },
    async keepFrames(recorder, cells) {
      const { frames } = recorder;
      if (!frames) return undefined;
      const values = await read(frames.field);
      return surfacesOf(recorder, (subject, index) => {
        const first = (subject * frames.count + index) * cells;
        return { kind: 'host', values: values.subarray(first, first + cells) };
      });
    },
    release: () => undefined,
    close: () => undefined,
  };
}
