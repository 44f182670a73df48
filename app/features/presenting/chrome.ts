/**
 * What surrounds the basins on the stage: bars and buttons that leave after two seconds and return with the mouse, a touch or Tab, and
 * stay while the focus is on one of them or a dialog is open; and a row of errors beneath the views, which is there until it is sent
 * away, elsewhere one field of those chosen.
 */
import { effect, signal, computed } from '@preact/signals';
import { type Laboratory, slot } from '../../page/laboratory.ts';
import { MAXIMUM_ROWS } from '../../../engine/index.ts';
import type { RunView } from '../../document/run-view.ts';
import type { FieldId } from '../../fields/fields.ts';
import { lessonOf } from '../lessons/lesson-state.ts';

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

function createErrorRow(run: RunView) {
  const { fields: chosen, toggleRow } = run.view;
  const { presentation } = run.laboratory.preferences;
  const isWanted = signal(true);
  /** Rows that are drawn, top to bottom. A lesson shows what its steps name. */
  const fields = computed<readonly FieldId[]>(() => {
    const isFree = chosen.value.length < MAXIMUM_ROWS && !chosen.value.includes('error');
    const isAdded = presentation.value && isWanted.value && isFree && lessonOf(run).at.value === undefined;
    return isAdded ? [...chosen.value, 'error'] : chosen.value;
  });
  const isShown = computed(() => fields.value.includes('error'));

  function toggle(): void {
    if (!presentation.value || chosen.value.includes('error')) toggleRow('error');
    else isWanted.value = !isWanted.value;
  }

  return { fields, isShown, toggle };
}

/** @returns the row of errors of a run */
export const errorRowOf = slot(createErrorRow);
