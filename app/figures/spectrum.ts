/**
 * Power of a field by wavenumber, averaged over directions, and the spectra of a snapshot: of each method's error in surface height,
 * and of the truth for comparison. Each axis is expanded in the orthonormal real functions that fit its boundary: cosines between
 * walls (DCT-II), sines and cosines around a periodic axis. Both keep the sum of squares (Parseval), so that the spectrum's integral
 * is the field's mean square. Small matrices and no FFT: at most 128² cells.
 */
import type { PlaneBlocks, BasinInfo, Snapshot } from '../../engine/index.ts';
import { blockMeans, type Numbers, type PlaneRequest } from '../document/values/plane-reader.ts';

/** Finer grids are averaged over blocks of cells to at most this many along an axis. */
const MAXIMUM_CELLS = 128;

/** A field on a regular grid, [y][x]; spacing in metres. */
export interface GridField {
  readonly values: ArrayLike<number>;
  readonly nx: number;
  readonly ny: number;
  readonly dx: number;
  readonly dy: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
}

interface SpectrumPoint {
  /** Middle of the bin, cycles per metre. */
  readonly wavenumber: number;
  /** Mean square per wavenumber, m²·m for a field in metres. */
  readonly density: number;
}

export interface Spectrum {
  readonly points: readonly SpectrumPoint[];
  /** Width of a bin, cycles per metre. */
  readonly binWidth: number;
  /** Mean square of what was transformed, with its mean: Σ density · binWidth + mean². */
  readonly meanSquare: number;
  /** Cells that were averaged into one along x and y. */
  readonly block: readonly [number, number];
}

interface Basis {
  /** Row k is the k-th function at the n cells. */
  readonly rows: Float64Array;
  /** Cycles per cell of each row. */
  readonly wavenumbers: Float64Array;
}

const bases = new Map<string, Basis>();

/** Orthonormal real functions on n cells. */
function basisOf(n: number, periodic: boolean): Basis {
  const key = `${n}${periodic ? ' periodic' : ''}`;
  let basis = bases.get(key);
  if (basis === undefined) bases.set(key, (basis = periodic ? fourierBasis(n) : cosineBasis(n)));
  return basis;
}

function cosineBasis(n: number): Basis {
  const rows = new Float64Array(n * n);
  for (let k = 0; k < n; k++) {
    const norm = Math.sqrt((k === 0 ? 1 : 2) / n);
    for (let i = 0; i < n; i++) rows[k * n + i] = norm * Math.cos((Math.PI * k * (i + 0.5)) / n);
  }
  return { rows, wavenumbers: Float64Array.from({ length: n }, (_, k) => k / (2 * n)) };
}

/** Row 0 is constant, rows 2m − 1 and 2m are cosine and sine of m waves; an even n ends with the alternating cosine. */
function fourierBasis(n: number): Basis {
  const rows = new Float64Array(n * n);
  const wavenumbers = new Float64Array(n);
  for (let row = 0; row < n; row++) {
    const m = (row + 1) >> 1;
    const wave = row % 2 === 1 ? Math.cos : Math.sin;
    const lone = row === 0 || 2 * m === n;
    const norm = Math.sqrt((lone ? 1 : 2) / n);
    wavenumbers[row] = m / n;
    for (let i = 0; i < n; i++) rows[row * n + i] = row === 0 ? norm : norm * wave((2 * Math.PI * m * i) / n);
  }
  return { rows, wavenumbers };
}

/** A field of at most `MAXIMUM_CELLS` along an axis. */
interface CoarseField {
  readonly field: GridField;
  /** Cells that were averaged into one along x and y. */
  readonly block: readonly [number, number];
}

/** @returns the blocks over which a field is averaged */
function blocksOf({ nx, ny }: { readonly nx: number; readonly ny: number }): PlaneBlocks {
  return { nx, ny, x: Math.ceil(nx / MAXIMUM_CELLS), y: Math.ceil(ny / MAXIMUM_CELLS) };
}

/** @param means of a field over the blocks of its grid, [row][column] */
function coarseField(grid: Omit<GridField, 'values'>, means: ArrayLike<number>): CoarseField {
  const { nx, ny, x, y } = blocksOf(grid);
  const { dx, dy } = grid;
  return {
    field: { ...grid, values: means, nx: Math.floor(nx / x), ny: Math.floor(ny / y), dx: dx * x, dy: dy * y },
    block: [x, y],
  };
}

/** Coefficients [ky][kx] of a field in the two bases. */
function transform({ values, nx, ny }: GridField, alongX: Basis, alongY: Basis): Float64Array {
  const rows = new Float64Array(ny * nx);
  for (let j = 0; j < ny; j++) {
    for (let k = 0; k < nx; k++) {
      let sum = 0;
      for (let i = 0; i < nx; i++) sum += alongX.rows[k * nx + i] * values[j * nx + i];
      rows[j * nx + k] = sum;
    }
  }
  const coefficients = new Float64Array(ny * nx);
  for (let l = 0; l < ny; l++) {
    for (let j = 0; j < ny; j++) {
      const weight = alongY.rows[l * ny + j];
      for (let k = 0; k < nx; k++) coefficients[l * nx + k] += weight * rows[j * nx + k];
    }
  }
  return coefficients;
}

