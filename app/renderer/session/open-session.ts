/**
 * Opens a session where it runs best: on the page's GPU, or on the reference backend in a worker. The session is there at
 * once; it says by its events when it is ready, where it computes and why.
 */

import type { AdapterSummary, Checkpoint, GpuDevice } from '../../../engine/index.ts';
import { createKnownCeilings } from './ceiling-measurement.ts';
import type { KnownCeilings } from './ceiling-measurement.ts';
import { chooseBackend } from './choose-backend.ts';
import { failureOf } from './engine-session.ts';
import { findAdapter, pageGpu } from './page-gpu.ts';
import { openInPage } from './page-session.ts';
import type { PageDriver } from './page-session.ts';
import { createReadingLog } from './readings.ts';
import type { Kept, OpenSession, Session, SessionEvent, SessionInfo } from './session.ts';
import { openInWorker, startWorker } from './worker-session.ts';
import type { Driver, DriverJob, DriverListener, SessionWorker } from './worker-session.ts';

/** What opening depends on, apart from the scenario. */
export interface SessionSurroundings {
  readonly findAdapter: () => Promise<AdapterSummary | undefined>;
  readonly openGpu: () => Promise<GpuDevice>;
  readonly startWorker: () => SessionWorker;
}

const BROWSER: SessionSurroundings = { findAdapter: () => findAdapter(), openGpu: () => pageGpu(), startWorker };

async function openDriver(
  { findAdapter, openGpu, startWorker }: SessionSurroundings,
  asked: Parameters<OpenSession>[1]['backend'],
  job: Omit<DriverJob, 'reason' | 'ceilings'>,
  listener: DriverListener,
  known: KnownCeilings,
): Promise<Driver | PageDriver> {
  const inWorker = (reason: string): Driver =>
    openInWorker(startWorker(), { ...job, reason, ceilings: known.of('reference') }, listener);
  const choice = chooseBackend(asked, asked === 'reference' ? undefined : await findAdapter());
  if (choice.name === 'reference') return inWorker(choice.reason);
  let gpu: GpuDevice;
  try {
    gpu = await openGpu();
  } catch (error) {
    if (asked === 'webgpu') throw error;
    return inWorker(error instanceof Error ? error.message : String(error));
  }
  const ceilings = known.of('webgpu', gpu.adapter.description);
  return openInPage(gpu, { ...job, reason: choice.reason, ceilings }, listener);
}

/** A turn of the page: whoever calls `step` in a loop does not lock it. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** `openSession` with other surroundings, for tests. */
export function openSessionIn(surroundings: SessionSurroundings): OpenSession {
  const known = createKnownCeilings();
  return (scenario, { backend, files, listener, checkpoint, onCheckpoint }) => {
    const log = createReadingLog();
    let last: Checkpoint | undefined;
    let state: 'running' | 'over' | 'disposed' = 'running';
    let place: SessionInfo['backend'] | undefined;
    const tell = (event: SessionEvent): void => {
      if (event.type === 'ready') place = event.info.backend;
      if (event.type === 'ceilings' && place) known.keep(place, event.ceilings);
      if (state === 'disposed') {
        // Nobody will draw what comes this late.
        if (event.type === 'ready' || event.type === 'cycle') release(event.snapshot);
        if (event.type === 'cycle' && event.motion) release(event.motion);
        return;
      }
      if (event.type === 'failed' || event.type === 'ended') state = 'over';
      listener(event);
    };
    const keep = (taken: Checkpoint): void => {
      last = taken;
      onCheckpoint?.(taken);
    };
    const driver = openDriver(
      surroundings,
      backend,
      { scenario, files, checkpoint },
      { event: tell, readings: (readings) => log.add(readings), checkpoint: keep },
      known,
    );
    driver.catch((error: unknown) => tell(failureOf(error)));
    const release = (kept: Kept): void =>
      withDriver((opened) => {
        if ('release' in opened) opened.release(kept);
      });
    const withDriver = (use: (driver: Driver | PageDriver) => void): void => {
      driver.then(use, () => undefined);
    };

    const session: Session = {
      async step() {
        if (state !== 'running') return turn();
        try {
          await (await driver).step();
        } catch (error) {
          tell(failureOf(error));
          await turn();
        }
      },
      probe(cells) {
        log.keepOnly(cells, scenario.grid.nx);
        withDriver((opened) => opened.probe(cells));
      },
      onProbe: (listen) => log.listen(listen),
      async checkpoint() {
        if (state === 'disposed') throw new Error('the session is not running');
        return (await driver).checkpoint();
      },
      get lastCheckpoint() {
        return last;
      },
      release,
      dispose() {
        if (state === 'disposed') return;
        state = 'disposed';
        withDriver((opened) => opened.dispose());
      },
    };
    return session;
  };
}

/** Opens a session in this page. */
export const openSession: OpenSession = openSessionIn(BROWSER);
