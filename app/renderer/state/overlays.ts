/** What lies over the frame, one at a time: closing it gives the focus back to where it was. */
import { signal } from '@preact/signals';

export type Overlay = 'none' | 'palette' | 'shortcuts' | 'gallery';

export const overlay = signal<Overlay>('none');

export function openOverlay(which: Overlay): void {
  overlay.value = which;
}

export function closeOverlay(): void {
  overlay.value = 'none';
}
