/**
 * What a backend is: it owns fields, prepares operators and runs them in order. Methods, models and the experiment are
 * written once against this contract and never ask which backend they run on.
 *
 * Work is queued by `Prepared.run` and carried out in that order; only `read`, `settle` and `collect` wait for it. Numbers that
 * the host wants to know are staged as they come up and collected together, so that a cycle waits once. Indices are unsigned
 * 32-bit everywhere; reals are float64 in `reference` and float32 on the accelerated backends.
 */
import type { ElementKind, Field, FieldKinds, FieldsOf, HostArray, RealField, ArraysOf } from './field.ts';
import type { BackendTuning } from './variants.ts';
import type { WasmOperator } from './wasm/program.ts';
import type { WebGpuOperator } from './webgpu/program.ts';

/** What a backend on its machine can do at most, measured in the process that runs the kernels. */
export interface Ceilings {
  /** Bytes read and written by a copy larger than most caches, 10⁹ a second. */
  readonly copyGigabytesPerSecond: number;
  /** Floating-point operations, 10⁹ a second; a multiply-add is two. */
  readonly fmaGigaflopsPerSecond: number;
  /** What the clock says of a run that does next to nothing: no kernel is seen to be quicker. */
  readonly dispatchMicroseconds: number;
  /** How kernels are timed: by timestamps on the device, or by the wall clock of the host. */
  readonly clock: 'device' | 'wall';
  /** The step in which that clock continues. */
  readonly tickMicroseconds: number;
}

/** Bytes moved to and from main memory, and floating-point operations, of one run; counted by formula, never measured. */
export interface Cost {
  readonly bytes: number;
  readonly flops: number;
}

/** An operator's implementations by backend; all but the reference are loaded when first used. */
interface Implementations<Parameters, Kinds extends FieldKinds> {
  /**
   * The specification: plain code that reads like the formula, prepared once (tables, work space) and then run on arrays of
   * either precision. A backend that keeps its fields in main memory runs it on them.
   */
  readonly reference: (parameters: Parameters) => (arrays: ArraysOf<Kinds>) => void;
  readonly webgpu?: () => Promise<WebGpuOperator<Parameters, Kinds>>;
  /** If omitted, the reference form runs on that backend's memory. */
  readonly wasm?: () => Promise<WasmOperator<Parameters, Kinds>>;
}

/** One operator of the mathematics with all its implementations. */
export interface Operator<Parameters, Kinds extends FieldKinds> {
  readonly name: string;
  readonly fields: Kinds;
  /** @param elementBytes size of a real on the backend: 8 or 4 */
  cost(parameters: Parameters, elementBytes: number): Cost;
  readonly implementations: Implementations<Parameters, Kinds>;
}

export type * from './field.ts';

export type * from './variants.ts';

/** An operator with its parameters fixed, its pipelines compiled and its work space allocated. */
export interface Prepared<Kinds extends FieldKinds> {
  /** Queues one run. Throws if a field is disposed or of another backend. */
  run(fields: FieldsOf<Kinds>): void;
  dispose(): void;
}

/** One run of an operator, as timed. `clock` says how: on the device, or by the wall clock of the host. */
export interface KernelSample {
  readonly name: string;
  /**
   * When it began, milliseconds of the host's `performance.now()`: by the device's clock, laid over the host's as well as can be
   * known (`clockErrorMicroseconds`), or by the host's own.
   */
  readonly begin: number;
  readonly microseconds: number;
  readonly clock: 'device' | 'wall';
  readonly bytes: number;
  readonly flops: number;
  /** Invocations along x, y, z in a workgroup of the run's first kernel; undefined if there are none. */
  readonly workgroup?: readonly number[];
}

/** The backends, by what computes: this language, SIMD on the processor, a GPU. */
export type BackendName = 'reference' | 'wasm' | 'webgpu';

/** What a backend has done since it was made. */
export interface BackendCounts {
  /** How often the host had to wait for the device: once for each read, settle, and collect of something staged. */
  readonly waits: number;
  /** Packages of recorded work that were handed to the device. */
  readonly submissions: number;
  /** Kernels that were started; on a backend without kernels, runs of operators. */
  readonly dispatches: number;
}

/** What has gone between the host's memory and the device's since a backend was made; nothing where they are the same. */
export interface BackendTraffic {
  /** Writes by the host, and their bytes. */
  readonly uploads: number;
  readonly uploadedBytes: number;
  /** Pieces that were read or staged for the host, and their bytes. */
  readonly readbacks: number;
  readonly readBytes: number;
}

