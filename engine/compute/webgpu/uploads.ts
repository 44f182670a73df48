/**
 * Short writes in the middle of recorded work: they are gathered on the host, sent together with the submission, and copied to
 * where they belong by the recorded work itself, which hence is not cut in two.
 */
export interface Uploads {
  /** Records a write. @returns false where it is too long: the queue must write it itself */
  write(encoder: () => GPUCommandEncoder, target: GPUBuffer, offset: number, data: ArrayBufferView): boolean;
  /** Sends what was gathered. Call right before the recorded work is submitted. */
  send(): void;
  dispose(): void;
}

const ARENA_BYTES = 2 ** 20;

export function createUploads(device: GPUDevice): Uploads {
  const gathered = new Uint8Array(ARENA_BYTES);
  let arena: GPUBuffer | undefined;
  let used = 0;
  return {
    write(encoder, target, offset, { buffer, byteOffset, byteLength }) {
      if (used + byteLength > ARENA_BYTES) return false;
      arena ??= device.createBuffer({
        label: 'uploads.arena',
        size: ARENA_BYTES,
        usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC,
      });
      gathered.set(new Uint8Array(buffer, byteOffset, byteLength), used);
      encoder().copyBufferToBuffer(arena, used, target, offset, byteLength);
      used += byteLength;
      return true;
    },
    send() {
      // The queue writes after what was submitted before, which may still copy from the same place.
      if (arena && used > 0) device.queue.writeBuffer(arena, 0, gathered, 0, used);
      used = 0;
    },
    dispose() {
      arena?.destroy();
      arena = undefined;
    },
  };
}
