/** The place of the crosshair's numbers on the stage: where they hide least of their subject. */
import type { ScreenPoint } from '../stage-model.ts';
import type { Rect } from '../view-grid.ts';

/** A place of the numbers, pixels from the upper left of the stage. */
export interface ReadoutSpot {
  readonly left: number;
  readonly top: number;
}

/** From the foot of a row of views, pixels. */
const ROW_GAP = 2;
/** What the title of a view takes of its upper left corner, pixels. */
const TITLE = { width: 128, height: 52 };

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A view, and where the crosshair is in it; undefined where it has none. */
interface CrossedView {
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
const TITLE_WORTH = 0.4;
/** The numbers are away from the corners only if that hides clearly less. */
const BETWEEN_WORTH = 0.04;
/** Room about a crosshair, pixels. */
const AROUND = 9;
/** Another corner has to hide less than this of what the present one does: the numbers do not jump for little. */
const CLEARLY = 0.7;

/** In the corners first, then between them: in the middle, and at the foot of a row of views, above the titles of the next. */
function spotsIn({ stage, readout, margins: { side, top, bottom }, views }: ReadoutPlace): readonly ReadoutSpot[] {
  const lefts = [stage.width - side - readout.width, side, (stage.width - readout.width) / 2];
  const feet = new Set(views.map(({ rect }) => rect.y + rect.height));
  const last = Math.max(...feet);
  const rows = [...feet].filter((foot) => foot < last).map((foot) => foot - ROW_GAP - readout.height);
  const tops = [top, stage.height - bottom - readout.height, ...rows.filter((each) => each >= top)];
  return tops.flatMap((each) => lefts.map((left) => ({ left: Math.round(left), top: Math.round(each) })));
}

function contains({ x, y, width, height }: Rect, at: ScreenPoint | undefined): boolean {
  if (!at) return false;
  return at.x > x - AROUND && at.x < x + width + AROUND && at.y > y - AROUND && at.y < y + height + AROUND;
}

/** @returns the length that two stretches have in common */
function along(a: number, b: number, lengthA: number, lengthB: number): number {
  return Math.max(0, Math.min(a + lengthA, b + lengthB) - Math.max(a, b));
}

/** @returns the share of one rectangle that is under the other */
function shareUnder(view: Rect, over: Rect): number {
  const covered = along(view.x, over.x, view.width, over.width) * along(view.y, over.y, view.height, over.height);
  return covered / Math.max(1, view.width * view.height);
}

/** How much is hidden: a small view under the numbers counts for more than the corner of a large one. */
function hidden({ left, top }: ReadoutSpot, { stage, readout, margins, views, pointer }: ReadoutPlace): number {
  const over = { ...readout, x: left, y: top };
  const covered = views.reduce(
    (sum, { rect, crosshair }) =>
      sum +
      shareUnder(rect, over) ** 2 +
      (contains(over, crosshair) ? CROSSHAIR_WORTH : 0) +
      (shareUnder({ ...rect, ...TITLE }, over) > 0 ? TITLE_WORTH : 0),
    0,
  );
  const isInCorner =
    (left <= margins.side || left >= stage.width - margins.side - readout.width) &&
    (top <= margins.top || top >= stage.height - margins.bottom - readout.height);
  return covered + (isInCorner ? 0 : BETWEEN_WORTH) + (contains(over, pointer) ? POINTER_WORTH : 0);
}

/** @param present where they are now: they stay there as long as no other spot is clearly better; undefined to begin with */
export function bestSpot(place: ReadoutPlace, present?: ReadoutSpot): ReadoutSpot {
  const spots = spotsIn(place);
  const worths = spots.map((spot) => hidden(spot, place));
  const best = spots[worths.indexOf(Math.min(...worths))];
  const stays = present && spots.find(({ left, top }) => left === present.left && top === present.top);
  return stays && Math.min(...worths) >= CLEARLY * hidden(stays, place) ? stays : best;
}
