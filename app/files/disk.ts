/**
 * Files written so that they are whole: by all bytes, onto the disk, under their names only then. What fails names the file
 * and leaves it as it was.
 */
import { randomBytes } from 'node:crypto';
import { readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nodeFileSystem, type FileSystem, type OpenFile } from './file-system.ts';

/** Something could not be written; the message names the file. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
  readonly path: string;
  /** As the operating system has it, for example ENOSPC; undefined where it was not the system. */
  readonly code: string | undefined;

  constructor(path: string, cause: unknown) {
    const { code } = cause as NodeJS.ErrnoException;
    super(`${path}: ${reasonOf(cause)}`, { cause });
    this.path = path;
    this.code = typeof code === 'string' ? code : undefined;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'cannot be written: no space is left on the device',
  EDQUOT: 'cannot be written: the quota of disk space is used up',
  EFBIG: 'cannot be written: the file would be too large',
  EIO: 'cannot be written: the device reports an error',
  EROFS: 'cannot be written: the file system is read-only',
  EACCES: 'cannot be written: permission denied',
  EPERM: 'cannot be written: operation not permitted',
  ENOENT: 'cannot be written: its folder is gone',
  ENOTDIR: 'cannot be written: a part of this path is a file',
  EISDIR: 'cannot be written: it is a folder',
  EMFILE: 'cannot be written: too many files are open',
  ENAMETOOLONG: 'cannot be written: the name is too long',
};

function reasonOf(cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException;
  if (typeof code === 'string' && Object.hasOwn(REASONS, code)) return REASONS[code];
  return `cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`;
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** A file that is being written has its final name followed by this suffix, in the same folder. */
const UNFINISHED = /\.[0-9a-f]{12}\.partial$/;

/** Whether a name is that of a file that was never finished. */
export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(name);
}

export interface Disk {
  /**
   * Writes a file whole or not at all, in a folder that is there.
   * @param mode of the file, as the system has it
   * @throws WriteError
   */
  writeWhole(path: string, content: Uint8Array | string, mode?: number): Promise<void>;
  /**
   * Has a file made whole or not at all by somebody who writes to a path: beside its place, until it is done.
   * @param make writes it to the given path
   * @throws WriteError
   */
  makeWhole(path: string, make: (fresh: string) => Promise<void>): Promise<void>;
  /** Writes after the first `after` bytes of a file and cuts off what was behind them. @throws WriteError */
  append(path: string, after: number, content: Uint8Array): Promise<void>;
  /** Removes a file, or a folder with all that it holds, if there is one. @throws WriteError */
  remove(path: string): Promise<void>;
  /** Makes a folder, and those around it that are missing. @throws WriteError */
  makeFolder(path: string): Promise<void>;
  /** Makes a folder that is not there. @returns false when the name is taken. @throws WriteError */
  claimFolder(path: string): Promise<boolean>;
}

async function writeAll(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) {
    const more = await file.write(bytes.subarray(written), position + written);
    if (more <= 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' });
    written += more;
  }
}

/** Names the file in what goes wrong with it. */
async function naming<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof WriteError ? error : new WriteError(path, error);
  }
}

/** Writes into a file, which is on the disk and closed then. */
async function flushed(file: OpenFile, write: () => Promise<void>): Promise<void> {
  try {
    await write();
    await file.flush();
  } finally {
    await file.close();
  }
}

/** @param system other than this machine's, in a test */
export function createDisk(system: FileSystem = nodeFileSystem): Disk {
  async function isFolder(path: string): Promise<boolean> {
    try {
      return await system.isFolder(path);
    } catch {
      return false;
    }
  }

  /** One folder in one that is there. @returns false when the name is taken */
  async function makeOne(path: string): Promise<boolean> {
    try {
      await system.makeFolder(path);
    } catch (error) {
      if (isCode(error, 'EEXIST')) return false;
      throw error;
    }
    await system.flushFolder(dirname(path));
    return true;
  }

  /** Node's own recursion does not end where a parent is deleted, or takes no folders. */
  async function makeWithParents(path: string): Promise<void> {
    if (await isFolder(path)) return;
    const parent = dirname(path);
    if (parent !== path) await makeWithParents(parent);
    if (!(await makeOne(path)) && !(await isFolder(path))) {
      throw Object.assign(new Error(`${path} is a file`), { code: 'ENOTDIR' });
    }
  }

  /** Gives a file its name when it is done. */
  async function underItsName(path: string, make: (fresh: string) => Promise<void>): Promise<void> {
    const fresh = `${path}.${randomBytes(6).toString('hex')}.partial`;
    try {
      await make(fresh);
      await system.rename(fresh, path);
    } catch (error) {
      // It is swept later where it cannot be removed now.
      await system.remove(fresh).catch(() => undefined);
      throw error;
    }
    await system.flushFolder(dirname(path));
  }

  return {
    writeWhole: (path, content, mode) =>
      naming(path, () =>
        underItsName(path, async (fresh) => {
          const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
          const file = await system.create(fresh, mode);
          await flushed(file, () => writeAll(file, bytes, 0));
        }),
      ),
    makeWhole: (path, make) =>
      naming(path, () =>
        underItsName(path, async (fresh) => {
          await make(fresh);
          await flushed(await system.update(fresh), () => Promise.resolve());
        }),
      ),
    append: (path, after, content) =>
      naming(path, async () => {
        const isNew = after === 0;
        const file = await (isNew ? openOrCreate(path) : system.update(path));
        try {
          await file.truncate(after);
          await writeAll(file, content, after);
          await file.flush();
        } catch (error) {
          // A reader shall not find half a line; where even this fails, the committed length says where it ends.
          await (isNew ? system.remove(path) : file.truncate(after)).catch(() => undefined);
          throw error;
        } finally {
          await file.close();
        }
        if (isNew) await system.flushFolder(dirname(path));
      }),
    remove: (path) => naming(path, () => system.remove(path)),
    makeFolder: (path) => naming(path, () => makeWithParents(path)),
    claimFolder: (path) =>
      naming(path, async () => {
        await makeWithParents(dirname(path));
        return makeOne(path);
      }),
  };

  async function openOrCreate(path: string): Promise<OpenFile> {
    try {
      return await system.create(path);
    } catch (error) {
      if (isCode(error, 'EEXIST')) return system.update(path);
      throw error;
    }
  }
}

/** The disk of this machine. */
export const disk = createDisk();

/**
 * Writes a file that the user named, whole or not at all: where the name is a link, what it points to; the file keeps its
 * permissions.
 * @throws WriteError
 */
export async function writeNamedFile(path: string, content: Uint8Array | string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (found) => found.mode & 0o777,
    () => undefined,
  );
  await disk.writeWhole(target, content, mode);
}

/** Removes what writers that did not finish have left in a folder and below it. */
export async function sweepUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  for (const name of names.filter(isUnfinished)) await rm(join(folder, name), { force: true });
}
