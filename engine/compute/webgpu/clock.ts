/**
 * Times passes on the device by `timestamp-query` where the adapter offers it. Each timed pass takes two slots of a query
 * set; a full set is resolved and read back with the submission that fills it.
 */
import type { KernelSample } from '../backend.ts';

export interface PassClock {
  /** Timestamp writes for one pass, or undefined when the set is full and must be collected first. */
  begin(sample: Omit<KernelSample, 'microseconds' | 'clock'>): GPUComputePassTimestampWrites | undefined;
  /** Resolves what has been written, into an encoder that comes after the passes. */
  resolve(encoder: GPUCommandEncoder): void;
  /** Reads the resolved times back and hands them out. Call after the encoder was submitted. */
  collect(deliver: (sample: KernelSample) => void): Promise<void>;
  readonly full: boolean;
  dispose(): void;
}

const PASSES = 512;
const NANOSECONDS_PER_MICROSECOND = 1000;

/** @returns undefined when the device has no `timestamp-query` */
export function createPassClock(device: GPUDevice): PassClock | undefined {
  if (!device.features.has('timestamp-query')) return undefined;
  const querySet = device.createQuerySet({ label: 'clock.queries', type: 'timestamp', count: 2 * PASSES });
  const resolved = device.createBuffer({
    label: 'clock.resolved',
    size: 16 * PASSES,
    usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
  });
  let waiting: Omit<KernelSample, 'microseconds' | 'clock'>[] = [];
  let inFlight: { readonly samples: typeof waiting; readonly staging: GPUBuffer }[] = [];
  return {
    get full() {
      return waiting.length === PASSES;
    },
    begin(sample) {
      if (waiting.length === PASSES) return undefined;
      const index = waiting.push(sample) - 1;
      return { querySet, beginningOfPassWriteIndex: 2 * index, endOfPassWriteIndex: 2 * index + 1 };
    },
    resolve(encoder) {
      if (waiting.length === 0) return;
      const staging = device.createBuffer({
        label: 'clock.staging',
        size: 16 * waiting.length,
        usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
      });
      encoder.resolveQuerySet(querySet, 0, 2 * waiting.length, resolved, 0);
      encoder.copyBufferToBuffer(resolved, 0, staging, 0, 16 * waiting.length);
      inFlight.push({ samples: waiting, staging });
      waiting = [];
    },
    async collect(deliver) {
      const batches = inFlight;
      inFlight = [];
      for (const { samples, staging } of batches) {
        await staging.mapAsync(GPUMapMode.READ);
        const times = new BigUint64Array(staging.getMappedRange());
        samples.forEach((sample, index) => {
          const nanoseconds = Number(times[2 * index + 1] - times[2 * index]);
          // Some drivers report an end before its beginning when the pass was moved between queues: not a time.
          if (nanoseconds >= 0)
            deliver({ ...sample, microseconds: nanoseconds / NANOSECONDS_PER_MICROSECOND, clock: 'device' });
        });
        staging.destroy();
      }
    },
    dispose() {
      querySet.destroy();
      resolved.destroy();
    },
  };
}
