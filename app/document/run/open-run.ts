/**
 * Opens a run where it computes best: on the page's GPU, or on the processor in a worker. The run is there at once, while that is
 * found out, and its events report the result.
 */
import { BackendError, chooseBackend, errorOf, openRun, portHere } from '../../../engine/index.ts';
import type {
  AdapterSummary,
  BackendChoice,
  Ceilings,
  DrawThreads,
  GpuDevice,
  OpenHdf5,
  RunInfo,
  RunJob,
  RunObserver,
  RunSite,
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

/** Why a run computes where it does, and on which device. */
interface Placed {
  /** For people: why there. */
  readonly reason: string;
  readonly device: GPUDevice | undefined;
}

/** @param say receives why, before the run says anything. @throws BackendError */
async function findSite(
  { findAdapter, openGpu, startWorker, drawThreads, openHdf5 }: RunSurroundings,
  asked: BackendChoice,
  job: RunJob,
  planesOf: OpenRunOptions['planesOf'],
  known: KnownCeilings,
  say: (placed: Placed) => void,
): Promise<RunSite> {
  const ceilingsOn = (name: string, adapter?: string) => job.ceilings && (known.of(name, adapter) ?? job.ceilings);
  const inWorker = async (name: ProcessorBackend, reason: string): Promise<RunSite> => {
    say({ reason, device: undefined });
    // Whoever keeps the checkpoint goes back to it again.
    const checkpoint = job.checkpoint && (await copyCheckpoint(job.checkpoint));
    return { port: startWorker(name), job: { ceilings: ceilingsOn(name), checkpoint }, givesCheckpoint: true };
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
  say({ reason, device: gpu.device });
  const port = portHere(() => pageHost(gpu, drawThreads, openHdf5, planesOf));
  return { port, job: { ceilings: ceilingsOn(name, gpu.adapter.description) } };
}

/** @returns opens runs in those surroundings; what it learns of the machine is known to all of them */
export function openRunIn(surroundings: RunSurroundings): OpenRun {
  const known = createKnownCeilings();
  return (asked, job, { planesOf, observers = [], ...options }) => {
    let placed: Placed = { reason: '', device: undefined };
    const site = findSite(surroundings, asked, job, planesOf, known, (found) => {
      placed = found;
    });
    return {
      ...openRun(site, job, { ...options, observers: [learning(known), ...observers] }),
      placed: (info) => ({
        ...info,
        backend: { ...info.backend, reason: placed.reason },
        device: placed.device,
      }),
    };
  };
}
