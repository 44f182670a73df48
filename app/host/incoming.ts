/**
 * What comes into the page from outside: files and folders that are dropped, and links, in the address of the page after the sign #,
 * which is not sent to the server, or pasted.
 */
import type { Archive } from './archive/archive.ts';
import { ARCHIVE_BOUNDS } from '../files/zip.ts';
import { checkSize, folderOf, isParted, partedFile, namedFile, openedFrom } from './files.ts';
import type { DroppedFolder, OpenedFolder, OpenedFile } from './host.ts';

function filesOf(event: Event): DataTransfer | undefined {
  const transfer = (event as DragEvent).dataTransfer;
  return transfer?.types.includes('Files') ? transfer : undefined;
}

/** Says that files may be dropped here. */
function allow(event: Event): void {
  const transfer = filesOf(event);
  if (!transfer) return;
  event.preventDefault();
  transfer.dropEffect = 'copy';
}

/** Handlers of what is dropped. */
interface DropListeners {
  readonly onFile: (file: OpenedFile) => void;
  /** A run folder, packed or not; without it every drop is of files. */
  readonly onFolder?: ((folder: DroppedFolder) => void) | undefined;
  readonly onFailure: (error: unknown) => void;
}

/** Whether a run folder was dropped: a folder, a packed one, or the files of one. */
function isRunFolder({ items, files }: DataTransfer): boolean {
  const hasFolder = [...items].some((item) => item.kind === 'file' && item.webkitGetAsEntry()?.isDirectory === true);
  return hasFolder || [...files].some(({ name }) => name === 'run.json' || name.toLowerCase().endsWith('.zip'));
}

/**
 * Listens for drops of files until it is stopped; what else is dragged stays as it is.
 *
 * @param foldersIn what was dropped, to be asked while the drop event is dispatched
 */
export function listenForDrops(
  target: EventTarget,
  { onFile, onFolder, onFailure }: DropListeners,
  foldersIn: (transfer: DataTransfer) => readonly DroppedFolder[],
): () => void {
  const take = (event: Event): void => {
    const transfer = filesOf(event);
    if (!transfer) return;
    event.preventDefault();
    const [folder] = onFolder && isRunFolder(transfer) ? foldersIn(transfer) : [];
    if (folder) onFolder?.(folder);
    else openedFrom([...transfer.files].map(namedFile)).then((file) => file && onFile(file), onFailure);
  };
  target.addEventListener('dragover', allow);
  target.addEventListener('drop', take);
  return () => {
    target.removeEventListener('dragover', allow);
    target.removeEventListener('drop', take);
  };
}

const PACKED = '.zip';

function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  return new Promise((resolve, reject) => {
    // A browser gives them in parts, and an empty one at the end.
    const more = (): void =>
      reader.readEntries((entries) => {
        if (entries.length === 0 || found.length > ARCHIVE_BOUNDS.files) {
          resolve(found);
          return;
        }
        found.push(...entries);
        more();
      }, reject);
    more();
  });
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });
}

/** @returns the files of a folder and of those in it, by their paths inside it. @throws Error where they are too many */
async function filesIn(folder: FileSystemDirectoryEntry, around = ''): Promise<readonly (readonly [string, File])[]> {
  const found: (readonly [string, File])[] = [];
  for (const entry of await entriesOf(folder)) {
    const path = around + entry.name;
    if (entry.isDirectory) found.push(...(await filesIn(entry as FileSystemDirectoryEntry, `${path}/`)));
    else found.push([path, await fileOf(entry as FileSystemFileEntry)]);
    if (found.length > ARCHIVE_BOUNDS.files) {
      throw new Error(`found more than ${ARCHIVE_BOUNDS.files} files; a run folder has few`);
    }
  }
  return found;
}

