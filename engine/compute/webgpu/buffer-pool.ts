/** Storage buffers by size, handed out again after they are returned, so that preparing and disposing costs no allocation. */
import { LimitError } from '../../errors.ts';

export interface BufferPool {
  /** A storage buffer of at least `bytes`. Its contents are undefined. @throws LimitError above the device's limits */
  take(label: string, bytes: number): GPUBuffer;
  give(buffer: GPUBuffer): void;
  /** The one buffer of this label and size, until as many `unshare` it as have asked for it. @throws LimitError as `take` */
  share(label: string, bytes: number): GPUBuffer;
  unshare(buffer: GPUBuffer): void;
  dispose(): void;
}

/** Free memory kept for reuse at most; what is returned beyond it is destroyed. */
const LARGEST_IDLE_BYTES = 256 * 2 ** 20;

export function createBufferPool(device: GPUDevice): BufferPool {
  const idle = new Map<number, GPUBuffer[]>();
  const all = new Set<GPUBuffer>();
  const shared = new Map<string, { readonly buffer: GPUBuffer; holders: number }>();
  let idleBytes = 0;
  const largest = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  const pool: BufferPool = {
    take(label, bytes) {
      const size = Math.max(16, Math.ceil(bytes / 16) * 16);
      if (size > largest) {
        throw new LimitError(
          `${label}: ${size} bytes asked for, at most ${largest} fit in a buffer of this GPU; use a smaller grid, fewer members or fewer observations`,
        );
      }
      const found = idle.get(size)?.pop();
      if (found) {
        idleBytes -= size;
        found.label = label;
        return found;
      }
      const buffer = device.createBuffer({
        label,
        size,
        usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
      });
      all.add(buffer);
      return buffer;
    },
    give(buffer) {
      if (idleBytes + buffer.size > LARGEST_IDLE_BYTES) {
        all.delete(buffer);
        buffer.destroy();
        return;
      }
      idleBytes += buffer.size;
      const list = idle.get(buffer.size) ?? [];
      list.push(buffer);
      idle.set(buffer.size, list);
    },
    share(label, bytes) {
      const key = `${label} ${bytes}`;
      const found = shared.get(key) ?? { buffer: pool.take(label, bytes), holders: 0 };
      found.holders += 1;
      shared.set(key, found);
      return found.buffer;
    },
    unshare(buffer) {
      for (const [key, held] of shared) {
        if (held.buffer !== buffer) continue;
        held.holders -= 1;
        if (held.holders > 0) return;
        shared.delete(key);
        pool.give(buffer);
        return;
      }
    },
    dispose() {
      for (const buffer of all) buffer.destroy();
      all.clear();
      idle.clear();
      shared.clear();
    },
  };
  return pool;
}
