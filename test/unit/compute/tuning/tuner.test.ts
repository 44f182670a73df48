/** The tuner against a backend whose variants take as long as the test says, by a clock of its own. */
import { describe, expect, it } from 'vitest';
import { readTuningRecord, tune, tuningTask } from '../../../../engine/compute/tuning/index.ts';
import type { TuningTask } from '../../../../engine/compute/tuning/index.ts';
import { chosenVariant, createKernelChoices, sizeClassOf } from '../../../../engine/compute/variants.ts';
import type { KernelVariants } from '../../../../engine/compute/variants.ts';
import { BackendError } from '../../../../engine/index.ts';
import type { Backend, KernelSample, Operator } from '../../../../engine/index.ts';

interface Parameters {
  readonly n: number;
}

const FIELDS = { input: 'real', output: 'real' } as const;

const sum: Operator<Parameters, typeof FIELDS> = {
  name: 'sum',
  fields: FIELDS,
  cost: () => ({ bytes: 0, flops: 0 }),
  implementations: { reference: () => () => undefined },
};

const variants: KernelVariants<Parameters, { readonly unroll: number }> = {
  kernel: 'sum.pass',
  sizeClass: ({ n }) => sizeClassOf(n),
  offered: ({ n }) => ({ plain: { unroll: 1 }, two: { unroll: 2 }, ...(n % 4 === 0 && { four: { unroll: 4 } }) }),
};

function taskOf(n: number): TuningTask {
  return tuningTask({
    operator: sum,
    parameters: { n },
    variants,
    subject: { n },
    size: String(n),
    arrays: { input: () => new Float64Array(n).fill(1), output: n },
  });
}

