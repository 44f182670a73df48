/** Files dropped anywhere on the window. */
import { namedFile, openedFrom } from './files.ts';
import type { DroppedFolder, OpenedFile } from './host.ts';

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
export interface DropListeners {
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
