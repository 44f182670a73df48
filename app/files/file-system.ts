/**
 * The few calls of the operating system by which files are kept, each as it is: a write may write less than it was given,
 * and nothing is on the disk before it is flushed. A test gives a disk that fails, or loses what was not flushed.
 */
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { openRegularFile } from './regular-file.ts';

export interface OpenFile {
  /** @returns how many bytes were written, which may be fewer */
  write(bytes: Uint8Array, position: number): Promise<number>;
  truncate(length: number): Promise<void>;
  /** Returns when all that was written is on the disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface FileSystem {
  /** Makes a file, which must not be there. @param mode as the system has it */
  create(path: string, mode?: number): Promise<OpenFile>;
  /** Opens a file that is there, for writing. */
  update(path: string): Promise<OpenFile>;
  /** Reads a regular file, or a part of it, and nothing else (no pipe, no device). */
  read(path: string, part?: { readonly from: number; readonly bytes: number }): Promise<Uint8Array>;
  rename(from: string, to: string): Promise<void>;
  /** Makes one folder, which must not be there. */
  makeFolder(path: string): Promise<void>;
  /** Returns when the names in a folder are on the disk. */
  flushFolder(path: string): Promise<void>;
  isFolder(path: string): Promise<boolean>;
  list(path: string): Promise<string[]>;
  remove(path: string): Promise<void>;
}

/** What a folder says that cannot be flushed: on Windows, and on some file systems of a network. */
const NOT_FLUSHED = new Set(['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'EBADF']);

function openFile(file: FileHandle): OpenFile {
  return {
    write: async (bytes, position) => {
      const { bytesWritten } = await file.write(bytes, 0, bytes.byteLength, position);
      return bytesWritten;
    },
    truncate: (length) => file.truncate(length),
    flush: () => file.sync(),
    close: () => file.close(),
  };
}

/** The largest file of a run folder, which is the largest that Node reads in one piece. */
const LARGEST_FILE_BYTES = 2 ** 32;

async function readPart(path: string, part?: { readonly from: number; readonly bytes: number }): Promise<Uint8Array> {
  const most = part ? Number.MAX_SAFE_INTEGER : LARGEST_FILE_BYTES;
  const { file, size } = await openRegularFile(path, most);
  try {
    const from = part?.from ?? 0;
    const bytes = new Uint8Array(Math.max(0, Math.min(part?.bytes ?? Infinity, size - from)));
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, from + length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await file.close();
  }
}

/** The file system of this machine. */
export const nodeFileSystem: FileSystem = {
  create: async (path, mode) => openFile(await open(path, 'wx', mode)),
  update: async (path) => openFile(await open(path, 'r+')),
  read: readPart,
  rename,
  makeFolder: (path) => mkdir(path).then(() => undefined),
  async flushFolder(path) {
    try {
      const folder = await open(path, 'r');
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    } catch (error) {
      if (!NOT_FLUSHED.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  },
  isFolder: async (path) => (await stat(path)).isDirectory(),
  list: (path) => readdir(path),
  remove: (path) => rm(path, { recursive: true, force: true }),
};
