/** What the process of a sweep and its workers say to each other. All of it is plain data. */
import type { BackendName, CaseSummary, NumbersOrigin, PlannedCase } from '../../../engine/index.ts';

/** The first message to a worker. */
export interface WorkerStart {
  readonly type: 'start';
  readonly backend: BackendName;
  /** Threads of the `wasm` backend; default: as many as the machine has. */
  readonly threads?: number | undefined;
  readonly bundleFolder: string;
  /** Where the folders of cases are. */
  readonly folder: string;
  /** The path of the scenario, beside which its files are. */
  readonly source: string;
  /** Paths of the axes. */
  readonly paths: readonly string[];
  readonly origin: NumbersOrigin;
}

/** Cases that share truth and observations, to be run now. */
interface WorkerJob {
  readonly type: 'job';
  readonly cases: readonly PlannedCase[];
}

export type ToWorker = WorkerStart | WorkerJob;

export type FromWorker =
  | { readonly type: 'ready' }
  /** What came of the cases of the job, whose folders are written. */
  | { readonly type: 'done'; readonly results: readonly CaseSummary[] }
  /** No case can be run, or none can be written, for a reason that is not the case's. */
  | { readonly type: 'broken'; readonly error: BrokenWorker };

/** Why a worker cannot continue, as the parent reports it. */
export interface BrokenWorker {
  readonly kind: 'backend' | 'write' | 'other';
  readonly message: string;
  /** Path of what could not be written. */
  readonly path?: string | undefined;
}
