/**
 * Cameras that circle the basin: what a movement of the hand does to one, where the presets stand, and how it goes from one
 * place to another. Pure numbers; `applyCamera` hands them to three.
 */
import type { PerspectiveCamera } from 'three/webgpu';
import type { CameraPreset } from '../state/view-state.ts';

export interface CameraState {
  /** Radians; 0 looks north from the south, growing as the viewer goes east. */
  readonly azimuth: number;
  /** Radians above the horizon. */
  readonly elevation: number;
  /** 1 shows the whole basin and no more; smaller is nearer. */
  readonly distance: number;
  /** The point looked at, scene units. */
  readonly targetX: number;
  readonly targetZ: number;
}

/** Half extents of what must be in view, scene units. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Height of the middle. */
  readonly middle: number;
}

export const FIELD_OF_VIEW = 32;
/** Duration of a movement to a preset, ms. */
export const EASE_MILLISECONDS = 200;

const LOWEST_ELEVATION = 0.03;
const HIGHEST_ELEVATION = Math.PI / 2 - 0.001;
const NEAREST = 0.12;
const FARTHEST = 3;
/** Share of the view that the basin fills. */
const FILL = 0.97;

const degrees = (angle: number): number => (angle * Math.PI) / 180;
const clip = (value: number, from: number, to: number): number => Math.min(to, Math.max(from, value));

const PRESETS: Readonly<Record<CameraPreset, CameraState>> = {
  perspective: { azimuth: degrees(28), elevation: degrees(33), distance: 1, targetX: 0, targetZ: 0 },
  top: { azimuth: 0, elevation: HIGHEST_ELEVATION, distance: 1, targetX: 0, targetZ: 0 },
  side: { azimuth: degrees(90), elevation: degrees(9), distance: 1, targetX: 0, targetZ: 0 },
  front: { azimuth: 0, elevation: degrees(9), distance: 1, targetX: 0, targetZ: 0 },
};

export function presetCamera(preset: CameraPreset): CameraState {
  return PRESETS[preset];
}

/** @param right, down pixels of the movement @param height of the view, pixels: across it is half a turn */
export function orbit(state: CameraState, right: number, down: number, height: number): CameraState {
  return {
    ...state,
    azimuth: state.azimuth - (Math.PI * right) / height,
    elevation: clip(state.elevation + (Math.PI * down) / height, LOWEST_ELEVATION, HIGHEST_ELEVATION),
  };
}

/** Moves the point looked at, so that what is under the pointer stays under it. @param unitsPerPixel in the middle of the view */
export function pan(
  state: CameraState,
  right: number,
  down: number,
  unitsPerPixel: number,
  bounds: Bounds,
): CameraState {
  const [sine, cosine] = [Math.sin(state.azimuth), Math.cos(state.azimuth)];
  const across = -right * unitsPerPixel;
  const away = (down * unitsPerPixel) / Math.max(0.25, Math.sin(state.elevation));
  return {
    ...state,
    targetX: clip(state.targetX + across * cosine - away * sine, -bounds.x, bounds.x),
    targetZ: clip(state.targetZ - across * sine - away * cosine, -bounds.z, bounds.z),
  };
}

/** @param factor above 1 goes nearer */
export function zoom(state: CameraState, factor: number): CameraState {
  return { ...state, distance: clip(state.distance / factor, NEAREST, FARTHEST) };
}

