/** Measures what words take in the corners of the views. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useRun } from '../../document/context.ts';
import type { ViewRoom } from '../framing.ts';
import { stageOf } from '../stage-state.ts';

/** @returns a reference for an element in that corner of a view; its padding is its distance from the view's edges */
export function useViewRoom<Kind extends HTMLElement>(corner: keyof ViewRoom): RefObject<Kind | null> {
  const { measureWords } = stageOf(useRun());
  const reference = useRef<Kind>(null);
  useLayoutEffect(() => {
    const element = reference.current;
    if (!element) return undefined;
    const measure = (): void => {
      measureWords(corner, element, { width: element.offsetWidth, height: element.offsetHeight });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
      measureWords(corner, element, undefined);
    };
  }, [corner, measureWords]);
  return reference;
}
