/** The width of an element, kept up to date. */
import { useEffect, useRef, useState } from 'preact/hooks';
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
