/**
 * Localisation by distance: the Gaspari–Cohn weight [gaspari1999], the taper of a covariance made of it, and the index that
 * finds the observations near a grid point. The LETKF, the tapered gain and the observed ensemble are built on it.
 */
import { partsOf } from '../../compute/webgpu/program.ts';
import source from './localisation.wgsl?raw';

const part = partsOf(source);

/** The weight by distance, distances, and the bins within reach. */
export const localWeightCode: readonly string[] = [part('gaspari-cohn'), part('shortest'), part('bins')];

/** What the parameter block of a kernel with a taper begins with: `taperOf` of the code and `taper` of AssemblyScript read it. */
export const TAPER_GEOMETRY = {
  nx: 'count',
  ny: 'count',
  periodicX: 'flag',
  periodicY: 'flag',
  /** dy/dx: what a cell along y counts. */
  aspect: 'f32',
  halfWidthCells: 'f32',
  perHalfWidth: 'f32',
} as const;

/** The taper between two places, for kernels whose `parameters` begin with `TAPER_GEOMETRY`. */
export const taperCode: readonly string[] = [part('gaspari-cohn'), part('shortest'), part('taper')];

/** Regular grid; cell (j, i) has its centre at x = i, y = j in grid units. Periods of a periodic axis: nx, ny. */
export interface LocalisationGrid {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** dy/dx, 1 if omitted: distances are measured in cells along x, and a cell along y counts this many. */
  readonly aspect?: number;
}

/** Bins of equal size over [0, nx) × [0, ny), bin by·binsX + bx. What lies outside belongs to the nearest bin. */
interface BinGeometry {
  readonly binsX: number;
  readonly binsY: number;
}

/** Bins along one axis at most, so that the index stays small however short the half-width. */
const LARGEST_BINS = 512;

function binsAlong(cells: number, halfWidthCells: number): number {
  if (!Number.isFinite(halfWidthCells)) return 1;
  return Math.min(LARGEST_BINS, Math.max(1, Math.floor(cells / Math.max(1, halfWidthCells))));
}

/** The bins that `localObservations` and the operator agree on. @param halfWidthCells cells along x, or Infinity: one bin */
export function binGeometry({ nx, ny, aspect = 1 }: LocalisationGrid, halfWidthCells: number): BinGeometry {
  return { binsX: binsAlong(nx, halfWidthCells), binsY: binsAlong(ny, halfWidthCells / aspect) };
}

/** The bin of a coordinate in grid units. */
function binOf(coordinate: number, cells: number, bins: number, periodic: boolean): number {
  const inside = periodic ? coordinate - cells * Math.floor(coordinate / cells) : coordinate;
  return Math.min(bins - 1, Math.max(0, Math.floor((inside * bins) / cells)));
}

/** What `localObservations` returns: the values of the operator's index fields, and the capacity it needs. */
export interface LocalObservations {
  /** [binsX·binsY + 1]: where each bin's observations begin in `binObservations`. */
  readonly binStart: Uint32Array;
  /** [observations]: all observations, bin by bin in their own order; those that are not active follow the last bin. */
  readonly binObservations: Uint32Array;
  /** The largest number of active observations within reach of any grid point. */
  readonly largest: number;
}

/**
 * Builds the index and counts the largest number of local observations. Time and memory grow with cells + bins +
 * observations × support rows; nothing is searched pairwise.
 *
 * @param halfWidthCells Gaspari–Cohn half-width c, cells along x; observations nearer than 2c are within reach. Infinity: all are
 * @param x, y positions in grid units; those of observations that are not active may be anything
 * @param active whether each observation may be used; all of them if omitted
 */
export function localObservations(
  grid: LocalisationGrid,
  halfWidthCells: number,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  active?: ArrayLike<number | boolean>,
): LocalObservations {
  const count = x.length;
  const { binsX, binsY } = binGeometry(grid, halfWidthCells);
  const bins = binsX * binsY;
  const binStart = new Uint32Array(bins + 1);
  const binObservations = new Uint32Array(count);
  // Counting sort; bin number `bins` takes those that are not active.
  const binNumber = new Uint32Array(count);
  const next = new Uint32Array(bins + 2);
  for (let o = 0; o < count; o++) {
    const bin =
      active === undefined || active[o]
        ? binOf(y[o], grid.ny, binsY, grid.periodicY) * binsX + binOf(x[o], grid.nx, binsX, grid.periodicX)
        : bins;
    binNumber[o] = bin;
    next[bin + 1] += 1;
  }
  for (let bin = 0; bin <= bins; bin++) next[bin + 1] += next[bin];
  binStart.set(next.subarray(0, bins + 1));
  for (let o = 0; o < count; o++) binObservations[next[binNumber[o]]++] = o;
  const listed = binObservations.subarray(0, binStart[bins]);
  return {
    binStart,
    binObservations,
    largest: Number.isFinite(halfWidthCells) ? largestCount(grid, 2 * halfWidthCells, x, y, listed) : listed.length,
  };
}

