/** The picture of a sweep: the pointer reads the combination under it, and a press opens its case. */
import type { ComponentChildren } from 'preact';
import { useLaboratory } from '../../../page/laboratory.ts';
import { sweepsOf } from '../sweeps-state.ts';

interface Properties {
  /** What the picture says, in sentences. */
  readonly summary: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** @returns the combination at a place of the picture, in pixels from its corner */
  readonly combinationAt: (x: number, y: number) => number | undefined;
  readonly onOpen: (combination: number) => void;
  readonly children: ComponentChildren;
}

export function PointedPicture({ summary, width, height, combinationAt, onOpen, children }: Properties) {
  const { pointed } = sweepsOf(useLaboratory());
  const combinationUnder = (event: MouseEvent & { readonly currentTarget: Element }): number | undefined => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return combinationAt(event.clientX - left, event.clientY - top);
  };
  return (
    <svg
      class="chart sweep-map"
      role="img"
      aria-label={summary}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      onPointerMove={(event) => {
        pointed.value = combinationUnder(event);
      }}
      onPointerLeave={() => {
        pointed.value = undefined;
      }}
      onClick={(event) => {
        const combination = combinationUnder(event);
        if (combination !== undefined) onOpen(combination);
      }}
    >
      {children}
    </svg>
  );
}
