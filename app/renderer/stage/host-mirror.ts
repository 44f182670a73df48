/**
 * Numbers of planes on the host, for readouts, ranges, picking and cross-sections. Planes in memory are what they are. Planes
 * on the GPU are read back at a low rate, only those that are asked for, and only while a snapshot stays on screen: readouts
 * may lag behind the picture by a quarter of a second, the picture never waits.
 */
import type { Plane } from '../session/session.ts';

/** Least time between two rounds of reading back, ms. */
const INTERVAL = 250;

export interface HostMirror {
  /** @returns the plane's numbers [y][x], or undefined while they are on their way; then `onArrival` is called when they are here */
  values(plane: Plane | undefined): Float32Array | undefined;
  /** @returns the plane's numbers where they are known, and asks for nothing */
  peek(plane: Plane | undefined): Float32Array | undefined;
  /** Forgets what was asked for and not begun: another snapshot is on screen. */
  forgetRequests(): void;
  dispose(): void;
}

export interface MirrorListeners {
  /** A round of reading begins: what was asked for last is what will arrive. */
  readonly onBegin: () => void;
  readonly onArrival: () => void;
}

/** @param cells numbers of a plane */
export function createHostMirror(
  device: GPUDevice | undefined,
  cells: number,
  { onBegin, onArrival }: MirrorListeners,
): HostMirror {
  const known = new WeakMap<Plane, Float32Array>();
  const wanted = new Set<Plane & { kind: 'device' }>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reading = false;
  let disposed = false;

  const readBack = async (using: GPUDevice, planes: readonly (Plane & { kind: 'device' })[]): Promise<void> => {
    const bytes = cells * Float32Array.BYTES_PER_ELEMENT;
    const staging = using.createBuffer({
      label: 'stage.host-mirror',
      size: bytes * planes.length,
      usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    });
    try {
      const encoder = using.createCommandEncoder({ label: 'stage.host-mirror' });
      for (const [k, plane] of planes.entries()) {
        encoder.copyBufferToBuffer(plane.buffer, plane.byteOffset, staging, k * bytes, bytes);
      }
      using.queue.submit([encoder.finish()]);
      await staging.mapAsync(GPUMapMode.READ);
      const all = new Float32Array(staging.getMappedRange().slice(0));
      for (const [k, plane] of planes.entries()) known.set(plane, all.subarray(k * cells, (k + 1) * cells));
    } finally {
      staging.destroy();
    }
  };
  const round = async (): Promise<void> => {
    timer = undefined;
    if (!device || disposed || wanted.size === 0) return;
    const planes = [...wanted];
    wanted.clear();
    onBegin();
    reading = true;
    try {
      await readBack(device, planes);
      if (!disposed) onArrival();
    } catch {
      // The device was lost while reading; whoever rebuilds the stage asks again.
    } finally {
      reading = false;
      schedule();
    }
  };
  const schedule = (): void => {
    if (timer === undefined && !reading && !disposed && wanted.size > 0) {
      timer = setTimeout(() => void round(), INTERVAL);
    }
  };

  return {
    values(plane) {
      if (!plane) return undefined;
      if (plane.kind === 'host') return plane.values;
      const found = known.get(plane);
      if (!found) {
        wanted.add(plane);
        schedule();
      }
      return found;
    },
    peek: (plane) => (plane?.kind === 'host' ? plane.values : plane && known.get(plane)),
    forgetRequests() {
      wanted.clear();
    },
    dispose() {
      disposed = true;
      wanted.clear();
      if (timer !== undefined) clearTimeout(timer);
    },
  };
}
