/**
 * What is under a point of the screen: a ray against the height field, on the host's numbers; where a place is seen; and where the
 * highest wave of the truth is, for a camera that follows it.
 */
import { ringCell, scenePlaces } from './grid-geometry.ts';
import { Vector3, type PerspectiveCamera } from 'three/webgpu';
import type { ScreenPoint } from './stage-model.ts';
import type { Rect } from './view-grid.ts';
import type { BasinInfo, Plane } from '../../engine/index.ts';
import type { ScenePoint } from '../document/views/cameras.ts';
import { isWet } from '../document/views/field-values.ts';
import type { Numbers, PlaneNumbers } from '../document/values/plane-reader.ts';

type Vector = readonly [number, number, number];

interface Ray {
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
interface StandingStem {
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

/** Cells that are looked at, at most: in larger basins every second, third, … row and column. */
const MOST_CELLS = 2 ** 16;
/** A wave must be higher by this share for each half of the basin's longer side that it is away, to be looked at instead. */
const AWAY = 0.4;
/** Share of the way from the middle of the basin to the wave: at the edge, half of the picture would be empty. */
const HELD = 0.7;

/**
 * @param eta surface, m, nx × ny
 * @param dry depth up to which a cell is dry, m
 * @param near the place that is looked at, which keeps the camera from leaping between crests of one height
 * @returns where the highest water above the level at rest is in the scene; undefined if there is none
 */
export function highestWave(
  eta: PlaneNumbers,
  basin: BasinInfo,
  dry: number,
  near: ScenePoint,
): ScenePoint | undefined {
  const { nx, ny } = basin;
  const stride = Math.max(1, Math.ceil(Math.sqrt((nx * ny) / MOST_CELLS)));
  const placeOf = scenePlaces(basin);
  let [best, most]: [ScenePoint | undefined, number] = [undefined, 0];
  for (let j = 0; j < ny; j += stride) {
    for (let i = 0; i < nx; i += stride) {
      const cell = j * nx + i;
      const height = eta[cell];
      // What is farther away counts less, never more.
      if (!(height > most) || !isWet(basin, cell, height, dry)) continue;
      const { x, z } = placeOf(i, j);
      const worth = height / (1 + AWAY * Math.hypot(x - near.x, z - near.z));
      if (worth > most) [best, most] = [{ x, z }, worth];
    }
  }
  return best;
}

/**
 * Looks for the wave once in each plane: a picture may be drawn many times before the next one comes.
 *
 * @returns where a camera that looks at `near` is to look, by the first of these planes whose numbers are here
 */
export function createWaveWatch(basin: BasinInfo, dry: number) {
  let seen: { readonly plane: Plane; readonly wave: ScenePoint | undefined } | undefined;
  return (planes: readonly Plane[], numbers: Numbers, near: ScenePoint): ScenePoint | undefined => {
    for (const plane of planes) {
      const eta = numbers(plane);
      if (!eta) continue;
      if (seen?.plane !== plane) {
        const wave = highestWave(eta, basin, dry, near);
        seen = { plane, wave: wave && { x: HELD * wave.x, z: HELD * wave.z } };
      }
      return seen.wave;
    }
    return undefined;
  };
}
