/**
 * A ring in the scene: a ribbon round the origin whose places follow one another clockwise, seen from above, the first in the
 * north. Its meshes carry the same attributes as those of a basin, so that the same materials draw them.
 */
import { BufferAttribute, BufferGeometry } from 'three/webgpu';

/** Radii of the ribbon's edges, and between them, in the scene's units. */
export const OUTER_RADIUS = 1;
export const INNER_RADIUS = 0.74;
const MIDDLE_RADIUS = (OUTER_RADIUS + INNER_RADIUS) / 2;
/** How far beside the ribbon a place is still pointed at. */
const REACH = 0.08;

/** A place in the scene: x eastward, −z northward. */
export interface ScenePlace {
  readonly x: number;
  readonly z: number;
}

/** @returns the place on the ring at `i` (the middle of a variable), between two where it is no whole number */
export function ringPlace(i: number, n: number, radius: number = MIDDLE_RADIUS): ScenePlace {
  const angle = (2 * Math.PI * i) / n;
  return { x: radius * Math.sin(angle), z: -radius * Math.cos(angle) };
}

/** @returns the variable that a place in the scene belongs to; undefined beside the ribbon */
export function ringCell({ x, z }: ScenePlace, n: number): number | undefined {
  const radius = Math.hypot(x, z);
  if (radius < INNER_RADIUS - REACH || radius > OUTER_RADIUS + REACH) return undefined;
  const turns = Math.atan2(x, -z) / (2 * Math.PI);
  return ((Math.round(turns * n) % n) + n) % n;
}

/** Distance of neighbours, and the ribbon's breadth. */
export function ringCellSize(n: number): { readonly cellX: number; readonly cellZ: number } {
  return { cellX: (2 * Math.PI * MIDDLE_RADIUS) / n, cellZ: OUTER_RADIUS - INNER_RADIUS };
}

interface Vertices {
  readonly position: number[];
  readonly cell: number[];
  readonly rise: number[];
  readonly outward: number[];
  readonly index: number[];
}

function geometryOf({ position, cell, rise, outward, index }: Vertices): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute('cell', new BufferAttribute(new Float32Array(cell), 2));
  geometry.setAttribute('rise', new BufferAttribute(new Float32Array(rise), 1));
  geometry.setAttribute('outward', new BufferAttribute(new Float32Array(outward), 3));
  geometry.setIndex(new BufferAttribute(new Uint32Array(index), 1));
  return geometry;
}

/** Two rows of vertices round the ring, the last of which are the first again, and the triangles between them. */
function band(n: number, into: Vertices, rows: readonly { radius: number; rise: number; outward: number }[]): void {
  const first = into.rise.length;
  for (let i = 0; i <= n; i++) {
    for (const { radius, rise, outward } of rows) {
      const { x, z } = ringPlace(i, n, radius);
      into.position.push(x, rise, z);
      into.cell.push(i % n, 0);
      into.rise.push(rise);
      into.outward.push((outward * x) / radius, 0, (outward * z) / radius);
    }
    if (i === n) break;
    const a = first + 2 * i;
    into.index.push(a, a + 1, a + 3, a, a + 3, a + 2);
  }
}

const noVertices = (): Vertices => ({ position: [], cell: [], rise: [], outward: [], index: [] });

/** @returns the ribbon, level until its material lifts it; attribute `cell` holds the vertex's variable */
export function ribbonGeometry(n: number): BufferGeometry {
  const vertices = noVertices();
  const rise = 0;
  band(n, vertices, [
    { radius: INNER_RADIUS, rise, outward: -1 },
    { radius: OUTER_RADIUS, rise, outward: 1 },
  ]);
  return geometryOf(vertices);
}

/** @returns what hangs between the ribbon and zero, at both edges; attribute `rise` is 1 at the ribbon and 0 at zero */
export function ribbonSides(n: number): BufferGeometry {
  const vertices = noVertices();
  for (const [radius, outward] of [
    [OUTER_RADIUS, 1],
    [INNER_RADIUS, -1],
  ]) {
    band(n, vertices, [
      { radius, rise: 1, outward },
      { radius, rise: 0, outward },
    ]);
  }
  return geometryOf(vertices);
}
