/**
 * Opens a session where it runs best: on the page's GPU, or on the processor in a worker. The session is there at
 * once; it says by its events when it is ready, where it computes and why.
 */
import {
  BackendError,
  LimitError,
  ScenarioError,
  chooseBackend,
  cyclesOf,
  openRun,
  openRunHere,
} from '../../../engine/index.ts';
import type {
  AdapterSummary,
  AnswerTo,
  Checkpoint,
  DrawThreads,
  GpuDevice,
  OpenHdf5,
  Question,
  Run,
  RunJob,
  RunObserver,
  RunOptions,
  RunStarterPort,
} from '../../../engine/index.ts';
import { copyCheckpoint } from './copy-checkpoint.ts';
import { createKnownCeilings } from './known-ceilings.ts';
import type { KnownCeilings } from './known-ceilings.ts';
import { pageHost } from './page-host.ts';
import { createReadingLog } from './readings.ts';
import { createSessionEvents, failureOf } from './session-events.ts';
import type { SessionListener } from './session-events.ts';
import type { OpenSession, Session, SessionEvent, SessionInfo } from './session.ts';
import type { ProcessorBackend } from './start-worker.ts';

/** What opening depends on, apart from the scenario. */
export interface SessionSurroundings {
  readonly findAdapter: () => Promise<AdapterSummary | undefined>;
  readonly openGpu: () => Promise<GpuDevice>;
  readonly startWorker: (backend: ProcessorBackend) => RunStarterPort;
  /** Workers that draw the states of runs on the page's GPU; they are drawn in the page where there are none. */
  readonly drawThreads?: DrawThreads;
  /** Reads the NetCDF-4 files of runs on the page's GPU; they are refused where it is missing. */
  readonly openHdf5?: OpenHdf5;
}

/** The backend of the processor that `auto` takes. */
function withoutGpu(): ProcessorBackend {
  return chooseBackend('auto', undefined)?.name === 'wasm' ? 'wasm' : 'reference';
}

/** Opens the run where it computes best. @throws BackendError */
async function openBest(
  { findAdapter, openGpu, startWorker, drawThreads, openHdf5 }: SessionSurroundings,
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
  const inWorker = async (name: ProcessorBackend, reason: string): Promise<Run> => {
    // Whoever keeps the checkpoint goes back to it again.
    const checkpoint = job.checkpoint && (await copyCheckpoint(job.checkpoint, turn));
    const ceilings = known.of(name) ?? 'beside';
    return openRun(
      startWorker(name),
      { ...job, ...(checkpoint && { checkpoint }), ceilings },
      { ...optionsFor(reason), givesCheckpoint: true },
    );
  };
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
  return openRunHere(
    () => pageHost(gpu, drawThreads, openHdf5),
    { ...job, ceilings },
    optionsFor(choice.reason, gpu.device),
  );
}

/** Wants to ask, and to hear nothing. */
const ASKING: RunObserver = { forecasts: true, event: () => undefined };

/** A turn of the page: whoever calls `step` in a loop does not lock it. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** @returns opens sessions in those surroundings; what it learns of the machine is known to all of them */
export function openSessionIn(surroundings: SessionSurroundings): OpenSession {
  const known = createKnownCeilings();
  return (begun, { backend, files, listener, checkpoint, onCheckpoint }) => {
    const log = createReadingLog();
    let scenario = begun;
    let last: Checkpoint | undefined;
    let state: 'running' | 'ended' | 'failed' | 'disposed' = 'running';
    /** Of a run that has ended. */
    let cycles = 0;
    let place: SessionInfo['backend'] | undefined;
    const emit = (event: SessionEvent): void => {
      if (state === 'disposed') return;
      if (event.type === 'ready') place = event.info.backend;
      if (event.type === 'ceilings' && place) known.keep(place, event.ceilings);
      if (event.type === 'ended') ({ cycles } = event);
      if (event.type === 'failed' || event.type === 'ended') state = event.type;
      listener(event);
    };
    const keep = (taken: Checkpoint): void => {
      last = taken;
      onCheckpoint?.(taken, scenario);
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

    /** Ends the wish for forecasts. */
    let forgo: (() => void) | undefined;
    const ask = async <const Asked extends Question>(question: Asked): Promise<AnswerTo<Asked>> => {
      const isOpen = state === 'running' || (state !== 'disposed' && place !== undefined);
      if (!isOpen) throw new Error('the session is not running');
      return (await opening).ask(question);
    };

    const session: Session = {
      step: () => go((run) => run.step()),
      playTo: (cycle) => go((run) => run.play(cycle)),
      async edit(next) {
        if (state !== 'running' && state !== 'ended') return turn();
        const before = scenario;
        scenario = next;
        try {
          await (await opening).edit(next);
          // A run that is at its end goes on where it was made longer.
          if (state === 'ended' && cyclesOf(next) > cycles) state = 'running';
        } catch (error) {
          // Refused, it goes on as it was; of all else it says that it has failed.
          if (error instanceof ScenarioError || error instanceof LimitError) {
            scenario = before;
            throw error;
          }
          await turn();
        }
        return undefined;
      },
      probe(cells) {
        log.keepOnly(cells, scenario.grid.nx);
        withRun((run) => run.probe(cells));
      },
      onProbe: (listen) => log.listen(listen),
      ask,
      keepForecasts(wanted) {
        withRun((run) => {
          forgo?.();
          forgo = wanted ? run.observe(ASKING) : undefined;
        });
      },
      checkpoint: () => ask({ kind: 'checkpoint' }),
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
