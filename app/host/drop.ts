/** Files dropped anywhere on the window. */
import { namedFile, openedFrom } from './files.ts';
import type { OpenedFile } from './host.ts';

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

/** Listens for drops of files until it is stopped; what else is dragged stays as it is. */
export function listenForDrops(
  target: EventTarget,
  listener: (file: OpenedFile) => void,
  onFailure: (error: unknown) => void,
): () => void {
  const take = (event: Event): void => {
    const transfer = filesOf(event);
    if (!transfer) return;
    event.preventDefault();
    openedFrom([...transfer.files].map(namedFile)).then((file) => file && listener(file), onFailure);
  };
  target.addEventListener('dragover', allow);
  target.addEventListener('drop', take);
  return () => {
    target.removeEventListener('dragover', allow);
    target.removeEventListener('drop', take);
  };
}
