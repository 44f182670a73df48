// Geostrophic balance (index.ts) and its adjoint, a row of cells at a time: four of them together where no end of the axis is near.

import { GeostrophicBalance } from './index';

/** As index.ts: of the cell j's derivative, how it takes its neighbour j + offset, in cells. */
function differenceWeight(j: i32, offset: i32, n: i32, periodic: bool): f32 {
  if (periodic || (j > 0 && j < n - 1)) return 0.5 * <f32>offset;
  if (n == 1) return 0;
  if (j == 0) return offset == 1 ? 1 : offset == 0 ? -1 : 0;
  return offset == 0 ? 1 : offset == -1 ? -1 : 0;
}

/** Difference of a field along an axis at a cell of place i on it; cells are `stride` bytes apart. */
function difference(field: usize, i: i32, n: i32, periodic: bool, stride: usize): f32 {
  let sum: f32 = 0;
  for (let d = -1; d <= 1; d++) {
    if (!periodic && (i + d < 0 || i + d >= n)) continue;
    const from = (i + d + n) % n;
    sum += differenceWeight(i, d, n, periodic) * f32.load(field + <usize>(from - i) * stride);
  }
  return sum;
}

/** Its transpose, of the coefficient times the field. */
function differenceAdjoint(field: usize, coefficient: usize, i: i32, n: i32, periodic: bool, stride: usize): f32 {
  let sum: f32 = 0;
  for (let d = -1; d <= 1; d++) {
    if (!periodic && (i - d < 0 || i - d >= n)) continue;
    const from = (i - d + n) % n;
    const at = <usize>(from - i) * stride;
    sum += differenceWeight(from, d, n, periodic) * f32.load(coefficient + at) * f32.load(field + at);
  }
  return sum;
}

// @ts-ignore: decorator
@inline
function centred(field: usize, stride: usize): v128 {
  return f32x4.mul(f32x4.splat(0.5), f32x4.sub(v128.load(field + stride), v128.load(field - stride)));
}

// @ts-ignore: decorator
@inline
function centredAdjoint(field: usize, coefficient: usize, stride: usize): v128 {
  const before = f32x4.mul(v128.load(coefficient - stride), v128.load(field - stride));
  const after = f32x4.mul(v128.load(coefficient + stride), v128.load(field + stride));
  return f32x4.mul(f32x4.splat(0.5), f32x4.sub(before, after));
}

function balanceCell(p: GeostrophicBalance, i: i32, j: i32, at: usize, plane: usize, row: usize): void {
  const input = p.input + at;
  const output = p.output + at;
  const c = f32.load(p.coefficient + at);
  const alongX = p.perDx * difference(input, i, p.nx, <bool>p.periodicX, 4);
  const alongY = p.perDy * difference(input, j, p.ny, <bool>p.periodicY, row);
  f32.store(output, f32.load(input));
  f32.store(output + plane, f32.load(input + plane) - c * alongY);
  f32.store(output + 2 * plane, f32.load(input + 2 * plane) + c * alongX);
}

function balanceCellAdjoint(p: GeostrophicBalance, i: i32, j: i32, at: usize, plane: usize, row: usize): void {
  const input = p.input + at;
  const output = p.output + at;
  const c = p.coefficient + at;
  const alongX = p.perDx * differenceAdjoint(input + 2 * plane, c, i, p.nx, <bool>p.periodicX, 4);
  const alongY = p.perDy * differenceAdjoint(input + plane, c, j, p.ny, <bool>p.periodicY, row);
  f32.store(output, f32.load(input) - alongY + alongX);
  f32.store(output + plane, f32.load(input + plane));
  f32.store(output + 2 * plane, f32.load(input + 2 * plane));
}

/** Four cells of which none is near an end of either axis. */
// @ts-ignore: decorator
@inline
function balanceInside(p: GeostrophicBalance, at: usize, plane: usize, row: usize): void {
  const input = p.input + at;
  const output = p.output + at;
  const c = v128.load(p.coefficient + at);
  const alongX = f32x4.mul(f32x4.splat(p.perDx), centred(input, 4));
  const alongY = f32x4.mul(f32x4.splat(p.perDy), centred(input, row));
  v128.store(output, v128.load(input));
  v128.store(output + plane, f32x4.sub(v128.load(input + plane), f32x4.mul(c, alongY)));
  v128.store(output + 2 * plane, f32x4.add(v128.load(input + 2 * plane), f32x4.mul(c, alongX)));
}

// @ts-ignore: decorator
@inline
function balanceInsideAdjoint(p: GeostrophicBalance, at: usize, plane: usize, row: usize): void {
  const input = p.input + at;
  const output = p.output + at;
  const c = p.coefficient + at;
  const alongX = f32x4.mul(f32x4.splat(p.perDx), centredAdjoint(input + 2 * plane, c, 4));
  const alongY = f32x4.mul(f32x4.splat(p.perDy), centredAdjoint(input + plane, c, row));
  v128.store(output, f32x4.add(f32x4.sub(v128.load(input), alongY), alongX));
  v128.store(output + plane, v128.load(input + plane));
  v128.store(output + 2 * plane, v128.load(input + 2 * plane));
}

/** A part is a row of cells. */
export function geostrophicBalance(p: GeostrophicBalance, j: i32, scratch: usize): void {
  const plane = <usize>(p.nx * p.ny) << 2;
  const row = <usize>p.nx << 2;
  const start = <usize>j * row;
  // The adjoint collects from cells whose own difference is one-sided only at the ends.
  const isInside = j >= 2 && j < p.ny - 2;
  let i = 0;
  while (i < p.nx) {
    const at = start + (<usize>i << 2);
    const four = isInside && i >= 2 && i + 4 <= p.nx - 2;
    if (p.transpose) {
      if (four) balanceInsideAdjoint(p, at, plane, row);
      else balanceCellAdjoint(p, i, j, at, plane, row);
    } else if (four) balanceInside(p, at, plane, row);
    else balanceCell(p, i, j, at, plane, row);
    i += four ? 4 : 1;
  }
}
