/**
 * What a kernel reached, from what it moved and computed by formula and how long it took by the clock, and how near that is
 * to what the machine can do. A time that is no longer than a step of its clock gives no rate.
 */
import type { Ceilings } from '../compute/backend.ts';

/** Calls of a kernel, added up. */
export interface KernelWork {
  readonly calls: number;
  readonly totalMicroseconds: number;
  readonly clock: 'device' | 'wall';
  /** Bytes of all calls together, by the operator's formulas. */
  readonly bytes: number;
  readonly flops: number;
}

export interface KernelRates {
  /** bytes and flops over the total time; null where the clock is too coarse. */
  readonly gigabytesPerSecond: number | null;
  readonly gigaflopsPerSecond: number | null;
  /** Which ceiling is the nearer one at this kernel's operations per byte; null if none is known or none applies. */
  readonly bound: 'bandwidth' | 'arithmetic' | null;
  /** Fraction of that ceiling; above 1 if caches were faster than the memory. Null if it is not known. */
  readonly fractionOfCeiling: number | null;
}

/** What a clock's step is taken to be where it is not known: the coarsest that a browser has. */
const UNKNOWN_TICK_MICROSECONDS = 100;
/** A rate is given where its standard deviation, by the clock alone, is a tenth of it at most. */
const LARGEST_DEVIATION = 0.1;

/**
 * Whether a clock that continues in steps has seen this work. Begin and end of each call are cut to a step, so that a call's
 * time is right in the mean and off by a triangular error of variance tick²/6; over n calls that adds up to tick √(n/6).
 */
export function isSeen({ calls, totalMicroseconds, clock }: KernelWork, ceilings: Ceilings | undefined): boolean {
  const tick = ceilings?.clock === clock ? ceilings.tickMicroseconds : UNKNOWN_TICK_MICROSECONDS;
  return totalMicroseconds > 0 && tick * Math.sqrt(calls / 6) <= LARGEST_DEVIATION * totalMicroseconds;
}

const UNKNOWN: KernelRates = {
  gigabytesPerSecond: null,
  gigaflopsPerSecond: null,
  bound: null,
  fractionOfCeiling: null,
};

/** Which ceiling is nearer: the one that would take longer for this work if it were reached. */
export function boundOf({ bytes, flops }: Pick<KernelWork, 'bytes' | 'flops'>, ceilings: Ceilings | undefined) {
  if (!ceilings || (bytes <= 0 && flops <= 0)) return null;
  return bytes / ceilings.copyGigabytesPerSecond >= flops / ceilings.fmaGigaflopsPerSecond ? 'bandwidth' : 'arithmetic';
}

/** @param ceilings of the machine that the work was done on, where they were measured */
export function ratesOf(work: KernelWork, ceilings: Ceilings | undefined): KernelRates {
  const bound = boundOf(work, ceilings);
  if (!isSeen(work, ceilings)) return { ...UNKNOWN, bound };
  const gigabytesPerSecond = work.bytes / work.totalMicroseconds / 1000;
  const gigaflopsPerSecond = work.flops / work.totalMicroseconds / 1000;
  const fractionOfCeiling =
    ceilings && bound
      ? Math.max(
          gigabytesPerSecond / ceilings.copyGigabytesPerSecond,
          gigaflopsPerSecond / ceilings.fmaGigaflopsPerSecond,
        )
      : null;
  return { gigabytesPerSecond, gigaflopsPerSecond, bound, fractionOfCeiling };
}
