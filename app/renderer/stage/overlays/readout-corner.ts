/** Where the numbers at the crosshair stand: in the corner of the stage in which they hide least of what they are about. */
import type { ScreenPoint } from '../stage-model.ts';
import type { Rect } from '../view-grid.ts';

export const READOUT_CORNERS = ['top-right', 'top-left', 'bottom-right', 'bottom-left'] as const;
export type ReadoutCorner = (typeof READOUT_CORNERS)[number];

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A view, and where the crosshair is in it; undefined where it has none. */
export interface CrossedView {
  readonly rect: Rect;
  readonly crosshair: ScreenPoint | undefined;
}

interface ReadoutPlace {
  readonly stage: Size;
  readonly readout: Size;
  /** From the edges of the stage, pixels; at the top beneath the titles of the views. */
  readonly margins: { readonly side: number; readonly top: number; readonly bottom: number };
  readonly views: readonly CrossedView[];
  /** Undefined while the crosshair is moved by keys. */
  readonly pointer: ScreenPoint | undefined;
}

/** What is hidden by covering a crosshair, in views that are covered whole; the pointer has to stay free. */
const CROSSHAIR_WORTH = 0.5;
const POINTER_WORTH = 100;
/** Room about a crosshair, pixels. */
const AROUND = 14;
/** Another corner has to hide less than this of what the present one does: the numbers do not jump for little. */
const CLEARLY = 0.7;

function rectIn(corner: ReadoutCorner, { stage, readout, margins: { side, top, bottom } }: ReadoutPlace): Rect {
  return {
    ...readout,
    x: corner.endsWith('left') ? side : stage.width - side - readout.width,
    y: corner.startsWith('top') ? top : stage.height - bottom - readout.height,
  };
}

function contains({ x, y, width, height }: Rect, at: ScreenPoint | undefined): boolean {
  if (!at) return false;
  return at.x > x - AROUND && at.x < x + width + AROUND && at.y > y - AROUND && at.y < y + height + AROUND;
}

/** @returns the length that two stretches have in common */
function along(a: number, b: number, lengthA: number, lengthB: number): number {
  return Math.max(0, Math.min(a + lengthA, b + lengthB) - Math.max(a, b));
}

/** @returns the share of one rectangle that lies under the other */
function shareUnder(view: Rect, over: Rect): number {
  const covered = along(view.x, over.x, view.width, over.width) * along(view.y, over.y, view.height, over.height);
  return covered / Math.max(1, view.width * view.height);
}

/** How much is hidden: a small view under the numbers counts for more than the corner of a large one. */
function hidden(corner: ReadoutCorner, place: ReadoutPlace): number {
  const over = rectIn(corner, place);
  const views = place.views.reduce(
    (sum, { rect, crosshair }) => sum + shareUnder(rect, over) ** 2 + (contains(over, crosshair) ? CROSSHAIR_WORTH : 0),
    0,
  );
  return views + (contains(over, place.pointer) ? POINTER_WORTH : 0);
}

/** @param present where they stand now: they stay as long as no other corner is clearly better */
export function readoutCorner(place: ReadoutPlace, present: ReadoutCorner): ReadoutCorner {
  const worth = (corner: ReadoutCorner): number => hidden(corner, place);
  const best = READOUT_CORNERS.reduce((found, corner) => (worth(corner) < worth(found) ? corner : found));
  return worth(best) < CLEARLY * worth(present) ? best : present;
}
