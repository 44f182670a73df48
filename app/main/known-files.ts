/**
 * The files that the user has opened: the page knows them by ids, the paths stay here. An id is made of the path, so that a
 * file keeps it from one start to the next.
 */
import { createHash } from 'node:crypto';
import { basename, join, resolve, isAbsolute } from 'node:path';
import { z } from 'zod';
import { MAXIMUM_SCENARIO_BYTES } from '../../engine/index.ts';
import { largestOpened } from '../bundle/bundle-name.ts';
import { readBeside } from '../files/beside.ts';
import { disk } from '../files/disk.ts';
import { FileError, readRegularFile } from '../files/regular-file.ts';
import type { OpenedPayload, RecentPayload } from '../preload/bridge.ts';
import { fileURLToPath } from 'node:url';

/**
 * A file manager of Linux may hand over addresses instead of paths (`%U`). An address of another machine is not followed: on
 * Windows `file://server/share` would become a UNC path, and opening it would send the user's credentials to that server.
 */
function pathOf(word: string, folder: string): string {
  if (!/^file:/i.test(word)) return isAbsolute(word) ? word : resolve(folder, word);
  try {
    const { host, pathname } = new URL(word);
    return host === '' && !pathname.startsWith('//') ? fileURLToPath(word) : word;
  } catch {
    return word;
  }
}

/**
 * @param application its own folder, which is on the command line while it is not packaged
 * @returns what the words of a command line ask to open, as absolute paths, whatever their names: what is no scenario is reported
 */
export function filesOf(words: readonly string[], folder: string, application: string): string[] {
  return words
    .filter((word) => !word.startsWith('-'))
    .map((word) => pathOf(word, folder))
    .filter((path) => path !== application);
}

interface Opening {
  /** Opens a file in the page, now or as soon as the page listens. */
  add(path: string): void;
  /** The page listens from now on; or, after it was reloaded, no longer. */
  setListening(listening: boolean): void;
  readonly waiting: readonly string[];
}

/**
 * @param read opens a file; where it fails, `refuse` says why
 * @param deliver hands it to the page
 */
export function createOpening<Opened>(
  read: (path: string) => Promise<Opened>,
  deliver: (opened: Opened) => void,
  refuse: (path: string, error: unknown) => void,
): Opening {
  const waiting: string[] = [];
  let listening = false;
  const flush = (): void => {
    if (!listening) return;
    for (const path of waiting.splice(0)) read(path).then(deliver, (error: unknown) => refuse(path, error));
  };
  return {
    waiting,
    add(path) {
      waiting.push(path);
      flush();
    },
    setListening(now) {
      listening = now;
      flush();
    },
  };
}

export const MOST_RECENT_FILES = 10;
/** Ten paths, as long as a system allows. */
const LARGEST_LIST_BYTES = 2 ** 20;

const recentSchema = z.array(z.string()).max(1000);

export interface KnownFiles {
  /** Reads a scenario that the user chose, and remembers it. @throws the system's error where it cannot be read; then it is forgotten */
  open(path: string): Promise<OpenedPayload>;
  /** The path of a known file; for this process only. */
  pathOf(id: string): Promise<string | undefined>;
  /** Opens one that is known; undefined where it is not, or is gone. */
  openKnown(id: string): Promise<OpenedPayload | undefined>;
  /** Newest first. */
  recent(): Promise<readonly RecentPayload[]>;
  /** An array or table that an opened scenario names; undefined if there is none. @throws Error where it may not be read */
  sibling(id: string, name: string): Promise<Uint8Array | undefined>;
}

export function idOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32);
}

/** @param folder of the application's own data, where the list of recent files is kept */
export function createKnownFiles(folder: string, onRecent: (path: string) => void = () => undefined): KnownFiles {
  const list = join(folder, 'recent.json');
  const paths = new Map<string, string>();
  let recent: Promise<string[]> | undefined;

  const load = (): Promise<string[]> => {
    recent ??= readRegularFile(list, LARGEST_LIST_BYTES)
      .then((bytes) => recentSchema.parse(JSON.parse(new TextDecoder().decode(bytes))))
      // Missing or damaged: it is a convenience, and begins empty.
      .catch(() => []);
    return recent;
  };
  const keep = async (kept: string[]): Promise<void> => {
    recent = Promise.resolve(kept);
    await disk.makeFolder(folder);
    await disk.writeWhole(list, JSON.stringify(kept));
  };
  let changes: Promise<void> = Promise.resolve();
  /** One change after the other: several files may be opened at once. */
  const change = (adapt: (paths: readonly string[]) => readonly string[]): Promise<void> => {
    const after = changes;
    changes = (async () => {
      await after;
      // A list that cannot be written keeps no file from being opened.
      await keep(adapt(await load()).slice(0, MOST_RECENT_FILES)).catch(() => undefined);
    })();
    return changes;
  };
  const pathOf = async (id: string): Promise<string | undefined> =>
    paths.get(id) ?? (await load()).find((path) => idOf(path) === id);

  async function openPath(given: string): Promise<OpenedPayload> {
    const path = resolve(given);
    const bytes = await readRegularFile(path, largestOpened(path, MAXIMUM_SCENARIO_BYTES)).catch(
      async (error: unknown) => {
        await change((known) => known.filter((other) => other !== path));
        throw error;
      },
    );
    const id = idOf(path);
    paths.set(id, path);
    await change((known) => [path, ...known.filter((other) => other !== path)]);
    onRecent(path);
    return { id, name: basename(path), bytes };
  }

  return {
    open: openPath,
    pathOf,
    async openKnown(id) {
      const path = await pathOf(id);
      if (path === undefined) return undefined;
      try {
        return await openPath(path);
      } catch {
        return undefined;
      }
    },
    async recent() {
      return (await load()).map((path) => ({ id: idOf(path), name: basename(path) }));
    },
    async sibling(id, name) {
      const path = paths.get(id);
      if (path === undefined) return undefined;
      try {
        return await readBeside(path, name);
      } catch (error) {
        // Paths stay here.
        if (error instanceof FileError) throw new Error(error.reason, { cause: error });
        return undefined;
      }
    },
  };
}
