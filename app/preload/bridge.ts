/**
 * What passes between the page and Electron's main process: the channels, the payloads, and the small object `window.shoal`
 * that the preload script gives to the page. Plain data alone; paths stay in the main process, files have opaque ids.
 */

/** Channels that the page calls and that answer. */
export const CALLS = {
  openScenario: 'shoal:open-scenario',
  openRecent: 'shoal:open-recent',
  recent: 'shoal:recent',
  sibling: 'shoal:sibling',
  save: 'shoal:save',
  saveFolder: 'shoal:save-folder',
  nameFolder: 'shoal:name-folder',
  writePart: 'shoal:write-part',
  finishFolder: 'shoal:finish-folder',
  abandonFolder: 'shoal:abandon-folder',
  openFolder: 'shoal:open-folder',
  readPart: 'shoal:read-part',
  setUnsaved: 'shoal:set-unsaved',
  copyText: 'shoal:copy-text',
  graphics: 'shoal:graphics',
  /** The page listens now: what was to be opened meanwhile comes. */
  listening: 'shoal:listening',
} as const;

/** Channels on which the main process notifies the page. */
export const NEWS = { opened: 'shoal:opened', command: 'shoal:command' } as const;

/** What the names of the windows begin with that the page opens for its panels. */
export const OWN_WINDOW = 'shoal-panel-';

/** A file that was opened, as it crosses. */
export interface OpenedPayload {
  readonly id: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface RecentPayload {
  readonly id: string;
  readonly name: string;
}

export type FolderPayload = Readonly<Record<string, Uint8Array>>;

/** A folder that was opened, as it crosses. */
export interface OpenedFolderPayload {
  readonly id: string;
  readonly files: FolderPayload;
  /** Bytes of the files that are read in parts, by their paths. */
  readonly parted: Readonly<Record<string, number>>;
}

/** A part of a file of a folder that was opened. */
export interface PartPayload {
  /** Identifies the folder. */
  readonly id: string;
  readonly path: string;
  readonly from: number;
  readonly bytes: number;
}

/** A folder that was named, and that is written part by part. */
export interface NamedFolderPayload {
  readonly id: string;
  readonly name: string;
}

/** A part of a file of such a folder, behind those that were written. */
export interface NewPartPayload {
  /** Identifies the folder. */
  readonly id: string;
  readonly path: string;
  /** Bytes that the file has. */
  readonly from: number;
  readonly bytes: Uint8Array;
}

export interface ShoalBridge {
  openScenario(): Promise<OpenedPayload | undefined>;
  openRecent(id: string): Promise<OpenedPayload | undefined>;
  recent(): Promise<readonly RecentPayload[]>;
  sibling(id: string, name: string): Promise<Uint8Array | undefined>;
  save(name: string, type: string, bytes: Uint8Array): Promise<string | undefined>;
  saveFolder(name: string, files: FolderPayload): Promise<string | undefined>;
  nameFolder(name: string): Promise<NamedFolderPayload | undefined>;
  writePart(part: NewPartPayload): Promise<void>;
  finishFolder(id: string): Promise<void>;
  abandonFolder(id: string): Promise<void>;
  openFolder(): Promise<OpenedFolderPayload | undefined>;
  /** Fewer bytes where the file ends before. */
  readPart(part: PartPayload): Promise<Uint8Array>;
  setUnsaved(unsaved: boolean): Promise<void>;
  copyText(text: string): Promise<void>;
  /** Whether the page found a GPU that is hardware. */
  graphics(isHardware: boolean): Promise<void>;
  onOpened(listener: (file: OpenedPayload) => void): () => void;
  onCommand(listener: (command: string) => void): () => void;
}

/** The part of Electron's `ipcRenderer` that is used. */
export interface RendererIpc {
  invoke(channel: string, ...values: unknown[]): Promise<unknown>;
  on(channel: string, listener: (event: unknown, ...values: unknown[]) => void): unknown;
  off(channel: string, listener: (event: unknown, ...values: unknown[]) => void): unknown;
}

/** @returns the bridge, which can call the channels above and nothing else; events do not cross, only their values */
export function createBridge(ipc: RendererIpc): ShoalBridge {
  const call = <Result>(channel: string, ...values: unknown[]): Promise<Result> =>
    ipc.invoke(channel, ...values) as Promise<Result>;
  const listen = (channel: string, listener: (value: unknown) => void): (() => void) => {
    const hear = (_event: unknown, value: unknown): void => listener(value);
    ipc.on(channel, hear);
    return () => void ipc.off(channel, hear);
  };
  return {
    openScenario: () => call(CALLS.openScenario),
    openRecent: (id) => call(CALLS.openRecent, id),
    recent: () => call(CALLS.recent),
    sibling: (id, name) => call(CALLS.sibling, { id, name }),
    save: (name, type, bytes) => call(CALLS.save, { name, type, bytes }),
    saveFolder: (name, files) => call(CALLS.saveFolder, { name, files }),
    nameFolder: (name) => call(CALLS.nameFolder, name),
    writePart: (part) => call(CALLS.writePart, part),
    finishFolder: (id) => call(CALLS.finishFolder, id),
    abandonFolder: (id) => call(CALLS.abandonFolder, id),
    openFolder: () => call(CALLS.openFolder),
    readPart: (part) => call(CALLS.readPart, part),
    setUnsaved: (unsaved) => call(CALLS.setUnsaved, unsaved),
    copyText: (text) => call(CALLS.copyText, text),
    graphics: (isHardware) => call(CALLS.graphics, isHardware),
    onOpened(listener) {
      const stop = listen(NEWS.opened, (value) => listener(value as OpenedPayload));
      void call(CALLS.listening);
      return stop;
    },
    onCommand: (listener) => listen(NEWS.command, (value) => listener(value as string)),
  };
}
