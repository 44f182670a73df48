/** A figure over the whole window: it leaves its place for the top layer, and its charts grow until they fill it. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** What is left free of an enlarged figure, pixels: its padding, and what rounding takes. */
const MARGIN = 48;
/** The most by which charts grow beside their type. */
const MOST = 6;

function chartsOf(figure: HTMLElement): readonly Element[] {
  return [...figure.querySelectorAll('.chart-area')];
}

/** The size of the type of charts, by which they are laid out. */
function typeSizeOf(figure: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(chartsOf(figure)[0] ?? figure).fontSize) || 1;
}

/** Shows a figure over the window: its type grows, and its charts by as much more as there is room. */
function show(figure: HTMLElement): void {
  const before = typeSizeOf(figure);
  const charts = chartsOf(figure).reduce((sum, { clientHeight }) => sum + clientHeight, 0);
  figure.popover = 'auto';
  figure.showPopover();
  const grown = (charts * typeSizeOf(figure)) / before;
  const content = [...figure.children].reduce((sum, child) => sum + (child as HTMLElement).offsetHeight, 0);
  const room = figure.clientHeight - MARGIN - (content - charts);
  const stretch = charts === 0 ? 1 : Math.min(MOST, Math.max(1, room / grown));
  figure.style.setProperty('--stretch', String(stretch));
}

export interface Enlarged {
  readonly isEnlarged: boolean;
  readonly toggle: () => void;
}

/** @returns whether the figure fills the window, and what changes that; Escape and a press beside it end it as well */
export function useEnlarged(reference: RefObject<HTMLElement | null>): Enlarged {
  const [isEnlarged, setEnlarged] = useState(false);
  useLayoutEffect(() => {
    const figure = reference.current;
    if (!isEnlarged || !figure) return undefined;
    show(figure);
    return () => {
      figure.popover = null;
      figure.style.removeProperty('--stretch');
    };
  }, [reference, isEnlarged]);
  useEffect(() => {
    const figure = reference.current;
    if (!figure) return undefined;
    const close = (event: Event): void => {
      if (event instanceof ToggleEvent && event.target === figure && event.newState === 'closed') setEnlarged(false);
    };
    figure.addEventListener('toggle', close);
    return () => figure.removeEventListener('toggle', close);
  }, [reference]);
  return { isEnlarged, toggle: () => setEnlarged(!isEnlarged) };
}
