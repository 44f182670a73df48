/**
 * Starts the worker in which the processor computes a run. It imports nothing, so that the page can start the first worker before
 * its own modules are there: both load at once.
 */

/** Name of the backend that a worker opens: one of those that are not of the page's GPU. */
type WorkerBackend = 'wasm' | 'reference';

function startRunWorker(backend: WorkerBackend): Worker {
  return new Worker(new URL('./run-worker.ts', import.meta.url), { type: 'module', name: backend });
}

export interface RunWorkers {
  /** @returns a worker that opens this backend: the one that was started first, if nobody has it and it has not failed */
  take(backend: WorkerBackend): Worker;
  /** Ends the first worker if nobody has it: nothing will be computed on the processor. */
  end(): void;
}

/** Starts a worker for the first run, which opens `wasm` when it is asked to. */
export function createRunWorkers(): RunWorkers {
  let first: Worker | undefined = startRunWorker('wasm');
  const end = (): void => {
    first?.terminate();
    first = undefined;
  };
  // Whoever takes it later would not be notified any more.
  first.addEventListener('error', end, { once: true });
  return {
    take(backend) {
      const taken = backend === 'wasm' ? first : undefined;
      if (taken) {
        taken.removeEventListener('error', end);
        first = undefined;
      } else end();
      return taken ?? startRunWorker(backend);
    },
    end,
  };
}
