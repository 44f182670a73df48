/**
 * HDF5 files, and with them NetCDF-4, of which no more is in memory than is being read. HDF5 (h5wasm, loaded when first needed)
 * reads when it likes, and a storage answers later: what is not there yet is refused to it as a disk would that fails, fetched,
 * and HDF5 asked again. Files of any size are read so, in a page as in Node, and none can lead to another file of the machine:
 * the file system that HDF5 sees holds nothing else.
 *
 * HDF5 believes what a file says of itself. Over a damaged one it may answer wrongly, ask for all memory, abort, or never come
 * back; nothing here can stop it. A file that somebody else may have made is therefore read in a thread that can be ended
 * (`engine/guard`).
 */
import type { File } from 'h5wasm';
import { CaseError, errorOf } from '../errors.ts';
import { shown } from '../words.ts';

/** Numbers of the errors that a file system answers HDF5 with. */
const IO_ERROR = 29;
const INVALID = 28;
/** What `llseek` counts from; from the beginning otherwise. */
const FROM_HERE = 1;
const FROM_END = 2;

interface OpenStream {
  position: number;
}

type Seek = (stream: OpenStream, offset: number, whence: number) => number;

/** A file as the file system has it. */
interface FileNode {
  node_ops: {
    getattr(node: FileNode): object;
    setattr(node: FileNode, attributes: { readonly size?: number }): void;
  };
  stream_ops: {
    llseek: Seek;
    read(stream: OpenStream, buffer: Uint8Array, offset: number, length: number, position: number): number;
    write(stream: OpenStream, buffer: Uint8Array, offset: number, length: number, position: number): number;
  };
}

interface FileSystem {
  readonly ErrnoError: new (errno: number) => Error;
  createFile(parent: string, name: string, properties: object, canRead: boolean, canWrite: boolean): FileNode;
  unlink(path: string): void;
}

/** @returns how a place is sought in a file of `size()` bytes */
function seekIn(fs: FileSystem, size: () => number): Seek {
  return (stream, offset, whence) => {
    const position = offset + (whence === FROM_HERE ? stream.position : whence === FROM_END ? size() : 0);
    if (position < 0) throw new fs.ErrnoError(INVALID);
    return position;
  };
}

/** A file whose parts are fetched as they are needed. */
export interface ByteSource {
  /** Length of the whole file, bytes. */
  readonly length: number;
  /** @returns so many bytes from a place on; both lie inside the file */
  read(from: number, bytes: number): Promise<Uint8Array>;
}

export interface Hdf5File {
  /**
   * Asks something of the file. What is asked may be asked again, as often as a part was not there yet, and changes nothing.
   *
   * @param where what is asked about, for messages; the file if omitted
   * @throws CaseError naming the file, where HDF5 cannot read it; what the question throws
   */
  ask<Answer>(question: (file: File) => Answer, where?: string): Promise<Answer>;
  close(): void;
}

/** What is fetched at a time, bytes. */
const BLOCK_BYTES = 2 ** 18;
/** What is kept between two questions, and what one question may need, bytes. */
const KEPT_BYTES = 64 * 2 ** 20;
const MOST_BYTES = 256 * 2 ** 20;

/** The blocks of a file that were fetched, by number; those that were used last are kept. */
function createBlocks(length: number) {
  const blocks = new Map<number, Uint8Array>();
  const wanted = new Set<number>();
  return {
    /** Blocks that a question lacked. */
    wanted: wanted as ReadonlySet<number>,
    /** Copies into a buffer. @returns whether all of it is there; what is not is wanted from then on */
    copy(target: Uint8Array, from: number): boolean {
      const end = from + target.length;
      const [first, last] = [Math.floor(from / BLOCK_BYTES), Math.floor((end - 1) / BLOCK_BYTES)];
      const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
      const missing = numbers.filter((number) => !blocks.has(number));
      for (const number of missing) wanted.add(number);
      if (missing.length > 0) return false;
      for (const number of numbers) {
        const block = blocks.get(number) ?? new Uint8Array(0);
        blocks.delete(number);
        blocks.set(number, block);
        const begin = number * BLOCK_BYTES;
        const part = block.subarray(Math.max(0, from - begin), Math.min(block.length, end - begin));
        target.set(part, Math.max(0, begin - from));
      }
      return true;
    },
    forget: () => wanted.clear(),
    async fetch(source: ByteSource): Promise<void> {
      for (const number of wanted) {
        const from = number * BLOCK_BYTES;
        blocks.set(number, await source.read(from, Math.min(BLOCK_BYTES, length - from)));
      }
      wanted.clear();
    },
    get bytes() {
      return blocks.size * BLOCK_BYTES;
    },
    /** Releases what was used longest ago. */
    trim(most: number) {
      for (const number of blocks.keys()) {
        if (blocks.size * BLOCK_BYTES <= most) return;
        blocks.delete(number);
      }
    },
  };
}

