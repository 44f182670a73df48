/** Real runs on the reference backend, each in a worker of this thread, for tests of pages. */
import { setImmediate as turn } from 'node:timers/promises';
import { createHostPlanes, createReferenceBackend, RunLostError } from '../../../../engine/index.ts';
import type { RunHost, RunStarterPort } from '../../../../engine/index.ts';
import { openRunIn } from '../../../../app/document/run/open-run.ts';
import type { OpenRun } from '../../../../app/document/run/page-run.ts';
import { channelTo } from '../../run/hold.ts';

export interface RealWorker extends RunStarterPort {
  readonly breakDown: (message: string) => void;
  readonly isClosed: boolean;
}

function host(): RunHost {
  const backend = createReferenceBackend();
  return { backend, planes: createHostPlanes(backend), yieldToEventLoop: () => turn() };
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

/** @returns what opens runs, and the workers that it has started, in their order */
export function realRuns(): { readonly openRun: OpenRun; readonly workers: RealWorker[] } {
  const workers: RealWorker[] = [];
  const openRun = openRunIn({
    findAdapter: () => Promise.resolve(undefined),
    openGpu: () => Promise.reject(new Error('there is no GPU here')),
    startWorker() {
      const worker = startWorker();
      workers.push(worker);
      return worker;
    },
  });
  return { openRun, workers };
}
