/** The memory that HDF5 may take, in a thread that does nothing but read HDF5 files. */

/** What all of HDF5 takes at most, bytes: a few of the largest chunks, packed and unpacked. */
const MOST_BYTES = 2 ** 30;
const PAGE_BYTES = 2 ** 16;

export interface MemoryBound {
  /** Whether more was asked for since this was last called, and how much is allowed, bytes. */
  exceeded(): number | undefined;
}

/**
 * Refuses all WebAssembly of this thread to grow beyond a bound: the library gets the answer that there is no more memory, as on a machine
 * that has none. It grows its memory by itself, so that nothing else could say it.
 */
export function boundMemory(most = MOST_BYTES): MemoryBound {
  const { prototype } = WebAssembly.Memory;
  const grow: (this: WebAssembly.Memory, pages: number) => number = Reflect.get(prototype, 'grow');
  let refused = false;
  prototype.grow = function growWithin(this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE_BYTES <= most) return grow.call(this, pages);
    refused = true;
    throw new RangeError(`more than ${most} bytes are not given`);
  };
  return {
    exceeded() {
      const found = refused;
      refused = false;
      return found ? most : undefined;
    },
  };
}
