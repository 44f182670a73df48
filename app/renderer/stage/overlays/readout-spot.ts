/** Where the numbers at the crosshair stand on the stage: where they hide least of what they are about. */
import type { ScreenPoint } from '../stage-model.ts';
import type { Rect } from '../view-grid.ts';

/** Shares of the room that is left at the left of the numbers, and above them. */
type Spot = readonly [across: number, down: number];

/** The corners first, then between them. */
const SPOTS: readonly Spot[] = [
  [1, 0],
  [0, 0],
  [1, 1],
  [0, 1],
  [0.5, 0],
  [0.5, 1],
  [0, 0.5],
  [1, 0.5],
  [0.5, 0.5],
];

/** A place of the numbers, pixels from the upper left of the stage. */
export interface ReadoutSpot {
  readonly left: number;
  readonly top: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A view, and where the crosshair is in it; undefined where it has none. */
export interface CrossedView {
  readonly rect: Rect;
  readonly crosshair: ScreenPoint | undefined;
}

export interface ReadoutPlace {
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
/** Away from the corners the numbers stand only where that hides clearly less. */
const BETWEEN_WORTH = 0.04;
/** Room about a crosshair, pixels. */
const AROUND = 14;
/** Another corner has to hide less than this of what the present one does: the numbers do not jump for little. */
const CLEARLY = 0.7;

function rectIn([across, down]: Spot, { stage, readout, margins: { side, top, bottom } }: ReadoutPlace): Rect {
  return {
    ...readout,
    x: side + across * (stage.width - 2 * side - readout.width),
    y: top + down * (stage.height - top - bottom - readout.height),
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
function hidden(spot: Spot, place: ReadoutPlace): number {
  const over = rectIn(spot, place);
  const views = place.views.reduce(
    (sum, { rect, crosshair }) => sum + shareUnder(rect, over) ** 2 + (contains(over, crosshair) ? CROSSHAIR_WORTH : 0),
    0,
  );
  const between = spot.includes(0.5) ? BETWEEN_WORTH : 0;
  return views + between + (contains(over, place.pointer) ? POINTER_WORTH : 0);
}

/** @param present which spot they stand at now: they stay there as long as no other one is clearly better */
export function bestSpot(place: ReadoutPlace, present: number): number {
  const worth = (index: number): number => hidden(SPOTS[index], place);
  const best = SPOTS.reduce((found, _, index) => (worth(index) < worth(found) ? index : found), 0);
  return worth(best) < CLEARLY * worth(present) ? best : present;
}

/** @returns where a spot is on the stage, whole pixels */
export function placeOfSpot(index: number, place: ReadoutPlace): ReadoutSpot {
  const { x, y } = rectIn(SPOTS[index], place);
  return { left: Math.round(x), top: Math.round(y) };
}