/** Builds the index, unless it is still the one of the call before. */
interface Localiser {
  /**
   * Arrays that are the same objects as in the call before are taken for unchanged.
   *
   * @returns the same object as before where neither positions nor which observations are active have changed
   */
  locate(x: ArrayLike<number>, y: ArrayLike<number>, active: ArrayLike<number>): LocalObservations;
}

/** @param halfWidthCells as for `localObservations` */
export function createLocaliser(grid: LocalisationGrid, halfWidthCells: number): Localiser {
  let known: Record<'x' | 'y' | 'active', ArrayLike<number>> | undefined;
  let index: LocalObservations | undefined;
  const isKnown = (x: ArrayLike<number>, y: ArrayLike<number>, active: ArrayLike<number>): boolean => {
    if (known?.x.length !== x.length) return false;
    if (known.x === x && known.y === y && known.active === active) return true;
    for (let o = 0; o < x.length; o++) {
      if (known.x[o] !== x[o] || known.y[o] !== y[o] || (known.active[o] !== 0) !== (active[o] !== 0)) return false;
    }
    return true;
  };
  return {
    locate(x, y, active) {
      if (index && isKnown(x, y, active)) return index;
      known = { x, y, active };
      index = localObservations(grid, halfWidthCells, x, y, active);
      return index;
    },
  };
}

/** Widens the support by more than the rounding of positions to float32, so that no backend ever finds more than counted. */
const ROUNDING = 1 + 2 ** -20;

/** The largest number of observations nearer than `reach` to a grid point: row by row, each adds one on an interval. */
function largestCount(
  { nx, ny, periodicX, periodicY, aspect = 1 }: LocalisationGrid,
  reach: number,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  listed: Uint32Array,
): number {
  const margin = (ROUNDING - 1) * Math.max(nx, ny * aspect);
  const radius = reach * ROUNDING + margin;
  const width = nx + 1;
  const steps = new Int32Array(width * ny);
  const addInterval = (row: number, from: number, to: number): void => {
    steps[row * width + from] += 1;
    steps[row * width + to + 1] -= 1;
  };
  const addRow = (row: number, distance: number, centre: number): void => {
    const square = radius * radius - distance * distance;
    if (square < 0) return;
    const chord = Math.sqrt(square);
    const from = Math.ceil(centre - chord);
    const to = Math.floor(centre + chord);
    if (to < from) return;
    if (!periodicX) {
      if (to >= 0 && from < nx) addInterval(row, Math.max(0, from), Math.min(nx - 1, to));
      return;
    }
    if (to - from + 1 >= nx) {
      addInterval(row, 0, nx - 1);
      return;
    }
    const first = from - nx * Math.floor(from / nx);
    const last = first + (to - from);
    addInterval(row, first, Math.min(nx - 1, last));
    if (last >= nx) addInterval(row, 0, last - nx);
  };
  for (const o of listed) {
    const from = Math.ceil(y[o] - radius / aspect);
    const to = Math.floor(y[o] + radius / aspect);
    if (!periodicY) {
      for (let row = Math.max(0, from); row <= Math.min(ny - 1, to); row++) addRow(row, aspect * (row - y[o]), x[o]);
    } else {
      // Each row once, at its shortest distance, also where the support is wider than the domain.
      const rows = Math.min(ny, to - from + 1);
      for (let step = 0; step < rows; step++) {
        const row = from + step;
        addRow(row - ny * Math.floor(row / ny), aspect * shortest(row - y[o], ny), x[o]);
      }
    }
  }
  let largest = 0;
  for (let row = 0; row < ny; row++) {
    let here = 0;
    for (let i = 0; i < nx; i++) {
      here += steps[row * width + i];
      if (here > largest) largest = here;
    }
  }
  return largest;
}

