// Spectra by bands of the wavenumber (band-spectra.ts), in two passes: along x, and along y with the sums by band.

import { multiplyAdd } from '../../compute/wasm/simd-library.as';

@unmanaged
class BandSpectra {
  nx: i32;
  blockX: i32;
  blockY: i32;
  /** Averages along x and y, and those along x rounded up to fours, by which rows of them lie. */
  sizeX: i32;
  sizeY: i32;
  stride: i32;
  bands: i32;
  /** [sizeX][stride]: column i of it is at row i, so that all functions are taken together. */
  basisX: usize;
  /** [sizeY][sizeY] */
  basisY: usize;
  /** [sizeY][sizeX] */
  band: usize;
  truth: usize;
  forecast: usize;
  analysis: usize;
  member: usize;
  /** [4][sizeY][stride] */
  rows: usize;
  /** [4][sizeY][bands + 1], float64 */
  sums: usize;
}

// @ts-ignore: decorator
@inline
function minuend(p: BandSpectra, spectrum: i32): usize {
  return spectrum == 0 ? p.forecast : spectrum == 3 ? p.member : p.analysis;
}

/** The mean of a difference over a block of cells. */
function blockMean(p: BandSpectra, a: usize, b: usize, i: i32, j: i32): f32 {
  let sum: f32 = 0;
  for (let y = j * p.blockY; y < (j + 1) * p.blockY; y++) {
    for (let x = i * p.blockX; x < (i + 1) * p.blockX; x++) {
      const at = <usize>(y * p.nx + x) << 2;
      sum += f32.load(a + at) - f32.load(b + at);
    }
  }
  return sum / <f32>(p.blockX * p.blockY);
}

/** A part is a row of averages of one difference. */
export function spectraAlong(p: BandSpectra, part: i32, scratch: usize): void {
  const spectrum = part / p.sizeY;
  const j = part % p.sizeY;
  const a = minuend(p, spectrum);
  const b = spectrum < 2 ? p.truth : p.forecast;
  const target = p.rows + (<usize>(part * p.stride) << 2);
  memory.fill(target, 0, <usize>p.stride << 2);
  for (let i = 0; i < p.sizeX; i++) {
    const value = f32x4.splat(blockMean(p, a, b, i, j));
    const basis = p.basisX + (<usize>(i * p.stride) << 2);
    for (let k = 0; k < p.stride; k += 4) {
      const at = <usize>k << 2;
      v128.store(target + at, multiplyAdd(value, v128.load(basis + at), v128.load(target + at)));
    }
  }
}

/** A part is a function along y, of one difference. */
export function spectraAcross(p: BandSpectra, part: i32, scratch: usize): void {
  const spectrum = part / p.sizeY;
  const l = part % p.sizeY;
  const rows = p.rows + (<usize>(spectrum * p.sizeY * p.stride) << 2);
  const sums = p.sums + (<usize>(part * (p.bands + 1)) << 3);
  memory.fill(sums, 0, <usize>(p.bands + 1) << 3);
  for (let k = 0; k < p.stride; k += 4) {
    let coefficients = f32x4.splat(0);
    for (let j = 0; j < p.sizeY; j++) {
      const weight = f32x4.splat(f32.load(p.basisY + (<usize>(l * p.sizeY + j) << 2)));
      coefficients = multiplyAdd(weight, v128.load(rows + (<usize>(j * p.stride + k) << 2)), coefficients);
    }
    v128.store(scratch, coefficients);
    for (let lane = 0; lane < min(4, p.sizeX - k); lane++) {
      const coefficient = <f64>f32.load(scratch + (<usize>lane << 2));
      const band = i32.load(p.band + (<usize>(l * p.sizeX + k + lane) << 2));
      const at = sums + (<usize>band << 3);
      f64.store(at, f64.load(at) + coefficient * coefficient);
    }
  }
}
