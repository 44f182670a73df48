/**
 * Cameras that circle the basin: what a movement of the hand does to one, where the presets are, and how it goes from one
 * place to another. Pure numbers.
 */
import { FARTHEST, HIGHEST_ELEVATION, LOWEST_ELEVATION, NEAREST, type CAMERA_KINDS } from '../../../engine/index.ts';

/** A place that has a name, or a way to move. */
export type CameraKind = (typeof CAMERA_KINDS)[number];
/** Cameras that move by themselves. */
export type MovingKind = 'orbit' | 'wave';

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
  /** Whether the elevation is the one from which the basin fills the views best: see `fittingElevation`. */
  readonly fits?: boolean;
  /** How far the words in the corners of a view are disregarded, 0 … 1: no place beside them suits a camera that moves on. */
  readonly roams?: number;
}

/** Where all cameras of a stage are. */
export interface CameraPlacement {
  /** Camera of all views while they are linked, and of those that were not moved. */
  readonly common: CameraState;
  /** Cameras of views that were moved separately, by the view's key. */
  readonly free: ReadonlyMap<string, CameraState>;
}

/** Half extents of what must be in view, scene units. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Height of the middle. */
  readonly middle: number;
  /** Whether the corners are empty: from every side it looks as from the front. */
  readonly isRound?: boolean;
}

/** Duration of a movement that a hand asks for, ms. */
export const EASE_MILLISECONDS = 200;
/** Duration of a movement that is to be watched: from step to step of a lesson, onto the stage, ms. */
export const GLIDE_MILLISECONDS = 1400;

/** @returns radians */
export function degrees(angle: number): number {
  return (angle * Math.PI) / 180;
}

const clip = (value: number, from: number, to: number): number => Math.min(to, Math.max(from, value));

const PRESETS: Readonly<Record<CameraKind, CameraState>> = {
  perspective: { azimuth: degrees(28), elevation: degrees(33), distance: 1, targetX: 0, targetZ: 0, fits: true },
  // Nearer by the room that waves are given: they seldom need it, and a hall is wide.
  stage: { azimuth: degrees(9), elevation: degrees(40), distance: 0.94, targetX: 0, targetZ: 0, fits: true },
  top: { azimuth: 0, elevation: HIGHEST_ELEVATION, distance: 1, targetX: 0, targetZ: 0 },
  side: { azimuth: degrees(90), elevation: degrees(9), distance: 1, targetX: 0, targetZ: 0 },
  front: { azimuth: 0, elevation: degrees(9), distance: 1, targetX: 0, targetZ: 0 },
  // Where they set out from.
  orbit: { azimuth: degrees(28), elevation: degrees(30), distance: 1, targetX: 0, targetZ: 0, roams: 1 },
  wave: { azimuth: degrees(28), elevation: degrees(24), distance: 0.62, targetX: 0, targetZ: 0, roams: 1 },
};

export function presetCamera(kind: CameraKind): CameraState {
  return PRESETS[kind];
}

export function isMoving(kind: CameraKind | undefined): kind is MovingKind {
  return kind === 'orbit' || kind === 'wave';
}

/** A point of the scene's plane. */
export interface ScenePoint {
  readonly x: number;
  readonly z: number;
}

/** Duration of an orbit, s. */
const ORBIT_SECONDS = 90;

/** @returns the camera after so many seconds of an orbit: eastwards round the point looked at, at one speed */
export function orbiting(state: CameraState, seconds: number): CameraState {
  return { ...state, azimuth: (state.azimuth + (2 * Math.PI * seconds) / ORBIT_SECONDS) % (2 * Math.PI) };
}

/** Time in which the distance from the wave shrinks to 1/e of itself, s. */
const FOLLOW_SECONDS = 1.2;

/** @returns the camera after so many seconds of following a wave: it nears the wave the more slowly the nearer it is */
export function following(state: CameraState, wave: ScenePoint, seconds: number): CameraState {
  const share = 1 - Math.exp(-seconds / FOLLOW_SECONDS);
  return {
    ...state,
    targetX: state.targetX + share * (wave.x - state.targetX),
    targetZ: state.targetZ + share * (wave.z - state.targetZ),
  };
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
  const roams = mixed(from.roams ?? 0, to.roams ?? 0);
  return {
    azimuth: s >= 1 ? to.azimuth : from.azimuth + s * turn,
    elevation: mixed(from.elevation, to.elevation),
    distance: mixed(from.distance, to.distance),
    targetX: mixed(from.targetX, to.targetX),
    targetZ: mixed(from.targetZ, to.targetZ),
    ...(roams > 0 && { roams }),
  };
}

export type Vector = readonly [number, number, number];

/** The camera's axes in the scene: right, up, and back from the target to the eye. */
export function cameraAxes({ azimuth, elevation }: CameraState): { right: Vector; up: Vector; back: Vector } {
  const [sa, ca, se, ce] = [Math.sin(azimuth), Math.cos(azimuth), Math.sin(elevation), Math.cos(elevation)];
  return { right: [ca, 0, -sa], up: [-sa * se, ce, -ca * se], back: [sa * ce, se, ca * ce] };
}

/** @returns the scalar product */
export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Left, up and away of the viewer. */
const KEY_LIGHT: Vector = [0.62, 0.7, 0.36];
/** Low and opposite, so that waves have a side in the shade and the sun glitters on the water. */
const SUN: Vector = [0.5, 0.5, 0.72];

/** @returns the direction of a light that is at the same place on the screen whichever way the viewer looks */
function lightFrom([left, height, away]: Vector, { azimuth }: CameraState): Vector {
  const [sa, ca] = [Math.sin(azimuth), Math.cos(azimuth)];
  const light: Vector = [-left * ca - away * sa, height, left * sa - away * ca];
  const size = Math.hypot(...light);
  return [light[0] / size, light[1] / size, light[2] / size];
}

/** @returns the direction of the key light: from the viewer's upper left, whichever way they look */
export function keyLight(state: CameraState): Vector {
  return lightFrom(KEY_LIGHT, state);
}

/** @returns the direction of the sun over real water */
export function sunLight(state: CameraState): Vector {
  return lightFrom(SUN, state);
}