/** What the host did for the device, or did not do because of it. Times are milliseconds of `performance.now()`. */
export interface HostActivity {
  readonly kind: 'wait' | 'upload' | 'readback' | 'submission';
  readonly begin: number;
  readonly milliseconds: number;
  /** Bytes that were moved; 0 if none were. */
  readonly bytes: number;
}

/** Owns fields, prepares operators and runs them in order, on a processor or a device. */
export interface Backend {
  readonly name: BackendName;
  /** What carries it out, for people: the adapter's description, or the JavaScript engine. */
  readonly adapter: string;
  readonly precision: 'float64' | 'float32';
  /** Threads of the processor that compute; undefined where that is up to a device. The numbers do not depend on them. */
  readonly threads: number | undefined;
  /** Size of a real in bytes. */
  readonly elementBytes: 8 | 4;
  /** The largest field, in bytes. */
  readonly limits: { readonly fieldBytes: number };
  readonly counts: BackendCounts;
  readonly traffic: BackendTraffic;
  /** By how much the times at which kernels began may be off, at most; 0 where the host's own clock took them. */
  readonly clockErrorMicroseconds: number;
  /** Which variants of its kernels it prepares; undefined where each has one form. The numbers do not depend on it. */
  readonly tuning?: BackendTuning | undefined;
  /**
   * Whether a run is done when it is queued. To look at a result is then free, and whoever continues until something is reached
   * looks after each part instead of guessing how many are needed.
   */
  readonly immediate: boolean;
  /** What it costs to time one run, and to keep what was found, while somebody listens to `onKernel`, about, microseconds. */
  readonly timingMicroseconds: number;

  /**
   * @param spare elements that are asked for behind the field's own; a backend in main memory gives none
   * @throws LimitError when the field is larger than the backend can hold
   */
  allocate<Kind extends ElementKind>(label: string, kind: Kind, length: number, spare?: number): Field<Kind>;
  /** Writes `values` from element `offset` on, after all work queued so far. */
  write<Kind extends ElementKind>(field: Field<Kind>, values: ArrayLike<number>, offset?: number): void;
  /** Waits for the queued work and returns a copy of elements `offset … offset + length`. @throws DeviceLostError */
  read<Kind extends ElementKind>(field: Field<Kind>, offset?: number, length?: number): Promise<HostArray<Kind>>;
  /** As `read`, in single precision: what is drawn needs no more, and is copied once where that is the backend's own. */
  readSingle(field: RealField, offset?: number, length?: number): Promise<Float32Array>;
  /**
   * Queues a copy of elements `offset … offset + length` for the host. It arrives with the `collect` that follows, or with
   * whatever waits for the device before; it rejects with that. A rejection that nobody has asked for is no fault of its own.
   */
  stage<Kind extends ElementKind>(field: Field<Kind>, offset?: number, length?: number): Promise<HostArray<Kind>>;
  /** Waits until all that was staged before this call has arrived. More may be queued and staged meanwhile. @throws DeviceLostError */
  collect(): Promise<void>;
  /**
   * Queues a look at the clock. It arrives as what is staged does: the time at which the device had done all that was queued
   * before, milliseconds from any origin.
   */
  mark(): Promise<number>;
  /** Hands over what is queued, so that the device works while more is queued. */
  submit(): void;
  /** Queues a copy of `length` elements between fields of one kind. */
  copy<Kind extends ElementKind>(
    source: Field<Kind>,
    target: Field<Kind>,
    options?: { readonly sourceOffset?: number; readonly targetOffset?: number; readonly length?: number },
  ): void;
  /** Compiles an operator for these parameters. Repeated preparations share their pipelines. */
  prepare<Parameters, Kinds extends FieldKinds>(
    operator: Operator<Parameters, Kinds>,
    parameters: Parameters,
  ): Promise<Prepared<Kinds>>;
  /** Waits until all queued work is done; throws the first error of it. */
  settle(): Promise<void>;
  /**
   * Called for each run that is queued from now on until it is stopped, when its time is known: at the latest with the
   * `collect` or `settle` after it. Nothing is timed while nobody listens; what is timed may take longer.
   *
   * @returns the way to stop
   */
  onKernel(listener: (sample: KernelSample) => void): () => void;
  /** Called for all that the host does for a device, when it is over. @returns the way to stop */
  onActivity(listener: (activity: HostActivity) => void): () => void;
  /** Frees everything; any use afterwards throws. */
  dispose(): void;
}
