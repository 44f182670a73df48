/**
 * What the tools that change the world have in common: what a hand does with one, what is drawn of it over the water, and the cells
 * and places under a stroke. Places are in grid units, the middle of cell (i, j) is (i, j); lengths are in metres.
 */
import type { ReadonlySignal } from '@preact/signals';
import type { BasinInfo } from '../../../engine/index.ts';
import { type GridPoint, type ViewState, placeText } from '../../document/views/view-state.ts';
import type { WorldChange, Gauge } from '../../document/scenario/changes.ts';
import type { WorldEdit } from './world-edits.ts';

export const WORLD_TOOLS = ['gauges', 'drop', 'island'] as const;
export type WorldTool = (typeof WORLD_TOOLS)[number];

/** @returns the tools that there are of a basin; a ring has neither water for drops nor a bed for islands */
export function toolsIn(basin: Pick<BasinInfo, 'isRing'> | undefined): readonly WorldTool[] {
  return basin?.isRing ? ['gauges'] : WORLD_TOOLS;
}

/** How long a stone falls, ms, as the style sheet has it. */
export const FALL_MILLISECONDS = 450;

/** A circle on the water. */
export interface Ring {
  readonly kind: WorldTool | 'eraser';
  readonly centre: GridPoint;
  /** Metres. */
  readonly radius: number;
}

/** What would come of what the hand does, drawn over the water. */
export interface Ghost {
  readonly ring: Ring | undefined;
  readonly added: readonly GridPoint[];
  readonly removed: readonly GridPoint[];
  /** From where a gauge is moved to where. */
  readonly way: { readonly from: GridPoint; readonly to: GridPoint } | undefined;
}

export const NO_GHOST: Ghost = { ring: undefined, added: [], removed: [], way: undefined };

/** One tool, for the hand that holds it. */
export interface HeldTool {
  readonly ghost: ReadonlySignal<Ghost>;
  readonly down: (cell: GridPoint, erases: boolean) => void;
  readonly move: (cell: GridPoint) => void;
  readonly up: () => void;
  /** @returns whether there was anything to give up */
  readonly giveUp: () => boolean;
  readonly press: (cell: GridPoint) => void;
  readonly erase: (cell: GridPoint) => void;
  readonly resize: (by: 1 | -1) => void;
}

/** What all tools know. */
export interface ToolContext {
  readonly basin: ReadonlySignal<BasinInfo | undefined>;
  /** The first cycle that a change has a part in. */
  readonly nextCycle: ReadonlySignal<number>;
  /** What was changed of the world that waits for it. */
  readonly waiting: ReadonlySignal<readonly WorldChange[]>;
  readonly act: (edit: WorldEdit) => Promise<void>;
  /** Edits that wait for the cycle that is being computed. */
  readonly underway: ReadonlySignal<readonly WorldEdit[]>;
  readonly view: Pick<ViewState, 'hoveredCell'>;
}

