import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { nodeGpu } from '../../../app/cli/adapters.ts';
import { workgroupsFor } from '../../../engine/compute/webgpu/program.ts';
import { uniformBlock } from '../../../engine/compute/parameter-block.ts';
import { BackendError, createWebGpuBackend, LimitError, requestDevice } from '../../../engine/index.ts';
import type { Backend, KernelSample, Operator, WebGpuBackendHandle } from '../../../engine/index.ts';
import { applyOperator, backends, allBackends } from '../../setup/backends.ts';

const parametersBlock = uniformBlock('Parameters', { n: 'u32', a: 'f32' });

/** The smallest operator there is: y ← a·x + y, with a known cost. */
const axpy: Operator<{ readonly a: number; readonly n: number }, { x: 'real'; y: 'real' }> = {
  name: 'axpy',
  fields: { x: 'real', y: 'real' },
  cost: ({ n }, elementBytes) => ({ bytes: 3 * n * elementBytes, flops: 2 * n }),
  implementations: {
    reference:
      ({ a, n }) =>
      ({ x, y }) => {
        for (let i = 0; i < n; i++) y[i] += a * x[i];
      },
    webgpu: () =>
      Promise.resolve(async (builder, { a, n }) => {
        const program = await builder.program({
          label: 'axpy.main',
          code: [
            parametersBlock.wgsl,
            `@group(0) @binding(0) var<uniform> parameters: Parameters;
             @group(0) @binding(1) var<storage, read> x: array<f32>;
             @group(0) @binding(2) var<storage, read_write> y: array<f32>;
             @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
               if (id.x < parameters.n) { y[id.x] += parameters.a * x[id.x]; }
             }`,
          ],
          bindings: ['uniform', 'read', 'write'],
        });
        const parameters = builder.uniform('parameters', parametersBlock, { n, a });
        return (recorder, { x, y }) => recorder.dispatch(program, [parameters, x, y], workgroupsFor(n, 64));
      }),
  },
};

const webgpu = backends.find(({ name }) => name === 'webgpu');

describe.each(allBackends)('backend $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('runs an operator on fields', async () => {
    const { y } = await applyOperator(backend, axpy, { a: 2, n: 3 }, { x: [1, 2, 3], y: [10, 20, 30] });
    expect(y).toBeClose([12, 24, 36], { absolute: 0 });
  });

  it('reads in single precision what it reads in double, as a copy', async () => {
    const field = backend.allocate('x', 'real', 4);
    backend.write(field, [0.1, -2, 1e-3, 7]);
    const single = await backend.readSingle(field, 1, 3);
    expect(single).toBeInstanceOf(Float32Array);
    expect([...single]).toEqual([...(await backend.read(field, 1, 3))].map(Math.fround));
    expect([...(await backend.readSingle(field))]).toEqual([0.1, -2, 1e-3, 7].map(Math.fround));
    backend.write(field, [0, 0, 0, 0]);
    expect(single[0]).toBe(-2);
    field.dispose();
  });

  it('keeps the order of writes, runs and copies', async () => {
    const x = backend.allocate('x', 'real', 2);
    const y = backend.allocate('y', 'real', 2);
    const prepared = await backend.prepare(axpy, { a: 1, n: 2 });
    backend.write(x, [1, 1]);
    backend.write(y, [0, 0]);
    prepared.run({ x, y });
    backend.write(x, [10, 10]);
    prepared.run({ x, y });
    backend.copy(y, x, { length: 1, targetOffset: 1 });
    prepared.run({ x, y });
    expect(await backend.read(y)).toBeClose([21, 22], { absolute: 0 });
    expect(await backend.read(y, 1, 1)).toBeClose([22], { absolute: 0 });
    for (const owned of [x, y, prepared]) owned.dispose();
  });

  it('refuses a field after dispose, of another backend, or without elements', async () => {
    const field = backend.allocate('gone', 'real', 1);
    field.dispose();
    expect(() => backend.write(field, [1])).toThrow(BackendError);
    const other = await open();
    const foreign = other.allocate('foreign', 'real', 1);
    expect(() => backend.write(foreign, [1])).toThrow(/another backend/);
    expect(() => backend.allocate('empty', 'real', 0)).toThrow(/at least one element/);
    other.dispose();
    expect(() => other.allocate('late', 'real', 1)).toThrow(/after dispose/);
  });

  it('reports each run to the kernel listeners, with its cost', async () => {
    const samples: KernelSample[] = [];
    const stop = backend.onKernel((sample) => samples.push(sample));
    await applyOperator(backend, axpy, { a: 2, n: 3 }, { x: [1, 2, 3], y: [1, 2, 3] });
    await backend.settle();
    stop();
    await applyOperator(backend, axpy, { a: 2, n: 3 }, { x: [1, 2, 3], y: [1, 2, 3] });
    await backend.settle();
    expect(samples).toHaveLength(1);
    expect(samples[0]).toMatchObject({ name: 'axpy', bytes: 9 * backend.elementBytes, flops: 6 });
    expect(samples[0].microseconds).toBeGreaterThanOrEqual(0);
  });
});

