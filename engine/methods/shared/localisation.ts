/** Localisation as a setting: how far an observation reaches, what to warn of, how many observations reach a grid point, and lengths that suit. */
import {
  cellLength,
  extents,
  farthest,
  lengthUnit,
  optionalSection,
  tidy,
  type Problem,
  type Situation,
} from '../../settings/index.ts';
import { taperBetween, type TaperGeometry } from '../../operators/localisation/index.ts';
import { nodesAlong, nodesAround, nodeTable } from '../../operators/weight-interpolation/index.ts';
import { around, legibleEnds, type TunableSetting } from '../definition.ts';

/** A half-width that says that everything is to be reached. */
export const NO_LOCALISATION = 1e9;

export const localisation = optionalSection(
  {
    title: 'Localisation',
    description:
      'Weight of an observation by its distance: the Gaspari–Cohn function, which is zero beyond two half-widths.',
  },
  {
    halfWidth: cellLength({
      title: 'Half-width',
      description: 'Half of the distance beyond which an observation has no influence; 1e9 for no localisation.',
      unit: 'm',
      above: 0,
      maximum: NO_LOCALISATION,
      cells: 4,
    }),
  },
);

export interface LocalisedSettings {
  readonly localisation: { readonly halfWidth: number };
}

/** @returns the half-width of what is localised by one, m or places; undefined if nothing is */
export function halfWidthOf(settings: object): number | undefined {
  if (!('localisation' in settings)) return undefined;
  const { localisation: found } = settings;
  if (typeof found !== 'object' || found === null || !('halfWidth' in found)) return undefined;
  return typeof found.halfWidth === 'number' ? found.halfWidth : undefined;
}

/** A half-width that reaches everything, or no neighbour. */
export function localisationWarnings(
  { localisation: { halfWidth } }: LocalisedSettings,
  situation: Situation,
): Problem[] {
  const path = ['localisation', 'halfWidth'];
  if (halfWidth === NO_LOCALISATION) return [];
  const reach = farthest(situation);
  const cell = Math.min(situation.grid.dx, situation.grid.dy);
  const unit = lengthUnit(situation.model);
  if (2 * halfWidth >= reach) {
    const message = `${halfWidth}${unit} reaches everything: the ${situation.model.boundary ? 'basin' : 'ring'}'s farthest places are ${tidy(reach)}${unit} apart and the taper ends at ${2 * halfWidth}${unit}`;
    return [{ path, message }];
  }
  if (2 * halfWidth <= cell) {
    const message = `${halfWidth}${unit} reaches no neighbour: cells are ${cell}${unit} apart and the taper ends at ${2 * halfWidth}${unit}`;
    return [{ path, message }];
  }
  return [];
}

/** @returns observations in the reach of one grid point at most, estimated */
export function localObservations({ localisation: { halfWidth } }: LocalisedSettings, situation: Situation): number {
  const [lengthX, lengthY] = extents(situation);
  const share = Math.min(1, (4 * halfWidth) / lengthX) * Math.min(1, (4 * halfWidth) / lengthY);
  return Math.min(situation.observations, Math.ceil(situation.observations * share));
}

/** Factor of the cell and of the basin's reach, so that a half-width stays off the ends where it reaches no neighbour, or everything. */
const WITHIN = 1.01;

/** @returns the half-width as it is tuned; nothing where it is meant to reach everything, or no neighbour */
export function halfWidthTuning(settings: LocalisedSettings, situation: Situation): TunableSetting[] {
  const isMeant = settings.localisation.halfWidth === NO_LOCALISATION;
  if (isMeant || localisationWarnings(settings, situation).length > 0) return [];
  const least = (WITHIN * Math.min(situation.grid.dx, situation.grid.dy)) / 2;
  const ends = legibleEnds(least, farthest(situation) / 2 / WITHIN);
  const present = settings.localisation.halfWidth;
  return [around({ path: 'localisation.halfWidth', present, factor: 2, ...ends })];
}

/** Share of the basin's shorter side that a length may span. */
const MOST_OF_BASIN = 0.25;

/** Two digits: more would look like a measurement. */
export function rounded(value: number): number {
  return Number(value.toPrecision(2));
}

/** Lengths of the axes that have more than one cell: a ring has one of them. */
function sidesOf({ nx, ny, dx, dy }: Situation['grid']): readonly number[] {
  return [
    [nx, dx],
    [ny, dy],
  ].flatMap(([cells, size]) => (cells > 1 ? [cells * size] : []));
}

/** @returns metres between neighbouring observations of one analysis, on average; undefined if a file gives them or there are none */
export function observationSpacing({ grid, networks }: Pick<Situation, 'grid' | 'networks'>): number | undefined {
  // Networks at the same places (u beside v) are no closer for being two.
  const most = Math.max(0, ...networks.map(({ capacity }) => capacity ?? 0));
  const sides = sidesOf(grid);
  const area = sides.reduce((product, side) => product * side, 1);
  return most > 0 ? (area / most) ** (1 / sides.length) : undefined;
}

/**
 * Lengths that suit a scenario, as a start for tuning. They follow the distance s between neighbouring observations,
 * s = √(area / observations of one analysis), on a ring s = its length / observations. In the shipped scenarios a tuned LETKF has
 * a half-width from 1.0 s to 1.6 s, and a tuned 3D-Var a length from 0.7 s to 1.5 s. Both stay above a few cells, which the grid must resolve, and below a quarter of the
 * basin, beyond which nothing is local.
 *
 * @param factor of the distance between observations
 * @param leastCells that the length must span
 * @returns a length in metres, within what grid and basin allow
 */
export function proposedLength(situation: Situation, factor: number, leastCells: number): number {
  const { dx, dy } = situation.grid;
  const least = leastCells * Math.max(dx, dy);
  const most = MOST_OF_BASIN * Math.min(...sidesOf(situation.grid));
  const spacing = observationSpacing(situation) ?? most;
  return rounded(Math.max(least, Math.min(most, factor * spacing)));
}

/** Half-width of localisation in distances between observations, and in cells. */
const HALF_WIDTH = 1.25;
const HALF_WIDTH_CELLS = 3;

/** @returns a half-width for localisation, metres */
export function proposedHalfWidth(situation: Situation): number {
  return proposedLength(situation, HALF_WIDTH, HALF_WIDTH_CELLS);
}

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

/**
 * What localisation by places makes of a network: around every cell, how many observations its analysis sees, and what their weights
 * sum to. Where weights are interpolated a cell sees what the places around it see, each observation by the shares of these places.
 *
 * @param isUsed whether an observation, by its index, has a part in the analysis
 */
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