/** Wavenumber of the longest wave that fits an axis, cycles per metre. */
function gravest(n: number, d: number, periodic: boolean): number {
  return (periodic ? 1 : 0.5) / (n * d);
}

/** Where the power of each coefficient belongs. */
interface Bins {
  readonly width: number;
  readonly count: number;
  /** The bin of each coefficient [ky][kx]; the mean belongs to none. */
  readonly of: Uint32Array;
}

const bins = new Map<string, Bins>();

/** The bins of a grid, found once: a root for each coefficient takes as long as the transform. */
function binsOf(grid: GridField, alongX: Basis, alongY: Basis): Bins {
  const { nx, ny, dx, dy, periodicX, periodicY } = grid;
  const key = [nx, ny, dx, dy, periodicX, periodicY].join(' ');
  const known = bins.get(key);
  if (known) return known;
  // The gravest wave of each axis sets the resolution of the bins; the coarser of both has a wave in each bin.
  const width = Math.max(gravest(nx, dx, periodicX), gravest(ny, dy, periodicY));
  const finest = Math.min(0.5 / dx, 0.5 / dy);
  const count = Math.max(1, Math.floor(finest / width + 1e-9));
  const of = new Uint32Array(nx * ny);
  for (let l = 0; l < ny; l++) {
    for (let k = 0; k < nx; k++) {
      const wavenumber = Math.hypot(alongX.wavenumbers[k] / dx, alongY.wavenumbers[l] / dy);
      of[l * nx + k] = Math.min(count, Math.max(1, Math.round(wavenumber / width))) - 1;
    }
  }
  const found = { width, count, of };
  bins.set(key, found);
  return found;
}

/**
 * @returns the radially averaged spectrum, from one bin above zero to the finest wavenumber that both axes resolve; what lies
 * in the corners beyond is added to the last bin, so that no variance is lost
 */
function coarseSpectrum({ field, block }: CoarseField): Spectrum {
  const { nx, ny, periodicX, periodicY } = field;
  const alongX = basisOf(nx, periodicX);
  const alongY = basisOf(ny, periodicY);
  const coefficients = transform(field, alongX, alongY);
  const { width: binWidth, count, of } = binsOf(field, alongX, alongY);
  const sums = new Float64Array(count);
  let meanSquare = 0;
  const cells = nx * ny;
  for (let at = 0; at < cells; at++) {
    const power = coefficients[at] ** 2 / cells;
    meanSquare += power;
    if (at > 0) sums[of[at]] += power;
  }
  const points = Array.from(sums, (sum, bin) => ({ wavenumber: (bin + 1) * binWidth, density: sum / binWidth }));
  return { points, binWidth, meanSquare, block };
}

/** @returns the spectrum of a field, of the means of blocks where it is fine */
export function radialSpectrum(fine: GridField): Spectrum {
  return coarseSpectrum(coarseField(fine, blockMeans(fine.values, blocksOf(fine))));
}

export interface RunSpectra {
  readonly cycle: number;
  readonly truth: Spectrum;
  /** Spectrum of η − η of the truth, by method label; without methods that have diverged, whose water is what it was last. */
  readonly errors: ReadonlyMap<string, Spectrum>;
  /** Spectrum of the analysis minus the forecast, if both are known and differ. */
  readonly increments?: ReadonlyMap<string, Spectrum>;
}

/** @returns the methods of a snapshot that had not diverged by then */
function goingOn({ methods }: Snapshot): Snapshot['methods'] {
  return methods.filter(({ divergedAt }) => divergedAt === undefined);
}

/**
 * @returns what spectra are made of: the surface height of the truth, and how far that of each method that continues is from it, both
 * averaged over blocks
 */
export function spectrumRequests(snapshot: Snapshot, basin: BasinInfo): readonly PlaneRequest[] {
  const blocks = blocksOf(basin);
  const truth = snapshot.truth.eta;
  return [
    { plane: truth, means: { blocks } },
    ...goingOn(snapshot).map(({ analysis }) => ({ plane: analysis.eta, means: { blocks, minus: truth } })),
  ];
}

/** What spectra are made of: the truth and the error of each method, by its label, averaged over blocks. */
export interface CoarseErrors {
  readonly cycle: number;
  readonly truth: CoarseField;
  readonly errors: ReadonlyMap<string, CoarseField>;
}

/** @param numbers what was asked for by `spectrumRequests` @returns undefined where some of it is missing */
export function coarseErrors(snapshot: Snapshot, basin: BasinInfo, numbers: Numbers): CoarseErrors | undefined {
  const truth = numbers(snapshot.truth.eta);
  if (truth === undefined) return undefined;
  const { nx, ny, dx, dy, periodicX, periodicY } = basin;
  const grid = { nx, ny, dx, dy, periodicX, periodicY };
  const errors = new Map<string, CoarseField>();
  for (const { method, analysis } of goingOn(snapshot)) {
    const error = numbers(analysis.eta);
    if (error === undefined) return undefined;
    errors.set(method, coarseField(grid, error));
  }
  return { cycle: snapshot.cycle, truth: coarseField(grid, truth), errors };
}

/** Takes no more than its argument: it is done beside the page as well. */
export function spectraOf({ cycle, truth, errors }: CoarseErrors): RunSpectra {
  return {
    cycle,
    truth: coarseSpectrum(truth),
    errors: new Map([...errors].map(([method, error]) => [method, coarseSpectrum(error)])),
  };
}
