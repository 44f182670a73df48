/**
 * What both hosts know of files: kinds, sizes, how a set of files becomes an opened scenario; and how a browser has them chosen and
 * saved: by the File System Access API where it is, by an input and a download elsewhere.
 */
import { isBundleName, largestOpened } from '../bundle/bundle-name.ts';
import { FIELDS_FILE, NETCDF_FILE } from '../../engine/index.ts';
import type { OpenedFile, OpenedFolder, PartedFile, Delivery } from './host.ts';

/** One byte more than a scenario may have: the engine says so with a readable message, the host keeps from reading more. */
export const LARGEST_SCENARIO_BYTES = 4 * 2 ** 20 + 1;

/** A file by its name, read when it is needed. */
interface NamedFile {
  readonly name: string;
  /** Bytes that it has. */
  readonly size: number;
  /** @param most bytes that are read, from the beginning; all if omitted */
  bytes(most?: number): Promise<Uint8Array>;
  /** The same, read in parts. */
  readonly parted?: PartedFile;
}

/** Whether a file of a run folder is read in parts: it holds the states of the cycles. */
export function isParted(path: string): boolean {
  return path === FIELDS_FILE || path === NETCDF_FILE;
}

/** @returns a file of the web, of which no more is in memory than is being read */
export function partedFile(file: Blob): PartedFile {
  return {
    size: file.size,
    read: async (from, bytes) => new Uint8Array(await file.slice(from, from + bytes).arrayBuffer()),
  };
}

/** @returns what was unpacked as an opened folder; the browser keeps what is read in parts where it has room */
export function folderOf(unpacked: Readonly<Record<string, Uint8Array>>): OpenedFolder {
  const entries = Object.entries(unpacked);
  return {
    files: Object.fromEntries(entries.filter(([path]) => !isParted(path))),
    parted: Object.fromEntries(
      entries
        .filter(([path]) => isParted(path))
        .map(([path, bytes]) => [path, partedFile(new Blob([bytes as Uint8Array<ArrayBuffer>]))]),
    ),
  };
}

/** Files of the web as named files. */
export function namedFile(file: Blob & { readonly name: string }): NamedFile {
  return {
    name: file.name,
    size: file.size,
    bytes: async (most) => new Uint8Array(await file.slice(0, most).arrayBuffer()),
    parted: partedFile(file),
  };
}

/** @throws RangeError if there are more bytes than there can be */
export function checkSize(size: number, most: number): void {
  if (size > most) throw new RangeError(`found ${size} bytes, allowed: ${most}`);
}

/** A scenario by itself, or with all that it needs. */
function isScenario({ name }: NamedFile): boolean {
  return name.toLowerCase().endsWith('.json') || isBundleName(name);
}

/** Reads no more of a file than shows whether it is too large. @throws Error naming it where it cannot be read */
export async function readScenario(file: NamedFile): Promise<Uint8Array> {
  try {
    return await file.bytes(largestOpened(file.name, LARGEST_SCENARIO_BYTES));
  } catch (error) {
    // A browser gives a folder that was dropped as a file without content.
    throw new Error(`${file.name} cannot be read; a scenario is a file, not a folder`, { cause: error });
  }
}

/**
 * @returns the scenario among files that were chosen or dropped together, with the others beside it; of several the first.
 *   If there is none, the first file: whoever opens it will say what is wrong with it
 * @throws Error naming the file where it cannot be read
 */
export async function openedFrom(files: readonly NamedFile[]): Promise<OpenedFile | undefined> {
  const scenario = files.find(isScenario) ?? files[0];
  if (!scenario) return undefined;
  return {
    name: scenario.name,
    bytes: await readScenario(scenario),
    async siblings(name, most) {
      const file = files.find((other) => other.name === name);
      if (file) checkSize(file.size, most);
      return file?.bytes();
    },
  };
}

/** Beyond the DOM's types: what Chromium has. */
interface PickerWindow {
  showOpenFilePicker?(options: object): Promise<FileSystemFileHandle[]>;
  showSaveFilePicker?(options: object): Promise<FileSystemFileHandle>;
}

export interface PickedFile extends NamedFile {
  readonly handle?: FileSystemFileHandle;
}

