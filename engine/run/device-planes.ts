/** Planes of snapshots on the GPU that a run computes on, copied in place: nothing is read back, nothing waited for. */
import { createPlaneBuffers } from '../compute/webgpu/planes/index.ts';
import type { RealField } from '../compute/backend.ts';
import type { WebGpuBackendHandle } from '../compute/webgpu/webgpu-backend.ts';
import { firstPlane, surfacesOf } from './states.ts';
import type { PlaneStore, StatePlanes } from './states.ts';

const PLANES_OF_A_STATE = 3;

/** Planes in buffers of the backend's device, one for each cycle. */
export function createDevicePlanes(backend: WebGpuBackendHandle): PlaneStore {
  const buffers = createPlaneBuffers(backend.device);
  return {
    async keep({ truthPlanes, methods }, cells) {
      const spreads = methods.filter(({ spread }) => spread !== undefined).length;
      const states = 1 + 2 * methods.length;
      const copies = buffers.begin('run.snapshot', PLANES_OF_A_STATE * states + spreads, cells);
      const stateOf = (field: RealField): StatePlanes => {
        const source = backend.bufferOf(field);
        // A model with one variable has that one for all.
        const last = truthPlanes.length / cells - 1;
        return { eta: copies.add(source, 0), hu: copies.add(source, Math.min(1, last)), hv: copies.add(source, last) };
      };
      const kept = {
        truth: stateOf(truthPlanes),
        methods: methods.map(({ method, forecast, analysis, spread }) => ({
          method,
          forecast: stateOf(forecast),
          analysis: stateOf(analysis),
          spread: spread && copies.add(backend.bufferOf(spread), 0),
        })),
      };
      // What was recorded must be with the device before the copies are.
      backend.submit();
      copies.submit();
      return kept;
    },
    async keepFrames(recorder, cells) {
      const { frames } = recorder;
      if (!frames?.shares.some(({ length }) => length > 0)) return undefined;
      const { shares, count, field } = frames;
      // Of one size for all windows, so that buffers are used again.
      const copies = buffers.begin('run.motion', shares.length * count, cells);
      const source = backend.bufferOf(field);
      const surfaces = surfacesOf(recorder, (subject, index) => copies.add(source, subject * count + index));
      backend.submit();
      copies.submit();
      return surfaces;
    },
    release(kept) {
      const plane = firstPlane(kept);
      if (plane?.kind === 'device') buffers.release(plane);
    },
    close: () => buffers.close(),
  };
}
