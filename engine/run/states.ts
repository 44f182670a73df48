/** What there is to draw of a run, as it is reported: the basin, planes of a cycle, what moves between two, and what probes saw. */
import type { DevicePlane } from '../compute/webgpu/planes/index.ts';
import type { SnapshotRecorder } from '../experiment/index.ts';

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

/** @returns a plane of what is kept; all of them lie in the same place. Undefined where it has none */
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
          ...kept.methods.flatMap(({ forecast, analysis, spread }) => [
            forecast.eta,
            analysis.eta,
            ...(spread ? [spread] : []),
          ]),
        ]
      : kept.surfaces.flatMap(({ frames }) => frames.map(({ eta }) => eta));
  return planes.flatMap((plane) => (plane.kind === 'host' ? [plane.values] : []));
}
