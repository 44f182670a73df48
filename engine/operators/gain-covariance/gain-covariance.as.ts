// P_HT by its formula (index.ts), an observation a part: for each of its nonzeros the rows in reach, eight elements at a time.

import { multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';

@unmanaged
class GainCovariance {
  nx: i32;
  ny: i32;
  periodicX: i32;
  periodicY: i32;
  variables: i32;
  members: i32;
  firstObservation: i32;
  reachX: i32;
  reachY: i32;
  anomalies: usize;
  taperRow: usize;
  indptr: usize;
  indices: usize;
  data: usize;
  output: usize;
}

/** The runs of indices within reach of `centre`: the run `which` of at most two, as its first and its end in the two halves. */
function runOf(centre: i32, reach: i32, size: i32, periodic: i32, which: i32): i64 {
  let first = centre - reach;
  let end = centre + reach + 1;
  let wrappedFirst = 0;
  let wrappedEnd = 0;
  if (!periodic || end - first >= size) {
    first = max(first, 0);
    end = min(end, size);
    if (periodic) {
      first = 0;
      end = size;
    }
  } else if (first < 0) {
    wrappedFirst = first + size;
    wrappedEnd = size;
    first = 0;
  } else if (end > size) {
    wrappedEnd = end - size;
    end = size;
  }
  return which == 0 ? <i64>first | (<i64>end << 32) : <i64>wrappedFirst | (<i64>wrappedEnd << 32);
}

/** Adds one nonzero's share to the elements x0 … x1 − 1 of row y in every variable. `taper` has room for them, after the coefficients. */
function addRun(p: GainCovariance, cellX: i32, cellY: i32, y: i32, x0: i32, x1: i32, row: usize, scratch: usize): void {
  const stride = <usize>(p.variables * p.nx * p.ny) << 2;
  const taper = scratch + (<usize>p.members << 2);
  const tapers = p.taperRow + (<usize>(abs(y - cellY) * p.nx) << 2);
  for (let x = x0; x < x1; x++) {
    f32.store(taper + (<usize>(x - x0) << 2), f32.load(tapers + (<usize>abs(x - cellX) << 2)));
  }
  for (let v = 0; v < p.variables; v++) {
    const first = <usize>(v * p.nx * p.ny + y * p.nx) << 2;
    for (let x = x0; x < x1; x += 8) {
      const place = first + (<usize>x << 2);
      let at = p.anomalies + place;
      // Vectors may reach past the run: what is there is not stored.
      let product = f32x4.splat(0);
      let next = product;
      for (let l: usize = 0; l < <usize>p.members << 2; l += 4) {
        const e = v128.load32_splat(scratch + l);
        product = multiplyAdd(v128.load(at), e, product);
        next = multiplyAdd(v128.load(at, 16), e, next);
        at += stride;
      }
      const target = row + place;
      const lags = taper + (<usize>(x - x0) << 2);
      const count = x1 - x;
      storeFirst(target, multiplyAdd(v128.load(lags), product, v128.load(target)), count);
      if (count > 4) storeFirst(target + 16, multiplyAdd(v128.load(lags, 16), next, v128.load(target, 16)), count - 4);
    }
  }
}

export function gainCovariance(p: GainCovariance, part: i32, scratch: usize): void {
  const cells = p.nx * p.ny;
  const state = p.variables * cells;
  const row = p.output + <usize>part * (<usize>state << 2);
  memory.fill(row, 0, <usize>state << 2);
  const bounds = p.indptr + (<usize>(p.firstObservation + part) << 2);
  const end = i32.load(bounds, 4);
  for (let entry = i32.load(bounds); entry < end; entry++) {
    const column = i32.load(p.indices + (<usize>entry << 2));
    const h = f32.load(p.data + (<usize>entry << 2)) / <f32>(p.members - 1);
    const cellX = column % p.nx;
    const cellY = (column % cells) / p.nx;
    // h e[column, l]/(L − 1)
    for (let l = 0; l < p.members; l++) {
      const e = f32.load(p.anomalies + (<usize>(l * state + column) << 2));
      f32.store(scratch + (<usize>l << 2), h * e);
    }
    for (let wy = 0; wy < 2; wy++) {
      const rows = runOf(cellY, p.reachY, p.ny, p.periodicY, wy);
      for (let y = <i32>rows; y < <i32>(rows >> 32); y++) {
        for (let wx = 0; wx < 2; wx++) {
          const columns = runOf(cellX, p.reachX, p.nx, p.periodicX, wx);
          addRun(p, cellX, cellY, y, <i32>columns, <i32>(columns >> 32), row, scratch);
        }
      }
    }
  }
}
