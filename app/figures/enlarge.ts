/** A figure that fills a window: over the page, or alone in a window of its own. Its charts grow until there is no room left. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { STRETCHED, observeSize } from '../plot/use-size.ts';

/** What is left free of an enlarged figure, pixels: its padding, and what rounding takes. */
const MARGIN = 48;
/** The most by which charts grow beside their type. */
const MOST = 6;

function chartsOf(figure: HTMLElement): readonly Element[] {
  return [...figure.querySelectorAll('.chart-area')];
}

function heightOfCharts(figure: HTMLElement): number {
  return chartsOf(figure).reduce((sum, { clientHeight }) => sum + clientHeight, 0);
}

/** The size of the type of charts, by which they are laid out. */
function typeSizeOf(figure: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(chartsOf(figure)[0] ?? figure).fontSize) || 1;
}

/** Shows a figure over the window: its type grows, and its charts by as much more as there is room. */
function show(figure: HTMLElement): void {
  const before = typeSizeOf(figure);
  const charts = heightOfCharts(figure);
  figure.popover = 'auto';
  figure.showPopover();
  stretchCharts(figure, stretchFor(figure, charts, (charts * typeSizeOf(figure)) / before));
}

function stretchCharts(figure: HTMLElement, stretch: number): void {
  figure.style.setProperty('--stretch', String(stretch));
}

/** @param charts height of the charts now @param plain their height without being stretched @returns by how much to stretch them */
function stretchFor(figure: HTMLElement, charts: number, plain: number): number {
  const content = [...figure.children].reduce((sum, child) => sum + (child as HTMLElement).offsetHeight, 0);
  const room = figure.clientHeight - MARGIN - (content - charts);
  return charts === 0 ? 1 : Math.min(MOST, Math.max(1, room / plain));
}

/** Stretches the charts of a figure to the window that it has to itself. */
function fill(figure: HTMLElement): void {
  const stretch = Number.parseFloat(figure.style.getPropertyValue('--stretch')) || 1;
  const charts = chartsOf(figure);
  const height = heightOfCharts(figure);
  const next = stretchFor(figure, height, height / stretch);
  // Each chart has a whole number of pixels.
  if (Math.abs(next / stretch - 1) * height <= charts.length) return;
  stretchCharts(figure, next);
  for (const chart of charts) chart.dispatchEvent(new Event(STRETCHED));
}

/** Keeps the charts of a figure that is alone in a window as high as the window. */
export function useFilled(reference: RefObject<HTMLElement | null>, isAlone: boolean): void {
  useLayoutEffect(() => {
    const figure = reference.current;
    if (!figure || !isAlone) return undefined;
    const observed = [figure, ...chartsOf(figure)].map((element) => observeSize(element, () => fill(figure)));
    return () => {
      for (const stop of observed) stop();
    };
  });
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