/** The bins within reach of a coordinate: `count` of them from `first` on, wrapping around where the axis is periodic. */
export function binsWithinReach(
  coordinate: number,
  reach: number,
  cells: number,
  bins: number,
  periodic: boolean,
): { readonly first: number; readonly count: number } {
  const low = Math.floor(((coordinate - reach) * bins) / cells);
  const high = Math.floor(((coordinate + reach) * bins) / cells);
  if (!periodic) {
    const first = Math.min(bins - 1, Math.max(0, low));
    return { first, count: Math.min(bins - 1, Math.max(0, high)) - first + 1 };
  }
  if (high - low + 1 >= bins) return { first: 0, count: bins };
  return { first: low - bins * Math.floor(low / bins), count: high - low + 1 };
}

/** The Gaspari–Cohn function, and the taper of a covariance made of it [gaspari1999], on axes that may be periodic. */

interface TaperGrid {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** c in cells along x: the taper is 0 from a distance of 2c on. */
  readonly halfWidthCells: number;
  /** dy/dx, 1 if omitted: what a cell along y counts. */
  readonly aspect?: number;
}

interface Taper {
  /** [ny][nx]: the taper at the distance of cell (y, x) from cell (0, 0). */
  readonly row: Float64Array;
  /** Largest distance along x and y (the shorter way round where periodic) with a taper other than 0. */
  readonly reachX: number;
  readonly reachY: number;
}

/** The shorter way from index 0 to `index`. */
function lag(index: number, size: number, periodic: boolean): number {
  return periodic ? Math.min(index, size - index) : index;
}

/**
 * The first row of the taper matrix C. Distances on periodic axes go the shorter way round; |x₁ − x₂| alone determines which that is, so that C stays block Toeplitz.
 * C is positive semidefinite where twice the half-width is at most half of each periodic axis.
 */
export function taperRow({ nx, ny, periodicX, periodicY, halfWidthCells, aspect = 1 }: TaperGrid): Taper {
  const row = new Float64Array(nx * ny);
  let reachX = 0;
  let reachY = 0;
  for (let y = 0; y < ny; y++) {
    const lagY = lag(y, ny, periodicY);
    for (let x = 0; x < nx; x++) {
      const lagX = lag(x, nx, periodicX);
      const taper = gaspariCohn(Math.hypot(lagX, aspect * lagY) / halfWidthCells);
      row[y * nx + x] = taper;
      if (taper === 0) continue;
      reachX = Math.max(reachX, lagX);
      reachY = Math.max(reachY, lagY);
    }
  }
  return { row, reachX, reachY };
}

/**
 * The fifth-order compactly supported correlation function [gaspari1999, eq. 4.10], as localisation weight.
 *
 * The outer branch is written with its fourfold root at 2 taken out, (2 − z)⁴(z² + 2z − ½)/(12 z), which keeps all digits of
 * the small weights near the edge and never falls below zero; expanded, the polynomial cancels there.
 *
 * @param z distance over half-width c, at least 0; the support is z < 2
 * @returns weight in [0, 1]: 1 at 0, 5/24 at 1, 0 from 2 on
 */
export function gaspariCohn(z: number): number {
  if (z >= 2) return 0;
  if (z <= 1) return 1 - z * z * (5 / 3 - z * (5 / 8 + z * (1 / 2 - z / 4)));
  const toEdge = (2 - z) * (2 - z);
  return (toEdge * toEdge * (z * (z + 2) - 0.5)) / (12 * z);
}

/** How far what is related: distances in cells along x, the shorter way round where periodic. */
export interface TaperGeometry {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** dy/dx: what a cell along y counts. */
  readonly aspect: number;
  /** c in cells along x: nothing is related from a distance of 2c on. */
  readonly halfWidthCells: number;
}

/** A difference of coordinates on a periodic axis, brought to the shortest of its images. */
export function shortest(difference: number, period: number): number {
  return difference - period * Math.round(difference / period);
}

/** @returns the taper between two places a difference apart, cells; exactly 0 out of reach */
export function taperBetween({ nx, ny, periodicX, periodicY, aspect, halfWidthCells }: TaperGeometry) {
  const support = (2 * halfWidthCells) ** 2;
  return (differenceX: number, differenceY: number): number => {
    const x = periodicX ? shortest(differenceX, nx) : differenceX;
    const y = aspect * (periodicY ? shortest(differenceY, ny) : differenceY);
    const square = x * x + y * y;
    return square >= support ? 0 : gaspariCohn(Math.sqrt(square) / halfWidthCells);
  };
}
