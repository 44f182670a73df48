/** Planes of numbers that stay on the GPU after they were computed. */

/** Buffers may be bound, and copied to textures, from multiples of this, bytes. */
const PLANE_ALIGNMENT = 256;
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
