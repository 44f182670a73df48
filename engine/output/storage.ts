/** Where a run folder keeps its files, and the checksums of what is in it. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/**
 * SHA-256 of what lies in a run folder, as lower-case hexadecimal digits: `sha256sum` gives the same. It finds damage and
 * careless edits; somebody who writes a new checksum as well is not kept from anything.
 *
 * Where a file ends and what it holds up to there.
 */
export interface Extent {
  readonly bytes: number;
  readonly sha256: string;
}

/** The checksum of something that grows. */
export interface RunningChecksum {
  add(bytes: Uint8Array): void;
  /** Extent of all that was added so far. */
  readonly extent: Extent;
  /** Another one that continues from here by itself. */
  fork(): RunningChecksum;
}

function runningFrom(hash: ReturnType<typeof sha256.create>, before: number): RunningChecksum {
  let bytes = before;
  return {
    add(more) {
      hash.update(more);
      bytes += more.byteLength;
    },
    get extent() {
      return { bytes, sha256: bytesToHex(hash.clone().digest()) };
    },
    fork: () => runningFrom(hash.clone(), bytes),
  };
}

export function createRunningChecksum(): RunningChecksum {
  return runningFrom(sha256.create(), 0);
}

/** @returns the extent of a whole file; by the platform's own code, which is faster for what is large, where it is offered */
export async function extentOf(bytes: Uint8Array): Promise<Extent> {
  // A page has it only where it was served securely.
  const subtle: Pick<typeof crypto.subtle, 'digest'> | undefined = globalThis.crypto?.subtle;
  const view = new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  const digest = subtle ? new Uint8Array(await subtle.digest('SHA-256', view)) : sha256(view);
  return { bytes: bytes.byteLength, sha256: bytesToHex(digest) };
}

/** @returns what is wrong with a file's content, or undefined where it is what it was */
export function extentProblem(found: Extent, written: Extent): string | undefined {
  if (found.bytes !== written.bytes) return `found ${found.bytes} bytes, ${written.bytes} were written`;
  return found.sha256 === written.sha256 ? undefined : 'its content is not what was written (checksum)';
}

/**
 * What the engine needs from the place where files are. Node, Electron and the browser each provide it; a test provides one
 * in memory. Paths are relative, with forward slashes. What was written is on the disk when the call returns; what could not
 * be written is an error, and leaves the file as it was.
 */
export interface Storage {
  /**
   * @param part bytes from a place on; fewer where the file ends before. The whole file if omitted.
   * @returns undefined when there is no such file
   */
  read(path: string, part?: FilePart): Promise<Uint8Array | undefined>;
  /** Writes a file, with its folder, whole or not at all: a reader sees the old content or the new. */
  writeWhole(path: string, content: Uint8Array | string): Promise<void>;
  /**
   * Writes after the first bytes of a file, which is made if there is none; what was behind them is cut off.
   * @param after how many bytes stay; the file has as many
   */
  append(path: string, after: number, content: Uint8Array): Promise<void>;
  /** @returns names of the files and folders in a folder, sorted; none when the folder does not exist */
  list(path: string): Promise<readonly string[]>;
  /** Removes a file, or a folder with all that it holds; nothing happens when there is none. */
  remove(path: string): Promise<void>;
}

interface FilePart {
  readonly from: number;
  readonly bytes: number;
}

/** @returns the file as text, or undefined when there is none */
export async function readText(storage: Storage, path: string): Promise<string | undefined> {
  const bytes = await storage.read(path);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}

function inside(folder: string): (path: string) => boolean {
  return (path) => folder === '' || path.startsWith(`${folder}/`);
}

/** A file in memory that may grow: there is room behind its end, so that growing does not copy it each time. */
interface GrowingBytes {
  room: Uint8Array;
  length: number;
}

function appendTo(file: GrowingBytes, after: number, content: Uint8Array): void {
  if (after > file.length) throw new RangeError(`a file of ${file.length} bytes cannot be written after ${after}`);
  const length = after + content.byteLength;
  if (length > file.room.byteLength) {
    const room = new Uint8Array(Math.max(length, 2 * file.room.byteLength));
    room.set(file.room.subarray(0, after));
    file.room = room;
  }
  file.room.set(content, after);
  file.length = length;
}

/** A storage in memory: for tests, and for a run folder that is handed on as a whole. */
export function createMemoryStorage(): Storage & { readonly files: ReadonlyMap<string, Uint8Array> } {
  const stored = new Map<string, GrowingBytes>();
  const bytesOf = ({ room, length }: GrowingBytes): Uint8Array => room.subarray(0, length);
  return {
    get files() {
      return new Map([...stored].map(([path, file]) => [path, bytesOf(file).slice()]));
    },
    read: (path, part) => {
      const file = stored.get(path);
      const end = part === undefined ? undefined : part.from + part.bytes;
      return Promise.resolve(file && bytesOf(file).slice(part?.from, end));
    },
    writeWhole: (path, content) => {
      const room = typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
      stored.set(path, { room, length: room.byteLength });
      return Promise.resolve();
    },
    append: async (path, after, content) => {
      const file = stored.get(path) ?? { room: new Uint8Array(0), length: 0 };
      appendTo(file, after, content);
      stored.set(path, file);
    },
    list: (folder) => {
      const start = folder === '' ? 0 : folder.length + 1;
      const names = [...stored.keys()].filter(inside(folder)).map((path) => path.slice(start).split('/')[0]);
      return Promise.resolve([...new Set(names)].sort());
    },
    remove: (path) => {
      for (const file of [...stored.keys()].filter((name) => name === path || inside(path)(name))) stored.delete(file);
      return Promise.resolve();
    },
  };
}
