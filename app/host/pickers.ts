/** Choosing and saving files in a browser: by the File System Access API where it is, by an input and a download elsewhere. */
import { namedFile, type NamedFile } from './files.ts';
import type { Delivery } from './host.ts';

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
