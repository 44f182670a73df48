/**
 * Opens a run where it computes best: on the page's GPU, or on the processor in a worker. The run is there at once: what is asked
 * of it waits until it is known where it computes, and its events report the result.
 */
import { BackendError, chooseBackend, errorOf, openRun, openRunHere } from '../../../engine/index.ts';
import type {
  AdapterSummary,
  BackendChoice,
  Ceilings,
  DrawThreads,
  GpuDevice,
  OpenHdf5,
  Run,
  RunInfo,
  RunJob,
  RunObserver,
  RunStarterPort,
} from '../../../engine/index.ts';
import { pageHost } from '../compute/page-host.ts';
import type { ProcessorBackend } from '../compute/workers.ts';
import { copyCheckpoint } from './copy-checkpoint.ts';
import type { OpenRun, OpenRunOptions } from './page-run.ts';

/** What opening depends on, apart from the scenario. */
export interface RunSurroundings {
  readonly findAdapter: () => Promise<AdapterSummary | undefined>;
  readonly openGpu: () => Promise<GpuDevice>;
  readonly startWorker: (backend: ProcessorBackend) => RunStarterPort;
  /** Workers that draw the states of runs on the page's GPU; they are drawn in the page if there are none. */
  readonly drawThreads?: DrawThreads;
  /** Reads the NetCDF-4 files of runs on the page's GPU; they are refused where it is missing. */
  readonly openHdf5?: OpenHdf5;
}

/** What was measured in this page's life: a backend of the processor has one machine, a GPU is identified by its adapter. */
export interface KnownCeilings {
  of(backend: string, adapter?: string): Ceilings | undefined;
  keep(place: { readonly name: string; readonly adapter: string }, ceilings: Ceilings): void;
}

function keyOf(backend: string, adapter: string): string {
  return backend === 'webgpu' ? `${backend} ${adapter}` : backend;
}

export function createKnownCeilings(): KnownCeilings {
  const known = new Map<string, Ceilings>();
  return {
    of: (backend, adapter = '') => known.get(keyOf(backend, adapter)),
    keep: ({ name, adapter }, ceilings) => void known.set(keyOf(name, adapter), ceilings),
  };
}

/** Learns what the machine can do from what a run says. */
function learning(known: KnownCeilings): RunObserver {
  let place: RunInfo['backend'] | undefined;
  return {
    event(event) {
      if (event.type === 'ready') place = event.info.backend;
      if (event.type !== 'ceilings' || !place) return;
      const { type: _type, ...ceilings } = event;
      known.keep(place, ceilings);
    },
  };
}

/** The backend of the processor that `auto` takes. */
function withoutGpu(): ProcessorBackend {
  return chooseBackend('auto', undefined)?.name === 'wasm' ? 'wasm' : 'reference';
}

/** Where a run computes. */
interface Place {
  /** For people: why there. */
  readonly reason: string;
  readonly device: GPUDevice | undefined;
}

/** @param tell receives where it computes, before any event. @throws BackendError */
async function openBest(
  { findAdapter, openGpu, startWorker, drawThreads, openHdf5 }: RunSurroundings,
  asked: BackendChoice,
  job: RunJob,
  { planesOf, ...options }: OpenRunOptions,
  known: KnownCeilings,
  tell: (place: Place) => void,
): Promise<Run> {
  const jobOn = (name: string, adapter?: string): RunJob => ({
    ...job,
    ceilings: job.ceilings && (known.of(name, adapter) ?? job.ceilings),
  });
  const inWorker = async (name: ProcessorBackend, reason: string): Promise<Run> => {
    tell({ reason, device: undefined });
    // Whoever keeps the checkpoint goes back to it again.
    const checkpoint = job.checkpoint && (await copyCheckpoint(job.checkpoint));
    return openRun(startWorker(name), { ...jobOn(name), checkpoint }, { ...options, givesCheckpoint: true });
  };
  const onProcessor = asked === 'reference' || asked === 'wasm';
  const choice = chooseBackend(asked, onProcessor ? undefined : await findAdapter());
  if (!choice) throw new BackendError('no WebGPU adapter was found in this window; choose the wasm backend');
  const { name, reason } = choice;
  if (name !== 'webgpu') return inWorker(name, reason);
  let gpu: GpuDevice;
  try {
    gpu = await openGpu();
  } catch (error) {
    if (asked === 'webgpu') throw error;
    return inWorker(withoutGpu(), errorOf(error).message);
  }
  tell({ reason, device: gpu.device });
  return openRunHere(
    () => pageHost(gpu, drawThreads, openHdf5, planesOf),
    jobOn(name, gpu.adapter.description),
    options,
  );
}

function nothing(): void {
  // An event has reported why.
}

/** @returns opens runs in those surroundings; what it learns of the machine is known to all of them */
export function openRunIn(surroundings: RunSurroundings): OpenRun {
  const known = createKnownCeilings();
  return (asked, job, { observers = [], ...options }) => {
    let place: Place = { reason: '', device: undefined };
    let isDisposed = false;
    let opened: Run | undefined;
    const open = async (): Promise<Run> => {
      const all = { ...options, observers: [learning(known), ...observers] };
      opened = await openBest(surroundings, asked, job, all, known, (found) => {
        place = found;
      });
      if (isDisposed) opened.dispose();
      return opened;
    };
    const opening = open();
    opening.catch((error: unknown) => {
      if (!isDisposed) for (const observer of observers) observer.event({ type: 'failed', error: errorOf(error) });
    });
    const withRun = (use: (run: Run) => void): void => void opening.then(use, nothing);
    return {
      placed: (info) => ({
        ...info,
        backend: { ...info.backend, reason: place.reason },
        device: place.device,
      }),
      step: async () => (await opening).step(),
      play: async (until) => (await opening).play(until),
      stop: () => withRun((run) => run.stop()),
      edit: async (scenario) => (await opening).edit(scenario),
      probe: (cells) => withRun((run) => run.probe(cells)),
      ask: async (question) => (await opening).ask(question),
      observe(observer) {
        const observing = opening.then((run) => run.observe(observer));
        return () => void observing.then((end) => end(), nothing);
      },
      release: (kept) => withRun((run) => run.release(kept)),
      dispose() {
        isDisposed = true;
        opened?.dispose();
      },
    };
  };
}
