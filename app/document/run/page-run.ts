/** The engine's run as the page holds it, on screen or beside it, wherever it computes. */
import type { Backend, BackendChoice, PlaneStore, Run, RunInfo, RunJob, RunOptions } from '../../../engine/index.ts';

export interface PageRunInfo extends RunInfo {
  /** With the reason, for people, why it is this one. */
  readonly backend: RunInfo['backend'] & { readonly reason: string };
  /** The device of `device` planes (`createPageGpu`); undefined where planes are in memory. */
  readonly device: GPUDevice | undefined;
}

/** The engine's run; its events report how its opening ends. */
export interface PageRun extends Omit<Run, 'ready' | 'ring' | 'fork'> {
  /** @returns what the run says of itself when it is ready, with where it computes */
  placed(info: RunInfo): PageRunInfo;
}

export interface OpenRunOptions extends Pick<RunOptions, 'observers' | 'writers'> {
  /** Keeps the planes of a run on the page's GPU: on it, to be drawn, if omitted. */
  readonly planesOf?: (backend: Backend) => PlaneStore;
}

export type OpenRun = (backend: BackendChoice, job: RunJob, options: OpenRunOptions) => PageRun;
