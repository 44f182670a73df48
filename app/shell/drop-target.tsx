/** Shows that files can be dropped while some are dragged over the window. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/** The host takes the files themselves, and whoever opens them says what is wrong with them. */
export function DropTarget() {
  const dragging = useSignal(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      dragging.value = hasFiles(event);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) dragging.value = false;
    };
    const drop = (): void => {
      dragging.value = false;
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [dragging]);
  if (!dragging.value) return null;
  return (
    <div class="drop-target">
      <p>Drop a scenario file to run it, or a run folder to look at it</p>
    </div>
  );
}