/** Gives a node of the file system the content of a source, as far as it is there. */
function showIn(
  fs: FileSystem,
  node: FileNode,
  length: number,
  copy: (target: Uint8Array, from: number) => boolean,
): void {
  const before = node.node_ops;
  node.node_ops = { ...before, getattr: (of) => ({ ...before.getattr(of), size: length }) };
  node.stream_ops = {
    ...node.stream_ops,
    llseek: seekIn(fs, () => length),
    read(_stream, buffer, offset, wanted, position) {
      const count = Math.max(0, Math.min(wanted, length - position));
      if (count > 0 && !copy(buffer.subarray(offset, offset + count), position)) throw new fs.ErrnoError(IO_ERROR);
      return count;
    },
  };
}

/** @returns what HDF5 says is wrong at the bottom of all, out of what it says about it in many lines */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'HDF5 broke down over it';
  const { message } = error;
  const system = /error message = '([^']+)'/.exec(message)?.[1];
  const innermost = [...message.matchAll(/^\s*#\d+: .* in \w+\(\): (.+)$/gm)].at(-1)?.[1];
  return system ?? innermost ?? message.split('\n')[0];
}

let opened = 0;

/** Names distinguish the files that one library has open. */
function nextName(): string {
  opened += 1;
  return `file-${opened}`;
}

function memorySource(bytes: Uint8Array): ByteSource {
  return {
    length: bytes.byteLength,
    read: (from, count) => Promise.resolve(bytes.subarray(from, from + count)),
  };
}

/**
 * @param content of the file, or where to fetch it
 * @param name of the file, for messages
 * @throws CaseError naming the file, where it is no HDF5 file
 */
export async function openHdf5(content: Uint8Array | ByteSource, name: string): Promise<Hdf5File> {
  const source = content instanceof Uint8Array ? memorySource(content) : content;
  const { File: HdfFile, ready } = await import('h5wasm');
  const library = await ready;
  // Otherwise what goes wrong is printed, and nothing is thrown.
  library.activate_throwing_error_handler();
  const fs = library.FS as unknown as FileSystem;
  const path = nextName();
  const node = fs.createFile('/', path, {}, true, false);
  const blocks = createBlocks(source.length);
  const inMemory = content instanceof Uint8Array ? content : undefined;
  showIn(fs, node, source.length, (target, from) => {
    if (!inMemory) return blocks.copy(target, from);
    target.set(inMemory.subarray(from, from + target.length));
    return true;
  });

  /** Asks until nothing was lacking. */
  async function repeat<Answer>(question: () => Answer, where: string): Promise<Answer> {
    for (;;) {
      blocks.forget();
      let answer: { readonly found: Answer } | undefined;
      let failure: unknown;
      try {
        answer = { found: question() };
      } catch (error) {
        failure = error;
      }
      // What was answered without a part of the file is no answer.
      if (blocks.wanted.size === 0) {
        blocks.trim(KEPT_BYTES);
        if (answer) return answer.found;
        if (failure instanceof CaseError) throw failure;
        throw new CaseError(`${where}: cannot be read: ${reasonOf(failure)}`);
      }
      if (blocks.bytes + blocks.wanted.size * BLOCK_BYTES > MOST_BYTES) {
        throw new CaseError(`${where}: more than ${MOST_BYTES / 2 ** 20} MiB of it would be needed at once`);
      }
      await blocks.fetch(source);
    }
  }

  let file: File | undefined;
  try {
    file = await repeat(() => new HdfFile(`/${path}`, 'r'), shown(name));
  } catch (error) {
    fs.unlink(`/${path}`);
    throw error;
  }
  const open = file;
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask(question, where = shown(name)) {
      const turn = last.then(() => repeat(() => question(open), where));
      last = turn.catch(() => undefined);
      return turn;
    },
    close() {
      void last.then(() => {
        open.close();
        fs.unlink(`/${path}`);
        blocks.trim(0);
      });
    },
  };
}

/** A file that answers at once. What cannot be read or written is thrown. */
export interface RandomAccessFile {
  /** Bytes. */
  readonly size: number;
  /** Fills the target with the bytes from a place on, all of them inside the file. */
  read(target: Uint8Array, from: number): void;
  /** Writes at a place, which may be the end of the file or beyond it. The caller may change the bytes afterwards. */
  write(bytes: Uint8Array, at: number): void;
  truncate(size: number): void;
}

/**
 * HDF5 files, and with them NetCDF-4, written where a program keeps its files otherwise than Node does: in a browser. HDF5 (h5wasm,
 * loaded when first needed) writes as it continues, and keeps no more of the file in memory than its caches.
 */
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

let written = 0;

/** @param file what it holds is written over */
export async function createHdf5In(file: RandomAccessFile): Promise<Hdf5Target> {
  const { File: HdfFile, ready } = await import('h5wasm');
  const library = await ready;
  // Otherwise what goes wrong is printed, and the file is said to be written.
  library.activate_throwing_error_handler();
  const fs = library.FS as unknown as FileSystem;
  written += 1;
  const path = `/written-${written}`;
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