/** Nothing is read of what is too large, or is read in parts. @throws RangeError */
async function readAll(files: readonly (readonly [string, File])[]): Promise<OpenedFolder> {
  const whole = files.filter(([path]) => !isParted(path));
  checkSize(
    whole.reduce((sum, [, { size }]) => sum + size, 0),
    ARCHIVE_BOUNDS.bytes,
  );
  const read = whole.map(async ([path, file]) => [path, new Uint8Array(await file.arrayBuffer())] as const);
  const inParts = files.filter(([path]) => isParted(path));
  return {
    files: Object.fromEntries(await Promise.all(read)),
    parted: Object.fromEntries(inParts.map(([path, file]) => [path, partedFile(file)])),
  };
}

function isPacked({ name }: File): boolean {
  return name.toLowerCase().endsWith(PACKED);
}

async function unpacked(file: File, archive: Pick<Archive, 'unpack'>): Promise<OpenedFolder> {
  checkSize(file.size, ARCHIVE_BOUNDS.bytes);
  return folderOf(await archive.unpack(new Uint8Array(await file.arrayBuffer())));
}

/**
 * What was dropped is to be asked for at once: after the event it is gone.
 *
 * @returns a folder for each folder and each .zip, and one for all other files together
 */
export function droppedFolders(
  { items, files }: Pick<DataTransfer, 'items' | 'files'>,
  archive: Pick<Archive, 'unpack'>,
): readonly DroppedFolder[] {
  const folders = [...items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry?.isDirectory ? [entry as FileSystemDirectoryEntry] : [];
  });
  const names = new Set(folders.map(({ name }) => name));
  const single = [...files].filter(({ name }) => !names.has(name));
  const loose = single.filter((file) => !isPacked(file)).map((file) => [file.name, file] as const);
  return [
    ...folders.map((folder) => ({ name: folder.name, content: filesIn(folder).then(readAll) })),
    ...single.filter(isPacked).map((file) => ({
      name: file.name.slice(0, -PACKED.length),
      content: unpacked(file, archive),
    })),
    ...(loose.length > 0 ? [{ name: loose[0][0], content: readAll(loose) }] : []),
  ];
}

/** Facts about the static site (`npm run site`) that a page came from. */
export interface SiteFacts {
  /** Why the page is not isolated from other origins, so that threads cannot share memory; undefined where they can. */
  readonly limitation: string | undefined;
}

/** @returns what the site's first script (app/site/start.ts) wrote into the page; undefined where it came from elsewhere */
export function siteFactsOf({ documentElement }: Document): SiteFacts | undefined {
  const written = documentElement.dataset['site'];
  return written === undefined ? undefined : { limitation: written === '' ? undefined : written };
}

/** The site that this program was built to lead to: `homepage` of package.json; undefined if there is none. */
export function siteAddress(): string | undefined {
  const address: unknown = import.meta.env.SHOAL_SITE;
  return typeof address === 'string' && address !== '' ? address : undefined;
}

/** What a link begins with; its version and its content follow. */
export const LINK_BEGINNING = '#shoal=';

const LINK = /#shoal=\S*/;
/** What has the keyboard's text for itself. */
const EDITABLE = 'input, textarea, select, [contenteditable]';

/** @returns the link in a text that the user pasted, or in an address, from its sign # on */
export function linkIn(text: string): string | undefined {
  return LINK.exec(text)?.[0];
}

/** The part of the page's window that is used. */
export type LinkWindow = EventTarget & { readonly location: Pick<Location, 'hash'> };

/** Listens for links that come into the page's address, or are pasted anywhere but into a field. @returns what ends it */
export function listenForLinks(view: LinkWindow, listener: (link: string) => void): () => void {
  const look = (): void => {
    const link = linkIn(view.location.hash);
    if (link !== undefined) listener(link);
  };
  const take = (event: Event): void => {
    const { target, clipboardData } = event as ClipboardEvent;
    if (typeof Element !== 'undefined' && target instanceof Element && target.matches(EDITABLE)) return;
    const link = linkIn(clipboardData?.getData('text/plain') ?? '');
    if (link === undefined) return;
    event.preventDefault();
    listener(link);
  };
  view.addEventListener('hashchange', look);
  view.addEventListener('paste', take);
  return () => {
    view.removeEventListener('hashchange', look);
    view.removeEventListener('paste', take);
  };
}
