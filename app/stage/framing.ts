/**
 * How a basin is placed in its view: as large as it can be, clear of the words in the view's corners. Pure numbers;
 * `applyCamera` hands them to three.
 */
import type { PerspectiveCamera } from 'three/webgpu';
import { cameraAxes, degrees, dot, presetCamera } from '../document/views/cameras.ts';
import type { Bounds, CameraState, Vector } from '../document/views/cameras.ts';

/** Degrees, upright. */
export const FIELD_OF_VIEW = 32;
/** Share of the view that the basin fills. */
const FILL = 0.97;

/** The corners of a box about its middle; that around something round faces the viewer. */
function cornersOf({ x, y, z, isRound = false }: Bounds, { azimuth }: Pick<CameraState, 'azimuth'>): Vector[] {
  const turn = isRound ? azimuth : 0;
  const [sine, cosine] = [Math.sin(turn), Math.cos(turn)];
  const corner = (right: number, up: number, back: number): Vector => [
    right * cosine + back * sine,
    up,
    back * cosine - right * sine,
  ];
  return [-1, 1].flatMap((sx) => [-1, 1].flatMap((sy) => [-1, 1].map((sz) => corner(sx * x, sy * y, sz * z))));
}

/** Corners that were looked at, by camera and box: a clearance is sought with the same ones many times. */
const seen = new WeakMap<CameraState, { readonly bounds: Bounds; readonly corners: readonly Vector[] }>();

/** @returns the corners of a box as the camera has them: to the right, upwards, and towards it */
function seenCorners(state: CameraState, bounds: Bounds): readonly Vector[] {
  const known = seen.get(state);
  if (known?.bounds === bounds) return known.corners;
  const { right, up, back } = cameraAxes(state);
  const corners = cornersOf(bounds, state).map((corner): Vector => [
    dot(corner, right),
    dot(corner, up),
    dot(corner, back),
  ]);
  seen.set(state, { bounds, corners });
  return corners;
}

export interface Framing {
  readonly distance: number;
  /** Tangent by which the box's middle lies above the centre of the view. */
  readonly middle: number;
}

/** A camera is no nearer to a corner than this, in the scene's units. */
const NEAREST = 1e-6;

/** @returns the distance at which the upper corner is higher than the lower one by this tangent */
function distanceOf([, up, back]: Vector, [, lowUp, lowBack]: Vector, tangent: number): number {
  // up / (d − back) − lowUp / (d − lowBack) = tangent, a quadratic in d; its larger root is before both corners.
  const half = (tangent * (back + lowBack) + up - lowUp) / (2 * tangent);
  const rest = (tangent * back * lowBack + up * lowBack - lowUp * back) / tangent;
  return half + Math.sqrt(Math.max(0, half * half - rest));
}

/**
 * @param free share of the view's height that the box may take
 * @returns the distance from which the box just fits into a view of this aspect (width over height), and where its middle is
 */
export function frameBox(state: CameraState, bounds: Bounds, aspect: number, free = 1): Framing {
  const corners = seenCorners(state, bounds);
  const tangent = Math.tan(degrees(FIELD_OF_VIEW) / 2) * FILL;
  const tall = 2 * tangent * free;
  let distance = 0;
  for (const [right, , back] of corners) {
    distance = Math.max(distance, back + Math.max(NEAREST, Math.abs(right) / (tangent * aspect)));
  }
  // From farther off two other corners may be the highest and the lowest; each pair is met once, with a larger distance.
  for (;;) {
    let [highest, lowest] = [corners[0], corners[0]];
    for (const corner of corners) {
      if (corner[1] / (distance - corner[2]) > highest[1] / (distance - highest[2])) highest = corner;
      if (corner[1] / (distance - corner[2]) < lowest[1] / (distance - lowest[2])) lowest = corner;
    }
    const [top, bottom] = [highest[1] / (distance - highest[2]), lowest[1] / (distance - lowest[2])];
    const farther = top - bottom > tall ? distanceOf(highest, lowest, tall) : distance;
    if (!(farther > distance)) return { distance, middle: (top + bottom) / 2 };
    distance = farther;
  }
}

