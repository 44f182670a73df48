/**
 * What localisation by places makes of a network: around every cell, how many observations its analysis sees, and what their weights
 * sum to. Where weights are interpolated a cell sees what the places around it see, each observation by the shares of these places.
 */
import { taperBetween, type TaperGeometry } from '../../operators/localisation/index.ts';
import { nodesAlong, nodesAround, nodeTable } from '../../operators/weight-interpolation/index.ts';

/** Where a method analyses places one by one, each with the observations around it. */
export interface LocalVolumes extends TaperGeometry {
  /** Cells from one place that is analysed to the next, along each axis. */
  readonly every: number;
}

/** Places of observations in grid units. */
export interface ObservedPlaces {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/** What the analyses of the cells see, [ny][nx]: zeros out of reach of all observations. */
export interface LocalSums {
  /** Observations of a weight above 0. */
  readonly observations: Float32Array;
  /** Sum of their Gaspari–Cohn weights. */
  readonly weight: Float32Array;
}

/** A place that a cell has its weights from: where on the axis, and its share. */
type Place = readonly [place: number, share: number];

/** @returns by cell of an axis, the places around it, cells */
function placesAlong(cells: number, every: number, periodic: boolean): readonly (readonly Place[])[] {
  const nodes = nodesAlong(cells, every, periodic);
  const table = nodeTable(cells, nodes, periodic);
  return Array.from({ length: cells }, (_, cell) =>
    nodesAround(table, cell).map(([node, share]): Place => [node * nodes.spacing, share]),
  );
}

/** @returns cells of an axis that are nearer than `reach` to a coordinate, the shorter way round */
function cellsNear(coordinate: number, cells: number, periodic: boolean, reach: number): readonly number[] {
  if (2 * reach >= cells) return Array.from({ length: cells }, (_, cell) => cell);
  const [first, last] = [Math.ceil(coordinate - reach), Math.floor(coordinate + reach)];
  const near = Array.from({ length: last - first + 1 }, (_, step) => first + step);
  return periodic
    ? near.map((cell) => cell - cells * Math.floor(cell / cells))
    : near.filter((cell) => cell >= 0 && cell < cells);
}

/** @param isUsed whether an observation, by its index, has a part in the analysis */
export function localSums(
  volumes: LocalVolumes,
  { x, y }: ObservedPlaces,
  isUsed: (observation: number) => boolean,
): LocalSums {
  const { nx, ny, periodicX, periodicY, aspect, halfWidthCells, every } = volumes;
  const taper = taperBetween(volumes);
  const placesX = placesAlong(nx, every, periodicX);
  const placesY = placesAlong(ny, every, periodicY);
  const reach = 2 * halfWidthCells;
  const sums = { observations: new Float32Array(nx * ny), weight: new Float32Array(nx * ny) };
  for (let j = 0; j < x.length; j++) {
    if (!isUsed(j)) continue;
    const columns = cellsNear(x[j], nx, periodicX, reach + every);
    for (const row of cellsNear(y[j], ny, periodicY, reach / aspect + every)) {
      for (const column of columns) {
        let weight = 0;
        for (const [placeY, shareY] of placesY[row]) {
          for (const [placeX, shareX] of placesX[column]) {
            weight += shareX * shareY * taper(x[j] - placeX, y[j] - placeY);
          }
        }
        if (weight === 0) continue;
        sums.observations[row * nx + column] += 1;
        sums.weight[row * nx + column] += weight;
      }
    }
  }
  return sums;
}

/** @param values of the places that are analysed, row by row. @returns the values in the cells, [ny][nx], bilinear between places */
export function valuesInCells(
  { nx, ny, periodicX, periodicY, every }: LocalVolumes,
  values: ArrayLike<number>,
): Float32Array {
  const nodesX = nodesAlong(nx, every, periodicX);
  const tableX = nodeTable(nx, nodesX, periodicX);
  const tableY = nodeTable(ny, nodesAlong(ny, every, periodicY), periodicY);
  const columns = Array.from({ length: nx }, (_, column) => nodesAround(tableX, column));
  return Float32Array.from({ length: nx * ny }, (_, cell) => {
    let sum = 0;
    for (const [nodeY, shareY] of nodesAround(tableY, Math.floor(cell / nx))) {
      for (const [nodeX, shareX] of columns[cell % nx]) sum += shareX * shareY * values[nodeY * nodesX.count + nodeX];
    }
    return sum;
  });
}
