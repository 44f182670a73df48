/** The host in Electron: the bridge that the preload script gives, as the interface knows hosts. */
import type { OpenedPayload, ShoalBridge } from '../preload/bridge.ts';
import { createArchive } from './archive/archive.ts';
import { listenForDrops, droppedFolders, listenForLinks, siteAddress, type LinkWindow } from './incoming.ts';
import type { DroppedFolder, Host, OpenedFile, PartedFile } from './host.ts';
import { createSettings, pageStorage, type Settings } from './browser.ts';

export interface ElectronParts {
  readonly page: Pick<Document, 'title'>;
  readonly view: LinkWindow;
  readonly settings: Settings;
}

/** Bytes of a file that cross at a time. */
const PIECE_BYTES = 2 ** 23;

/** Has a file written piece by piece, also where it is empty. */
async function inPieces(
  content: Blob,
  path: string,
  write: (path: string, from: number, bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  let from = 0;
  do {
    const piece = await content.slice(from, from + PIECE_BYTES).arrayBuffer();
    await write(path, from, new Uint8Array(piece));
    from += PIECE_BYTES;
  } while (from < content.size);
}

const dropsIn = (transfer: DataTransfer): readonly DroppedFolder[] => droppedFolders(transfer, createArchive());

export function createElectronHost(
  bridge: ShoalBridge,
  { page, view, settings }: ElectronParts = {
    page: document,
    view: window,
    settings: createSettings(pageStorage()),
  },
): Host {
  const asFile = ({ id, name, bytes }: OpenedPayload): OpenedFile => ({
    name,
    bytes,
    siblings: (file) => bridge.sibling(id, file),
  });
  return {
    kind: 'electron',
    async openScenario() {
      const opened = await bridge.openScenario();
      return opened && asFile(opened);
    },
    onOpen(listener, onFailure, onFolder) {
      const stops = [
        bridge.onOpened((opened) => listener(asFile(opened))),
        listenForDrops(view, { onFile: listener, onFolder, onFailure }, dropsIn),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    async openRecent(id) {
      const opened = await bridge.openRecent(id);
      return opened && asFile(opened);
    },
    recent: () => bridge.recent(),
    save: (name, type, bytes) => bridge.save(name, type, bytes),
    saveFolder: (name, files) => bridge.saveFolder(name, files),
    async nameFolder(suggested) {
      const named = await bridge.nameFolder(suggested);
      if (!named) return undefined;
      const { id, name } = named;
      const writePart = (path: string, from: number, bytes: Uint8Array): Promise<void> =>
        bridge.writePart({ id, path, from, bytes });
      return {
        name,
        async write(files, large) {
          for (const [path, bytes] of Object.entries(files)) {
            await inPieces(new Blob([bytes as Uint8Array<ArrayBuffer>]), path, writePart);
          }
          for (const [path, content] of Object.entries(large)) await inPieces(content, path, writePart);
          await bridge.finishFolder(id);
          return 'written';
        },
        abandon: () => bridge.abandonFolder(id),
      };
    },
    async openFolder() {
      const opened = await bridge.openFolder();
      if (!opened) return undefined;
      const { id, files, parted } = opened;
      const inParts = Object.entries(parted).map(([path, size]): readonly [string, PartedFile] => [
        path,
        { size, read: (from, bytes) => bridge.readPart({ id, path, from, bytes }) },
      ]);
      return { files, parted: Object.fromEntries(inParts) };
    },
    droppedFolders: dropsIn,
    readSetting: (key) => settings.read(key),
    writeSetting: (key, value) => settings.write(key, value),
    onCommand: (listener) => bridge.onCommand(listener),
    setTitle(title) {
      // The window follows its page.
      page.title = title;
    },
    setUnsaved: (unsaved) => void bridge.setUnsaved(unsaved),
    tellGraphics: (isHardware) => void bridge.graphics(isHardware),
    copyText: (text) => bridge.copyText(text),
    linkAddress: siteAddress(),
    givenLink: undefined,
    onLink: (listener) => listenForLinks(view, listener),
    forgetLink: () => undefined,
    limitation: undefined,
  };
}