export interface ViewSize {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** What words take in the corners of a view, CSS pixels, margins included. */
export interface ViewRoom {
  /** Upper left. */
  readonly title: ViewSize;
  /** Lower left: the axes, and the flat line of measures that reaches farther to the right. */
  readonly axes: ViewSize;
  readonly measures: ViewSize;
  /** Lower right. */
  readonly bar: ViewSize;
}

export const NO_ROOM: ViewRoom = {
  title: { width: 0, height: 0 },
  axes: { width: 0, height: 0 },
  measures: { width: 0, height: 0 },
  bar: { width: 0, height: 0 },
};

/** Pixels at the top, at the foot and at the left of a view that the basin stays clear of. */
export interface Clearance {
  readonly top: number;
  readonly foot: number;
  readonly left: number;
}

/** Words at one end never take more than this share of a view's height from the basin. */
const MOST_CLEARANCE = 0.3;
/** Halvings of the interval in which a clearance is sought: to less than a pixel. */
const HALVINGS = 8;

type Pixel = readonly [number, number];

/** @returns the share of a view's height that is left to the basin */
function freeShare({ height }: ViewSize, { top, foot }: Pick<Clearance, 'top' | 'foot'>): number {
  return Math.max(1, height - top - foot) / Math.max(1, height);
}

/** @returns the framing of the box in what is clear of a view */
function framingOf(state: CameraState, bounds: Bounds, size: ViewSize, clearance: Clearance): Framing {
  const aspect = Math.max(1, size.width - clearance.left) / Math.max(1, size.height);
  return frameBox(state, bounds, aspect, freeShare(size, clearance));
}

/** @returns where the box's corners are on the screen when it just fits into what is clear, pixels from the upper left */
function projectedBox(state: CameraState, bounds: Bounds, size: ViewSize, clearance: Clearance): Pixel[] {
  const { width, height } = size;
  const { distance, middle } = framingOf(state, bounds, size, clearance);
  const scale = height / 2 / Math.tan(degrees(FIELD_OF_VIEW) / 2);
  const centre = (clearance.top + height - clearance.foot) / 2;
  return seenCorners(state, bounds).map(([right, up, back]) => {
    const depth = distance - back;
    return [(clearance.left + width) / 2 + (scale * right) / depth, centre - scale * (up / depth - middle)];
  });
}

/** Whether all of one is before all of the other along a direction. */
function isParted(corners: readonly Pixel[], rectangle: readonly Pixel[], nx: number, ny: number): boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [x, y] of corners) {
    const at = nx * x + ny * y;
    least = Math.min(least, at);
    most = Math.max(most, at);
  }
  let [isBefore, isBehind] = [true, true];
  for (const [x, y] of rectangle) {
    const at = nx * x + ny * y;
    isBefore &&= most <= at;
    isBehind &&= at <= least;
  }
  return isBefore || isBehind;
}

/** Whether a line parts the rectangle from a box with these corners, in the order of `cornersOf`: one along an edge of either. */
function standsApart(corners: readonly Pixel[], rectangle: readonly Pixel[]): boolean {
  if (isParted(corners, rectangle, 1, 0) || isParted(corners, rectangle, 0, 1)) return true;
  // Corners in the order of `cornersOf`: those that differ in one sign share an edge. At each upper end it finds itself.
  for (const [k, [x, y]] of corners.entries()) {
    for (const side of EDGES) {
      const [otherX, otherY] = corners[k | side];
      if ((x !== otherX || y !== otherY) && isParted(corners, rectangle, otherY - y, x - otherX)) return true;
    }
  }
  return false;
}

/** Signs in which two corners differ that an edge joins. */
const EDGES = [1, 2, 4] as const;

/** @returns the least value from `low` on that passes, or `high` */
function least(low: number, high: number, passes: (value: number) => boolean): number {
  if (low >= high || passes(low)) return low;
  let [failing, passing] = [low, high];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (failing + passing) / 2;
    if (passes(middle)) passing = middle;
    else failing = middle;
  }
  return passing;
}

function rectangle(left: number, top: number, { width, height }: ViewSize): readonly Pixel[] {
  return [
    [left, top],
    [left + width, top],
    [left, top + height],
    [left + width, top + height],
  ];
}

/** @returns the least clearance at top and foot with which the whole basin touches no words in the view's corners */
function clearedUpright(state: CameraState, bounds: Bounds, size: ViewSize, room: ViewRoom, left: number): Clearance {
  const { width, height } = size;
  const title = rectangle(0, 0, room.title);
  const feet = [
    rectangle(0, height - room.axes.height, room.axes),
    rectangle(0, height - room.measures.height, room.measures),
    rectangle(width - room.bar.width, height - room.bar.height, room.bar),
  ];
  const most = (wanted: number): number => Math.min(wanted, MOST_CLEARANCE * height);
  const mostFoot = most(Math.max(room.axes.height, room.measures.height, room.bar.height));
  let clearance: Clearance = { top: 0, foot: 0, left };
  // Room at one end moves the box towards the other: a second round settles it.
  for (let round = 0; round < 2; round++) {
    const { foot } = clearance;
    const top = least(clearance.top, most(room.title.height), (value) =>
      standsApart(projectedBox(state, bounds, size, { top: value, foot, left }), title),
    );
    clearance = {
      top,
      foot: least(foot, mostFoot, (value) => {
        const corners = projectedBox(state, bounds, size, { top, foot: value, left });
        return feet.every((each) => standsApart(corners, each));
      }),
      left,
    };
  }
  return clearance;
}

/** Shares of a wide view's width that are left to the words at its left, where that leaves the basin more. */
const LEFT_SHARES = [0.12, 0.24, 0.36, 0.48];
/** Views that are remembered: all that are on screen, and some that were. */
const REMEMBERED = 64;
const remembered = new Map<string, Clearance>();