/** @returns a value no smaller and no larger than these */
export function clip(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** What a brush must know of a basin. */
export type Waters = Pick<BasinInfo, 'nx' | 'ny' | 'dx' | 'dy' | 'periodicX' | 'periodicY' | 'bed' | 'isRing'>;

/** One straight part of a stroke: both ends are the same where a hand only touches. */
export interface Reach {
  readonly from: GridPoint;
  readonly to: GridPoint;
  /** Radius of the brush, m. */
  readonly radius: number;
}

/** @returns the index of the cell that contains a place, y·nx + x */
export function cellIndex({ nx }: Pick<Waters, 'nx'>, { x, y }: GridPoint): number {
  return Math.round(y) * nx + Math.round(x);
}

/** @returns whether the bed of a cell lies beneath the water at rest; a ring has no land */
export function isWater(waters: Waters, place: GridPoint): boolean {
  return waters.isRing === true || waters.bed[cellIndex(waters, place)] < 0;
}

const waterCounts = new WeakMap<Float32Array, number>();

/** @returns how many cells are no land; counted once a bed */
export function waterCells({ bed, isRing }: Pick<Waters, 'bed' | 'isRing'>): number {
  if (isRing) return bed.length;
  let count = waterCounts.get(bed);
  if (count === undefined) {
    count = bed.reduce((sum, elevation) => (elevation < 0 ? sum + 1 : sum), 0);
    waterCounts.set(bed, count);
  }
  return count;
}

/** @returns the distance of a place from the straight line between two others, m; no end of the basin counts */
export function distanceFrom({ from, to }: Omit<Reach, 'radius'>, { dx, dy }: Waters, place: GridPoint): number {
  const [along, up] = [(to.x - from.x) * dx, (to.y - from.y) * dy];
  const [x, y] = [(place.x - from.x) * dx, (place.y - from.y) * dy];
  const length = along * along + up * up;
  const share = length > 0 ? Math.min(1, Math.max(0, (x * along + y * up) / length)) : 0;
  return Math.hypot(x - share * along, y - share * up);
}

/** @returns the index on an axis of n cells, the other way in where it is periodic; undefined outside */
function onAxis(index: number, n: number, periodic: boolean): number | undefined {
  if (periodic) return ((index % n) + n) % n;
  return index >= 0 && index < n ? index : undefined;
}

/** @returns first and last index that a length of `reach` cells around both ends covers */
function span(a: number, b: number, reach: number): readonly [number, number] {
  return [Math.ceil(Math.min(a, b) - reach), Math.floor(Math.max(a, b) + reach)];
}

/** @returns the cells whose middle is under the brush; over a periodic end they continue at the other one, some then come twice */
export function cellsUnder(waters: Waters, reach: Reach): GridPoint[] {
  const { nx, ny, dx, dy, periodicX, periodicY } = waters;
  const { from, to, radius } = reach;
  const [west, east] = span(from.x, to.x, radius / dx);
  const [south, north] = span(from.y, to.y, radius / dy);
  const found: GridPoint[] = [];
  for (let j = south; j <= north; j++) {
    const y = onAxis(j, ny, periodicY);
    if (y === undefined) continue;
    for (let i = west; i <= east; i++) {
      const x = onAxis(i, nx, periodicX);
      if (x !== undefined && distanceFrom(reach, waters, { x: i, y: j }) <= radius) found.push({ x, y });
    }
  }
  return found;
}

/**
 * @returns whether a cell is one of every `spacing`-th along both axes, half a spacing from the corner on as regular networks are
 */
export function isOnLattice({ x, y }: GridPoint, spacing: number): boolean {
  const offset = Math.floor(spacing / 2);
  return (x - offset) % spacing === 0 && (y - offset) % spacing === 0;
}

/**
 * @param spacing cells from one gauge to the next along both axes: wherever the stroke goes, its density is the same
 * @param isTaken whether a cell has a gauge already
 * @returns the cells under the brush that get a gauge
 */
export function painted(
  waters: Waters,
  reach: Reach,
  spacing: number,
  isTaken: (cell: number) => boolean,
): readonly GridPoint[] {
  const found = new Map<number, GridPoint>();
  for (const place of cellsUnder(waters, reach)) {
    if (!isOnLattice(place, spacing) || !isWater(waters, place)) continue;
    const cell = cellIndex(waters, place);
    if (!isTaken(cell)) found.set(cell, place);
  }
  return [...found.values()];
}

/** @returns how many cells further a place of the basin is found again along an axis */
function shifts(n: number, periodic: boolean): readonly number[] {
  return periodic ? [-n, 0, n] : [0];
}

/** @returns the distance of a place from the line, or of the nearest of those that a periodic basin repeats, m */
function nearestDistance(waters: Waters, reach: Reach, { x, y }: GridPoint): number {
  const distances = shifts(waters.nx, waters.periodicX).flatMap((right) =>
    shifts(waters.ny, waters.periodicY).map((up) => distanceFrom(reach, waters, { x: x + right, y: y + up })),
  );
  return Math.min(...distances);
}

/** @returns those of some places that are under the brush, in their order */
export function placesUnder<Place extends GridPoint>(
  waters: Waters,
  reach: Reach,
  places: readonly Place[],
): readonly Place[] {
  return places.filter((place) => nearestDistance(waters, reach, place) <= reach.radius);
}

/** @returns the place nearest to a point, no farther than `reach` metres */
export function nearestPlace<Place extends GridPoint>(
  waters: Waters,
  point: GridPoint,
  reach: number,
  places: readonly Place[],
): Place | undefined {
  let nearest: { readonly place: Place; readonly distance: number } | undefined;
  for (const place of places) {
    const distance = nearestDistance(waters, { from: point, to: point, radius: reach }, place);
    if (distance <= reach && (!nearest || distance < nearest.distance)) nearest = { place, distance };
  }
  return nearest?.place;
}

/** @returns metres between two places, the way that a hand goes: over no end of the basin */
export function metresBetween({ dx, dy }: Pick<Waters, 'dx' | 'dy'>, a: GridPoint, b: GridPoint): number {
  return Math.hypot((a.x - b.x) * dx, (a.y - b.y) * dy);
}

/** @returns as in `x 12 m, y 8 m: a gauge of h` */
export function placeWords(waters: Waters, cell: GridPoint, gauges: readonly Gauge[]): string {
  const index = cellIndex(waters, cell);
  const variables = gauges.filter((gauge) => cellIndex(waters, gauge) === index).map(({ variable }) => variable);
  const free = waters.isRing ? 'no gauge' : isWater(waters, cell) ? 'water' : 'land';
  const what = variables.length > 0 ? `a gauge of ${variables.join(' and ')}` : free;
  return `${placeText(waters, cell)}: ${what}`;
}
