/** A session on WebGPU in this page: the engine's work is on the GPU, so the page stays free. */
import { createWebGpuBackend } from '../../../engine/index.ts';
import type { GpuDevice } from '../../../engine/index.ts';
import { createCeilingMeasurement, openBeside } from './ceiling-measurement.ts';
import { createEngineSession } from './engine-session.ts';
import { createDevicePlanes } from './planes.ts';
import type { PlaneStore } from './planes.ts';
import type { Kept } from './session.ts';
import type { Driver, DriverJob, DriverListener } from './worker-session.ts';

export interface PageDriver extends Driver {
  release(kept: Kept): void;
}

/**
 * Opens an experiment on the page's device.
 *
 * @throws LimitError, ScenarioError, BackendError, DivergenceError (in the spin-up)
 */
export async function openInPage(
  gpu: GpuDevice,
  { scenario, files, checkpoint, reason, ceilings }: DriverJob,
  listener: DriverListener,
): Promise<PageDriver> {
  const backend = await createWebGpuBackend(gpu);
  const planes: PlaneStore = createDevicePlanes(backend);
  let over = false;
  const free = (): void => {
    planes.close();
    backend.dispose();
  };
  const tell: DriverListener['event'] = (event) => {
    if (over) {
      if (event.type === 'cycle') {
        planes.release(event.snapshot);
        if (event.motion) planes.release(event.motion);
      }
      return;
    }
    over = event.type === 'failed';
    listener.event(event);
  };
  try {
    const session = await createEngineSession(backend, scenario, {
      files,
      checkpoint,
      reason,
      planes,
      device: gpu.device,
      ceilings,
      measure: () => createCeilingMeasurement(() => openBeside(gpu)),
      listener: tell,
      onReadings: listener.readings,
      onCheckpoint: listener.checkpoint,
    });
    // A device can go while nothing runs that would notice.
    void gpu.device.lost.then(({ reason: why, message }) => {
      tell({
        type: 'failed',
        message: `The GPU was lost (${why}): ${message || 'no reason given'}`,
        recoverable: true,
      });
    });
    return {
      step: () => session.step(),
      probe: (cells) => session.probe(cells),
      checkpoint: () => session.checkpoint(),
      release: (kept) => planes.release(kept),
      dispose() {
        over = true;
        void session.dispose().then(free, free);
      },
    };
  } catch (error) {
    free();
    throw error;
  }
}