export interface FileKinds {
  /** For people. */
  readonly description: string;
  readonly type: string;
  readonly extensions: readonly string[];
}

/** A file that the user has named and that is written later. */
interface NamedTarget {
  readonly name: string;
  /** Written whole or not at all. */
  write(content: Blob): Promise<Delivery>;
  /** It is not written: nothing stays of it. */
  abandon(): Promise<void>;
}

export interface Pickers {
  /** Several files may be chosen. Undefined when the person cancels. */
  open(kinds: FileKinds): Promise<readonly PickedFile[] | undefined>;
  /** Written whole or not at all. @returns the name, or undefined when the person cancels */
  save(name: string, type: string, bytes: Uint8Array): Promise<string | undefined>;
  /** Asks now, while the person is there, for what is written later. @returns undefined when the person cancels */
  name(name: string, type: string): Promise<NamedTarget | undefined>;
}

/** The error that a browser throws if its dialog is closed. */
function isCancel(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

async function orCancelled<Result>(asking: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (isCancel(error)) return undefined;
    throw error;
  }
}

/** The error that a browser throws if its dialog is asked for long after the click that wants it. */
function isTooLate(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'SecurityError';
}

/** `.json` of `a.shoal.json`; a browser takes no longer one. */
function extensionOf(name: string): string | undefined {
  return /\.\w+$/.exec(name)?.[0];
}

async function pickHandle(handle: FileSystemFileHandle): Promise<PickedFile> {
  return { ...namedFile(await handle.getFile()), handle };
}

function openByInput({ extensions }: FileKinds, page: Document): Promise<readonly PickedFile[] | undefined> {
  return new Promise((resolve) => {
    const input = page.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.accept = extensions.join(',');
    input.hidden = true;
    const answer = (files: readonly PickedFile[] | undefined): void => {
      input.remove();
      resolve(files);
    };
    input.addEventListener('change', () => answer([...(input.files ?? [])].map(namedFile)));
    input.addEventListener('cancel', () => answer(undefined));
    // Outside of the page it may be collected as garbage while the person still chooses, and the choice is lost.
    page.body.append(input);
    input.click();
  });
}

function saveByDownload(name: string, content: Blob, page: Document): void {
  const url = URL.createObjectURL(content);
  const link = page.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download reads the address after the click returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A file that was chosen; Chromium has made it by then, empty if there was none. */
function targetIn(handle: FileSystemFileHandle & { remove?(): Promise<void> }): NamedTarget {
  return {
    name: handle.name,
    async write(content) {
      // What is written appears in the file when the stream is closed.
      const stream = await handle.createWritable();
      try {
        await stream.write(content);
      } catch (error) {
        await stream.abort();
        throw error;
      }
      await stream.close();
      return 'written';
    },
    async abandon() {
      if ((await handle.getFile()).size === 0) await handle.remove?.();
    },
  };
}

export function createPickers(view: Window & PickerWindow, page: Document): Pickers {
  const downloaded = (name: string): NamedTarget => ({
    name,
    write(content) {
      saveByDownload(name, content, page);
      return Promise.resolve('handed over');
    },
    abandon: () => Promise.resolve(),
  });

  async function nameFile(name: string, type: string): Promise<NamedTarget | undefined> {
    if (!view.showSaveFilePicker) return downloaded(name);
    const extension = extensionOf(name);
    const types = extension === undefined ? [] : [{ accept: { [type.split(';')[0]]: [extension] } }];
    const handle = await orCancelled(view.showSaveFilePicker({ suggestedName: name, types }));
    return handle && targetIn(handle);
  }

  return {
    async open(kinds) {
      if (!view.showOpenFilePicker) return openByInput(kinds, page);
      const types = [{ description: kinds.description, accept: { [kinds.type]: kinds.extensions } }];
      const handles = await orCancelled(view.showOpenFilePicker({ multiple: true, types }));
      return handles && Promise.all(handles.map(pickHandle));
    },
    async save(name, type, bytes) {
      const target = await nameFile(name, type).catch((error: unknown) => {
        // What took long to make is not lost.
        if (isTooLate(error)) return downloaded(name);
        throw error;
      });
      await target?.write(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
      return target?.name;
    },
    name: nameFile,
  };
}
