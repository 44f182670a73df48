/**
 * Reading a file that somebody else named: a regular file of bounded size, or a refusal. What is opened is looked at on its
 * handle, so that nothing can be put in its place in between, and a pipe or a device is never waited for.
 */
import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { sep } from 'node:path';
import { shown } from '../../engine/index.ts';

/** A file is no regular file, or larger than it may be. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly path: string;
  /** What is wrong with it, to be written after its name. */
  readonly reason: string;
  readonly tooLarge: boolean;

  constructor(path: string, reason: string, tooLarge = false) {
    super(`${shown(path)}: ${reason}`);
    this.path = path;
    this.reason = reason;
    this.tooLarge = tooLarge;
  }
}

/** A first piece where the file does not say its size, as below /proc. */
const PIECE_BYTES = 2 ** 16;
/** Pieces that one read asks for, so that a read never blocks a thread of the pool for long. */
const LARGEST_READ_BYTES = 2 ** 26;

/** Opening does not wait for the other end of a pipe. Windows has no such pipes, and no such flag. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

type Stats = Awaited<ReturnType<FileHandle['stat']>>;

/** @returns what the handle leads to, in words; undefined for a regular file */
function otherKind(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isCharacterDevice() || stats.isBlockDevice()) return 'a device';
  return stats.isSocket() ? 'a socket' : 'no regular file';
}

/** Reads to the end, or one byte further than `most`. */
async function readPieces(file: FileHandle, size: number, most: number): Promise<Uint8Array> {
  let buffer = Buffer.allocUnsafeSlow(Math.min(size > 0 ? size + 1 : PIECE_BYTES, most + 1));
  let length = 0;
  for (;;) {
    const room = Math.min(buffer.length - length, LARGEST_READ_BYTES);
    const { bytesRead } = await file.read(buffer, length, room, length);
    length += bytesRead;
    if (bytesRead === 0 || length > most) return buffer.subarray(0, length);
    if (length < buffer.length) continue;
    const larger = Buffer.allocUnsafeSlow(Math.min(2 * buffer.length, most + 1));
    larger.set(buffer);
    buffer = larger;
  }
}

/** A file that is open, and how much of it may be read. */
export interface RegularFile {
  readonly file: FileHandle;
  readonly size: number;
}

/** Opens, and closes again what is not to be read. */
async function openChecked(path: string, most: number): Promise<RegularFile> {
  const file = await open(path, WITHOUT_WAITING);
  try {
    const stats = await file.stat();
    const kind = otherKind(stats);
    if (kind !== undefined) throw new FileError(path, `is ${kind}, a file is needed`);
    if (stats.size > most) throw new FileError(path, `found ${stats.size} bytes, allowed: ${most}`, true);
    return { file, size: stats.size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** What went wrong, with the file's path. */
function explain(error: unknown, path: string): unknown {
  // A socket, and a device that is not there, cannot even be opened.
  if (error instanceof Error && 'code' in error && (error.code === 'ENXIO' || error.code === 'ENODEV')) {
    return new FileError(path, 'is a socket or a device, a file is needed');
  }
  // A read of a handle names no path.
  return error instanceof FileError ? error : Object.assign(error as Error, { path });
}

/**
 * For who reads it piece by piece, and closes it.
 * @param most bytes that the file may have
 * @throws FileError for what is no regular file or has more bytes; the system's error, with its path, where it cannot be opened
 */
export async function openRegularFile(path: string, most: number): Promise<RegularFile> {
  try {
    return await openChecked(path, most);
  } catch (error) {
    throw explain(error, path);
  }
}

/**
 * @param most bytes that the file may have
 * @returns the whole file
 * @throws FileError for what is no regular file or has more bytes; the system's error, with its path, where it cannot be read
 */
export async function readRegularFile(path: string, most: number): Promise<Uint8Array> {
  return readAndClose(await openRegularFile(path, most), path, most);
}

/** Reads an opened file to its end and closes it. @throws as `readRegularFile` does */
export async function readAndClose({ file, size }: RegularFile, path: string, most: number): Promise<Uint8Array> {
  try {
    const bytes = await readPieces(file, size, most);
    if (bytes.length > most) throw new FileError(path, `found more than ${most} bytes, allowed: ${most}`, true);
    return bytes;
  } catch (error) {
    throw explain(error, path);
  } finally {
    await file.close();
  }
}

/**
 * Opens a file only if it is inside a folder, wherever links lead. The place is checked after the file was opened, by what the
 * handle refers to: nobody can exchange a link between the check and the opening.
 *
 * @param most bytes that the file may have
 * @throws FileError for a file outside the folder, and as `openRegularFile` does
 */
export async function openInside(folder: string, path: string, most: number): Promise<RegularFile> {
  const opened = await openRegularFile(path, most);
  try {
    const [root, real] = [await realpath(folder), await realpath(path)];
    const [found, held] = [await stat(real), await opened.file.stat()];
    const isInside = real.startsWith(root.endsWith(sep) ? root : root + sep);
    if (!isInside || found.dev !== held.dev || found.ino !== held.ino) {
      throw new FileError(path, "is a link that leads out of the scenario's folder");
    }
    return opened;
  } catch (error) {
    await opened.file.close();
    throw error;
  }
}
