/**
 * Bytes from buffers of the GPU to memory: a small pool of buffers that can be mapped, used again and again. What is copied
 * is what the buffers hold after all work that was submitted before.
 */

/** Bytes of one staging buffer, at most: what is copied out in one task of a page. */
export const STAGING_BYTES = 2 * 2 ** 20;
/** Staging buffers: one is mapped while the next is being filled. */
const STAGINGS = 2;
const SMALLEST = 64 * 1024;

interface Staging {
  buffer: GPUBuffer | undefined;
  busy: boolean;
}

export interface StagingPool {
  /** Whether `read` may be called now. */
  readonly free: boolean;
  /**
   * @param bytes at most `STAGING_BYTES`
   * @param record adds the copies into the staging buffer, from its begin
   * @param take copies what it wants of those bytes, which are gone when it returns
   * @throws Error when the device is lost
   */
  read(
    bytes: number,
    record: (encoder: GPUCommandEncoder, staging: GPUBuffer) => void,
    take: (bytes: ArrayBuffer) => void,
  ): Promise<void>;
}

export function createStagingPool(device: GPUDevice): StagingPool {
  const pool: Staging[] = Array.from({ length: STAGINGS }, () => ({ buffer: undefined, busy: false }));

  const bufferOf = (staging: Staging, bytes: number): GPUBuffer => {
    if (staging.buffer && staging.buffer.size >= bytes) return staging.buffer;
    staging.buffer?.destroy();
    staging.buffer = device.createBuffer({
      label: 'planes.staging',
      size: Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(bytes))),
      usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    });
    return staging.buffer;
  };

  return {
    get free() {
      return pool.some(({ busy }) => !busy);
    },
    async read(bytes, record, take) {
      const staging = pool.find(({ busy }) => !busy);
      if (!staging) throw new RangeError('all staging buffers are in use');
      staging.busy = true;
      try {
        const buffer = bufferOf(staging, bytes);
        const encoder = device.createCommandEncoder({ label: 'planes.read' });
        record(encoder, buffer);
        device.queue.submit([encoder.finish()]);
        await buffer.mapAsync(GPUMapMode.READ, 0, bytes);
        try {
          take(buffer.getMappedRange(0, bytes));
        } finally {
          buffer.unmap();
        }
      } finally {
        staging.busy = false;
      }
    },
  };
}
