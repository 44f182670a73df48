/** A file in memory, in blocks, so that growing copies nothing: where a browser has no other place for one. */
import type { RandomAccessFile } from '../../../engine/index.ts';

const BLOCK_BYTES = 2 ** 20;

export interface ScratchFile extends RandomAccessFile {
  /** @returns what was written; no more is then */
  finish(): Promise<Blob>;
}

/** @param most bytes that it can have */
export function createMemoryFile(most: number): ScratchFile {
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;

  /** Visits each part of a block that a range has. */
  function across(from: number, length: number, visit: (block: Uint8Array, done: number) => void): void {
    for (let done = 0; done < length;) {
      const at = from + done;
      const begin = at % BLOCK_BYTES;
      const end = Math.min(BLOCK_BYTES, begin + length - done);
      visit(blocks[Math.floor(at / BLOCK_BYTES)].subarray(begin, end), done);
      done += end - begin;
    }
  }

  /** Bytes that come in by it are 0. */
  function resize(next: number): void {
    if (next > most) throw new RangeError(`more than ${most} bytes of memory would be needed`);
    while (blocks.length * BLOCK_BYTES < next) blocks.push(new Uint8Array(BLOCK_BYTES));
    if (next < size) across(next, size - next, (block) => void block.fill(0));
    size = next;
    blocks.length = Math.ceil(size / BLOCK_BYTES);
  }

  return {
    get size() {
      return size;
    },
    read(target, from) {
      across(from, target.length, (block, done) => target.set(block, done));
    },
    write(bytes, at) {
      if (at + bytes.length > size) resize(at + bytes.length);
      across(at, bytes.length, (block, done) => block.set(bytes.subarray(done, done + block.length)));
    },
    truncate: resize,
    finish: () => Promise.resolve(new Blob(blocks).slice(0, size)),
  };
}
