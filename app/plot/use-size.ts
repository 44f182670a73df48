/** Sizes of an element, and of its type, as they change. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

/** Reports each size of an element, in whatever window it is: the observer of a window follows what is laid out there. @returns what ends that */
export function observeSize(element: Element, report: (entry: ResizeObserverEntry) => void): () => void {
  const view = element.ownerDocument.defaultView;
  const observer = new (view ?? globalThis).ResizeObserver(([entry]) => report(entry));
  observer.observe(element);
  return () => observer.disconnect();
}

/** @returns a reference for the element, and its width in CSS pixels; 0 before it was measured */
export function useWidth<Kind extends HTMLElement>(): readonly [RefObject<Kind | null>, number] {
  const element = useRef<Kind>(null);
  const [width, setWidth] = useState(0);
  // Before anything is painted, so that the first measurement comes with the layout of the first frame.
  useLayoutEffect(() => {
    const observed = element.current;
    if (!observed) return undefined;
    return observeSize(observed, ({ contentRect }) => setWidth(contentRect.width));
  }, []);
  return [element, width];
}

export interface Size {
  readonly width: number;
  readonly height: number;
  /** Pixels. */
  readonly em: number;
  /** By how much charts are higher than their type needs: those of an enlarged figure fill the window (`--stretch`). */
  readonly stretch: number;
}

/** Event of a chart whose `--stretch` has another value. */
export const STRETCHED = 'stretched';

const UNKNOWN: Size = { width: 0, height: 0, em: 11, stretch: 1 };

/** @returns a reference for the element, and its size; width 0 until it was measured */
export function useSize(): [RefObject<HTMLDivElement | null>, Size] {
  const reference = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(UNKNOWN);
  useLayoutEffect(() => {
    const element = reference.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const [width, height] = [Math.floor(element.clientWidth), Math.floor(element.clientHeight)];
      const style = getComputedStyle(element);
      const em = Number.parseFloat(style.fontSize) || UNKNOWN.em;
      const stretch = Number.parseFloat(style.getPropertyValue('--stretch')) || 1;
      const next = { width, height, em, stretch };
      setSize((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    // The first report comes with the next frame, before it is painted: to measure here would need a layout of its own.
    const stop = observeSize(element, measure);
    element.addEventListener(STRETCHED, measure);
    return () => {
      stop();
      element.removeEventListener(STRETCHED, measure);
    };
  }, []);
  return [reference, size];
}
