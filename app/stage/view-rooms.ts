/** What words take in the corners of the views, so that cameras can keep the water clear of them. */
import { signal } from '@preact/signals';
import { NO_ROOM } from './framing.ts';
import type { ViewRoom, ViewSize } from './framing.ts';

/** Sizes grow in steps of so many pixels: a number that gains a digit moves no camera. */
const STEP = 8;

export function createViewRooms() {
  /** The largest of each kind over all views, which share one framing. */
  const viewRoom = signal<ViewRoom>(NO_ROOM);

  const measured: Readonly<Record<keyof ViewRoom, Map<Element, ViewSize>>> = {
    title: new Map(),
    axes: new Map(),
    measures: new Map(),
    bar: new Map(),
  };

  function publish(corner: keyof ViewRoom): void {
    const sizes = [...measured[corner].values()];
    // Words that leave keep their room, so that what is drawn does not move for it.
    if (sizes.length === 0) return;
    const largest = (side: keyof ViewSize): number =>
      STEP * Math.ceil(Math.max(...sizes.map((size) => size[side])) / STEP);
    const next = { width: largest('width'), height: largest('height') };
    const known = viewRoom.peek();
    if (known[corner].width === next.width && known[corner].height === next.height) return;
    viewRoom.value = { ...known, [corner]: next };
  }

  /** Takes in the size of words in a corner. @param size undefined when they have left */
  function measureWords(corner: keyof ViewRoom, words: Element, size: ViewSize | undefined): void {
    if (size) measured[corner].set(words, size);
    else measured[corner].delete(words);
    publish(corner);
  }

  return { viewRoom, measureWords };
}
