/**
 * Times passes and moments on the device by `timestamp-query` where the adapter offers it. Each takes slots of a query set; what
 * has been written is resolved with the submission that holds it, and comes back with what is staged.
 */
import type { Staging } from './staging.ts';

/** One submission: two moments of the host around two of the device, each in milliseconds of its own clock. */
interface CorrelatedMoments {
  readonly submitted: number;
  readonly begun: number;
  readonly ended: number;
  readonly arrived: number;
}

/**
 * The offset of the device's clock from the host's. Work does not begin before it is submitted, and is over before the host
 * learns of it: each submission bounds what has to be added to a device's time from both sides, and all of them together bound
 * it the better the more there are. The middle of what is left is taken; half of its width is how far off it may be.
 */
interface ClockCorrelation {
  observe(moments: CorrelatedMoments): void;
  /** @returns the host's time of a device's, ms; NaN before anything was observed */
  toHost(milliseconds: number): number;
  /** Half the width of what the observations leave open, ms; Infinity before there are any. */
  readonly errorMilliseconds: number;
}

export function createClockCorrelation(): ClockCorrelation {
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const offset = (): number => (low + high) / 2;
  return {
    observe({ submitted, begun, ended, arrived }) {
      const [atLeast, atMost] = [submitted - begun, arrived - ended];
      // No clock goes backwards: a device that says so cannot be laid beside the host.
      if (!(begun <= ended && atLeast <= atMost)) return;
      low = Math.max(low, atLeast);
      high = Math.min(high, atMost);
      // The clocks have drifted apart since: what is known is what was seen last.
      if (low > high) [low, high] = [atLeast, atMost];
    },
    toHost: (milliseconds) => milliseconds + offset(),
    get errorMilliseconds() {
      return (high - low) / 2;
    },
  };
}

export interface PassClock {
  readonly full: boolean;
  /** By how much times of the device, laid over those of the host, may be off, ms; Infinity before there are any. */
  readonly errorMilliseconds: number;
  /** Times one pass. @param report takes the microseconds and when it began by the host's clock, ms, unless the device has lost them */
  time(report: (microseconds: number, begin: number) => void): GPUComputePassTimestampWrites;
  /** The moment when all before a pass is done, which does nothing itself. */
  mark(staged: StagedMark): GPUComputePassTimestampWrites;
  /** Stages what has been written, into an encoder that comes after the passes and is submitted at once. */
  resolve(encoder: GPUCommandEncoder, staging: Staging): void;
  /** What is not resolved never will be. @param reason what it fails with */
  dispose(reason: Error): void;
}

export interface StagedMark {
  arrive(milliseconds: number): void;
  fail(reason: Error): void;
}

/** One that has been given slots. */
interface Written {
  arrive(times: BigUint64Array): void;
  fail(reason: Error): void;
}

const SLOTS = 1024;
/** Slots that one may ask for. */
const MOST_SLOTS = 2;
const BYTES = BigUint64Array.BYTES_PER_ELEMENT;
const NANOSECONDS_PER_MICROSECOND = 1000;
const NANOSECONDS_PER_MILLISECOND = 1_000_000;

/** @returns undefined when the device has no `timestamp-query` */
export function createPassClock(device: GPUDevice): PassClock | undefined {
  if (!device.features.has('timestamp-query')) return undefined;
  const querySet = device.createQuerySet({ label: 'clock.queries', type: 'timestamp', count: SLOTS });
  const resolved = device.createBuffer({
    label: 'clock.resolved',
    size: BYTES * SLOTS,
    usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
  });
  const correlation = createClockCorrelation();
  let written: Written[] = [];
  let used = 0;
  /** The first time that was seen: from there on milliseconds keep all their digits. */
  let origin: bigint | undefined;
  const millisecondsOf = (time: bigint): number => Number(time - (origin ?? 0n)) / NANOSECONDS_PER_MILLISECOND;

  function correlate(times: BigUint64Array, submitted: number): void {
    origin ??= times[0];
    let [begun, ended] = [times[0], times[0]];
    for (const time of times) {
      if (time < begun) begun = time;
      if (time > ended) ended = time;
    }
    const arrived = performance.now();
    correlation.observe({ submitted, begun: millisecondsOf(begun), ended: millisecondsOf(ended), arrived });
  }

  return {
    get errorMilliseconds() {
      return correlation.errorMilliseconds;
    },
    get full() {
      return used + MOST_SLOTS > SLOTS;
    },
    time(report) {
      const slot = used;
      used += 2;
      written.push({
        arrive(times) {
          const nanoseconds = Number(times[slot + 1] - times[slot]);
          // Some drivers report an end before its beginning when the pass was moved between queues: not a time.
          if (nanoseconds < 0) return;
          report(nanoseconds / NANOSECONDS_PER_MICROSECOND, correlation.toHost(millisecondsOf(times[slot])));
        },
        fail: () => undefined,
      });
      return { querySet, beginningOfPassWriteIndex: slot, endOfPassWriteIndex: slot + 1 };
    },
    mark(staged) {
      const slot = used;
      used += 1;
      written.push({
        arrive: (times) => staged.arrive(Number(times[slot]) / NANOSECONDS_PER_MILLISECOND),
        fail: (reason) => staged.fail(reason),
      });
      return { querySet, endOfPassWriteIndex: slot };
    },
    resolve(encoder, staging) {
      if (used === 0) return;
      encoder.resolveQuerySet(querySet, 0, used, resolved, 0);
      const waiting = written;
      const submitted = performance.now();
      staging.stage(encoder, resolved, 0, BYTES * used, {
        arrive(bytes) {
          const times = new BigUint64Array(bytes);
          correlate(times, submitted);
          for (const each of waiting) each.arrive(times);
        },
        fail(reason) {
          for (const each of waiting) each.fail(reason);
        },
      });
      written = [];
      used = 0;
    },
    dispose(reason) {
      for (const each of written) each.fail(reason);
      written = [];
      querySet.destroy();
      resolved.destroy();
    },
  };
}
