/**
 * Power of a field by wavenumber, averaged over directions. Each axis is expanded in the orthonormal real functions that fit
 * its boundary: cosines between walls (DCT-II), sines and cosines around a periodic axis. Both keep the sum of squares
 * (Parseval), so that the spectrum's integral is the field's mean square. Small matrices and no FFT: at most 128² cells.
 */

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

/** Means over blocks of cells; cells beyond the last whole block are omitted. */
function coarsen(field: GridField): { readonly field: GridField; readonly block: readonly [number, number] } {
  const blockX = Math.ceil(field.nx / MAXIMUM_CELLS);
  const blockY = Math.ceil(field.ny / MAXIMUM_CELLS);
  if (blockX === 1 && blockY === 1) return { field, block: [1, 1] };
  const nx = Math.floor(field.nx / blockX);
  const ny = Math.floor(field.ny / blockY);
  const values = new Float64Array(nx * ny);
  for (let j = 0; j < ny * blockY; j++) {
    const row = Math.floor(j / blockY) * nx;
    for (let i = 0; i < nx * blockX; i++) values[row + Math.floor(i / blockX)] += field.values[j * field.nx + i];
  }
  const scale = 1 / (blockX * blockY);
  for (let cell = 0; cell < values.length; cell++) values[cell] *= scale;
  return { field: { ...field, values, nx, ny, dx: field.dx * blockX, dy: field.dy * blockY }, block: [blockX, blockY] };
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

/**
 * @returns the radially averaged spectrum, from one bin above zero to the finest wavenumber that both axes resolve; what lies
 * in the corners beyond is added to the last bin, so that no variance is lost
 */
export function radialSpectrum(fine: GridField): Spectrum {
  const { field, block } = coarsen(fine);
  const { nx, ny, dx, dy, periodicX, periodicY } = field;
  const alongX = basisOf(nx, periodicX);
  const alongY = basisOf(ny, periodicY);
  const coefficients = transform(field, alongX, alongY);
  // The gravest wave of each axis sets the resolution of the bins; the coarser of both has a wave in each bin.
  const binWidth = Math.max(gravest(nx, dx, periodicX), gravest(ny, dy, periodicY));
  const finest = Math.min(0.5 / dx, 0.5 / dy);
  const bins = Math.max(1, Math.floor(finest / binWidth + 1e-9));
  const sums = new Float64Array(bins);
  let meanSquare = 0;
  const cells = nx * ny;
  for (let l = 0; l < ny; l++) {
    for (let k = 0; k < nx; k++) {
      const power = coefficients[l * nx + k] ** 2 / cells;
      meanSquare += power;
      if (k === 0 && l === 0) continue;
      const wavenumber = Math.hypot(alongX.wavenumbers[k] / dx, alongY.wavenumbers[l] / dy);
      sums[Math.min(bins, Math.max(1, Math.round(wavenumber / binWidth))) - 1] += power;
    }
  }
  const points = Array.from(sums, (sum, bin) => ({ wavenumber: (bin + 1) * binWidth, density: sum / binWidth }));
  return { points, binWidth, meanSquare, block };
}
