/** Shows that files can be dropped while some are dragged over the window, and says so when none of them is a scenario. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { notify } from '../state/notices.ts';

const dragging = signal(false);

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

function refuseOthers({ dataTransfer }: DragEvent): void {
  const names = [...(dataTransfer?.files ?? [])].map(({ name }) => name);
  if (names.length === 0 || names.some((name) => name.toLowerCase().endsWith('.json'))) return;
  notify('error', 'The scenario cannot be opened', { lines: [`${names.join(', ')}: a scenario is a .json file`] });
}

/** The host takes the files themselves. */
export function DropTarget() {
  useEffect(() => {
    const over = (event: DragEvent): void => {
      dragging.value = hasFiles(event);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) dragging.value = false;
    };
    const drop = (event: DragEvent): void => {
      dragging.value = false;
      refuseOthers(event);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, []);
  if (!dragging.value) return null;
  return (
    <div class="drop-target">
      <p>Drop a scenario file to run it</p>
    </div>
  );
}
