/** Planes of snapshots in buffers of the GPU, copied where they lie, one buffer a snapshot, used again after it was released. */
import { firstPlane, surfacesOf } from '../../../engine/index.ts';
import type { Plane, PlaneStore, RealField, StatePlanes, WebGpuBackendHandle } from '../../../engine/index.ts';

/** Buffers may be bound, and copied to textures, from multiples of this. */
const ALIGNMENT = 256;
const ELEMENT_BYTES = 4;
const PLANES_OF_A_STATE = 3;

/** Bytes from a plane's begin to the next one's. */
function strideOf(cells: number): number {
  return Math.ceil((cells * ELEMENT_BYTES) / ALIGNMENT) * ALIGNMENT;
}

/** Planes in buffers of the backend's device; nothing is read back. */
export function createDevicePlanes(backend: WebGpuBackendHandle): PlaneStore {
  const { device } = backend;
  /** By size: snapshots have one, motions another. */
  const idle = new Map<number, GPUBuffer[]>();
  const leases = new Map<GPUBuffer, { over: boolean }>();
  let closed = false;
  const take = (size: number): { readonly buffer: GPUBuffer; readonly lease: { over: boolean } } => {
    const buffer =
      idle.get(size)?.pop() ??
      device.createBuffer({
        label: 'session.snapshot',
        size,
        usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
      });
    const lease = { over: false };
    leases.set(buffer, lease);
    return { buffer, lease };
  };
  return {
    async keep({ truthPlanes, methods }, cells) {
      const bytes = cells * ELEMENT_BYTES;
      const stride = strideOf(cells);
      const states = 1 + 2 * methods.length;
      const spreads = methods.filter(({ spread }) => spread !== undefined).length;
      const { buffer, lease } = take((PLANES_OF_A_STATE * states + spreads) * stride);
      // What was recorded must be with the device before the copies are.
      await backend.settle();
      const encoder = device.createCommandEncoder({ label: 'session.snapshot' });
      let next = 0;
      const copied = (field: RealField, plane: number): Plane => {
        const byteOffset = next;
        encoder.copyBufferToBuffer(backend.bufferOf(field), plane * bytes, buffer, byteOffset, bytes);
        next += stride;
        return { kind: 'device', buffer, byteOffset, cells, lease };
      };
      const stateOf = (field: RealField): StatePlanes => ({
        eta: copied(field, 0),
        hu: copied(field, 1),
        hv: copied(field, 2),
      });
      const kept = {
        truth: stateOf(truthPlanes),
        methods: methods.map(({ method, forecast, analysis, spread }) => ({
          method,
          forecast: stateOf(forecast),
          analysis: stateOf(analysis),
          spread: spread && copied(spread, 0),
        })),
      };
      device.queue.submit([encoder.finish()]);
      return kept;
    },
    async keepFrames(recorder, cells) {
      const { frames } = recorder;
      if (!frames) return undefined;
      const bytes = cells * ELEMENT_BYTES;
      const stride = strideOf(cells);
      const { buffer, lease } = take(frames.shares.length * frames.count * stride);
      await backend.settle();
      const source = backend.bufferOf(frames.field);
      const encoder = device.createCommandEncoder({ label: 'session.motion' });
      const surfaces = surfacesOf(recorder, (subject, index) => {
        const plane = subject * frames.count + index;
        encoder.copyBufferToBuffer(source, plane * bytes, buffer, plane * stride, bytes);
        return { kind: 'device', buffer, byteOffset: plane * stride, cells, lease };
      });
      device.queue.submit([encoder.finish()]);
      return surfaces;
    },
    release(kept) {
      const plane = firstPlane(kept);
      if (plane?.kind !== 'device') return;
      const { buffer } = plane;
      const lease = leases.get(buffer);
      // It may be released twice; by then its buffer may be another's.
      if (!lease || lease !== plane.lease) return;
      lease.over = true;
      leases.delete(buffer);
      if (closed) buffer.destroy();
      else idle.set(buffer.size, [...(idle.get(buffer.size) ?? []), buffer]);
    },
    close() {
      closed = true;
      for (const buffer of [...idle.values()].flat()) buffer.destroy();
      idle.clear();
    },
  };
}
