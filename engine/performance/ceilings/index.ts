/**
 * What this machine can do at most, measured in the process that runs the kernels: the speed of a plain copy, and of
 * multiply-adds that wait for nothing. A kernel's share of the nearer one says how much there is left to gain.
 */
import type { Backend, KernelSample, Operator } from '../../compute/backend.ts';

export interface Ceilings {
  /** Bytes read and written by a copy larger than any cache, 10⁹ a second. */
  readonly copyGigabytesPerSecond: number;
  /** Floating-point operations, 10⁹ a second; a multiply-add is two. */
  readonly fmaGigaflopsPerSecond: number;
}

/** Runs of each measurement; the best counts. */
const RUNS = 5;
/** Reals of the copy: first a short one, and where that is over at once, one that no cache holds. */
const SHORT = 2 ** 21;
const LONG = 2 ** 25;
const AT_ONCE_MICROSECONDS = 2000;
/** Values that are advanced, and multiply-adds of each. */
const VALUES = 2 ** 17;
const STEPS = 256;

/** target = source, as a kernel. */
const streamCopy: Operator<{ readonly length: number }, { source: 'real'; target: 'real' }> = {
  name: 'ceiling-copy',
  fields: { source: 'real', target: 'real' },
  cost: ({ length }, elementBytes) => ({ bytes: 2 * length * elementBytes, flops: 0 }),
  reference:
    () =>
    ({ source, target }) =>
      target.set(source),
  webgpu: async () => ({ default: (await import('./webgpu.ts')).streamCopy }),
};

export interface MultiplyAddParameters {
  /** Values, a multiple of 4. */
  readonly length: number;
  readonly steps: number;
}

/** x ← 0.999 x + 0.001, `steps` times, for every value: the values stay between those they start from and 1. */
const multiplyAdd: Operator<MultiplyAddParameters, { values: 'real' }> = {
  name: 'ceiling-multiply-add',
  fields: { values: 'real' },
  cost: ({ length, steps }, elementBytes) => ({ bytes: 2 * length * elementBytes, flops: 2 * length * steps }),
  reference:
    ({ length, steps }) =>
    ({ values }) => {
      // Four at a time, so that no multiply-add waits for the one before.
      for (let i = 0; i < length; i += 4) {
        let a = values[i];
        let b = values[i + 1];
        let c = values[i + 2];
        let d = values[i + 3];
        for (let s = 0; s < steps; s++) {
          a = 0.999 * a + 0.001;
          b = 0.999 * b + 0.001;
          c = 0.999 * c + 0.001;
          d = 0.999 * d + 0.001;
        }
        values[i] = a;
        values[i + 1] = b;
        values[i + 2] = c;
        values[i + 3] = d;
      }
    },
  webgpu: async () => ({ default: (await import('./webgpu.ts')).multiplyAdd }),
};

/** Takes some hundredths of a second on a GPU, some tenths on a CPU. */
export async function measureCeilings(backend: Backend): Promise<Ceilings> {
  const samples: KernelSample[] = [];
  const stop = backend.onKernel((sample) => samples.push(sample));
  /** The shortest of the runs since the last call. */
  const best = async (): Promise<KernelSample> => {
    await backend.settle();
    return samples.splice(0).reduce((least, sample) => (sample.microseconds < least.microseconds ? sample : least));
  };
  const copy = async (length: number): Promise<KernelSample> => {
    const source = backend.allocate('ceiling.source', 'real', length);
    const target = backend.allocate('ceiling.target', 'real', length);
    const prepared = await backend.prepare(streamCopy, { length });
    for (let run = 0; run < RUNS; run++) prepared.run({ source, target });
    const sample = await best();
    for (const owned of [source, target, prepared]) owned.dispose();
    return sample;
  };
  try {
    const short = await copy(SHORT);
    const longest = Math.min(LONG, Math.floor(backend.limits.fieldBytes / backend.elementBytes));
    const copied = short.microseconds < AT_ONCE_MICROSECONDS && longest > SHORT ? await copy(longest) : short;
    const values = backend.allocate('ceiling.values', 'real', VALUES);
    backend.write(values, new Float64Array(VALUES).fill(0.5));
    const advancing = await backend.prepare(multiplyAdd, { length: VALUES, steps: STEPS });
    for (let run = 0; run < RUNS; run++) advancing.run({ values });
    const advanced = await best();
    for (const owned of [values, advancing]) owned.dispose();
    return {
      copyGigabytesPerSecond: perSecond(copied.bytes, copied.microseconds),
      fmaGigaflopsPerSecond: perSecond(advanced.flops, advanced.microseconds),
    };
  } finally {
    stop();
  }
}

/** A rate in 10⁹ a second; a time too short for the clock counts as a tenth of a microsecond. */
function perSecond(amount: number, microseconds: number): number {
  return amount / Math.max(0.1, microseconds) / 1000;
}
