/** The host in a browser: `npm start` without Electron, or the development server. */
import { packFolder, unpackFolder } from './archive.ts';
import { listenForDrops } from './drop.ts';
import { openedFrom } from './files.ts';
import type { Host, OpenedFile } from './host.ts';
import { createPickers } from './pickers.ts';
import type { PickedFile, Pickers } from './pickers.ts';
import { createDatabaseStore, createRecentFiles } from './recent-store.ts';
import type { RecentFiles } from './recent-store.ts';
import { createSettings, pageStorage } from './settings.ts';
import type { Settings } from './settings.ts';

/** Where the local server hands over a scenario that was named on the command line. */
const GIVEN = '/given/';

/** What the host is made of, so that a test can give it other parts. */
export interface BrowserParts {
  readonly page: Document;
  readonly view: Window;
  readonly pickers: Pickers;
  readonly recent: RecentFiles;
  readonly settings: Settings;
  readonly fetch: (path: string) => Promise<Response>;
}

function browserParts(): BrowserParts {
  return {
    page: document,
    view: window,
    pickers: createPickers(window, document),
    recent: createRecentFiles(createDatabaseStore(indexedDB)),
    settings: createSettings(pageStorage()),
    fetch: (path) => fetch(path),
  };
}

const SCENARIO = {
  description: 'Scenario, with the arrays it refers to',
  type: 'application/json',
  extensions: ['.json', '.npy', '.csv'],
};
const RUN_FOLDER = {
  description: 'Run folder, as .zip or as its files',
  type: 'application/zip',
  extensions: ['.zip', '.json', '.csv', '.npy', '.ndjson', '.bin'],
};

function givenPath(file: string): string {
  return GIVEN + file.split('/').map(encodeURIComponent).join('/');
}

export function createBrowserHost(
  { page, view, pickers, recent, settings, fetch: get }: BrowserParts = browserParts(),
): Host {
  let unsaved = false;
  view.addEventListener('beforeunload', (event) => {
    if (unsaved) event.preventDefault();
  });

  async function read(path: string): Promise<Uint8Array | undefined> {
    const answer = await get(path);
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined;
  }

  async function given(): Promise<OpenedFile | undefined> {
    const name = new URLSearchParams(view.location.search).get('open');
    if (name === null || name === '') return undefined;
    const bytes = await read(givenPath(name));
    if (!bytes) throw new Error(`${name}, which the window was opened with, cannot be read`);
    return { name, bytes, siblings: (file) => read(givenPath(file)) };
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
    onOpen(listener, onFailure) {
      let listening = true;
      given().then((file) => {
        if (file && listening) listener(file);
      }, onFailure);
      const dropped = (file: OpenedFile): void => {
        void recent.add({ name: file.name, bytes: file.bytes });
        listener(file);
      };
      const stop = listenForDrops(view, dropped, onFailure);
      return () => {
        listening = false;
        stop();
      };
    },
    openRecent: (id) => recent.open(id),
    recent: () => recent.list(),
    save: (name, type, bytes) => pickers.save(name, type, bytes),
    async saveFolder(name, files) {
      return pickers.save(`${name}.zip`, 'application/zip', packFolder(name, files));
    },
    async openFolder() {
      const files = await pickers.open(RUN_FOLDER);
      if (!files || files.length === 0) return undefined;
      const archive = files.find(({ name }) => name.toLowerCase().endsWith('.zip'));
      if (archive) return unpackFolder(await archive.bytes());
      return Object.fromEntries(await Promise.all(files.map(async (file) => [file.name, await file.bytes()] as const)));
    },
    readSetting: (key) => settings.read(key),
    writeSetting: (key, value) => settings.write(key, value),
    onCommand: () => () => undefined,
    setTitle(title) {
      page.title = title;
    },
    setUnsaved(now) {
      unsaved = now;
    },
    copyText: (text) => view.navigator.clipboard.writeText(text),
  };
}
