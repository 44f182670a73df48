/**
 * Run folders that the user chooses: small files are read at once, the states of the cycles part by part as the page asks for
 * them. The page knows a folder by its id, and gets no other file of it, nor one of a folder that was not chosen.
 */
import { randomBytes } from 'node:crypto';
import { opendir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { FIELDS_FILE, NETCDF_FILE } from '../../engine/index.ts';
import { openRegularFile, readRegularFile } from '../files/regular-file.ts';
import type { OpenedFolderPayload, PartPayload } from '../preload/bridge.ts';
import { MOST_FILES } from './dialogs.ts';
import type { Dialogs } from './dialogs.ts';

/** Bytes of the files that are read at once: they are held in memory, here and in the page. */
const MOST_BYTES = 2 ** 30;
/** Folders whose files can be read in parts; with one more the oldest cannot any more. */
const MOST_FOLDERS = 16;
/** Files that are read in parts. */
const PARTED: ReadonlySet<string> = new Set([FIELDS_FILE, NETCDF_FILE]);

export interface OpenedFolders {
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
