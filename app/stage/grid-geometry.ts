/**
 * Meshes over the grid: a vertex in the middle of every cell (or of every few cells if there are many) and one ring on the basin's
 * edge. Vertices carry their cell; heights come from textures when they are drawn. A ring is a ribbon round the origin whose places
 * follow one another clockwise, seen from above, the first in the north; its meshes carry the same attributes, so that the same
 * materials draw them.
 */
import { BufferAttribute, BufferGeometry } from 'three/webgpu';
import type { BasinInfo } from '../../engine/index.ts';
import { unitsPerMetre } from '../document/views/elevation.ts';

/** Radii of the ribbon's edges, and between them, in the scene's units. */
export const OUTER_RADIUS = 1;
export const INNER_RADIUS = 0.74;
const MIDDLE_RADIUS = (OUTER_RADIUS + INNER_RADIUS) / 2;
/** How far beside the ribbon a place is still pointed at. */
const REACH = 0.08;

/** A place in the scene: x eastward, −z northward. */
interface ScenePlace {
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
function ringCellSize(n: number): { readonly cellX: number; readonly cellZ: number } {
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
function ribbonSides(n: number): BufferGeometry {
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

/** Vertices along a side, at most: more would be finer than the screen; and where the processor draws, too slow to turn. */
export const MAXIMUM_SIDE = 512;
export const MAXIMUM_SIDE_IN_SOFTWARE = 128;

/** Vertices along one axis: where they are, and of which cell they show the height. */
interface Axis {
  /** In grid units from the basin's edge: the middle of cell i is i + ½. */
  readonly at: Float32Array;
  readonly cell: Float32Array;
}

/** @returns an axis of n cells with at most `most` vertices inside, and one on each edge */
export function gridAxis(n: number, most: number): Axis {
  const stride = Math.max(1, Math.ceil(n / most));
  const cells: number[] = [];
  for (let i = 0; i < n; i += stride) cells.push(i);
  if (cells.at(-1) !== n - 1) cells.push(n - 1);
  return {
    at: Float32Array.from([0, ...cells.map((i) => i + 0.5), n]),
    cell: Float32Array.from([0, ...cells, n - 1]),
  };
}

/** The basin's extent in the scene: x eastward, −z northward. */
export interface BasinExtent {
  /** Half sides. */
  readonly x: number;
  readonly z: number;
  /** Size of one cell. */
  readonly cellX: number;
  readonly cellZ: number;
}

export function basinExtent({ nx, ny, dx, dy, ...rest }: BasinInfo): BasinExtent {
  if (rest.isRing) return { x: OUTER_RADIUS, z: OUTER_RADIUS, ...ringCellSize(nx) };
  const unit = unitsPerMetre({ nx, ny, dx, dy, ...rest });
  return { x: (nx * dx * unit) / 2, z: (ny * dy * unit) / 2, cellX: dx * unit, cellZ: dy * unit };
}

/** @returns says where a place in grid units is in the scene */
export function scenePlaces(basin: BasinInfo): (x: number, y: number) => ScenePlace {
  if (basin.isRing) return (x) => ringPlace(x, basin.nx);
  const extent = basinExtent(basin);
  return (x, y) => ({ x: (x + 0.5) * extent.cellX - extent.x, z: extent.z - (y + 0.5) * extent.cellZ });
}

/** @returns where a place in grid units is in the scene */
export function scenePlace(basin: BasinInfo, x: number, y: number): ScenePlace {
  return scenePlaces(basin)(x, y);
}

/** Squares side by side, row by row, whose vertices a GPU still knows from the row before, and need not compute again. */
const STRIP = 8;

/** The triangles of a surface over the basin, strip by strip, wound anticlockwise seen from above. */
function surfaceIndex(columns: number, rows: number): Uint32Array {
  const index = new Uint32Array(6 * (columns - 1) * (rows - 1));
  let k = 0;
  for (let from = 0; from + 1 < columns; from += STRIP) {
    for (let j = 0; j + 1 < rows; j++) {
      for (let i = from; i < Math.min(from + STRIP, columns - 1); i++) {
        const a = j * columns + i;
        const d = a + columns + 1;
        index[k++] = a;
        index[k++] = a + 1;
        index[k++] = d;
        index[k++] = a;
        index[k++] = d;
        index[k++] = a + columns;
      }
    }
  }
  return index;
}

/** @returns the mesh of water or bed; attribute `cell` holds the vertex's cell (i, j) */
export function surfaceGeometry(basin: BasinInfo, most: number = MAXIMUM_SIDE): BufferGeometry {
  if (basin.isRing) return ribbonGeometry(basin.nx);
  const extent = basinExtent(basin);
  const [across, along] = [gridAxis(basin.nx, most), gridAxis(basin.ny, most)];
  const [columns, rows] = [across.at.length, along.at.length];
  const position = new Float32Array(3 * columns * rows);
  const cell = new Float32Array(2 * columns * rows);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const vertex = j * columns + i;
      position[3 * vertex] = (across.at[i] ?? 0) * extent.cellX - extent.x;
      position[3 * vertex + 2] = extent.z - (along.at[j] ?? 0) * extent.cellZ;
      cell[2 * vertex] = across.cell[i] ?? 0;
      cell[2 * vertex + 1] = along.cell[j] ?? 0;
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.setAttribute('cell', new BufferAttribute(cell, 2));
  geometry.setIndex(new BufferAttribute(surfaceIndex(columns, rows), 1));
  return geometry;
}

/** @returns the sides of a body on the basin's edge; attribute `rise` is 1 at its top and 0 at its foot */
export function skirtGeometry(basin: BasinInfo, most: number = MAXIMUM_SIDE): BufferGeometry {
  if (basin.isRing) return ribbonSides(basin.nx);
  const extent = basinExtent(basin);
  const [across, along] = [gridAxis(basin.nx, most), gridAxis(basin.ny, most)];
  const vertices = noVertices();
  const { position, cell, rise, outward, index } = vertices;
  const side = (count: number, normal: readonly [number, number], at: (k: number) => readonly number[]): void => {
    const first = rise.length;
    for (let k = 0; k < count; k++) {
      const [x = 0, z = 0, i = 0, j = 0] = at(k);
      for (const level of [1, 0]) {
        position.push(x, level, z);
        cell.push(i, j);
        rise.push(level);
        outward.push(normal[0], 0, normal[1]);
      }
      if (k + 1 === count) break;
      const a = first + 2 * k;
      index.push(a, a + 1, a + 3, a, a + 3, a + 2);
    }
  };
  const x = (i: number): number => (across.at[i] ?? 0) * extent.cellX - extent.x;
  const z = (j: number): number => extent.z - (along.at[j] ?? 0) * extent.cellZ;
  const column = (i: number): number => across.cell[i] ?? 0;
  const row = (j: number): number => along.cell[j] ?? 0;
  const [columns, rows] = [across.at.length, along.at.length];
  side(columns, [0, 1], (k) => [x(k), extent.z, column(k), 0]);
  side(columns, [0, -1], (k) => [x(columns - 1 - k), -extent.z, column(columns - 1 - k), basin.ny - 1]);
  side(rows, [1, 0], (k) => [extent.x, z(k), basin.nx - 1, row(k)]);
  side(rows, [-1, 0], (k) => [-extent.x, z(rows - 1 - k), 0, row(rows - 1 - k)]);
  return geometryOf(vertices);
}
