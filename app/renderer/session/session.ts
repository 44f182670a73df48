/**
 * A running experiment as the interface sees it. The engine works elsewhere (in a worker, or on the GPU of this page); what
 * comes over is events, and one snapshot of the fields for each stored cycle. Nothing here reaches into the engine's state.
 */
import type {
  BackendName,
  Ceilings,
  Checkpoint,
  CycleDiagnostics,
  ExperimentEvent,
  KernelSample,
  MethodDivergence,
  MethodSummary,
  Scenario,
} from '../../../engine/index.ts';

/** A plane of numbers, [y][x], dense, in memory. */
export interface HostPlane {
  readonly kind: 'host';
  readonly values: Float32Array;
}

/** A plane in a buffer of the page's GPU device (`pageGpu`), from a byte offset that is a multiple of 256. */
export interface DevicePlane {
  readonly kind: 'device';
  readonly buffer: GPUBuffer;
  readonly byteOffset: number;
  /** Numbers of the plane. */
  readonly cells: number;
  /** Shared by the planes of a snapshot; `over` when it was released: the buffer then holds something else, or is no more. */
  readonly lease: { readonly over: boolean };
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
}

/** Observations of a cycle; places in grid units. */
export interface SnapshotObservations {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly variable: readonly string[];
  readonly network: Uint16Array;
  readonly values: Float64Array;
  /** 1/σₒ, 0 where missing. */
  readonly inverseDeviation: Float64Array;
  /** y − mean H(x) by method label; 0 where it is not used. */
  readonly innovations: Readonly<Record<string, Float64Array>>;
}

/** All there is to draw of a stored cycle. */
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

/** What a session keeps of a cycle until it is released. */
export type Kept = Snapshot | Motion;

/** The basin, fixed for a session. */
export interface BasinInfo {
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

export interface SessionInfo {
  readonly scenario: Scenario;
  readonly basin: BasinInfo;
  readonly methods: readonly MethodSummary[];
  readonly cycles: number;
  readonly backend: { readonly name: BackendName; readonly adapter: string; readonly reason: string };
  readonly memoryBytes: number;
  /** The device of `device` planes; undefined where planes are in memory. */
  readonly device: GPUDevice | undefined;
}

/** Members at a pinned point, over the stored cycles: for the time series of a probe. */
export interface ProbeReading {
  readonly cycle: number;
  readonly timeSeconds: number;
  /** Of surface elevation η, m. */
  readonly truth: number;
  /** By method label. `members` is the ensemble's analysis at the point. */
  readonly methods: Readonly<
    Record<string, { readonly forecast: number; readonly analysis: number; readonly members: Float32Array }>
  >;
}

export type SessionEvent =
  | { readonly type: 'ready'; readonly info: SessionInfo; readonly snapshot: Snapshot }
  | {
      readonly type: 'cycle';
      readonly snapshot: Snapshot;
      /** Undefined where the basin is too large for frames. */
      readonly motion: Motion | undefined;
      readonly diagnostics: readonly CycleDiagnostics[];
    }
  | { readonly type: 'kernels'; readonly cycle: number; readonly samples: readonly KernelSample[] }
  /** What this machine can do at most: once, after the first cycles, or at once where this page measured it before. */
  | { readonly type: 'ceilings'; readonly ceilings: Ceilings }
  | { readonly type: 'warning'; readonly message: string }
  /** A method is left out from now on; the others go on. */
  | { readonly type: 'diverged'; readonly divergence: MethodDivergence }
  | { readonly type: 'ended'; readonly cycles: number }
  /** The run cannot go on. Stored cycles stay; `recoverable` says that `restart` from the last checkpoint may help. */
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly recoverable: boolean;
      /** The truth or the last of the methods left what the model can represent. */
      readonly diverged?: true;
    };

/** Drives one experiment. */
export interface Session {
  /**
   * Runs one cycle; resolves when its snapshot was delivered. Calls queue up. It never rejects: what goes wrong is the event
   * `failed`, and a session that has failed, ended or been disposed of does nothing and resolves a little later.
   */
  step(): Promise<void>;
  /** Grid cells whose members are recorded from now on, at most `MAXIMUM_PROBES`; readings of other cells are forgotten. */
  probe(cells: readonly { readonly x: number; readonly y: number }[]): void;
  /** Called after a cycle for each probed cell (index y·nx + x) with all of its readings so far, oldest first. */
  onProbe(listener: (cell: number, readings: readonly ProbeReading[]) => void): () => void;
  /** The engine's checkpoint, for saving a run and for recovery. Rejects when the session is not running. */
  checkpoint(): Promise<Checkpoint>;
  /** The checkpoint that was taken last without asking, some seconds old: where a run goes on after its device was lost. */
  readonly lastCheckpoint: Checkpoint | undefined;
  /**
   * A snapshot or a motion of this session is drawn no more: buffers that hold its planes may be used again. What is not
   * released stays as it is when the session is disposed of.
   */
  release(kept: Kept): void;
  dispose(): void;
}

/** Opens a session; events come through the listener, the first of them `ready` or `failed`. */
export type OpenSession = (
  scenario: Scenario,
  options: {
    readonly backend: 'auto' | 'webgpu' | 'reference';
    readonly files: Readonly<Record<string, Uint8Array>>;
    readonly listener: (event: SessionEvent) => void;
    /** Where to go on. One of another scenario or backend is not used, and a warning says so. */
    readonly checkpoint?: Checkpoint;
    /** Called every few seconds with a checkpoint, while the run goes on. */
    readonly onCheckpoint?: (checkpoint: Checkpoint) => void;
  },
) => Session;

export type { Checkpoint, CycleDiagnostics, ExperimentEvent };
