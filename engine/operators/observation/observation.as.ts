// Observations of states and their derivatives (observation.ts, departure.ts), an observation at a time and in float64: what
// is gathered from four corners is not had four at a time. A part is a run of observations, of one member if there are several.

import { Linearisation, Observation } from './observation';
import { BelievedInnovation, TangentVariance, Innovation, Measurement } from './departure';
import { loadFirst, multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';

// What is observed, departures from it, and which of them to believe (departure.ts), four observations at a time. A part is a run
// of observations.
export function measure(p: Measurement, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.observations);
  for (let j = part * p.segment; j < end; j += 4) {
    const at = <usize>j << 2;
    const count = end - j;
    const term = loadFirst(p.term + at, count, 0);
    const seen = multiplyAdd(term, loadFirst(p.normal + at, count, 0), loadFirst(p.observed + at, count, 0));
    const isDrawn = i32x4.eq(loadFirst(p.isGiven + at, count, 0), i32x4.splat(0));
    storeFirst(p.values + at, v128.bitselect(seen, term, isDrawn), count);
  }
}

/** y − H(x̄), and 0 where r is: what is absent is 0, whatever the values are. */
// @ts-ignore: decorator
@inline
function departureAt(values: usize, observed: usize, r: v128, count: i32): v128 {
  const difference = f32x4.sub(loadFirst(values, count, 0), loadFirst(observed, count, 0));
  return v128.and(difference, f32x4.ne(r, f32x4.splat(0)));
}

export function depart(p: Innovation, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.observations);
  for (let j = part * p.segment; j < end; j += 4) {
    const at = <usize>j << 2;
    const count = end - j;
    const r = loadFirst(p.inverseErrorStd + at, count, 0);
    const departure = departureAt(p.values + at, p.observed + at, r, count);
    storeFirst(p.innovation + at, departure, count);
    storeFirst(p.scaled + at, f32x4.mul(r, departure), count);
  }
}

export function departIfBelieved(p: BelievedInnovation, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.observations);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const sharpest = f32x4.splat(p.sharpest);
  for (let j = part * p.segment; j < end; j += 4) {
    const at = <usize>j << 2;
    const count = end - j;
    const r = loadFirst(p.inverseErrorStd + at, count, 0);
    const n = loadFirst(p.threshold + at, count, 0);
    const variance = loadFirst(p.variance + at, count, 0);
    const departure = departureAt(p.values + at, p.observed + at, r, count);
    const size = f32x4.abs(departure);
    const expected = f32x4.sqrt(multiplyAdd(f32x4.mul(r, r), variance, one));
    const believed = v128.or(f32x4.eq(n, zero), f32x4.le(f32x4.mul(r, size), f32x4.mul(n, expected)));
    const scale = f32x4.max(f32x4.sqrt(variance), size);
    const tooSharp = f32x4.gt(f32x4.mul(r, scale), sharpest);
    const taken = v128.and(v128.bitselect(f32x4.div(sharpest, scale), r, tooSharp), believed);
    const used = v128.and(departure, f32x4.ne(taken, zero));
    storeFirst(p.effective + at, taken, count);
    storeFirst(p.innovation + at, used, count);
    storeFirst(p.scaled + at, f32x4.mul(taken, used), count);
  }
}

/** KIND of observation.ts: what is below is a component of the state. */
const VELOCITY_X: i32 = 256;
const VELOCITY_Y: i32 = 257;
const SPEED: i32 = 258;

/** Entries of `covariance` for an observation. */
const COVARIANCE_ENTRIES: i32 = 6;

// @ts-ignore: decorator
@inline
function real(base: usize, i: i32): f64 {
  return <f64>f32.load(base + (<usize>i << 2));
}

// @ts-ignore: decorator
@inline
function word(base: usize, i: i32): i32 {
  return i32.load(base + (<usize>i << 2));
}

/** 1/h, and harmless below the depth ε [kurganov2007]. */
function reciprocalDepth(h: f64, dryDepth: f64): f64 {
  if (h >= dryDepth) return 1 / h;
  const t = Math.max(h, 0) / dryDepth;
  const square = t * t;
  return (Math.SQRT2 * t) / (dryDepth * Math.sqrt(1 + square * square));
}

/** Its derivative; 0 where h ≤ 0. */
function reciprocalDepthSlope(h: f64, dryDepth: f64): f64 {
  if (h >= dryDepth) return -1 / (h * h);
  if (h <= 0) return 0;
  const square = (h / dryDepth) * (h / dryDepth);
  const sum = 1 + square * square;
  return (Math.SQRT2 * (1 - square * square)) / (dryDepth * dryDepth * sum * Math.sqrt(sum));
}

