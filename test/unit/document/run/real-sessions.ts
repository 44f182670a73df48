/** Sessions of real runs on the reference backend, each in a worker of this thread, for tests of pages. */
import { setImmediate as turn } from 'node:timers/promises';
import { createHostPlanes, createReferenceBackend, RunLostError } from '../../../../engine/index.ts';
import type { RunHost, RunStarterPort } from '../../../../engine/index.ts';
import { openSessionIn } from '../../../../app/document/session/open-session.ts';
import type { OpenSession } from '../../../../app/document/session/session.ts';
import { channelTo } from '../../run/hold.ts';

export interface RealWorker extends RunStarterPort {
  readonly breakDown: (message: string) => void;
  readonly isClosed: boolean;
}

function host(): RunHost {
  const backend = createReferenceBackend();
  return { backend, planes: createHostPlanes(backend), breathe: () => turn() };
}

/** A worker in this thread, with a real channel to it. */
function startWorker(): RealWorker {
  const line = channelTo(host);
  let fail: ((error: Error) => void) | undefined;
  let isClosed = false;
  return {
    ...line,
    onFailure: (listener) => {
      fail = listener;
    },
    close() {
      isClosed = true;
      line.close();
    },
    breakDown: (message) => fail?.(new RunLostError(message)),
    get isClosed() {
      return isClosed;
    },
  };
}

/** @returns what opens sessions, and the workers that it has started, in their order */
export function realSessions(): { readonly openSession: OpenSession; readonly workers: RealWorker[] } {
  const workers: RealWorker[] = [];
  const openSession = openSessionIn({
    findAdapter: () => Promise.resolve(undefined),
    openGpu: () => Promise.reject(new Error('there is no GPU here')),
    startWorker() {
      const worker = startWorker();
      workers.push(worker);
      return worker;
    },
  });
  return { openSession, workers };
}
