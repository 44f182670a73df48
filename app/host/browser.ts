/**
 * The host in a browser: `npm start` without Electron, a site of a static host, or the development server. Settings are kept by the
 * page's origin; a browser that keeps nothing (a private window) forgets them at the end.
 */
import { createArchive, type Archive } from './archive/archive.ts';
import { largestOpened } from '../bundle/bundle-name.ts';
import { ARCHIVE_BOUNDS } from '../files/zip.ts';
import { listenForDrops, droppedFolders, linkIn, listenForLinks, siteAddress, siteFactsOf } from './incoming.ts';
import type { SiteFacts } from './incoming.ts';
import {
  checkSize,
  folderOf,
  isParted,
  LARGEST_SCENARIO_BYTES,
  openedFrom,
  namedFile,
  readScenario,
  createPickers,
} from './files.ts';
import type { PickedFile, Pickers } from './files.ts';
import type { Host, OpenedFile, RecentFile } from './host.ts';
import { createStore, del, set, values } from 'idb-keyval';

const PREFIX = 'shoal.';

export interface Settings {
  read(key: string): string | undefined;
  write(key: string, value: string): void;
}

/** @param storage undefined where the browser refuses it */
export function createSettings(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined): Settings {
  const remembered = new Map<string, string>();
  return {
    read(key) {
      try {
        return remembered.get(key) ?? storage?.getItem(PREFIX + key) ?? undefined;
      } catch {
        return undefined;
      }
    },
    write(key, value) {
      remembered.set(key, value);
      try {
        storage?.setItem(PREFIX + key, value);
      } catch {
        // Full or forbidden: it is remembered as long as the page lives.
      }
    },
  };
}

/** The page's storage, or undefined where even asking for it throws. */
export function pageStorage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

const DATABASE = 'shoal.recent';
const STORE = 'files';
/** Files that were opened lately, kept in the browser: by a handle to the file if there are such, otherwise its bytes. */
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
function createDatabaseStore(): EntryStore {
  const store = createStore(DATABASE, STORE);
  return {
    all: () => values(store),
    put: (entry) => set(entry.id, entry, store),
    remove: (id) => del(id, store),
  };
}

