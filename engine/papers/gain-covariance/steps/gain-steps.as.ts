// P_HT with C₂ in memory [gain-gpu], step by step: a part is a member of the copy, a row of C₂, or a row of H.

import { multiplyAdd, sumOf } from '../../../compute/wasm/simd-library.as';
import { GainSteps } from './index';

// @ts-ignore: decorator
@inline
function place(base: usize, i: i32): usize {
  return base + (<usize>i << 2);
}

/** A row of eᵀ. */
export function gainStepsCopy(p: GainSteps, l: i32, scratch: usize): void {
  for (let i = 0; i < p.cells; i++) {
    f32.store(place(p.copy, l * p.cells + i), f32.load(place(p.anomalies, i * p.members + l)));
  }
}

/** Row i of e eᵀ from the copy, four columns at a time; the last four may overlap those before. */
function productsByCopy(p: GainSteps, i: i32, target: usize): void {
  for (let begin = 0; begin < p.cells; begin += 4) {
    const j = min(begin, p.cells - 4);
    let sum = f32x4.splat(0);
    for (let l = 0; l < p.members; l++) {
      const own = v128.load32_splat(place(p.anomalies, i * p.members + l));
      sum = multiplyAdd(own, v128.load(place(p.copy, l * p.cells + j)), sum);
    }
    v128.store(place(target, j), sum);
  }
}

/** The same as rows with rows of e. */
function productsByRows(p: GainSteps, i: i32, target: usize): void {
  const own = place(p.anomalies, i * p.members);
  const whole = p.members & ~3;
  for (let j = 0; j < p.cells; j++) {
    const other = place(p.anomalies, j * p.members);
    let sum = f32x4.splat(0);
    for (let l = 0; l < whole; l += 4) sum = multiplyAdd(v128.load(place(own, l)), v128.load(place(other, l)), sum);
    let product = sumOf(sum);
    for (let l = whole; l < p.members; l++) product += f32.load(place(own, l)) * f32.load(place(other, l));
    f32.store(place(target, j), product);
  }
}

/** Row i of C₂. */
export function gainStepsCovariance(p: GainSteps, i: i32, scratch: usize): void {
  const target = place(p.covariance, i * p.cells);
  if (p.copies != 0 && p.cells >= 4) productsByCopy(p, i, target);
  else productsByRows(p, i, target);
  const share: f32 = 1 / <f32>(p.members - 1);
  const y = i / p.nx;
  const x = i % p.nx;
  for (let j = 0, row = 0; j < p.cells; j += p.nx, row++) {
    const taper = place(p.taperRow, abs(row - y) * p.nx);
    for (let column = 0; column < p.nx; column++) {
      const at = place(target, j + column);
      f32.store(at, share * f32.load(place(taper, abs(column - x))) * f32.load(at));
    }
  }
}

/** A row of H with C₂Hᵀ: each cell reads what H touches of its row of C₂. */
export function gainStepsByColumns(p: GainSteps, part: i32, scratch: usize): void {
  const j = p.first + part;
  const begin = i32.load(place(p.indptr, j));
  const end = i32.load(place(p.indptr, j + 1));
  for (let i = 0; i < p.cells; i++) {
    const row = place(p.covariance, i * p.cells);
    let sum: f32 = 0;
    for (let entry = begin; entry < end; entry++) {
      sum += f32.load(place(p.data, entry)) * f32.load(place(row, i32.load(place(p.indices, entry))));
    }
    f32.store(place(p.output, j * p.cells + i), sum);
  }
}

/** The same as (H C₂ᵀ)ᵀ: rows of C₂, which is symmetric, times entries of H, four cells at a time. */
export function gainStepsByRows(p: GainSteps, part: i32, scratch: usize): void {
  const j = p.first + part;
  const target = place(p.output, j * p.cells);
  memory.fill(target, 0, <usize>p.cells << 2);
  const end = i32.load(place(p.indptr, j + 1));
  for (let entry = i32.load(place(p.indptr, j)); entry < end; entry++) {
    const h = v128.load32_splat(place(p.data, entry));
    const row = place(p.covariance, i32.load(place(p.indices, entry)) * p.cells);
    let i = 0;
    for (; i + 4 <= p.cells; i += 4) {
      const at = place(target, i);
      v128.store(at, multiplyAdd(h, v128.load(place(row, i)), v128.load(at)));
    }
    for (; i < p.cells; i++) {
      const at = place(target, i);
      f32.store(at, f32.load(at) + f32.load(place(p.data, entry)) * f32.load(place(row, i)));
    }
  }
}