/** @returns the clearance with which the whole basin, seen from there, touches no words and is as large as it can be */
export function clearances(state: CameraState, bounds: Bounds, size: ViewSize, room: ViewRoom): Clearance {
  const { azimuth, elevation } = state;
  const key = JSON.stringify([azimuth, elevation, bounds, size.width, size.height, room]);
  const known = remembered.get(key);
  if (known) return known;
  let best = clearedUpright(state, bounds, size, room, 0);
  if (best.top > 0 || best.foot > 0) {
    let nearest = framingOf(state, bounds, size, best).distance;
    for (const share of LEFT_SHARES) {
      const tried = clearedUpright(state, bounds, size, room, share * size.width);
      const { distance } = framingOf(state, bounds, size, tried);
      if (distance < 0.98 * nearest) [best, nearest] = [tried, distance];
    }
  }
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(key, best);
  return best;
}

/** Elevations between which a camera fits itself: lower ones hide the water behind its waves, higher ones flatten them. */
const LEAST_FIT = degrees(27);
const MOST_FIT = degrees(52);
const FIT_STEP = degrees(5);

/** @returns the area that a box's top takes on the screen, square pixels */
function topArea(corners: readonly Pixel[]): number {
  // Corners in the order of `cornersOf`; the upper ones differ from the lower ones in the second sign.
  const [a, b, c, d] = [corners[2], corners[3], corners[7], corners[6]];
  const cross = ([x0, y0]: Pixel, [x1, y1]: Pixel): number => x0 * y1 - x1 * y0;
  return Math.abs(cross(a, b) + cross(b, c) + cross(c, d) + cross(d, a)) / 2;
}

/**
 * @param sizes of the views that share it
 * @returns the elevation, radians, from which the water takes most of these views; waves are seen the less the higher it is
 */
export function fittingElevation(
  state: CameraState,
  bounds: Bounds,
  sizes: readonly ViewSize[],
  room: ViewRoom,
): number {
  const alike = new Map<string, { readonly size: ViewSize; count: number }>();
  for (const size of sizes) {
    const key = `${String(Math.round(size.width / 4))}/${String(Math.round(size.height / 4))}`;
    const found = alike.get(key) ?? { size, count: 0 };
    alike.set(key, found);
    found.count += 1;
  }
  let [best, most] = [state.elevation, 0];
  for (let elevation = LEAST_FIT; elevation <= MOST_FIT; elevation += FIT_STEP) {
    const tried = { ...state, elevation };
    const worth = [...alike].reduce((sum, [, { size, count }]) => {
      const corners = projectedBox(tried, bounds, size, clearances(tried, bounds, size, room));
      return sum + (count * topArea(corners)) / (size.width * size.height);
    }, 0);
    const weighted = worth * Math.cos(elevation) ** 0.8;
    if (weighted > most) [best, most] = [elevation, weighted];
  }
  return best;
}

type Fitting = (camera: CameraState, bounds: Bounds | undefined, sizes: readonly ViewSize[], room: ViewRoom) => number;

/** @returns the elevation that fits the views for a camera that fits itself, sought again only where something has another size */
export function createFitting(): Fitting {
  let known: { readonly of: string; readonly elevation: number } | undefined;
  return (camera, bounds, sizes, room) => {
    const fitted = camera.fits === true ? camera : presetCamera('perspective');
    if (!bounds) return fitted.elevation;
    const of = JSON.stringify([fitted.azimuth, sizes, room, bounds]);
    if (known?.of !== of) known = { of, elevation: fittingElevation(fitted, bounds, sizes, room) };
    return known.elevation;
  };
}

/** @returns the room of the words that this camera regards */
function keptRoom(room: ViewRoom, { roams = 0 }: CameraState): ViewRoom {
  if (roams === 0) return room;
  const kept = ({ width, height }: ViewSize): ViewSize => ({
    width: (1 - roams) * width,
    height: (1 - roams) * height,
  });
  return { title: kept(room.title), axes: kept(room.axes), measures: kept(room.measures), bar: kept(room.bar) };
}

/** Sets three's camera. @returns scene units that a pixel covers at the target */
export function applyCamera(
  camera: PerspectiveCamera,
  state: CameraState,
  bounds: Bounds,
  size: ViewSize,
  room: ViewRoom,
): number {
  const { width, height } = size;
  const clearance = clearances(state, bounds, size, keptRoom(room, state));
  const { top, foot, left } = clearance;
  const framing = framingOf(state, bounds, size, clearance);
  const distance = framing.distance * state.distance;
  const { back, up } = cameraAxes(state);
  const target: Vector = [state.targetX, bounds.middle, state.targetZ];
  camera.fov = FIELD_OF_VIEW;
  camera.aspect = width / Math.max(1, height);
  camera.near = Math.max(0.01, distance - 4);
  camera.far = distance + 4;
  camera.position.set(target[0] + back[0] * distance, target[1] + back[1] * distance, target[2] + back[2] * distance);
  camera.up.set(...up);
  camera.lookAt(...target);
  const shift = (framing.middle / Math.tan(degrees(FIELD_OF_VIEW) / 2)) * (height / 2);
  camera.setViewOffset(width, height, -left / 2, (foot - top) / 2 - shift, width, height);
  camera.updateProjectionMatrix();
  camera.updateMatrixWorld();
  return (2 * distance * Math.tan(degrees(FIELD_OF_VIEW) / 2)) / Math.max(1, height);
}
