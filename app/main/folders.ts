/**
 * Folders that the user names and that are written part by part: beside their place, then by one rename, so that a folder is there
 * whole or not at all. The page knows one by its id, and writes into no other.
 */
import { randomBytes } from 'node:crypto';
import { rename, rm, opendir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { disk } from '../files/disk.ts';
import type { NamedFolderPayload, NewPartPayload, OpenedFolderPayload, PartPayload } from '../preload/bridge.ts';
import { MOST_FILES, type Dialogs, type PartialFolders } from './dialogs.ts';
import { FIELDS_FILE, NETCDF_FILE } from '../../engine/index.ts';
import { openRegularFile, readRegularFile } from '../files/regular-file.ts';

/** Bytes of the files that are read at once: they are held in memory, here and in the page. */
const MOST_BYTES = 2 ** 30;
/** Folders whose files can be read in parts; with one more the oldest cannot any more. */
const MOST_FOLDERS = 16;
/** Files that are read in parts. */
const PARTED: ReadonlySet<string> = new Set([FIELDS_FILE, NETCDF_FILE]);

/**
 * Run folders that the user chooses: small files are read at once, the states of the cycles part by part as the page asks for
 * them. The page knows a folder by its id, and gets no other file of it, nor one of a folder that was not chosen.
 */
interface OpenedFolders {
  /** Reads the folder that the user chooses. @throws Error when it is larger than a run folder */
  open(dialogs: Dialogs): Promise<OpenedFolderPayload | undefined>;
  /** @throws Error for a folder or a file that was not opened, and where the file cannot be read */
  readPart(part: PartPayload): Promise<Uint8Array>;
}

/** @returns the paths of all files below a folder. @throws Error as soon as it turns out to have more entries than a run folder */
async function filesIn(folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  let entries = 0;
  for await (const entry of await opendir(folder, { recursive: true })) {
    entries += 1;
    if (entries > MOST_FILES) throw new Error(`${folder} has more than ${MOST_FILES} files; it is no run folder`);
    if (entry.isFile()) paths.push(join(entry.parentPath, entry.name));
  }
  return paths;
}

export function createOpenedFolders(): OpenedFolders {
  /** Paths by id, oldest first. */
  const folders = new Map<string, string>();

  function remember(folder: string): string {
    const id = randomBytes(16).toString('hex');
    folders.set(id, folder);
    for (const oldest of folders.keys()) {
      if (folders.size <= MOST_FOLDERS) break;
      folders.delete(oldest);
    }
    return id;
  }

  return {
    async open(dialogs) {
      const { canceled, filePaths } = await dialogs.open({ title: 'Open run folder', properties: ['openDirectory'] });
      const [folder] = filePaths;
      if (canceled || folder === undefined) return undefined;
      const paths = await filesIn(folder);
      const files: Record<string, Uint8Array> = {};
      const parted: Record<string, number> = {};
      let bytes = 0;
      for (const path of paths) {
        const inside = relative(folder, path).split(sep).join('/');
        if (PARTED.has(inside)) {
          const { file, size } = await openRegularFile(path, Number.MAX_SAFE_INTEGER);
          await file.close();
          parted[inside] = size;
          continue;
        }
        // A file that is too large is refused before it is read.
        const content = await readRegularFile(path, MOST_BYTES - bytes);
        bytes += content.byteLength;
        files[inside] = content;
      }
      return { id: remember(folder), files, parted };
    },
    async readPart({ id, path, from, bytes }) {
      const folder = folders.get(id);
      if (folder === undefined || !PARTED.has(path)) throw new Error(`${path} is of no folder that was opened`);
      const { file, size } = await openRegularFile(join(folder, path), Number.MAX_SAFE_INTEGER);
      try {
        // Of zeros, since what crosses is the whole of it: nothing else of this process's memory.
        const part = new Uint8Array(Math.max(0, Math.min(bytes, size - from)));
        let length = 0;
        while (length < part.length) {
          const { bytesRead } = await file.read(part, length, part.length - length, from + length);
          if (bytesRead === 0) break;
          length += bytesRead;
        }
        return part.subarray(0, length);
      } finally {
        await file.close();
      }
    },
  };
}

export interface NewFolders {
  /** Asks where it goes. @returns undefined when cancelled */
  name(dialogs: Dialogs, suggested: string): Promise<NamedFolderPayload | undefined>;
  /** Writes a part of a file behind those that were written of it. @throws WriteError; Error for a folder that was not named */
  write(part: NewPartPayload): Promise<void>;
  /** Gives the folder its name. @throws what its parts could not be written by; Error when there is one that is not empty */
  finish(id: string): Promise<void>;
  /** Nothing stays of it. */
  abandon(id: string): Promise<void>;
  /** The same of all that are not finished, those that are being removed already included: nobody is left to finish them. */
  abandonAll(): Promise<void>;
}

interface NewFolder {
  /** Where it will be. */
  readonly path: string;
  /** Where it is written. */
  readonly fresh: string;
  /** Settles as all parts so far are written; rejects with what one of them could not be written by. */
  writing: Promise<void>;
}

export function createNewFolders(partials: PartialFolders): NewFolders {
  const folders = new Map<string, NewFolder>();
  const removals = new Set<Promise<void>>();

  function folderOf(id: string): NewFolder {
    const folder = folders.get(id);
    if (!folder) throw new Error('there is no such folder to be written');
    return folder;
  }

  async function removeFromDisk({ fresh, writing }: NewFolder): Promise<void> {
    // A part that is still being written would create the folder again.
    await writing.catch(() => undefined);
    await rm(fresh, { recursive: true, force: true });
    await partials.end(fresh);
  }

  async function remove(id: string): Promise<void> {
    const folder = folders.get(id);
    folders.delete(id);
    if (!folder) return;
    const removal = removeFromDisk(folder);
    removals.add(removal);
    await removal.finally(() => removals.delete(removal));
  }

  return {
    async name(dialogs, suggested) {
      const { canceled, filePath } = await dialogs.save({ defaultPath: suggested });
      if (canceled || filePath === '') return undefined;
      const id = randomBytes(16).toString('hex');
      const fresh = await partials.begin(filePath);
      folders.set(id, { path: filePath, fresh, writing: Promise.resolve() });
      return { id, name: basename(filePath) };
    },
    async write({ id, path, from, bytes }) {
      const folder = folderOf(id);
      const target = join(folder.fresh, ...path.split('/'));
      folder.writing = folder.writing.then(async () => {
        await disk.makeFolder(dirname(target));
        await disk.append(target, from, bytes);
      });
      await folder.writing;
    },
    async finish(id) {
      const { path, fresh, writing } = folderOf(id);
      try {
        await writing;
        await rename(fresh, path);
        folders.delete(id);
        await partials.end(fresh);
      } catch (error) {
        await remove(id);
        throw error;
      }
    },
    abandon: remove,
    async abandonAll() {
      await Promise.all([...removals, ...[...folders.keys()].map(remove)]);
    },
  };
}
