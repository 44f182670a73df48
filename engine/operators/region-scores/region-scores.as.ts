// Scores by region (index.ts has the formula), four cells at a time; a part is a variable of a region.

import { accumulate, loadFirst, multiplyAdd, total } from '../../compute/wasm/simd-library.as';
import { RegionScores } from './index';

/** The first cell of an axis in a part of it. */
// @ts-ignore: decorator
@inline
function boundOf(part: i32, cells: i32, parts: i32): i32 {
  return (part * cells + parts - 1) / parts;
}

export function regionScores(p: RegionScores, part: i32, scratch: usize): void {
  const region = part / p.variables;
  const column = region % p.columns;
  const row = region / p.columns;
  const end = boundOf(column + 1, p.nx, p.columns);
  const cells = p.nx * p.ny;
  const variable = <usize>((part % p.variables) * cells);
  const stride = <usize>(p.variables * cells) << 2;
  const perMember = f32x4.splat(1 / <f32>p.members);
  const perFreedom = f32x4.splat(p.members == 1 ? 0 : 1 / <f32>(p.members - 1));
  let weights = f64x2.splat(0);
  let squares = f64x2.splat(0);
  let variances = f64x2.splat(0);
  for (let y = boundOf(row, p.ny, p.rows); y < boundOf(row + 1, p.ny, p.rows); y++) {
    for (let x = boundOf(column, p.nx, p.columns); x < end; x += 4) {
      const left = end - x;
      const cell = <usize>(y * p.nx + x);
      const place = (variable + cell) << 2;
      const truth = loadFirst(p.truth + place, left, 0);
      const weight = loadFirst(p.weight + (cell << 2), left, 0);
      let sum = f32x4.splat(0);
      let at = p.ensemble + place;
      for (let l = 0; l < p.members; l++) {
        sum = f32x4.add(sum, f32x4.sub(loadFirst(at, left, 0), truth));
        at += stride;
      }
      const error = f32x4.mul(sum, perMember);
      let variance = f32x4.splat(0);
      at = p.ensemble + place;
      for (let l = 0; l < p.members; l++) {
        const anomaly = f32x4.sub(f32x4.sub(loadFirst(at, left, 0), truth), error);
        variance = multiplyAdd(anomaly, anomaly, variance);
        at += stride;
      }
      weights = accumulate(weights, weight);
      squares = accumulate(squares, f32x4.mul(weight, f32x4.mul(error, error)));
      variances = accumulate(variances, f32x4.mul(weight, f32x4.mul(perFreedom, variance)));
    }
  }
  const target = p.sums + <usize>part * 12;
  f32.store(target, <f32>total(weights));
  f32.store(target, <f32>total(squares), 4);
  f32.store(target, <f32>total(variances), 8);
}
