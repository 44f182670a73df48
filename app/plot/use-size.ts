/** Sizes of an element, and of its type, as they change. */
import { useLayoutEffect, useRef, useState, useEffect } from 'preact/hooks';
import type { RefObject } from 'preact';

/** @returns a reference for the element, and its width in CSS pixels; 0 before it was measured */
export function useWidth<Kind extends HTMLElement>(): readonly [RefObject<Kind | null>, number] {
  const element = useRef<Kind>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observed = element.current;
    if (!observed) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry.contentRect.width));
    observer.observe(observed);
    return () => observer.disconnect();
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
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [reference, size];
}
