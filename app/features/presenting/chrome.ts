/**
 * What surrounds the basins on the stage: bars and buttons that leave after two seconds and return with the mouse, a touch or
 * Tab. They stay while the focus is on one of them, and while a dialog is open.
 */
import { effect, signal } from '@preact/signals';
import { type Laboratory, slot } from '../../page/laboratory.ts';

const STAYS_MILLISECONDS = 2000;
/** A table trembles under a projector: less is no movement, CSS pixels. */
const TREMBLING = 3;

function createChrome() {
  return { isShown: signal(true) };
}

/** @returns whether the bars are on screen */
export const chromeOf = slot(createChrome);

/** Shows and hides the bars of the stage. @returns what ends that */
export function followChrome(laboratory: Laboratory, view: Window): () => void {
  const { isShown } = chromeOf(laboratory);
  const { presentation } = laboratory.preferences;
  const { overlay } = laboratory.overlays;
  let timer = 0;
  let last: { readonly x: number; readonly y: number } | undefined;
  const isHeld = (): boolean =>
    overlay.peek() !== 'none' || view.document.querySelector('.frame :focus-visible:not(canvas)') !== null;
  const hide = (): void => {
    if (isHeld()) wake();
    else isShown.value = false;
  };
  function wake(): void {
    isShown.value = true;
    view.clearTimeout(timer);
    if (presentation.peek()) timer = view.setTimeout(hide, STAYS_MILLISECONDS);
  }
  const onMove = ({ clientX: x, clientY: y }: PointerEvent): void => {
    if (last && Math.abs(x - last.x) + Math.abs(y - last.y) < TREMBLING) return;
    last = { x, y };
    wake();
  };
  const onKey = ({ key }: KeyboardEvent): void => {
    if (key === 'Tab') wake();
  };
  const stop = effect(() => {
    void presentation.value;
    wake();
  });
  view.addEventListener('pointermove', onMove);
  view.addEventListener('pointerdown', wake);
  view.addEventListener('keydown', onKey, true);
  return () => {
    stop();
    view.clearTimeout(timer);
    view.removeEventListener('pointermove', onMove);
    view.removeEventListener('pointerdown', wake);
    view.removeEventListener('keydown', onKey, true);
  };
}

/** Fills the screen with the stage where the browser allows it, and leaves the stage with the full screen. @returns what ends that */
export function followFullscreen({ preferences: { presentation } }: Laboratory, view: Document): () => void {
  const stop = effect(() => {
    const isFull = view.fullscreenElement !== null;
    if (presentation.value && !isFull) view.documentElement.requestFullscreen?.().catch(() => undefined);
    else if (!presentation.value && isFull) view.exitFullscreen().catch(() => undefined);
  });
  const onChange = (): void => {
    if (view.fullscreenElement === null) presentation.value = false;
  };
  view.addEventListener('fullscreenchange', onChange);
  return () => {
    stop();
    view.removeEventListener('fullscreenchange', onChange);
  };
}
