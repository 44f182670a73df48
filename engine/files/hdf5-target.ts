/**
 * HDF5 files, and with them NetCDF-4, written where a program keeps its files otherwise than Node does: in a browser. HDF5 (h5wasm,
 * loaded when first needed) writes as it continues, and keeps no more of the file in memory than its caches.
 */
import type { File } from 'h5wasm';
import { errorOf } from '../errors.ts';
import { IO_ERROR, seekIn, type FileNode, type FileSystem } from './hdf5.ts';

/** A file that answers at once. What cannot be read or written is thrown. */
export interface RandomAccessFile {
  /** Bytes. */
  readonly size: number;
  /** Fills the target with the bytes from a place on, which lie inside the file. */
  read(target: Uint8Array, from: number): void;
  /** Writes at a place, which may lie at the end of the file or behind it. The bytes may change afterwards. */
  write(bytes: Uint8Array, at: number): void;
  truncate(size: number): void;
}

export interface Hdf5Target {
  /** @throws Error with what the file said, or HDF5; nothing can be written then any more */
  write<Result>(work: (file: File) => Result): Result;
  /** Writes what HDF5 has kept back. @throws as `write` */
  close(): void;
}

/** The bytes of a part of HDF5's memory, which it gives with or without a sign. */
function bytesIn({ buffer, byteOffset }: Uint8Array, offset: number, length: number): Uint8Array {
  return new Uint8Array(buffer, byteOffset + offset, length);
}

/** Puts a file in place of a node's memory. @param attempt does what may go wrong */
function placeIn(fs: FileSystem, node: FileNode, file: RandomAccessFile, attempt: (work: () => void) => void): void {
  const before = node.node_ops;
  node.node_ops = {
    ...before,
    getattr: (of) => ({ ...before.getattr(of), size: file.size }),
    setattr(of, { size, ...others }) {
      before.setattr(of, others);
      if (size !== undefined) attempt(() => file.truncate(size));
    },
  };
  node.stream_ops = {
    ...node.stream_ops,
    llseek: seekIn(fs, () => file.size),
    read(_stream, buffer, offset, wanted, position) {
      const count = Math.max(0, Math.min(wanted, file.size - position));
      if (count > 0) attempt(() => file.read(bytesIn(buffer, offset, count), position));
      return count;
    },
    write(_stream, buffer, offset, length, position) {
      if (length > 0) attempt(() => file.write(bytesIn(buffer, offset, length), position));
      return length;
    },
  };
}

let opened = 0;

/** @param file what it holds is written over */
export async function createHdf5In(file: RandomAccessFile): Promise<Hdf5Target> {
  const { File: HdfFile, ready } = await import('h5wasm');
  const library = await ready;
  // Otherwise what goes wrong is printed, and the file is said to be written.
  library.activate_throwing_error_handler();
  const fs = library.FS as unknown as FileSystem;
  opened += 1;
  const path = `/written-${opened}`;
  let failure: Error | undefined;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      // The first is the reason; HDF5 continues for a while.
      failure ??= errorOf(error);
      throw new fs.ErrnoError(IO_ERROR);
    }
  };
  placeIn(fs, fs.createFile('/', path.slice(1), {}, true, true), file, attempt);
  const guarded = <Result>(work: () => Result): Result => {
    // After an error HDF5 is in no state to continue, nor to close the file.
    if (failure) throw failure;
    try {
      const result = work();
      if (failure) throw failure;
      return result;
    } catch (error) {
      // What HDF5 says about it fills many lines.
      failure ??= new Error(errorOf(error).message.split('\n')[0]);
      throw failure;
    }
  };
  const target = guarded(() => new HdfFile(path, 'w', { track_order: true, libver: ['v108', 'v110'] }));
  return {
    write: (work) => guarded(() => work(target)),
    close() {
      guarded(() => target.close());
      fs.unlink(path);
    },
  };
}