/** @returns the state at share t (0 … 1) of the way, eased, the short way round */
export function between(from: CameraState, to: CameraState, t: number): CameraState {
  const s = t * t * (3 - 2 * t);
  const turn = ((((to.azimuth - from.azimuth) % (2 * Math.PI)) + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
  const mixed = (a: number, b: number): number => a + s * (b - a);
  return {
    azimuth: s >= 1 ? to.azimuth : from.azimuth + s * turn,
    elevation: mixed(from.elevation, to.elevation),
    distance: mixed(from.distance, to.distance),
    targetX: mixed(from.targetX, to.targetX),
    targetZ: mixed(from.targetZ, to.targetZ),
  };
}

type Vector = readonly [number, number, number];

/** The camera's axes in the scene: right, up, and back from the target to the eye. */
export function cameraAxes({ azimuth, elevation }: CameraState): { right: Vector; up: Vector; back: Vector } {
  const [sa, ca, se, ce] = [Math.sin(azimuth), Math.cos(azimuth), Math.sin(elevation), Math.cos(elevation)];
  return { right: [ca, 0, -sa], up: [-sa * se, ce, -ca * se], back: [sa * ce, se, ca * ce] };
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** The corners of a box about its middle. */
function cornersOf({ x, y, z }: Bounds): Vector[] {
  return [-1, 1].flatMap((sx) => [-1, 1].flatMap((sy) => [-1, 1].map((sz): Vector => [sx * x, sy * y, sz * z])));
}

/** How a box looks from a distance: extents as tangents, to the right and upwards. */
interface Extents {
  readonly across: number;
  readonly lowest: number;
  readonly highest: number;
}

function extentsFrom(corners: readonly Vector[], distance: number): Extents {
  let [across, lowest, highest] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [right, up, back] of corners) {
    const depth = distance - back;
    if (depth <= 0) return { across: Number.POSITIVE_INFINITY, lowest: -1, highest: Number.POSITIVE_INFINITY };
    across = Math.max(across, Math.abs(right) / depth);
    lowest = Math.min(lowest, up / depth);
    highest = Math.max(highest, up / depth);
  }
  return { across, lowest, highest };
}

export interface Framing {
  readonly distance: number;
  /** Tangent by which the box's middle lies above the centre of the view. */
  readonly middle: number;
}

/**
 * @param free share of the view's height that the box may take
 * @returns the distance from which the box just fits into a view of this aspect (width over height), and where its middle is
 */
export function frameBox(state: CameraState, bounds: Bounds, aspect: number, free = 1): Framing {
  const { right, up, back } = cameraAxes(state);
  const corners = cornersOf(bounds).map((corner): Vector => [dot(corner, right), dot(corner, up), dot(corner, back)]);
  const tangent = Math.tan(degrees(FIELD_OF_VIEW) / 2) * FILL;
  let [near, far] = [0, 100];
  for (let k = 0; k < 40; k++) {
    const distance = (near + far) / 2;
    const { across, lowest, highest } = extentsFrom(corners, distance);
    if (across <= tangent * aspect && highest - lowest <= 2 * tangent * free) far = distance;
    else near = distance;
  }
  const { lowest, highest } = extentsFrom(corners, far);
  return { distance: far, middle: (lowest + highest) / 2 };
}

/** The direction of the key light: from the viewer's upper left, whichever way they look. */
export function keyLight(state: CameraState): Vector {
  const { azimuth } = state;
  const [sa, ca] = [Math.sin(azimuth), Math.cos(azimuth)];
  // Left, up and somewhat behind the viewer's side of the basin.
  const [left, height, away] = [0.62, 0.7, 0.36];
  const light: Vector = [-left * ca - away * sa, height, left * sa - away * ca];
  const size = Math.hypot(...light);
  return [light[0] / size, light[1] / size, light[2] / size];
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

/** Pixels at the top and at the foot of a view that the basin stays clear of. */
export interface Clearance {
  readonly top: number;
  readonly foot: number;
}

/** Words at one end never take more than this share of a view's height from the basin. */
const MOST_CLEARANCE = 0.3;
/** Halvings of the interval in which a clearance is sought: to less than a pixel. */
const HALVINGS = 8;

type Pixel = readonly [number, number];

/** @returns the share of a view's height that is left to the basin */
function freeShare({ height }: ViewSize, { top, foot }: Clearance): number {
  return Math.max(1, height - top - foot) / Math.max(1, height);
}

/** @returns where the box's corners are on the screen when it just fits into what is clear, pixels from the upper left */
function projectedBox(state: CameraState, bounds: Bounds, size: ViewSize, clearance: Clearance): Pixel[] {
  const { width, height } = size;
  const { distance, middle } = frameBox(state, bounds, width / Math.max(1, height), freeShare(size, clearance));
  const { right, up, back } = cameraAxes(state);
  const scale = height / 2 / Math.tan(degrees(FIELD_OF_VIEW) / 2);
  const centre = (clearance.top + height - clearance.foot) / 2;
  return cornersOf(bounds).map((corner) => {
    const depth = distance - dot(corner, back);
    return [width / 2 + (scale * dot(corner, right)) / depth, centre - scale * (dot(corner, up) / depth - middle)];
  });
}

/** Whether a line parts the rectangle from a box with these corners, in the order of `cornersOf`: one along an edge of either. */
function standsApart(corners: readonly Pixel[], rectangle: readonly Pixel[]): boolean {
  const normals: Pixel[] = [
    [1, 0],
    [0, 1],
  ];
  // Corners in the order of `cornersOf`: those that differ in one sign share an edge. At each upper end it finds itself.
  for (const [k, [x, y]] of corners.entries()) {
    for (const side of [1, 2, 4]) {
      const [otherX, otherY] = corners[k | side];
      if (x !== otherX || y !== otherY) normals.push([otherY - y, x - otherX]);
    }
  }
  return normals.some(([nx, ny]) => {
    const along = (points: readonly Pixel[]): number[] => points.map(([x, y]) => nx * x + ny * y);
    const [a, b] = [along(corners), along(rectangle)];
    return Math.max(...a) <= Math.min(...b) || Math.max(...b) <= Math.min(...a);
  });
}

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

/** @returns the least clearance with which the whole basin, seen from there, touches no words in the view's corners */
export function clearances(state: CameraState, bounds: Bounds, size: ViewSize, room: ViewRoom): Clearance {
  const { width, height } = size;
  const title = rectangle(0, 0, room.title);
  const feet = [
    rectangle(0, height - room.axes.height, room.axes),
    rectangle(0, height - room.measures.height, room.measures),
    rectangle(width - room.bar.width, height - room.bar.height, room.bar),
  ];
  const most = (wanted: number): number => Math.min(wanted, MOST_CLEARANCE * height);
  const mostFoot = most(Math.max(room.axes.height, room.measures.height, room.bar.height));
  let clearance: Clearance = { top: 0, foot: 0 };
  // Room at one end moves the box towards the other: a second round settles it.
  for (let round = 0; round < 2; round++) {
    const { foot } = clearance;
    const top = least(clearance.top, most(room.title.height), (value) =>
      standsApart(projectedBox(state, bounds, size, { top: value, foot }), title),
    );
    clearance = {
      top,
      foot: least(foot, mostFoot, (value) => {
        const corners = projectedBox(state, bounds, size, { top, foot: value });
        return feet.every((each) => standsApart(corners, each));
      }),
    };
  }
  return clearance;
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
  const aspect = width / Math.max(1, height);
  const clearance = clearances(state, bounds, size, room);
  const { top, foot } = clearance;
  const framing = frameBox(state, bounds, aspect, freeShare(size, clearance));
  const distance = framing.distance * state.distance;
  const { back, up } = cameraAxes(state);
  const target: Vector = [state.targetX, bounds.middle, state.targetZ];
  camera.fov = FIELD_OF_VIEW;
  camera.aspect = aspect;
  camera.near = Math.max(0.01, distance - 4);
  camera.far = distance + 4;
  camera.position.set(target[0] + back[0] * distance, target[1] + back[1] * distance, target[2] + back[2] * distance);
  camera.up.set(...up);
  camera.lookAt(...target);
  const shift = (framing.middle / Math.tan(degrees(FIELD_OF_VIEW) / 2)) * (height / 2);
  camera.setViewOffset(width, height, 0, (foot - top) / 2 - shift, width, height);
  camera.updateProjectionMatrix();
  camera.updateMatrixWorld();
  return (2 * distance * Math.tan(degrees(FIELD_OF_VIEW) / 2)) / Math.max(1, height);
}
