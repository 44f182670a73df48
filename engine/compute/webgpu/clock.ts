/**
 * Times passes and moments on the device by `timestamp-query` where the adapter offers it. Each takes slots of a query set; what
 * has been written is resolved with the submission that holds it, and comes back with what is staged.
 */
import { createClockCorrelation } from './clock-correlation.ts';
import type { Staging } from './staging.ts';

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
