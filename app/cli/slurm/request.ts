/**
 * What a task asks the cluster for: time and memory from the estimates, with margins that are stated here. A task that asks for
 * too little is ended before its time; one that asks for too much waits longer for its turn.
 */
import type { BackendName } from '../../../engine/index.ts';
import { THREADS_OF_ESTIMATE } from '../sweep/estimate.ts';
import type { SlurmOptions } from './options.ts';

/** What the tasks of a sweep have to do, by estimate. */
export interface Workload {
  /** Seconds of the longest chunk, its cases one after the other. */
  readonly chunkSeconds: number;
  /** Seconds of the longest case: more workers do not shorten it. */
  readonly caseSeconds: number;
  /** Bytes of the largest case. */
  readonly caseBytes: number;
}

export interface TaskRequest {
  readonly minutes: number;
  /** Memory of the whole task, MiB. */
  readonly mebibytes: number;
  readonly cpus: number;
  /** Generic resources, as Slurm has them; none where it is empty. */
  readonly gres: string;
}

/** Cores of a task, a worker each. */
export const USUAL_CPUS = 2;
/** The estimate is good to a factor of three, and cores of a cluster may be slower than those it was made for. */
const TIME_MARGIN = 4;
/** Reading the program over a network's file system, planning, starting workers. */
const START_MINUTES = 5;

/** Histories and garbage come on top of the estimate, and cases that share truth and observations run together if there is room. */
const MEMORY_MARGIN = 2;
/** Node with the program and its kernels, of a worker and of the process that gives them their cases. */
const PROCESS_MEBIBYTES = 384;

/** @returns processes of a task that compute: a GPU is one, however many ask it */
export function workersOf(backend: BackendName, cpus: number): number {
  return backend === 'webgpu' ? 1 : cpus;
}

/** @returns seconds that a task takes, by estimate */
export function taskSeconds({ chunkSeconds, caseSeconds }: Workload, backend: BackendName, cpus: number): number {
  const slower = backend === 'wasm' ? THREADS_OF_ESTIMATE : 1;
  return slower * Math.max(caseSeconds, chunkSeconds / workersOf(backend, cpus));
}

/** @param backend where the tasks compute */
export function requestTask(workload: Workload, backend: BackendName, options: SlurmOptions): TaskRequest {
  const cpus = options.cpus ?? USUAL_CPUS;
  const seconds = taskSeconds(workload, backend, cpus);
  const held = workersOf(backend, cpus) * (PROCESS_MEBIBYTES + (MEMORY_MARGIN * workload.caseBytes) / 2 ** 20);
  return {
    minutes: options.minutes ?? START_MINUTES + Math.ceil((TIME_MARGIN * seconds) / 60),
    mebibytes: options.mebibytes ?? Math.ceil(PROCESS_MEBIBYTES + held),
    cpus,
    gres: options.gres ?? (backend === 'webgpu' ? 'gpu:1' : ''),
  };
}

/** @returns `1-02:30:00`, as Slurm has times */
export function timeText(minutes: number): string {
  const days = Math.floor(minutes / 1440);
  const [hours, rest] = [Math.floor(minutes / 60) % 24, minutes % 60].map((value) => String(value).padStart(2, '0'));
  const clock = `${hours}:${rest}:00`;
  return days > 0 ? `${days}-${clock}` : clock;
}
