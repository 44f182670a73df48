/**
 * The thread in which a run computes on the processor. It is started as soon as it is known that the processor computes, before this
 * thread loads what reads a scenario: it loads the engine meanwhile.
 */
import type { BackendName, RunStarterPort } from '../../../engine/index.ts';
import type { BackendPlace } from '../open-backend.ts';
import type { Selection } from '../select-backend.ts';
import { startThread } from '../thread.ts';

/** What `engine-worker.ts` is started with. */
export interface EngineWorkerData {
  readonly name: BackendName;
  readonly place: BackendPlace;
}

export function startEngineThread(name: BackendName, place: BackendPlace): RunStarterPort {
  const data: EngineWorkerData = { name, place };
  return startThread(place.bundleFolder, 'engine-worker.js', data);
}

/** The thread of a run that is to come. */
export interface EarlyThread {
  /** @returns it, once, if it computes on such a backend */
  take(name: BackendName): RunStarterPort | undefined;
  /** Ends it if it was not taken. */
  close(): void;
}

/** Starts the thread of a run as soon as it is known that the processor computes, while other things are done. */
export function startEarly(selecting: Promise<Selection>, place: BackendPlace): EarlyThread {
  let thread: { readonly name: BackendName; readonly port: RunStarterPort } | undefined;
  let closed = false;
  const start = (selection: Selection): void => {
    if (closed || selection.kind !== 'here' || selection.name === 'webgpu') return;
    const { name } = selection;
    thread = { name, port: startEngineThread(name, place) };
  };
  selecting.then(start, () => undefined);
  return {
    take(name) {
      if (thread?.name !== name) return undefined;
      const { port } = thread;
      thread = undefined;
      return port;
    },
    close() {
      closed = true;
      thread?.port.close();
      thread = undefined;
    },
  };
}
