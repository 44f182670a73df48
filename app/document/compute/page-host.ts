/**
 * A run on WebGPU in this page: the engine's work is on the GPU, so the page stays free, and its queue is kept short, since what the
 * stage draws waits in the same queue.
 */
import {
  CEILING_FIELD_BYTES,
  createCeilingMeasurement,
  createDevicePlanes,
  createWebGpuBackend,
  DeviceLostError,
  hasRoomFor,
} from '../../../engine/index.ts';
import type { Backend, DrawThreads, GpuDevice, OpenHdf5, PlaneStore, RunHost } from '../../../engine/index.ts';
import { createKeptTuning } from './kept-tuning.ts';

/** A part that takes longer makes a picture come late, ms: half a picture's time. */
const LONG_PART = 8;
/** The number of short parts in a row after which the host stops waiting. */
const SHORT_PARTS = 32;

/**
 * @param queue of the page's device
 * @returns to be awaited between the parts of a cycle, when they are submitted
 */
export function createGpuPace(
  queue: Pick<GPUQueue, 'onSubmittedWorkDone'>,
  now: () => number = () => performance.now(),
): () => Promise<void> {
  /** Short parts still to come before there is no more waiting; the first part is waited for. */
  let left = 1;
  let isMeasuring = false;

  async function measure(): Promise<void> {
    isMeasuring = true;
    const begun = now();
    try {
      await queue.onSubmittedWorkDone();
      left = now() - begun > LONG_PART ? SHORT_PARTS : Math.max(0, left - 1);
    } catch {
      // A device that is lost is reported by whatever waits for results.
    } finally {
      isMeasuring = false;
    }
  }

  return () => {
    if (left > 0) return measure();
    // Looks at one part after the other, and holds none of them up.
    if (!isMeasuring) void measure();
    return Promise.resolve();
  };
}

/** @returns a second backend on a device that others use, or undefined where the device has no room to measure its ceilings */
export async function openBeside(gpu: GpuDevice): Promise<Backend | undefined> {
  const hasRoom = await hasRoomFor(gpu.device, [CEILING_FIELD_BYTES, CEILING_FIELD_BYTES]);
  return hasRoom ? createWebGpuBackend(gpu) : undefined;
}

/**
 * @param drawThreads where the states of large runs are drawn, so that the page stays free
 * @param openHdf5 reads the NetCDF-4 files that a scenario names beside the page
 * @param planesOf keeps what is recorded; on the device, to be drawn, if omitted
 * @returns the place of a run on the page's device
 * @throws BackendError
 */
export async function pageHost(
  gpu: GpuDevice,
  drawThreads: DrawThreads | undefined,
  openHdf5: OpenHdf5 | undefined,
  planesOf?: (backend: Backend) => PlaneStore,
): Promise<RunHost> {
  const tuning = createKeptTuning();
  const backend = await createWebGpuBackend(gpu, tuning.find);
  const planes = planesOf ? planesOf(backend) : createDevicePlanes(backend);
  return {
    backend,
    planes,
    yieldToEventLoop: createGpuPace(gpu.device.queue),
    drawThreads,
    openHdf5,
    measure: () => createCeilingMeasurement(() => openBeside(gpu), tuning),
    // A device can go while nothing runs that would notice.
    lost: gpu.device.lost.then(
      ({ reason, message }) => new DeviceLostError(`The GPU was lost (${reason}): ${message || 'no reason given'}`),
    ),
    free() {
      planes.close();
      backend.dispose();
    },
  };
}