interface RecentFiles {
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

/** Where the local server hands over a scenario that was named on the command line, seen from the page. */
const GIVEN = './given/';

/** Status of an answer of the local server about a file that it may not hand over. */
const REFUSED = 403;

/** What the host is made of, so that a test can give it other parts. */
export interface BrowserParts {
  readonly page: Document;
  readonly view: Window;
  readonly pickers: Pickers;
  readonly recent: RecentFiles;
  readonly settings: Settings;
  readonly archive: Archive;
  readonly fetch: (path: string) => Promise<Response>;
  /** Undefined for a page of this machine's own server, whose address is for one person. */
  readonly site: SiteFacts | undefined;
  /** Whether the browser has memory that threads share, for pages that are isolated from others. */
  readonly hasSharedMemory: boolean;
}

/** WebKitGTK is one of them. */
const NO_SHARED_MEMORY = 'This browser has no memory that threads share (SharedArrayBuffer).';

function browserParts(): BrowserParts {
  return {
    page: document,
    view: window,
    pickers: createPickers(window, document),
    recent: createRecentFiles(createDatabaseStore()),
    settings: createSettings(pageStorage()),
    archive: createArchive(),
    fetch: (path) => fetch(path),
    site: siteFactsOf(document),
    hasSharedMemory: typeof SharedArrayBuffer === 'function',
  };
}

const SCENARIO = {
  description: 'Scenario, with the arrays it refers to, or bundle',
  type: 'application/json',
  extensions: ['.json', '.npy', '.csv', '.nc', '.nc4', '.h5', '.hdf5', '.shoal'],
};
const RUN_FOLDER = {
  description: 'Run folder, as .zip or as its files',
  type: 'application/zip',
  extensions: ['.zip', '.json', '.csv', '.npy', '.ndjson', '.bin', '.nc', '.nc4', '.h5', '.hdf5'],
};

function givenPath(file: string): string {
  return GIVEN + file.split('/').map(encodeURIComponent).join('/');
}

export function createBrowserHost(parts: BrowserParts = browserParts()): Host {
  const { page, view, pickers, recent, settings, archive, fetch: get, site, hasSharedMemory } = parts;
  let unsaved = false;
  view.addEventListener('beforeunload', (event) => {
    if (unsaved) event.preventDefault();
  });

  /** @throws Error with what the local server says of a file that it refuses, RangeError for one that is too large */
  async function read(path: string, most: number): Promise<Uint8Array | undefined> {
    const answer = await get(path);
    if (answer.status === REFUSED) throw new Error((await answer.text()).trim());
    if (!answer.ok) return undefined;
    checkSize(Number(answer.headers.get('content-length') ?? 0), most);
    return new Uint8Array(await answer.arrayBuffer());
  }

  async function given(): Promise<OpenedFile | undefined> {
    const name = new URLSearchParams(view.location.search).get('open');
    if (name === null || name === '') return undefined;
    const bytes = await read(givenPath(name), largestOpened(name, LARGEST_SCENARIO_BYTES));
    if (!bytes) throw new Error(`${name}, which the window was opened with, cannot be read`);
    return { name, bytes, siblings: (file, most) => read(givenPath(file), most) };
  }

  async function remember(opened: OpenedFile, files: readonly PickedFile[]): Promise<void> {
    const handle = files.find(({ name }) => name === opened.name)?.handle;
    await recent.add({ name: opened.name, ...(handle ? { handle } : { bytes: opened.bytes }) });
  }

  return {
    kind: 'browser',
    async openScenario() {
      const files = await pickers.open(SCENARIO);
      const opened = files && (await openedFrom(files));
      if (files && opened) await remember(opened, files);
      return opened;
    },
    onOpen(listener, onFailure, onFolder) {
      let listening = true;
      given().then((file) => {
        if (file && listening) listener(file);
      }, onFailure);
      const dropped = (file: OpenedFile): void => {
        void recent.add({ name: file.name, bytes: file.bytes });
        listener(file);
      };
      const stop = listenForDrops(view, { onFile: dropped, onFolder, onFailure }, (transfer) =>
        droppedFolders(transfer, archive),
      );
      return () => {
        listening = false;
        stop();
      };
    },
    openRecent: (id) => recent.open(id),
    recent: () => recent.list(),
    save: (name, type, bytes) => pickers.save(name, type, bytes),
    async saveFolder(name, files) {
      return pickers.save(`${name}.zip`, 'application/zip', await archive.pack(name, files));
    },
    async nameFolder(name) {
      const target = await pickers.name(`${name}.zip`, 'application/zip');
      return (
        target && {
          name: target.name,
          write: async (files, large) => target.write(await archive.packAround({ name, files, large })),
          abandon: () => target.abandon(),
        }
      );
    },
    async openFolder() {
      const files = await pickers.open(RUN_FOLDER);
      if (!files || files.length === 0) return undefined;
      const inParts = files.filter(({ name, parted }) => parted !== undefined && isParted(name));
      const whole = files.filter((file) => !inParts.includes(file));
      // Nothing is read of what is too large.
      checkSize(
        whole.reduce((sum, { size }) => sum + size, 0),
        ARCHIVE_BOUNDS.bytes,
      );
      const packed = whole.find(({ name }) => name.toLowerCase().endsWith('.zip'));
      if (packed) return folderOf(await archive.unpack(await packed.bytes()));
      const read = whole.map(async (file) => [file.name, await file.bytes()] as const);
      return {
        files: Object.fromEntries(await Promise.all(read)),
        parted: Object.fromEntries(inParts.flatMap(({ name, parted }) => (parted ? [[name, parted] as const] : []))),
      };
    },
    droppedFolders: (transfer) => droppedFolders(transfer, archive),
    readSetting: (key) => settings.read(key),
    writeSetting: (key, value) => settings.write(key, value),
    onCommand: () => () => undefined,
    setTitle(title) {
      page.title = title;
    },
    setUnsaved(now) {
      unsaved = now;
    },
    tellGraphics: () => undefined,
    copyText: (text) => view.navigator.clipboard.writeText(text),
    linkAddress: site ? view.location.origin + view.location.pathname : siteAddress(),
    givenLink: linkIn(view.location.hash),
    onLink: (listener) => listenForLinks(view, listener),
    forgetLink() {
      const { hash, pathname, search } = view.location;
      if (linkIn(hash) !== undefined) view.history.replaceState(null, '', pathname + search);
    },
    limitation: site?.limitation ?? (hasSharedMemory ? undefined : NO_SHARED_MEMORY),
  };
}
