/**
 * Lengths that suit a scenario, as a start for tuning. They follow the distance s between neighbouring observations,
 * s = √(area / observations of one analysis), on a ring s = its length / observations: tuned LETKFs of the shipped scenarios lie at half-widths from 1.0 s to 1.6 s,
 * 3D-Vars at lengths from 0.7 s to 1.5 s. Both stay above a few cells, which the grid must resolve, and below a quarter of the
 * basin, beyond which nothing is local.
 */
import type { Situation } from '../../settings/index.ts';

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