/** Four corners of the plane at `base` for the observation j, summed. */
// @ts-ignore: decorator
@inline
function interpolated(base: usize, corners: usize, weights: usize, j: i32): f64 {
  const at = <usize>j << 4;
  const c = corners + at;
  const w = weights + at;
  return (
    real(w, 0) * real(base, word(c, 0)) +
    real(w, 1) * real(base, word(c, 1)) +
    real(w, 2) * real(base, word(c, 2)) +
    real(w, 3) * real(base, word(c, 3))
  );
}

/** What of the momentum is observed: a component, or its size. */
// @ts-ignore: decorator
@inline
function momentum(kind: i32, hu: f64, hv: f64): f64 {
  if (kind == VELOCITY_X) return hu;
  return kind == VELOCITY_Y ? hv : Math.sqrt(hu * hu + hv * hv);
}

export function observe(p: Observation, part: i32, scratch: usize): void {
  const member = part / p.segments;
  const start = (part % p.segments) * p.segment;
  const end = min(start + p.segment, p.observations);
  const plane = <usize>p.plane << 2;
  const base = p.state + <usize>(member * p.variables) * plane;
  const output = p.output + (<usize>(member * p.observations) << 2);
  for (let j = start; j < end; j++) {
    const kind = word(p.kind, j);
    const component = kind < VELOCITY_X ? <usize>kind : 0;
    let seen = interpolated(base + component * plane, p.corners, p.weights, j) + real(p.offset, j);
    if (kind >= VELOCITY_X) {
      const hu = interpolated(base + plane, p.corners, p.weights, j);
      const hv = interpolated(base + 2 * plane, p.corners, p.weights, j);
      seen = reciprocalDepth(seen, p.dryDepth) * momentum(kind, hu, hv);
    }
    f32.store(output + (<usize>j << 2), <f32>seen);
  }
}

/** Entries of a component that the observation j depends on by `slope`. */
// @ts-ignore: decorator
@inline
function storeEntries(p: Linearisation, j: i32, place: i32, slope: f64): void {
  const first = word(p.indptr, j) + 4 * place;
  if (first >= word(p.indptr, j + 1)) return;
  const scale = real(p.inverseErrorStd, j) * slope;
  for (let corner = 0; corner < 4; corner++) {
    f32.store(p.data + (<usize>(first + corner) << 2), <f32>(scale * real(p.weights, 4 * j + corner)));
  }
}

export function linearise(p: Linearisation, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.observations);
  const plane = <usize>p.plane << 2;
  for (let j = part * p.segment; j < end; j++) {
    const kind = word(p.kind, j);
    let ofDepth: f64 = 1;
    let ofFirst: f64 = 1;
    let ofSecond: f64 = 1;
    if (kind >= VELOCITY_X) {
      const depth = interpolated(p.state, p.corners, p.weights, j) + real(p.offset, j);
      const hu = interpolated(p.state + plane, p.corners, p.weights, j);
      const hv = interpolated(p.state + 2 * plane, p.corners, p.weights, j);
      const size = momentum(kind, hu, hv);
      const reciprocal = reciprocalDepth(depth, p.dryDepth);
      ofDepth = reciprocalDepthSlope(depth, p.dryDepth) * size;
      ofFirst = reciprocal;
      if (kind == SPEED) {
        ofFirst = size > 0 ? (reciprocal * hu) / size : 0;
        ofSecond = size > 0 ? (reciprocal * hv) / size : 0;
      }
    }
    storeEntries(p, j, 0, ofDepth);
    storeEntries(p, j, 1, ofFirst);
    storeEntries(p, j, 2, ofSecond);
  }
}

/** Derivative of the observation by its component `place`: the sum of its entries. */
// @ts-ignore: decorator
@inline
function slopeOf(p: TangentVariance, j: i32, place: i32): f64 {
  const first = word(p.indptr, j) + 4 * place;
  if (first >= word(p.indptr, j + 1)) return 0;
  return real(p.data, first) + real(p.data, first + 1) + real(p.data, first + 2) + real(p.data, first + 3);
}

export function varyTangent(p: TangentVariance, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.observations);
  for (let j = part * p.segment; j < end; j++) {
    const a = slopeOf(p, j, 0);
    const b = slopeOf(p, j, 1);
    const c = slopeOf(p, j, 2);
    const q = p.covariance + (<usize>(COVARIANCE_ENTRIES * j) << 2);
    const own = a * a * real(q, 0) + b * b * real(q, 1) + c * c * real(q, 2);
    const crossed = a * b * real(q, 3) + a * c * real(q, 4) + b * c * real(q, 5);
    f32.store(p.variance + (<usize>j << 2), <f32>(own + 2 * crossed));
  }
}
