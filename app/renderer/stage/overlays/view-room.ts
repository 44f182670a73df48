/** Measures what words take in the corners of the views, so that cameras can keep the water clear of them. */
import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { NO_ROOM } from '../framing.ts';
import type { ViewRoom, ViewSize } from '../framing.ts';

/** The largest of each kind over all views, which share one framing. */
export const viewRoom = signal<ViewRoom>(NO_ROOM);

/** Sizes grow in steps of so many pixels: a number that gains a digit moves no camera. */
const STEP = 8;

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

/** @returns a reference for an element in that corner of a view; its padding is its distance from the view's edges */
export function useViewRoom<Kind extends HTMLElement>(corner: keyof ViewRoom): RefObject<Kind | null> {
  const reference = useRef<Kind>(null);
  useLayoutEffect(() => {
    const element = reference.current;
    if (!element) return undefined;
    const measure = (): void => {
      measured[corner].set(element, { width: element.offsetWidth, height: element.offsetHeight });
      publish(corner);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
      measured[corner].delete(element);
      publish(corner);
    };
  }, [corner]);
  return reference;
}
