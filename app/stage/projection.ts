/** Between a place of the scene and the place on screen where a view's camera shows it, CSS pixels. */
import { Vector3 } from 'three/webgpu';
import type { PerspectiveCamera } from 'three/webgpu';
import type { Ray } from './picking.ts';
import type { ScreenPoint } from './stage-model.ts';
import type { Rect } from './view-grid.ts';

/** @returns where a place x, y, z is seen; undefined where that is beyond the view's edges */
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
