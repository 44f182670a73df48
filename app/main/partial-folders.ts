/**
 * The hidden folders in which folders are written before they get their names. They are listed in the application's own data, so
 * that the next start removes those that a crash left behind.
 */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { disk } from '../files/disk.ts';
import { readRegularFile } from '../files/regular-file.ts';

const LARGEST_LIST_BYTES = 2 ** 20;
/** Only folders with such names are ever removed: the list itself may have been changed by others. */
const PARTIAL_NAME = /^\..+\.[0-9a-f]{12}\.partial$/s;

const listSchema = z.array(z.string()).max(1000);

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
