/**
 * Where the engine runs. On the GPU in this thread, since the work is elsewhere and the thread stays free; on the reference
 * backend in a worker, so that Ctrl-C is heard and the progress bar moves while a cycle is being computed.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  AllDivergedError,
  BackendError,
  CaseError,
  DeviceLostError,
  DivergenceError,
  LimitError,
  ScenarioError,
} from '../../../engine/index.ts';
import type { Backend, Checkpoint, Divergence, ExperimentEvent, Scenario } from '../../../engine/index.ts';
import { readScenarioFiles } from '../scenario-source.ts';
import { drive } from './drive.ts';
import type { DriveListener } from './drive.ts';

/** A run as it is handed to a worker: plain data. */
export interface EngineJob {
  readonly scenario: Scenario;
  /** The scenario's file, beside which its other files lie. */
  readonly scenarioPath: string;
  readonly methods?: readonly string[];
  readonly checkpoint?: Checkpoint;
}

export interface EngineHost {
  readonly done: Promise<'complete' | 'stopped'>;
  /** Asks the engine to stop after the cycle it is in. */
  stop(): void;
  /** Gives up the cycle in progress; `done` may never settle after it. */
  abandon(): Promise<void>;
}

/** What a worker says. */
export type WorkerMessage =
  | { readonly type: 'events'; readonly events: readonly ExperimentEvent[] }
  | { readonly type: 'checkpoint'; readonly checkpoint: Checkpoint }
  | { readonly type: 'done'; readonly outcome: 'complete' | 'stopped' }
  | { readonly type: 'failed'; readonly failure: PlainError };

/** An error as it crosses between threads, which keep neither its class nor its fields. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly divergence: Divergence | undefined;
}

export function toPlainError(error: unknown): PlainError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack, divergence: error instanceof DivergenceError ? error.divergence : undefined };
}

const CLASSES: Readonly<Record<string, new (message: string) => Error>> = {
  AllDivergedError,
  BackendError,
  CaseError,
  DeviceLostError,
  LimitError,
};

export function fromPlainError({ name, message, stack, divergence }: PlainError): Error {
  const revive = (): Error => {
    if (divergence) return Object.assign(new DivergenceError(divergence, ''), { message });
    if (name === 'ScenarioError') return new ScenarioError(message.split('\n'));
    const Class = Object.hasOwn(CLASSES, name) ? CLASSES[name] : Error;
    return new Class(message);
  };
  return Object.assign(revive(), { stack });
}

export async function startHere(backend: Backend, job: EngineJob, listener: DriveListener): Promise<EngineHost> {
  const { scenarioPath, ...rest } = job;
  const files = await readScenarioFiles(job.scenario, scenarioPath);
  const stopping = new AbortController();
  let abandoned = false;
  const done = drive(
    backend,
    { ...rest, files },
    {
      event: (event) => {
        if (!abandoned) listener.event(event);
      },
      checkpoint: (checkpoint) => (abandoned ? undefined : listener.checkpoint(checkpoint)),
    },
    stopping.signal,
  );
  return {
    done,
    stop: () => stopping.abort(),
    abandon: () => {
      abandoned = true;
      stopping.abort();
      return Promise.resolve();
    },
  };
}

export function startInWorker(bundleFolder: string, job: EngineJob, listener: DriveListener): EngineHost {
  const worker = new Worker(join(bundleFolder, 'engine-worker.js'), { workerData: job });
  const done = new Promise<'complete' | 'stopped'>((resolve, reject) => {
    let failed: unknown;
    const take = async (message: WorkerMessage): Promise<void> => {
      switch (message.type) {
        case 'events':
          for (const event of message.events) listener.event(event);
          break;
        case 'checkpoint':
          await listener.checkpoint(message.checkpoint);
          worker.postMessage('saved', []);
          break;
        case 'done':
          resolve(message.outcome);
          break;
        case 'failed':
          reject(fromPlainError(message.failure));
          break;
        default:
          message satisfies never;
      }
    };
    worker.on('message', (message: WorkerMessage) => {
      take(message).catch((error: unknown) => {
        failed = error;
        reject(error);
        // It waits for a word that its checkpoint is saved, which does not come any more.
        void worker.terminate();
      });
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(failed ?? new Error('the engine ended before its run did')));
  });
  return {
    done,
    stop: () => worker.postMessage('stop', []),
    abandon: async () => {
      await worker.terminate();
    },
  };
}
