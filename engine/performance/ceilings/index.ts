/**
 * Measures what this machine can do at most: the speed of a plain copy, that of multiply-adds that wait for nothing, and what
 * a run costs that does nothing. A kernel's share of the nearer ceiling says how much there is left to gain. A measurement
 * that is over too soon for the clock is taken again with more work.
 */
import type { Backend, KernelSample, RealField, Operator, RealArray, Ceilings } from '../../compute/backend.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { partsFor, type WasmOperator } from '../../compute/wasm/program.ts';
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { partsOf, workgroupsFor, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import kernels from './ceilings.wgsl?raw';

/** target = source, as a kernel. */
const streamCopy: Operator<StreamCopyParameters, { source: 'real'; target: 'real' }> = {
  name: 'ceiling-copy',
  fields: { source: 'real', target: 'real' },
  cost: ({ length, repeats }, elementBytes) => ({ bytes: 2 * length * elementBytes * repeats, flops: 0 }),
  implementations: {
    reference:
      ({ repeats }) =>
      ({ source, target }) => {
        for (let n = 0; n < repeats; n++) target.set(source);
      },
    wasm: async () => streamCopyWasm,
    webgpu: async () => streamCopyWebGpu,
  },
};

/** x ← 0.999 x + 0.001, `steps` times, for every value: the values stay between those they start from and 1. */
const multiplyAdd: Operator<MultiplyAddParameters, { values: 'real' }> = {
  name: 'ceiling-multiply-add',
  fields: { values: 'real' },
  cost: ({ length, steps, repeats }, elementBytes) => ({
    bytes: 2 * length * elementBytes * repeats,
    flops: 2 * length * steps * repeats,
  }),
  implementations: {
    reference:
      ({ length, steps, repeats }) =>
      ({ values }) => {
        for (let n = 0; n < repeats; n++) advance(values, length, steps);
      },
    wasm: async () => multiplyAddWasm,
    webgpu: async () => multiplyAddWebGpu,
  },
};

/** Four at a time, so that no multiply-add waits for the one before. */
function advance(values: RealArray, length: number, steps: number): void {
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
}

/** The steps in which clocks continue: browsers make them coarse on purpose, up to a tenth of a millisecond. */
const CHANGES = 16;
const LONGEST_MILLISECONDS = 20;

/** @returns the smallest step in which `performance.now()` was seen to continue, microseconds */
export function wallClockStep(now: () => number = () => performance.now()): number {
  const begin = now();
  let before = begin;
  let least = LONGEST_MILLISECONDS;
  for (let changes = 0; changes < CHANGES && before - begin < LONGEST_MILLISECONDS;) {
    const next = now();
    if (next <= before) continue;
    least = Math.min(least, next - before);
    before = next;
    changes += 1;
  }
  return least * 1000;
}

/**
 * @param microseconds times that are whole numbers of nanoseconds
 * @returns the greatest step that all of them are multiples of, microseconds; 0 where all are 0
 */
export function greatestStep(microseconds: readonly number[]): number {
  const nanoseconds = microseconds.map((time) => Math.round(time * 1000));
  return nanoseconds.reduce(greatestCommonDivisor, 0) / 1000;
}

function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** Runs of each measurement; the best counts. */
const RUNS = 5;
/** What takes that long, and that many steps of the clock, is known to a few per cent. */
const LONG_ENOUGH_MICROSECONDS = 1000;
const LONG_ENOUGH_TICKS = 32;

/** Bytes of the largest fields of the measurement, of which it takes two at a time: together more than most caches hold. */
export const CEILING_FIELD_BYTES = 2 ** 26;

interface Copying {
  /** Bytes of either field. */
  readonly bytes: number;
  /** Dispatches, one after the other, that are timed together. */
  readonly repeats: number;
  /** A best time from which on more work adds no accuracy. */
  readonly enoughMicroseconds: number;
}

/** A short copy says how quick the machine is; only a slow one is spared the one that no cache holds. */
const COPIES: readonly Copying[] = [
  { bytes: 2 ** 23, repeats: 1, enoughMicroseconds: 8000 },
  { bytes: CEILING_FIELD_BYTES, repeats: 1, enoughMicroseconds: LONG_ENOUGH_MICROSECONDS },
  { bytes: CEILING_FIELD_BYTES, repeats: 32, enoughMicroseconds: 0 },
];
/** Sixteen times as much at most from one to the next, so that none takes long where the one before was short. */
const ADVANCES: readonly MultiplyAddParameters[] = [
  { length: 2 ** 17, steps: 256, repeats: 1 },
  { length: 2 ** 20, steps: 512, repeats: 1 },
  { length: 2 ** 22, steps: 2048, repeats: 1 },
  { length: 2 ** 22, steps: 4096, repeats: 8 },
];
const EMPTY_RUN: MultiplyAddParameters = { length: 16, steps: 4, repeats: 1 };
/** Runs that do next to nothing, timed together since one is shorter than most clocks can see. */
const EMPTY_RUNS = 64;

/** Numbers that are written in one part. */
const PIECE = 2 ** 18;

type Parts<Result> = AsyncGenerator<void, Result, void>;

/** Runs something and says how long that took, each timed run by itself. */
type Time = (run: () => void) => Promise<readonly KernelSample[]>;

/**
 * The measurement in parts of some hundredths of a second at most on a machine of today, so that other work comes in between;
 * 15 to 40 of them. The backend must have nothing else to do meanwhile.
 */
export async function* measureCeilingsByParts(backend: Backend): Parts<Ceilings> {
  const samples: KernelSample[] = [];
  const seen: number[] = [];
  const stop = backend.onKernel((sample) => samples.push(sample));
  const time: Time = async (run) => {
    run();
    await backend.settle();
    seen.push(...samples.map(({ microseconds }) => microseconds));
    return samples.splice(0);
  };
  try {
    const wallStep = wallClockStep();
    const tick = (clock: Ceilings['clock']): number => (clock === 'wall' ? wallStep : greatestStep(seen));
    const isEnough = ({ microseconds, clock }: KernelSample, enough: number): boolean =>
      microseconds >= Math.max(enough, LONG_ENOUGH_TICKS * tick(clock));
    const dispatchMicroseconds = yield* timeEmptyRuns(backend, time);
    const copied = yield* timeCopies(backend, time, isEnough);
    const advanced = yield* timeAdvances(backend, time, isEnough);
    return {
      copyGigabytesPerSecond: perSecond(copied.bytes, copied.microseconds),
      fmaGigaflopsPerSecond: perSecond(advanced.flops, advanced.microseconds),
      dispatchMicroseconds,
      clock: advanced.clock,
      tickMicroseconds: tick(advanced.clock),
    };
  } finally {
    stop();
  }
}

/** All parts of the measurement, one after the other: some hundredths of a second on a GPU, some tenths on a CPU. */
export async function measureCeilings(backend: Backend): Promise<Ceilings> {
  const parts = measureCeilingsByParts(backend);
  for (;;) {
    const part = await parts.next();
    if (part.done) return part.value;
  }
}

const OCCUPATION: MultiplyAddParameters = { length: 2 ** 20, steps: 512, repeats: 1 };
/** Work is queued in portions of about this length. */
const PORTION_MILLISECONDS = 20;

/**
 * Keeps a backend at work for some time. A GPU that was idle for seconds is several times slower at first, and one that is
 * given little to do stays so: what follows finds it awake.
 */
export async function occupy(
  backend: Backend,
  milliseconds: number,
  now: () => number = () => performance.now(),
): Promise<void> {
  const values = backend.allocate('ceiling.values', 'real', OCCUPATION.length);
  const prepared = await backend.prepare(multiplyAdd, OCCUPATION);
  try {
    backend.write(values, new Float64Array(OCCUPATION.length).fill(0.5));
    await backend.settle();
    const begin = now();
    for (let portion = 1; now() - begin < milliseconds;) {
      const start = now();
      for (let n = 0; n < portion; n++) prepared.run({ values });
      await backend.settle();
      if (now() - start < PORTION_MILLISECONDS / 2) portion *= 2;
    }
  } finally {
    for (const owned of [values, prepared]) owned.dispose();
  }
}

/** What a run takes that does next to nothing, microseconds. */
async function* timeEmptyRuns(backend: Backend, time: Time): Parts<number> {
  const values = backend.allocate('ceiling.values', 'real', EMPTY_RUN.length);
  backend.write(values, new Float64Array(EMPTY_RUN.length).fill(0.5));
  const prepared = await backend.prepare(multiplyAdd, EMPTY_RUN);
  let least = Infinity;
  for (let run = 0; run < RUNS; run++) {
    const batch = await time(() => {
      for (let n = 0; n < EMPTY_RUNS; n++) prepared.run({ values });
    });
    least = Math.min(least, batch.reduce((sum, { microseconds }) => sum + microseconds, 0) / batch.length);
    yield;
  }
  for (const owned of [values, prepared]) owned.dispose();
  return least;
}

type IsEnough = (sample: KernelSample, enoughMicroseconds: number) => boolean;

async function* timeCopies(backend: Backend, time: Time, isEnough: IsEnough): Parts<KernelSample> {
  let best = NOTHING;
  for (const { bytes, repeats, enoughMicroseconds } of COPIES) {
    if (bytes > backend.limits.fieldBytes) break;
    const length = bytes / backend.elementBytes;
    const source = backend.allocate('ceiling.source', 'real', length);
    const target = backend.allocate('ceiling.target', 'real', length);
    const prepared = await backend.prepare(streamCopy, { length, repeats });
    best = yield* bestOf(() => prepared.run({ source, target }), time);
    for (const owned of [source, target, prepared]) owned.dispose();
    if (isEnough(best, enoughMicroseconds)) break;
  }
  return best;
}

/** Writes one number everywhere, a piece in each part: of a large field all of it takes longer than a picture of a page. */
async function* fill(backend: Backend, field: RealField, value: number): Parts<void> {
  const piece = new Float64Array(Math.min(PIECE, field.length)).fill(value);
  for (let from = 0; from < field.length; from += PIECE) {
    backend.write(field, piece.subarray(0, Math.min(PIECE, field.length - from)), from);
    yield;
  }
}

async function* timeAdvances(backend: Backend, time: Time, isEnough: IsEnough): Parts<KernelSample> {
  let best = NOTHING;
  for (const work of ADVANCES) {
    const values = backend.allocate('ceiling.values', 'real', work.length);
    yield* fill(backend, values, 0.5);
    const prepared = await backend.prepare(multiplyAdd, work);
    best = yield* bestOf(() => prepared.run({ values }), time);
    for (const owned of [values, prepared]) owned.dispose();
    if (isEnough(best, LONG_ENOUGH_MICROSECONDS)) break;
  }
  return best;
}

const NOTHING: KernelSample = { name: 'ceiling', begin: 0, microseconds: 0, clock: 'wall', bytes: 0, flops: 0 };

/** The shortest of some runs, each a part. */
async function* bestOf(run: () => void, time: Time): Parts<KernelSample> {
  let best: KernelSample | undefined;
  for (let n = 0; n < RUNS; n++) {
    for (const sample of await time(run)) {
      if (!best || sample.microseconds < best.microseconds) best = sample;
    }
    yield;
  }
  return best ?? NOTHING;
}

/** A rate in 10⁹ a second; a time too short for the clock counts as a tenth of a microsecond. */
function perSecond(amount: number, microseconds: number): number {
  return amount / Math.max(0.1, microseconds) / 1000;
}

interface StreamCopyParameters {
  /** Reals, a multiple of 4. */
  readonly length: number;
  /** Times that it is done in one run. */
  readonly repeats: number;
}

interface MultiplyAddParameters {
  /** Values, a multiple of 16. */
  readonly length: number;
  /** A multiple of 4. */
  readonly steps: number;
  /** Times that it is done in one run. */
  readonly repeats: number;
}

/** The kernels in SIMD, on all threads. */
const CEILING = parameterBlock('Ceiling', {
  length: 'i32',
  segment: 'i32',
  steps: 'i32',
  source: 'pointer',
  target: 'pointer',
});

/** Reals of a part; multiples of 32, as many as a step of the kernel takes. */
const COPIED = 262_144;
const ADVANCED = 4096;

const streamCopyWasm: WasmOperator<StreamCopyParameters, { source: 'real'; target: 'real' }> = (
  builder,
  { length, repeats },
) => {
  const program = builder.program('ceilingCopy', CEILING, { length, segment: COPIED });
  return ({ source, target }) => {
    program.set({ source: source.byteOffset, target: target.byteOffset });
    for (let n = 0; n < repeats; n++) program.run(partsFor(length, COPIED));
  };
};

const multiplyAddWasm: WasmOperator<MultiplyAddParameters, { values: 'real' }> = (
  builder,
  { length, steps, repeats },
) => {
  const program = builder.program('ceilingMultiplyAdd', CEILING, { length, segment: ADVANCED, steps });
  return ({ values }) => {
    program.set({ target: values.byteOffset });
    for (let n = 0; n < repeats; n++) program.run(partsFor(length, ADVANCED));
  };
};

const part = partsOf(kernels);
const WORKGROUP = 256;
const VALUES_PER_INVOCATION = 16;

const streamCopyWebGpu: WebGpuOperator<StreamCopyParameters, { source: 'real'; target: 'real' }> = async (
  builder,
  { length, repeats },
) => {
  const program = await builder.program({
    label: 'ceiling-copy.main',
    code: [indexLibrary, part('copy')],
    bindings: ['read', 'write'],
  });
  const workgroups = workgroupsFor(length / 4, WORKGROUP);
  return (recorder, { source, target }) => {
    for (let n = 0; n < repeats; n++) recorder.dispatch(program, [source, target], workgroups);
  };
};

const multiplyAddWebGpu: WebGpuOperator<MultiplyAddParameters, { values: 'real' }> = async (
  builder,
  { length, steps, repeats },
) => {
  const program = await builder.program({
    label: 'ceiling-multiply-add.main',
    code: [indexLibrary, part('multiply-add')],
    constants: { STEPS: steps },
    bindings: ['write'],
  });
  const workgroups = workgroupsFor(length / VALUES_PER_INVOCATION, WORKGROUP);
  return (recorder, { values }) => {
    for (let n = 0; n < repeats; n++) recorder.dispatch(program, [values], workgroups);
  };
};
