/** What is said over the stage: at the foot of the lower left view, clear of titles, measures and colour bars. */
import type { ComponentChildren } from 'preact';
import { typeScale } from '../../state/preferences.ts';
import { look } from '../../state/view-state.ts';
import { barredViews } from '../barred-views.ts';
import type { DrawnView } from '../stage-model.ts';
import { drawnFrame } from '../stage-state.ts';
import { measuredViews } from './measures.tsx';
import { viewRoom } from './view-room.ts';

/** Notes are not squeezed into less, CSS pixels at type × 1. */
const LEAST_WIDTH = 280;

interface NotesPlace {
  /** Pixels of the stage's foot that stay free below. */
  readonly bottom: number;
  /** Undefined where nothing limits it but the stage. */
  readonly right?: number;
  readonly height?: number;
}

/** @returns where notes may stand, beside and above what is to be read there */
function placeOf(views: readonly DrawnView[], barred: readonly DrawnView[]): NotesPlace {
  const foot = Math.max(0, ...views.map(({ rect }) => rect.y + rect.height));
  const lowest = views.filter(({ rect }) => rect.y + rect.height >= foot - 1);
  const first = lowest.find(({ rect }) => rect.x === Math.min(...lowest.map((view) => view.rect.x)));
  if (!first) return { bottom: 0 };
  const { title, axes, measures, bar } = viewRoom.value;
  const edges = lowest
    .filter((view) => barred.includes(view) && view !== first)
    .map(({ rect }) => rect.x + rect.width - bar.width);
  const right = Math.min(...edges);
  // Beside the bars where there is room for a line of words, above them where there is none.
  const isNarrow = right < LEAST_WIDTH * typeScale.value;
  const bottom = Math.max(
    measuredViews(views).some((view) => lowest.includes(view)) ? Math.max(axes.height, measures.height) : 0,
    isNarrow || barred.includes(first) ? bar.height : 0,
  );
  return {
    bottom,
    height: first.rect.height - title.height - bottom,
    ...(Number.isFinite(right) && !isNarrow && { right }),
  };
}

export function StageNotes({ children }: { readonly children: ComponentChildren }) {
  const views = drawnFrame.value?.views ?? [];
  const { bottom, right, height } = placeOf(views, barredViews(views, look.value));
  return (
    <div
      class="stage-notes"
      style={{
        bottom: `${bottom}px`,
        ...(right !== undefined && { width: `${right}px` }),
        ...(height !== undefined && { maxHeight: `${height}px` }),
      }}
    >
      {children}
    </div>
  );
}
