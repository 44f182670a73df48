/**
 * Folders that the user names and that are written part by part: beside their place, then by one rename, so that a folder is there
 * whole or not at all. The page knows one by its id, and writes into no other.
 */
import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { disk } from '../files/disk.ts';
import type { NamedFolderPayload, NewPartPayload } from '../preload/bridge.ts';
import type { Dialogs } from './dialogs.ts';
import type { PartialFolders } from './partial-folders.ts';

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
