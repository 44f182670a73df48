/** The page's side of a session in a worker. */
import type { Ceilings, Checkpoint, Scenario } from '../../../engine/index.ts';
import type { CellReading } from './engine-session.ts';
import type { SessionEvent } from './session.ts';
import type { FromWorker, Port, ToWorker } from './worker-protocol.ts';

/** What drives an experiment somewhere; `openSession` makes a session of it. */
export interface Driver {
  step(): Promise<void>;
  probe(cells: readonly { readonly x: number; readonly y: number }[]): void;
  checkpoint(): Promise<Checkpoint>;
  dispose(): void;
}

export interface DriverListener {
  readonly event: (event: SessionEvent) => void;
  readonly readings: (readings: readonly CellReading[]) => void;
  readonly checkpoint: (checkpoint: Checkpoint) => void;
}

export interface DriverJob {
  readonly scenario: Scenario;
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly checkpoint: Checkpoint | undefined;
  readonly reason: string;
  /** What the machine can do at most, where this page knows it. */
  readonly ceilings: Ceilings | undefined;
}

/** A worker, as far as it is used; `onFailure` is called when it breaks down without saying why itself. */
export interface SessionWorker extends Port<FromWorker, ToWorker> {
  onFailure(listener: (message: string) => void): void;
  terminate(): void;
}

interface Waiting {
  readonly resolve: (checkpoint: Checkpoint | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** Opens an experiment in a worker; events come through the listener. */
export function openInWorker(worker: SessionWorker, job: DriverJob, listener: DriverListener): Driver {
  const waiting = new Map<number, Waiting>();
  let nextCall = 0;
  let over = false;

  const close = (): void => {
    over = true;
    for (const { resolve } of waiting.values()) resolve(undefined);
    waiting.clear();
  };
  const ask = (type: 'step' | 'checkpoint'): Promise<Checkpoint | undefined> => {
    if (over) return Promise.resolve(undefined);
    const call = nextCall++;
    return new Promise((resolve, reject) => {
      waiting.set(call, { resolve, reject });
      worker.post({ type, call }, []);
    });
  };
  worker.listen((message) => {
    if (over) return;
    switch (message.type) {
      case 'event':
        listener.event(message.event);
        break;
      case 'readings':
        listener.readings(message.readings);
        break;
      case 'checkpoint':
        listener.checkpoint(message.checkpoint);
        break;
      case 'answer': {
        const call = waiting.get(message.call);
        waiting.delete(message.call);
        if (message.failure === undefined) call?.resolve(message.checkpoint);
        else call?.reject(new Error(message.failure));
        break;
      }
      default:
        message satisfies never;
    }
  });
  worker.onFailure((message) => {
    if (over) return;
    close();
    listener.event({ type: 'failed', message: `The worker that computes broke down: ${message}`, recoverable: true });
  });
  worker.post({ type: 'open', ...job }, []);

  return {
    async step() {
      await ask('step');
    },
    probe(cells) {
      if (!over) worker.post({ type: 'probe', cells }, []);
    },
    async checkpoint() {
      const checkpoint = await ask('checkpoint');
      if (!checkpoint) throw new Error('the session is not running');
      return checkpoint;
    },
    dispose() {
      if (over) return;
      close();
      worker.terminate();
    },
  };
}

/** The browser's module worker with the reference backend. */
export function startWorker(): SessionWorker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'shoal engine' });
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    listen: (listener) => worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => listener(data)),
    onFailure: (listener) => {
      worker.addEventListener('error', ({ message }) => listener(message || 'its script could not be loaded'));
      worker.addEventListener('messageerror', () => listener('a message could not be read'));
    },
    terminate: () => worker.terminate(),
  };
}
