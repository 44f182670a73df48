/**
 * Opens a session where it runs best: on the page's GPU, or on the processor in a worker. The session is there at
 * once; it says by its events when it is ready, where it computes and why.
 */
import { BackendError, chooseBackend, openRun, openRunHere } from '../../../engine/index.ts';
import type {
  AdapterSummary,
  Checkpoint,
  GpuDevice,
  Run,
  RunJob,
  RunOptions,
  RunStarterPort,
} from '../../../engine/index.ts';
import { createKnownCeilings } from './known-ceilings.ts';
import type { KnownCeilings } from './known-ceilings.ts';
import { findAdapter, pageGpu } from './page-gpu.ts';
import { pageHost } from './page-host.ts';
import { createReadingLog } from './readings.ts';
import { createSessionEvents, failureOf } from './session-events.ts';
import type { SessionListener } from './session-events.ts';
import type { OpenSession, Session, SessionEvent, SessionInfo } from './session.ts';
import { startWorker } from './start-worker.ts';
import type { ProcessorBackend } from './start-worker.ts';

/** What opening depends on, apart from the scenario. */
export interface SessionSurroundings {
  readonly findAdapter: () => Promise<AdapterSummary | undefined>;
  readonly openGpu: () => Promise<GpuDevice>;
  readonly startWorker: (backend: ProcessorBackend) => RunStarterPort;
}

const BROWSER: SessionSurroundings = { findAdapter: () => findAdapter(), openGpu: () => pageGpu(), startWorker };

/** The backend of the processor that `auto` takes. */
function withoutGpu(): ProcessorBackend {
  return chooseBackend('auto', undefined)?.name === 'wasm' ? 'wasm' : 'reference';
}

/** Opens the run where it computes best. @throws BackendError */
async function openBest(
  { findAdapter, openGpu, startWorker }: SessionSurroundings,
  asked: Parameters<OpenSession>[1]['backend'],
  job: Omit<RunJob, 'ceilings'>,
  known: KnownCeilings,
  writers: RunOptions['writers'],
  listener: SessionListener,
): Promise<Run> {
  const optionsFor = (reason: string, device?: GPUDevice): RunOptions => ({
    observers: [{ states: true, event: createSessionEvents(reason, device, listener) }],
    ...(writers && { writers }),
  });
  const onProcessor = asked === 'reference' || asked === 'wasm';
  const choice = chooseBackend(asked, onProcessor ? undefined : await findAdapter());
  const inWorker = (name: ProcessorBackend, reason: string): Run =>
    openRun(startWorker(name), { ...job, ceilings: known.of(name) ?? 'beside' }, optionsFor(reason));
  if (!choice) throw new BackendError('no WebGPU adapter was found in this window; choose the wasm backend');
  if (choice.name !== 'webgpu') return inWorker(choice.name, choice.reason);
  let gpu: GpuDevice;
  try {
    gpu = await openGpu();
  } catch (error) {
    if (asked === 'webgpu') throw error;
    return inWorker(withoutGpu(), error instanceof Error ? error.message : String(error));
  }
  const ceilings = known.of('webgpu', gpu.adapter.description) ?? 'beside';
  return openRunHere(() => pageHost(gpu), { ...job, ceilings }, optionsFor(choice.reason, gpu.device));
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
    const emit = (event: SessionEvent): void => {
      if (state === 'disposed') return;
      if (event.type === 'ready') place = event.info.backend;
      if (event.type === 'ceilings' && place) known.keep(place, event.ceilings);
      if (event.type === 'failed' || event.type === 'ended') state = 'over';
      listener(event);
    };
    const keep = (taken: Checkpoint): void => {
      last = taken;
      onCheckpoint?.(taken);
    };
    const opening = openBest(
      surroundings,
      backend,
      { scenario, files, source: scenario.name, checkpoint, misfit: 'begin' },
      known,
      [{ schedule: { kind: 'return' }, prepare: 'checkpoint', waits: false, atEnd: false, commit: keep }],
      { event: emit, readings: (readings) => log.add(readings) },
    );
    opening.catch((error: unknown) => emit(failureOf(error)));
    const withRun = (use: (run: Run) => void): void => {
      opening.then(use, () => undefined);
    };

    const go = async (work: (run: Run) => Promise<unknown>): Promise<void> => {
      if (state !== 'running') return turn();
      try {
        await work(await opening);
      } catch {
        // An event has told why.
        await turn();
      }
    };

    const session: Session = {
      step: () => go((run) => run.step()),
      playTo: (cycle) => go((run) => run.play(cycle)),
      probe(cells) {
        log.keepOnly(cells, scenario.grid.nx);
        withRun((run) => run.probe(cells));
      },
      onProbe: (listen) => log.listen(listen),
      async checkpoint() {
        const isOpen = state === 'running' || (state === 'over' && place !== undefined);
        if (!isOpen) throw new Error('the session is not running');
        return (await opening).ask({ kind: 'checkpoint' });
      },
      get lastCheckpoint() {
        return last;
      },
      release: (kept) => withRun((run) => run.release(kept)),
      dispose() {
        if (state === 'disposed') return;
        state = 'disposed';
        withRun((run) => run.dispose());
      },
    };
    return session;
  };
}

/** Opens a session in this page. */
export const openSession: OpenSession = openSessionIn(BROWSER);
