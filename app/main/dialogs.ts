/** Files and folders that the user chooses in the system's dialogs. */
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join, isAbsolute } from 'node:path';
import { disk, writeNamedFile } from '../files/disk.ts';
import type { FolderPayload } from '../preload/bridge.ts';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { readRegularFile } from '../files/regular-file.ts';

const LARGEST_LIST_BYTES = 2 ** 20;
/** Only folders with such names are ever removed: the list itself may have been changed by others. */
const PARTIAL_NAME = /^\..+\.[0-9a-f]{12}\.partial$/s;

const listSchema = z.array(z.string()).max(1000);

/**
 * The hidden folders in which folders are written before they get their names. They are listed in the application's own data, so
 * that the next start removes those that a crash left behind.
 */
export interface PartialFolders {
  /** @returns a hidden path beside `path`, recorded until `end` */
  begin(path: string): Promise<string>;
  /** Forgets a folder that was renamed or removed. */
  end(partial: string): Promise<void>;
  /** Removes what earlier starts left behind. */
  sweep(): Promise<void>;
}

/** @param folder of the application's own data */
export function createPartialFolders(folder: string): PartialFolders {
  const list = join(folder, 'partial-folders.json');
  const present = new Set<string>();
  let changes: Promise<void> = Promise.resolve();
  /** A list that cannot be written keeps no folder from being saved. */
  const record = (): Promise<void> => {
    changes = changes
      .then(() => disk.makeFolder(folder))
      .then(() => disk.writeWhole(list, JSON.stringify([...present])))
      .catch(() => undefined);
    return changes;
  };
  return {
    begin(path) {
      const partial = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.partial`);
      present.add(partial);
      return record().then(() => partial);
    },
    end(partial) {
      present.delete(partial);
      return record();
    },
    async sweep() {
      try {
        const left = listSchema.parse(
          JSON.parse(new TextDecoder().decode(await readRegularFile(list, LARGEST_LIST_BYTES))),
        );
        const removable = left.filter(
          (path) => isAbsolute(path) && PARTIAL_NAME.test(basename(path)) && !present.has(path),
        );
        await Promise.allSettled(removable.map((path) => rm(path, { recursive: true, force: true })));
        await record();
      } catch {
        // A missing or damaged list names nothing to remove.
      }
    },
  };
}

interface DialogFilter {
  name: string;
  extensions: string[];
}

/** The dialogs that are used, already bound to the window. */
export interface Dialogs {
  open(options: {
    title: string;
    properties: ('openFile' | 'openDirectory')[];
    filters?: DialogFilter[];
  }): Promise<{ readonly canceled: boolean; readonly filePaths: readonly string[] }>;
  save(options: { defaultPath: string; filters?: DialogFilter[] }): Promise<{
    readonly canceled: boolean;
    readonly filePath: string;
  }>;
}

/** A run folder has at most this many files: they are held in memory, here and in the page. */
export const MOST_FILES = 10_000;

/** @returns the path that was chosen */
export async function chooseScenario(dialogs: Dialogs): Promise<string | undefined> {
  const { canceled, filePaths } = await dialogs.open({
    title: 'Open scenario',
    properties: ['openFile'],
    filters: [
      { name: 'Scenario or bundle', extensions: ['json', 'shoal'] },
      { name: 'All files', extensions: ['*'] },
    ],
  });
  return canceled ? undefined : filePaths[0];
}

/** Writes a file to a path that the user chooses. @returns its name, or undefined when cancelled */
export async function saveFile(dialogs: Dialogs, name: string, bytes: Uint8Array): Promise<string | undefined> {
  const extension = extname(name).slice(1);
  const filters = extension === '' ? {} : { filters: [{ name: extension.toUpperCase(), extensions: [extension] }] };
  const { canceled, filePath } = await dialogs.save({ defaultPath: name, ...filters });
  if (canceled || filePath === '') return undefined;
  await writeNamedFile(filePath, bytes);
  return basename(filePath);
}

/**
 * Writes a folder, whole or not at all: beside its place, then by one rename.
 *
 * @returns its name; undefined if the dialog was cancelled
 * @throws Error if the folder exists and is not empty, or cannot be written
 */
export async function saveFolder(
  dialogs: Dialogs,
  partials: PartialFolders,
  name: string,
  files: FolderPayload,
): Promise<string | undefined> {
  const { canceled, filePath } = await dialogs.save({ defaultPath: name });
  if (canceled || filePath === '') return undefined;
  const fresh = await partials.begin(filePath);
  try {
    for (const [path, bytes] of Object.entries(files)) {
      const target = join(fresh, ...path.split('/'));
      await disk.makeFolder(dirname(target));
      await disk.writeWhole(target, bytes);
    }
    await rename(fresh, filePath);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw error;
  } finally {
    await partials.end(fresh);
  }
  return basename(filePath);
}