describe.each(backends)('what is staged on $name', ({ name, open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('is what was there when it was staged, whatever is queued afterwards', async () => {
    const field = backend.allocate('field', 'real', 3);
    const counters = backend.allocate('counters', 'index', 2);
    backend.write(field, [1, 2, 3]);
    backend.write(counters, [7, 8]);
    const staged = [backend.stage(field), backend.stage(field, 1, 1)];
    const counted = backend.stage(counters, 1);
    backend.write(field, [4, 5, 6]);
    const later = backend.stage(field);
    await backend.collect();
    expect(await Promise.all([...staged, counted, later])).toEqual([
      Float64Array.of(1, 2, 3),
      Float64Array.of(2),
      Uint32Array.of(8),
      Float64Array.of(4, 5, 6),
    ]);
    for (const owned of [field, counters]) owned.dispose();
  });

  it('arrives while more is queued and staged, area by area', async () => {
    const field = backend.allocate('field', 'real', 2);
    const arrived: number[] = [];
    const collected = Array.from({ length: 5 }, async (_, n) => {
      backend.write(field, [n, n]);
      void backend.stage(field).then(([value]) => arrived.push(value));
      await backend.collect();
      // Those before have arrived, too.
      expect(arrived).toEqual(Array.from({ length: n + 1 }, (__, i) => i));
    });
    await Promise.all(collected);
    expect(arrived).toHaveLength(5);
    field.dispose();
  });

  it('may be much more than an area holds', async () => {
    const field = backend.allocate('field', 'real', 100_000);
    const values = Float64Array.from({ length: 100_000 }, (_, i) => i);
    backend.write(field, values);
    const staged = Array.from({ length: 6 }, (_, n) => backend.stage(field, 16_000 * n, 16_000));
    const whole = backend.stage(field);
    await backend.collect();
    for (const [n, part] of (await Promise.all(staged)).entries())
      expect(part).toEqual(values.slice(16_000 * n, 16_000 * (n + 1)));
    expect(await whole).toEqual(values);
    field.dispose();
  });

  it('arrives with whatever waits, and costs one wait', async () => {
    const field = backend.allocate('field', 'real', 1);
    backend.write(field, [1]);
    const before = { ...backend.counts };
    const staged = Array.from({ length: 20 }, () => backend.stage(field));
    await backend.settle();
    expect(await Promise.all(staged)).toEqual(staged.map(() => Float64Array.of(1)));
    const one = backend.immediate ? 0 : 1;
    expect(backend.counts).toEqual({ ...before, waits: before.waits + one, submissions: before.submissions + one });
    // Nothing is staged: nothing is waited for.
    await backend.collect();
    expect(backend.counts.waits).toBe(before.waits + one);
    field.dispose();
  });

  it('counts kernels, and writes between them without handing the work over in parts', async () => {
    const [x, y] = [backend.allocate('x', 'real', 2), backend.allocate('y', 'real', 2)];
    const prepared = await backend.prepare(axpy, { a: 1, n: 2 });
    backend.write(y, [0, 0]);
    await backend.settle();
    const before = { ...backend.counts };
    for (let n = 1; n <= 10; n++) {
      backend.write(x, [n, 2 * n]);
      prepared.run({ x, y });
    }
    expect(await backend.read(y)).toBeClose([55, 110], { absolute: 0 });
    const { dispatches, submissions, waits } = backend.counts;
    expect(dispatches - before.dispatches).toBe(10);
    expect(submissions - before.submissions).toBeLessThanOrEqual(1);
    expect(waits - before.waits).toBeLessThanOrEqual(1);
    for (const owned of [x, y, prepared]) owned.dispose();
  });

  it('writes more at once than is gathered, in its order', async () => {
    const length = 400_000;
    const field = backend.allocate('long', 'real', length);
    const copy = backend.allocate('copy', 'real', length);
    backend.write(field, new Float64Array(length).fill(1));
    backend.copy(field, copy);
    backend.write(field, new Float64Array(length).fill(2));
    const [first, second] = [backend.stage(copy, length - 1, 1), backend.stage(field, length - 1, 1)];
    await backend.collect();
    expect([await first, await second]).toEqual([Float64Array.of(1), Float64Array.of(2)]);
    for (const owned of [field, copy]) owned.dispose();
  });

  it('marks moments that continue', async () => {
    const [x, y] = [backend.allocate('x', 'real', 2), backend.allocate('y', 'real', 2)];
    const prepared = await backend.prepare(axpy, { a: 1, n: 2 });
    const marks = [backend.mark()];
    for (let n = 0; n < 3; n++) {
      prepared.run({ x, y });
      marks.push(backend.mark());
    }
    await backend.settle();
    const times = await Promise.all(marks);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeLessThan(times[0] + 60_000);
    for (const owned of [x, y, prepared]) owned.dispose();
  });

  // The reference has no device to lose.
  it.skipIf(name !== 'webgpu')('rejects when the device is lost, which is reported as such', async () => {
    const lost = await createWebGpuBackend(await nodeGpu());
    const field = lost.allocate('field', 'real', 1);
    const staged = lost.stage(field);
    lost.device.destroy();
    await expect(lost.collect()).rejects.toThrow(/lost|destroyed|read back/);
    await expect(staged).rejects.toThrow(/lost|destroyed|read back/);
    lost.dispose();
  });

  // In main memory everything has arrived when it is staged.
  describe.skipIf(name !== 'webgpu')('when the backend is disposed before', () => {
    const disposed = /disposed before this arrived/;

    it('rejects what nobody collected', async () => {
      const given = await open();
      const staged = given.stage(given.allocate('field', 'real', 1));
      given.dispose();
      await expect(staged).rejects.toThrow(disposed);
    });

    it('rejects a mark', async () => {
      const given = await open();
      const marked = given.mark();
      given.dispose();
      await expect(marked).rejects.toThrow(disposed);
    });

    it('rejects what is being collected, area by area, and whoever waits for it', async () => {
      const given = await open();
      const field = given.allocate('field', 'real', 1);
      const areas = Array.from({ length: 3 }, () => ({ staged: given.stage(field), collected: given.collect() }));
      for (const { collected } of areas) collected.catch(() => undefined);
      given.dispose();
      for (const { staged, collected } of areas) {
        await expect(staged).rejects.toThrow(disposed);
        await expect(collected).rejects.toThrow(disposed);
      }
    });
  });
});

it.skipIf(webgpu === undefined)('compiles a kernel once for all backends on a device', async () => {
  const { device, adapter } = await requestDevice(await nodeGpu());
  const compiled = vi.spyOn(device, 'createComputePipelineAsync');
  for (let n = 0; n < 2; n++) {
    const backend = await createWebGpuBackend({ device, adapter });
    const [x, y] = [backend.allocate('x', 'real', 1), backend.allocate('y', 'real', 1)];
    backend.write(x, Float64Array.of(1));
    const prepared = await backend.prepare(axpy, { a: 2, n: 1 });
    prepared.run({ x, y });
    expect(await backend.read(y)).toEqual(Float64Array.of(2));
    backend.dispose();
  }
  expect(compiled).toHaveBeenCalledOnce();
  device.destroy();
});

it.skipIf(webgpu === undefined)('gives back what an operator had taken that cannot be prepared', async () => {
  const backend = (await webgpu?.open()) as WebGpuBackendHandle;
  const taken: GPUBuffer[] = [];
  const refused: typeof axpy = {
    ...axpy,
    implementations: {
      ...axpy.implementations,
      webgpu: () =>
        Promise.resolve((builder) => {
          taken.push(builder.scratch('work', 'real', 1000));
          return Promise.reject(new LimitError('too large'));
        }),
    },
  };
  await expect(backend.prepare(refused, { a: 1, n: 1 })).rejects.toThrow('too large');
  const field = backend.allocate('next', 'real', 1000);
  expect(backend.bufferOf(field)).toBe(taken[0]);
  backend.dispose();
});

it.skipIf(webgpu === undefined)('refuses an operator that has no WebGPU implementation', async () => {
  const backend = (await webgpu?.open()) as Backend;
  const { reference } = axpy.implementations;
  await expect(backend.prepare({ ...axpy, implementations: { reference } }, { a: 1, n: 1 })).rejects.toThrow(
    /axpy has no WebGPU implementation; use --backend reference/,
  );
  backend.dispose();
});

describe('workgroupsFor', () => {
  it('covers the items and stays within the guaranteed counts', () => {
    for (const items of [1, 64, 65, 65_535 * 64, 65_535 * 64 + 1, 2 ** 28]) {
      const [x, y] = workgroupsFor(items, 64);
      expect(x * y * 64).toBeGreaterThanOrEqual(items);
      expect(Math.max(x, y)).toBeLessThanOrEqual(65_535);
    }
  });
});
