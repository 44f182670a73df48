/** Files that were opened lately, kept in the browser: by a handle to the file if there are such, otherwise its bytes. */
import { createStore, del, set, values } from 'idb-keyval';
import { namedFile, readScenario } from './files.ts';
import type { OpenedFile, RecentFile } from './host.ts';

const DATABASE = 'shoal.recent';
const STORE = 'files';
export const MOST_RECENT_FILES = 10;

export interface RecentEntry extends RecentFile {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly handle?: FileSystemFileHandle;
  readonly bytes?: Uint8Array;
}

/** Entries by id; the page's database, or a stand-in. */
export interface EntryStore {
  all(): Promise<readonly RecentEntry[]>;
  put(entry: RecentEntry): Promise<void>;
  remove(id: string): Promise<void>;
}

/** In the page's database. */
export function createDatabaseStore(): EntryStore {
  const store = createStore(DATABASE, STORE);
  return {
    all: () => values(store),
    put: (entry) => set(entry.id, entry, store),
    remove: (id) => del(id, store),
  };
}

export interface RecentFiles {
  list(): Promise<readonly RecentFile[]>;
  add(entry: Omit<RecentEntry, 'id' | 'time'>): Promise<void>;
  open(id: string): Promise<OpenedFile | undefined>;
}

/** Beyond the DOM's types: Chromium asks again for leave to read a handle that was kept from an earlier visit. */
interface KeptHandle extends FileSystemFileHandle {
  requestPermission?(options: { readonly mode: 'read' }): Promise<PermissionState>;
}

async function readHandle(handle: KeptHandle): Promise<Uint8Array | undefined> {
  try {
    await handle.requestPermission?.({ mode: 'read' });
    return await readScenario(namedFile(await handle.getFile()));
  } catch {
    return undefined;
  }
}

/** Newest first; an entry that can no longer be read is forgotten when it is opened. */
export function createRecentFiles(store: EntryStore, now: () => number = Date.now): RecentFiles {
  const newestFirst = async (): Promise<RecentEntry[]> => {
    try {
      return (await store.all()).toSorted((a, b) => b.time - a.time);
    } catch {
      // A browser that keeps nothing has no recent files.
      return [];
    }
  };
  return {
    list: async () => (await newestFirst()).map(({ id, name }) => ({ id, name })),
    async add(entry) {
      try {
        // The name is the identity: a browser does not give a file's path.
        await store.put({ ...entry, id: entry.name, time: now() });
        for (const { id } of (await newestFirst()).slice(MOST_RECENT_FILES)) await store.remove(id);
      } catch {
        // What cannot be remembered is not offered again.
      }
    },
    async open(id) {
      const entry = (await newestFirst()).find((each) => each.id === id);
      if (!entry) return undefined;
      const bytes = entry.handle ? await readHandle(entry.handle) : entry.bytes;
      if (!bytes) {
        await store.remove(id);
        return undefined;
      }
      await store.put({ ...entry, time: now() });
      return { name: entry.name, bytes, siblings: () => Promise.resolve(undefined) };
    },
  };
}
