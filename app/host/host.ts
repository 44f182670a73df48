/**
 * What the interface needs from its surroundings: files, settings, the window. Electron gives one, a browser another; nothing
 * in the page knows which it has.
 */

/** A file that the user chose. */
export interface OpenedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /**
   * Files that the scenario names, where the surroundings can give them.
   * @param most bytes that the file can have; a larger one is refused before it is read
   */
  readonly siblings: (name: string, most: number) => Promise<Uint8Array | undefined>;
}

/** A file that is read in parts: it may be larger than memory. */
export interface PartedFile {
  /** Bytes that it has. */
  readonly size: number;
  /** @returns bytes from a place on; fewer where the file ends before */
  read(from: number, bytes: number): Promise<Uint8Array>;
}

/** A folder that was opened, by the paths inside it. */
export interface OpenedFolder {
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** The states of a run, which are the large part of its folder. */
  readonly parted: Readonly<Record<string, PartedFile>>;
}

/** A folder by its name; reading it may fail, and says why. */
export interface DroppedFolder {
  readonly name: string;
  readonly content: Promise<OpenedFolder>;
}

export interface RecentFile {
  readonly id: string;
  readonly name: string;
}

/** Whether something is where it belongs, or with a browser that still reads it. */
export type Delivery = 'written' | 'handed over';

/** A folder that the user has named and that is written later. */
export interface NamedFolder {
  readonly name: string;
  /**
   * Written whole or not at all.
   * @param large files that may be larger than memory, by their paths in the folder
   */
  write(files: Readonly<Record<string, Uint8Array>>, large: Readonly<Record<string, Blob>>): Promise<Delivery>;
  /** It is not written: nothing stays of it. */
  abandon(): Promise<void>;
}

export interface Host {
  readonly kind: 'electron' | 'browser';
  /** Asks for a scenario file; undefined when the person cancels. */
  openScenario(): Promise<OpenedFile | undefined>;
  /**
   * Files handed over from outside: command line, file association, menu, drop.
   * @param onFailure is notified of one that was handed over and cannot be read
   * @param onFolder called with a run folder that was dropped; of several, the first
   */
  onOpen(
    listener: (file: OpenedFile) => void,
    onFailure: (error: unknown) => void,
    onFolder?: (folder: DroppedFolder) => void,
  ): () => void;
  openRecent(id: string): Promise<OpenedFile | undefined>;
  recent(): Promise<readonly RecentFile[]>;
  /** Saves under a name that the person confirms; resolves to that name, or undefined when cancelled. Written whole or not at all. */
  save(suggestedName: string, type: string, bytes: Uint8Array): Promise<string | undefined>;
  /** Writes several files into a folder that the person chooses (a run folder); a browser gives one .zip instead. */
  saveFolder(suggestedName: string, files: Readonly<Record<string, Uint8Array>>): Promise<string | undefined>;
  /** Asks now, while the person is there, for a folder that is written later; undefined when cancelled. A browser gives one .zip. */
  nameFolder(suggestedName: string): Promise<NamedFolder | undefined>;
  openFolder(): Promise<OpenedFolder | undefined>;
  /** The folders among what was dropped: to be asked while the drop event is dispatched. */
  droppedFolders(transfer: DataTransfer): readonly DroppedFolder[];
  readSetting(key: string): string | undefined;
  writeSetting(key: string, value: string): void;
  /** Commands of the native menu, by the same ids as the palette's. */
  onCommand(listener: (command: string) => void): () => void;
  setTitle(title: string): void;
  /** Whether closing must ask first. */
  setUnsaved(unsaved: boolean): void;
  copyText(text: string): Promise<void>;
  /** Where links lead that are copied here: an address that others can open; undefined if there is none. */
  readonly linkAddress: string | undefined;
  /** The link that the page was opened with, from its sign # on. */
  readonly givenLink: string | undefined;
  /** Links handed over from then on: put into the page's address, or pasted. */
  onLink(listener: (link: string) => void): () => void;
  /** What the page's address links to is on screen no more. */
  forgetLink(): void;
  /** Why the processor has to compute on one thread, as a sentence; undefined if it does not. */
  readonly limitation: string | undefined;
  /** Whether a GPU was found that is hardware: the desktop may be able to do something about it. */
  tellGraphics(isHardware: boolean): void;
}
