/**
 * What spectra are made with: for each axis the orthonormal real functions that fit its ends, cosines between walls (DCT-II), sines
 * and cosines around a ring, and the band of the wavenumber of each of their products. Both keep the sum of squares.
 */

/** Finer grids are averaged over blocks of cells to at most this many along an axis. */
const MOST_CELLS = 128;

export interface SpectralGrid {
  readonly nx: number;
  readonly ny: number;
  readonly dx: number;
  readonly dy: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
}

interface Axis {
  /** Cells that are averaged into one. */
  readonly block: number;
  /** Averages, and functions. */
  readonly size: number;
  /** Row k is the k-th function, [size][size]. */
  readonly basis: Float64Array;
  /** Cycles per metre, of each function. */
  readonly wavenumbers: Float64Array;
  /** Wave number of the longest wave that fits, and of the shortest that is resolved. */
  readonly gravest: number;
  readonly finest: number;
}

export interface SpectralPlan {
  readonly x: Axis;
  readonly y: Axis;
  readonly bands: number;
  /** Lowest wavenumber of each band, cycles per metre; each is the double of the one before. */
  readonly edges: readonly number[];
  /** [y.size][x.size]; `bands` for the mean, which is of none. */
  readonly band: Uint32Array;
}

/** Waves along n cells of the k-th function: halves between walls, whole ones around a ring. */
function waves(k: number, periodic: boolean): number {
  return periodic ? (k + 1) >> 1 : k / 2;
}

function basisAt(k: number, i: number, n: number, periodic: boolean): number {
  const count = waves(k, periodic);
  const lone = k === 0 || (periodic && 2 * count === n);
  const norm = Math.sqrt((lone ? 1 : 2) / n);
  if (!periodic) return norm * Math.cos((Math.PI * k * (i + 0.5)) / n);
  const angle = (2 * Math.PI * count * i) / n;
  return norm * (k === 0 || k % 2 === 1 ? Math.cos(angle) : Math.sin(angle));
}

/** How finely an axis is resolved, and from the longest wave that fits to the shortest that is resolved. */
function extentOf(n: number, spacing: number, periodic: boolean): Omit<Axis, 'basis' | 'wavenumbers'> {
  const block = Math.ceil(n / MOST_CELLS);
  const size = Math.floor(n / block);
  return {
    block,
    size,
    gravest: (periodic ? 1 : 0.5) / (size * block * spacing),
    finest: 0.5 / (block * spacing),
  };
}

function axisOf(n: number, spacing: number, periodic: boolean): Axis {
  const extent = extentOf(n, spacing, periodic);
  const { block, size } = extent;
  return {
    ...extent,
    basis: Float64Array.from({ length: size * size }, (_, at) =>
      basisAt(Math.floor(at / size), at % size, size, periodic),
    ),
    wavenumbers: Float64Array.from({ length: size }, (_, k) => waves(k, periodic) / (size * block * spacing)),
  };
}

type Extents = readonly Pick<Axis, 'size' | 'gravest' | 'finest'>[];

function octavesOf(extents: Extents): readonly number[] {
  const axes = extents.filter(({ size }) => size > 1);
  const gravest = Math.max(...axes.map((axis) => axis.gravest));
  const finest = Math.min(...axes.map((axis) => axis.finest));
  const bands = axes.length === 0 ? 1 : Math.max(1, Math.ceil(Math.log2(finest / gravest) - 1e-9));
  return Array.from({ length: bands }, (_, index) => gravest * 2 ** index);
}

/**
 * @param grid with spacings in metres
 * @returns the lowest wavenumber of each octave that spectra are taken of, cycles per metre; each is the double of the one before
 */
export function spectralOctaves({ nx, ny, dx, dy, periodicX, periodicY }: SpectralGrid): readonly number[] {
  return octavesOf([extentOf(nx, dx, periodicX), extentOf(ny, dy, periodicY)]);
}

/**
 * @param stride at least the number of functions
 * @returns [size][stride]: the values of all functions at a place are together, followed by 0
 */
export function transposedBasis({ basis, size }: Pick<Axis, 'basis' | 'size'>, stride: number): Float64Array {
  const columns = new Float64Array(size * stride);
  for (let k = 0; k < size; k++) for (let i = 0; i < size; i++) columns[i * stride + k] = basis[k * size + i];
  return columns;
}

/** @param grid with spacings in metres; an axis of one cell has no waves */
export function spectralPlan({ nx, ny, dx, dy, periodicX, periodicY }: SpectralGrid): SpectralPlan {
  const [x, y] = [axisOf(nx, dx, periodicX), axisOf(ny, dy, periodicY)];
  const edges = octavesOf([x, y]);
  const [gravest] = edges;
  const bands = edges.length;
  const band = Uint32Array.from({ length: x.size * y.size }, (_, at) => {
    if (at === 0) return bands;
    const wavenumber = Math.hypot(x.wavenumbers[at % x.size], y.wavenumbers[Math.floor(at / x.size)]);
    return Math.min(bands - 1, Math.max(0, Math.floor(Math.log2(wavenumber / gravest) + 1e-9)));
  });
  return { x, y, bands, band, edges };
}

/** The sums of rows of numbers, [outer][parts][rows], over the parts. */
export function sumParts(sums: Float64Array, parts: number, rows: number, outer: number): Float64Array {
  const total = new Float64Array(rows);
  for (let part = outer * parts; part < (outer + 1) * parts; part++) {
    for (let row = 0; row < rows; row++) total[row] += sums[part * rows + row];
  }
  return total;
}
