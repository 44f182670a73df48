/** Copies of planes, made in place: one buffer for those that are kept together, used again after it was released. */

/** Buffers may be bound, and copied to textures, from multiples of this, bytes. */
const PLANE_ALIGNMENT = 256;
/** Planes of numbers that stay on the GPU after they were computed. */
export const ELEMENT_BYTES = 4;

/** A plane of float32, [y][x], dense, in a storage buffer of a device, from a byte offset that is a multiple of 256. */
export interface DevicePlane {
  readonly kind: 'device';
  readonly buffer: GPUBuffer;
  readonly byteOffset: number;
  /** Numbers of the plane. */
  readonly cells: number;
  /** Shared by the planes of a buffer; `over` when it was released: the buffer then holds something else, or is no more. */
  readonly lease: { readonly over: boolean };
}

/** @returns bytes from the beginning of a plane of `cells` numbers to that of the next one in its buffer */
export function planeStride(cells: number): number {
  return Math.ceil((cells * ELEMENT_BYTES) / PLANE_ALIGNMENT) * PLANE_ALIGNMENT;
}

/** Planes that are kept together. */
interface PlaneCopies {
  /**
   * Records the copy of a plane to the next place.
   *
   * @param source of float32 planes, one after the other without gaps
   * @param plane which of them
   */
  add(source: GPUBuffer, plane: number): DevicePlane;
  /** Hands the copies to the device: they hold what the sources hold after all work that was submitted before. */
  submit(): void;
}

/** Buffers of a device. They outlive what computed their planes: each is there until it is released. */
export interface PlaneBuffers {
  /** @param count of planes, @param cells of each */
  begin(label: string, count: number, cells: number): PlaneCopies;
  /** The planes of this one's buffer are needed no more. Without effect the second time. */
  release(plane: DevicePlane): void;
  /** Keeps no free buffers any more; those that are not released stay until they are. */
  close(): void;
}

export function createPlaneBuffers(device: GPUDevice): PlaneBuffers {
  /** By size: what is kept of cycles has few different ones. */
  const idle = new Map<number, GPUBuffer[]>();
  const leases = new Map<GPUBuffer, { over: boolean }>();
  let closed = false;
  const take = (label: string, size: number): { readonly buffer: GPUBuffer; readonly lease: { over: boolean } } => {
    const buffer =
      idle.get(size)?.pop() ??
      device.createBuffer({
        label,
        size,
        usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
      });
    const lease = { over: false };
    leases.set(buffer, lease);
    return { buffer, lease };
  };
  return {
    begin(label, count, cells) {
      const stride = planeStride(cells);
      const bytes = cells * ELEMENT_BYTES;
      const { buffer, lease } = take(label, count * stride);
      const encoder = device.createCommandEncoder({ label });
      let byteOffset = 0;
      return {
        add(source, plane) {
          if (byteOffset === count * stride) throw new RangeError(`${label}: more than ${count} planes`);
          encoder.copyBufferToBuffer(source, plane * bytes, buffer, byteOffset, bytes);
          const copied: DevicePlane = { kind: 'device', buffer, byteOffset, cells, lease };
          byteOffset += stride;
          return copied;
        },
        submit: () => device.queue.submit([encoder.finish()]),
      };
    },
    release({ buffer, lease: of }) {
      const lease = leases.get(buffer);
      // It may be released twice; by then its buffer may be another's.
      if (!lease || lease !== of) return;
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
