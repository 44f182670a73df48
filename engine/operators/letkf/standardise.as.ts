// Observations in units of their error, in the order of the bins, so that the analysis reads neighbours one after the other.

import { Letkf } from './wasm';

/** Slots of a part. */
const SLOTS_OF_PART: i32 = 256;

function standardiseSlot(p: Letkf, slot: i32): void {
  const observation = <usize>i32.load(p.binObservations + (<usize>slot << 2)) << 2;
  const stride = <usize>p.observations << 2;
  const scale = f32.load(p.inverseErrorStd + observation);
  const present = scale > 0;
  const observed = p.observedEnsemble + observation;
  // About the first member, so that the mean keeps the digits of the anomalies.
  const first = f32.load(observed);
  let sum: f32 = 0;
  for (let l: usize = 1; l < <usize>p.members; l++) sum += f32.load(observed + l * stride) - first;
  const mean = sum / <f32>p.members;
  const row = p.anomalies + <usize>slot * (<usize>p.padded << 2);
  for (let l: usize = 0; l < <usize>p.padded; l++) {
    const there = present && l < <usize>p.members;
    const anomaly: f32 = there ? scale * p.meanScale * (f32.load(observed + l * stride) - first - mean) : 0;
    f32.store(row + (l << 2), anomaly);
  }
  const known = p.slots + (<usize>slot << 4);
  f32.store(known, f32.load(p.positionX + observation));
  f32.store(known, f32.load(p.positionY + observation), 4);
  f32.store(known, present ? scale * (f32.load(p.values + observation) - first - mean) : 0, 8);
  f32.store(known, present ? 1 : 0, 12);
}

export function letkfStandardise(p: Letkf, part: i32, scratch: usize): void {
  const end = min((part + 1) * SLOTS_OF_PART, p.observations);
  for (let slot = part * SLOTS_OF_PART; slot < end; slot++) standardiseSlot(p, slot);
}