/** @param milliseconds of a run by unrolling, the n-th time it is run */
function fakeBackend(milliseconds: (unroll: number, time: number) => number, preparing = 0) {
  let now = 0;
  let held = 0;
  const listeners = new Set<(sample: KernelSample) => void>();
  const runs = new Map<number, number>();
  const tuning = {
    device: 'a machine',
    isSoftware: false,
    traits: { threads: 1, workgroupInvocations: 0, workgroupBytes: 0, subgroups: false },
    choices: createKernelChoices(),
  };
  const backend = {
    name: 'wasm',
    tuning,
    allocate: () => {
      held += 1;
      return {
        dispose: () => {
          held -= 1;
        },
      };
    },
    write: () => undefined,
    prepare(_operator: unknown, parameters: Parameters) {
      const { unroll } = chosenVariant(tuning, variants, parameters);
      now += preparing;
      held += 1;
      return Promise.resolve({
        run() {
          const time = runs.get(unroll) ?? 0;
          runs.set(unroll, time + 1);
          const took = milliseconds(unroll, time);
          now += took;
          for (const listener of listeners) {
            listener({ name: 'sum', microseconds: took * 1000, clock: 'wall', begin: now, bytes: 0, flops: 0 });
          }
        },
        dispose: () => {
          held -= 1;
        },
      });
    },
    settle: () => Promise.resolve(),
    onKernel(listener: (sample: KernelSample) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Backend;
  return { backend, tuning, runs, now: () => now, held: () => held };
}

describe('the tuner', () => {
  it('takes what is quickest, says what each took, and the backend takes it from then on', async () => {
    const { backend, tuning, now, held } = fakeBackend((unroll) => 8 / unroll);
    const { record, kernels } = await tune(backend, [taskOf(64), taskOf(1001)], { now });
    expect(kernels[0]).toEqual({
      kernel: 'sum.pass',
      sizeClass: '64',
      size: '64',
      candidates: [
        { variant: 'plain', milliseconds: 8 },
        { variant: 'two', milliseconds: 4 },
        { variant: 'four', milliseconds: 2 },
      ],
      chosen: 'four',
      isSettled: true,
    });
    expect(kernels[1].chosen).toBe('two');
    expect(record.choices).toEqual([
      { kernel: 'sum.pass', sizeClass: '64', variant: 'four', milliseconds: 2 },
      { kernel: 'sum.pass', sizeClass: '1024', variant: 'two', milliseconds: 4 },
    ]);
    expect(readTuningRecord(JSON.parse(JSON.stringify(record)), 'a machine')).toEqual(record);
    expect(chosenVariant(tuning, variants, { n: 60 })).toEqual({ unroll: 4 });
    // Chosen for its class, but not offered at this size.
    expect(chosenVariant(tuning, variants, { n: 61 })).toEqual({ unroll: 1 });
    expect(held()).toBe(0);
  });

  it('is not misled by a machine that is busy for a while, whichever is measured then', async () => {
    let calls = 0;
    // Every third run takes ten times as long, for nobody's fault.
    const { backend, now } = fakeBackend((unroll) => (5 / unroll) * (calls++ % 3 === 0 ? 10 : 1));
    expect((await tune(backend, [taskOf(64)], { now })).kernels[0].chosen).toBe('four');
  });

  it('does not take what was quick once by chance', async () => {
    // One of its runs is ten times as quick as the others.
    const { backend, now } = fakeBackend((unroll, time) => (unroll === 2 && time === 3 ? 0.5 : 5));
    const { kernels } = await tune(backend, [taskOf(64)], { now });
    expect(kernels[0].chosen).toBe('plain');
    expect(kernels[0].candidates[1].milliseconds).toBe(0.5);
  });

  it('keeps the default where another gains next to nothing', async () => {
    const { backend, now } = fakeBackend((unroll) => (unroll === 1 ? 1 : 0.99));
    const { kernels, record } = await tune(backend, [taskOf(64)], { now });
    expect(kernels[0].chosen).toBe('plain');
    expect(record.choices[0].variant).toBe('plain');
  });

  it('runs short ones many times together, and what is far behind no more', async () => {
    const { backend, runs, now } = fakeBackend((unroll) => (unroll === 2 ? 3 : 0.01));
    await tune(backend, [taskOf(64)], { now });
    // Once to begin with, then four rounds of one run each.
    expect(runs.get(2)).toBe(5);
    expect(runs.get(4)).toBeGreaterThan(16 * 50);
  });

  it('ends in time: what could not be tried has no time, and the default stays', async () => {
    const { backend, tuning, now } = fakeBackend((unroll) => 100 / unroll, 400);
    const { kernels, record } = await tune(backend, [taskOf(64), taskOf(128)], { now, budgetMilliseconds: 900 });
    expect(kernels[0].candidates.map(({ milliseconds }) => milliseconds)).toEqual([100, null, null]);
    expect(kernels[1].candidates[1].milliseconds).toBeNull();
    expect(kernels.map(({ isSettled }) => isSettled)).toEqual([false, false]);
    expect(record.choices).toEqual([]);
    expect(chosenVariant(tuning, variants, { n: 64 })).toEqual({ unroll: 1 });
    // One candidate of each task was begun, whatever the time.
    expect(now()).toBeLessThan(2 * (400 + 3 * 100) + 1);
  });

  it('puts the choice back that was there when a candidate fails, and frees what it took', async () => {
    const { backend, tuning, now, held } = fakeBackend((unroll) => {
      if (unroll === 2) throw new Error('broken');
      return 1;
    });
    tuning.choices.choose('sum.pass', '64', 'four');
    await expect(tune(backend, [taskOf(64)], { now })).rejects.toThrow('broken');
    expect(chosenVariant(tuning, variants, { n: 64 })).toEqual({ unroll: 4 });
    expect(held()).toBe(0);
  });

  it('continues without a variant that the device refuses, and says why', async () => {
    const { backend, now } = fakeBackend((unroll) => 4 / unroll);
    const prepare = backend.prepare.bind(backend);
    const refusing = {
      ...backend,
      prepare: (operator: typeof sum, parameters: Parameters) =>
        backend.tuning?.choices.of('sum.pass', '64') === 'four'
          ? Promise.reject(new BackendError('no room for four'))
          : prepare(operator, parameters),
    } as unknown as Backend;
    const [finding] = (await tune(refusing, [taskOf(64)], { now })).kernels;
    expect(finding.chosen).toBe('two');
    expect(finding.candidates[2]).toEqual({ variant: 'four', milliseconds: null, problem: 'no room for four' });
  });

  it('refuses a backend that has nothing to tune', async () => {
    await expect(tune({ name: 'reference' } as Backend, [])).rejects.toThrow('nothing to tune');
  });
});

async function someRecord() {
  return (await tune(fakeBackend(() => 1).backend, [taskOf(64)])).record;
}

describe('a record', () => {
  it('is of one device and one version of the kernels', async () => {
    const kept = await someRecord();
    expect(readTuningRecord(kept, 'a machine')).toEqual(kept);
    expect(readTuningRecord(kept, 'another machine')).toBeUndefined();
    expect(readTuningRecord({ ...kept, version: 'of another day' }, 'a machine')).toBeUndefined();
  });

  it.each([
    [undefined],
    [null],
    ['text'],
    [{}],
    [{ device: 'a machine', version: 'x' }],
    [{ device: 'a machine', version: 'x', choices: 'all' }],
  ])('is not %j', (found) => {
    expect(readTuningRecord(found, 'a machine')).toBeUndefined();
  });

  it.each([
    { kernel: 7 },
    { kernel: '' },
    { variant: 'x'.repeat(201) },
    { milliseconds: -1 },
    { milliseconds: Infinity },
    { more: true },
  ])('has no choice like %j', async (wrong) => {
    const kept = await someRecord();
    const broken = { ...kept, choices: [{ ...kept.choices[0], ...wrong }] };
    expect(readTuningRecord(broken, 'a machine')).toBeUndefined();
  });
});

it('a class of sizes is the nearest power of two of each count', () => {
  expect(sizeClassOf(124, 132, 130)).toBe('128x128x128');
  expect(sizeClassOf(1, 0, 3, 90, 91)).toBe('1x1x4x64x128');
});
