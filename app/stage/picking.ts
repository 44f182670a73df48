/** What is under a point of the screen: a ray against the height field, on the host's numbers; and where a place is seen. */
import { ringCell } from './ring-geometry.ts';
import { Vector3, type PerspectiveCamera } from 'three/webgpu';
import type { ScreenPoint } from './stage-model.ts';
import type { Rect } from './view-grid.ts';

type Vector = readonly [number, number, number];

export interface Ray {
  readonly origin: Vector;
  /** Direction of any length but 0. */
  readonly direction: Vector;
}

/** Steps over a ring are half as long, in the scene's units: fine beside its ribbon's breadth. */
const RING_STEP = 0.02;

/** A height field over a rectangle around the origin, in the scene: x to the east, z to the south. */
export interface HeightField {
  /** Half sides. */
  readonly x: number;
  readonly z: number;
  readonly nx: number;
  readonly ny: number;
  /** Whether its places follow one another on a ring round the origin. */
  readonly isRing?: boolean | undefined;
  /** Heights lie between these. */
  readonly lowest: number;
  readonly highest: number;
  /** Height at a cell (i from the west, j from the south). */
  readonly height: (i: number, j: number) => number;
}

/** @returns the part of the ray (parameters from, to) inside a box, or undefined */
export function insideBox(ray: Ray, least: Vector, most: Vector): readonly [number, number] | undefined {
  let [from, to] = [0, Number.POSITIVE_INFINITY];
  for (const axis of [0, 1, 2] as const) {
    const [origin, direction] = [ray.origin[axis], ray.direction[axis]];
    if (Math.abs(direction) < 1e-12) {
      if (origin < least[axis] || origin > most[axis]) return undefined;
      continue;
    }
    const [a, b] = [(least[axis] - origin) / direction, (most[axis] - origin) / direction];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return from <= to ? [from, to] : undefined;
}

function within(value: number, n: number): number {
  return Math.min(n - 1, Math.max(0, Math.floor(value)));
}

/** @returns the cell that a place in the scene belongs to, kept within the basin; undefined beside a ring */
export function cellAt(
  field: HeightField,
  x: number,
  z: number,
): { readonly x: number; readonly y: number } | undefined {
  if (field.isRing) {
    const cell = ringCell({ x, z }, field.nx);
    return cell === undefined ? undefined : { x: cell, y: 0 };
  }
  return {
    x: within(((x + field.x) / (2 * field.x)) * field.nx, field.nx),
    y: within(((field.z - z) / (2 * field.z)) * field.ny, field.ny),
  };
}

/**
 * Marches in steps of half a cell and returns the first cell whose height the ray falls to.
 * @returns undefined where the ray misses
 */
export function pickCell(ray: Ray, field: HeightField): { readonly x: number; readonly y: number } | undefined {
  const margin = 1e-6 + 0.001 * (field.highest - field.lowest);
  const found = insideBox(ray, [-field.x, field.lowest - margin, -field.z], [field.x, field.highest + margin, field.z]);
  if (!found) return undefined;
  const [from, to] = found;
  const across = Math.hypot(ray.direction[0], ray.direction[2]) * (to - from);
  const cell = field.isRing ? RING_STEP : Math.min((2 * field.x) / field.nx, (2 * field.z) / field.ny);
  const steps = Math.max(2, Math.min(4096, Math.ceil((2 * across) / cell)));
  for (let k = 0; k <= steps; k++) {
    const t = from + ((to - from) * k) / steps;
    const at = cellAt(field, ray.origin[0] + t * ray.direction[0], ray.origin[2] + t * ray.direction[2]);
    if (at && ray.origin[1] + t * ray.direction[1] <= field.height(at.x, at.y) + margin) return at;
  }
  return undefined;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A stem as it appears on the canvas, from its foot to its head. */
export interface StandingStem {
  readonly observation: number;
  readonly foot: Point;
  readonly head: Point;
}

/** Pixels from a stem at which a hand still means it: targets are 24 px wide. */
const STEM_REACH = 12;

function distanceTo({ foot, head }: StandingStem, { x, y }: Point): number {
  const [alongX, alongY] = [head.x - foot.x, head.y - foot.y];
  const length = alongX ** 2 + alongY ** 2;
  const share = length > 0 ? ((x - foot.x) * alongX + (y - foot.y) * alongY) / length : 0;
  const t = Math.min(1, Math.max(0, share));
  return Math.hypot(x - foot.x - t * alongX, y - foot.y - t * alongY);
}

/** @returns the number of the observation whose stem is the nearest within reach of a point of the canvas */
export function pickStem(at: Point, stems: readonly StandingStem[]): number | undefined {
  let nearest: { readonly observation: number; readonly distance: number } | undefined;
  for (const stem of stems) {
    const distance = distanceTo(stem, at);
    if (distance <= STEM_REACH && distance < (nearest?.distance ?? Infinity)) {
      nearest = { observation: stem.observation, distance };
    }
  }
  return nearest?.observation;
}

/**
 * @returns where a view's camera shows a place x, y, z of the scene, CSS pixels; undefined where that is beyond the view's edges
 */
export function onScreen(
  camera: PerspectiveCamera,
  { x, y, width, height }: Rect,
  place: readonly [number, number, number],
): ScreenPoint | undefined {
  const at = new Vector3(...place).project(camera);
  if (Math.abs(at.x) > 1 || Math.abs(at.y) > 1) return undefined;
  return { x: x + ((at.x + 1) / 2) * width, y: y + ((1 - at.y) / 2) * height };
}

/** @returns the ray from the camera through a place on screen */
export function rayThrough(camera: PerspectiveCamera, rect: Rect, at: ScreenPoint): Ray {
  const far = new Vector3(
    (2 * (at.x - rect.x)) / rect.width - 1,
    1 - (2 * (at.y - rect.y)) / rect.height,
    0.5,
  ).unproject(camera);
  const { x, y, z } = camera.position;
  return { origin: [x, y, z], direction: [far.x - x, far.y - y, far.z - z] };
}
