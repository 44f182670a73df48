/**
 * Where the planes of a snapshot are kept: in memory, read back from the backend; or in buffers of the GPU, copied where they
 * lie, one buffer a snapshot, used again after the snapshot was released.
 */
import type { Backend, MethodPlanes, RealField, SnapshotRecorder, WebGpuBackendHandle } from '../../../engine/index.ts';
import type { MethodSnapshot, Plane, Snapshot, StatePlanes } from './session.ts';

export interface DrawnStates {
  readonly truth: StatePlanes;
  readonly methods: readonly MethodSnapshot[];
}

export interface PlaneStore {
  /** Keeps what the recorder holds now. @param cells of the grid */
  keep(recorder: SnapshotRecorder, cells: number): Promise<DrawnStates>;
  /** The snapshot is drawn no more. */
  release(snapshot: Pick<Snapshot, 'truth'>): void;
  /** Keeps nothing more. What was kept stays until it is released: a run that goes on elsewhere still shows it. */
  close(): void;
}

/** η, hu, hv in one array, one after the other. */
function hostPlanes(values: Float32Array, cells: number): StatePlanes {
  const plane = (index: number): Plane => ({
    kind: 'host',
    values: values.subarray(index * cells, (index + 1) * cells),
  });
  return { eta: plane(0), hu: plane(1), hv: plane(2) };
}

/** Planes in memory as float32, for a backend that is elsewhere. */
export function createHostPlanes(backend: Backend): PlaneStore {
  const read = async (field: RealField): Promise<Float32Array> => Float32Array.from(await backend.read(field));
  const methodOf = async (planes: MethodPlanes, cells: number): Promise<MethodSnapshot> => ({
    method: planes.method,
    forecast: hostPlanes(await read(planes.forecast), cells),
    analysis: hostPlanes(await read(planes.analysis), cells),
    spread: planes.spread && { kind: 'host', values: await read(planes.spread) },
  });
  return {
    async keep({ truthPlanes, methods }, cells) {
      const kept: MethodSnapshot[] = [];
      for (const planes of methods) kept.push(await methodOf(planes, cells));
      return { truth: hostPlanes(await read(truthPlanes), cells), methods: kept };
    },
    release: () => undefined,
    close: () => undefined,
  };
}

/** Buffers may be bound, and copied to textures, from multiples of this. */
const ALIGNMENT = 256;
const ELEMENT_BYTES = 4;
const PLANES_OF_A_STATE = 3;

/** Planes in buffers of the backend's device; nothing is read back. */
export function createDevicePlanes(backend: WebGpuBackendHandle): PlaneStore {
  const { device } = backend;
  const idle: GPUBuffer[] = [];
  const leases = new Map<GPUBuffer, { over: boolean }>();
  let closed = false;
  const take = (size: number): GPUBuffer =>
    idle.pop() ??
    device.createBuffer({
      label: 'session.snapshot',
      size,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    });
  return {
    async keep({ truthPlanes, methods }, cells) {
      const bytes = cells * ELEMENT_BYTES;
      const stride = Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
      const states = 1 + 2 * methods.length;
      const spreads = methods.filter(({ spread }) => spread !== undefined).length;
      const buffer = take((PLANES_OF_A_STATE * states + spreads) * stride);
      const lease = { over: false };
      leases.set(buffer, lease);
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
    release({ truth: { eta } }) {
      if (eta.kind !== 'device') return;
      const lease = leases.get(eta.buffer);
      // A snapshot may be released twice; by then its buffer may be another's.
      if (!lease || lease !== eta.lease) return;
      lease.over = true;
      leases.delete(eta.buffer);
      if (closed) eta.buffer.destroy();
      else idle.push(eta.buffer);
    },
    close() {
      closed = true;
      for (const buffer of idle.splice(0)) buffer.destroy();
    },
  };
}
