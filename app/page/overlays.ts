/** Overlays of the frame, one at a time: closing it gives the focus back to where it was. */
import { signal } from '@preact/signals';

export type Overlay =
  | 'none'
  | 'palette'
  | 'shortcuts'
  | 'gallery'
  | 'benchmarks'
  | 'check'
  | 'sweeps'
  | 'tuning'
  | 'seeds'
  | 'states'
  | 'lesson';

/** The overlays of one page. */
export function createOverlays() {
  const overlay = signal<Overlay>('none');

  function openOverlay(which: Overlay): void {
    overlay.value = which;
  }

  function closeOverlay(): void {
    overlay.value = 'none';
  }

  return { overlay, openOverlay, closeOverlay };
}
