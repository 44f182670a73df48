/** A run on WebGPU: its planes stay on the device. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeviceLostError, requestDevice } from '../../../../engine/index.ts';
import type { Checkpoint, GpuDevice, RunEvent, Plane, Snapshot } from '../../../../engine/index.ts';
import { nodeGpu } from '../../../../app/cli/adapters.ts';
import { openRunIn } from '../../../../app/document/run/open-run.ts';
import type { PageRun } from '../../../../app/document/run/page-run.ts';
import { backends } from '../../../setup/backends.ts';
import { tinyScenario } from './tiny-scenario.ts';

const CELLS = 120;

async function read({ device }: GpuDevice, plane: Plane | undefined): Promise<Float32Array> {
  if (plane?.kind !== 'device') throw new Error('the plane is not on the device');
  const size = 4 * CELLS;
  const staging = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(plane.buffer, plane.byteOffset, staging, 0, size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const values = new Float32Array(staging.getMappedRange()).slice();
  staging.destroy();
  return values;
}

/** Few kernels, so that few are compiled. */
const scenario = tinyScenario({
  methods: [{ kind: 'free-run' }, { kind: 'letkf', localisation: { halfWidth: 2 }, inflation: 1.1 }],
});

function open(gpu: GpuDevice, checkpoint?: Checkpoint) {
  const events: RunEvent[] = [];
  const run = openRunIn({
    findAdapter: () => Promise.resolve(gpu.adapter),
    openGpu: () => Promise.resolve(gpu),
    startWorker: () => {
      throw new Error('no worker is needed');
    },
  })(
    'webgpu',
    { scenario, files: {}, source: scenario.name, checkpoint, misfit: 'begin', ceilings: 'beside' },
    { observers: [{ states: true, event: (event) => events.push(event) }] },
  );
  return { run, events };
}

function snapshots(events: readonly RunEvent[]): Snapshot[] {
  return events.flatMap((event) => (event.type === 'ready' || event.type === 'states' ? (event.snapshot ?? []) : []));
}

function bufferOf(snapshot: Snapshot): GPUBuffer | undefined {
  return snapshot.truth.eta.kind === 'device' ? snapshot.truth.eta.buffer : undefined;
}

function measured(events: readonly RunEvent[]): RunEvent[] {
  return events.filter(({ type }) => type === 'ceilings');
}

const onGpu = backends.some(({ name }) => name === 'webgpu');

describe.skipIf(!onGpu)('a run on the GPU', () => {
  /** One for most tests, so that no kernel is compiled again. */
  let gpu: GpuDevice;
  beforeAll(async () => {
    gpu = await requestDevice(await nodeGpu());
  });
  afterAll(() => gpu.device.destroy());

  it('keeps each cycle in a buffer of its own, on the shared device, with offsets that can be bound', async () => {
    const { run, events } = open(gpu);
    await run.step();
    await run.step();
    const ready = events.flatMap((event) => (event.type === 'ready' ? [run.placed(event.info)] : []));
    expect(ready).toMatchObject([{ backend: { name: 'webgpu' } }]);
    expect(ready[0].device).toBe(gpu.device);
    const [first, , third] = snapshots(events);
    expect(new Set(snapshots(events).map(bufferOf)).size).toBe(3);
    const [before, after] = [await read(gpu, first.truth.eta), await read(gpu, third.truth.eta)];
    expect(Math.max(...before.map(Math.abs))).toBeGreaterThan(1e-3);
    expect(after).not.toEqual(before);
    for (const { forecast, analysis, spread } of third.methods) {
      for (const plane of [forecast.eta, analysis.hv, ...(spread ? [spread] : [])]) {
        expect(plane.kind === 'device' && plane.byteOffset % 256).toBe(0);
        expect((await read(gpu, plane)).every(Number.isFinite)).toBe(true);
      }
    }

    // A buffer whose snapshot is drawn no more is used again.
    run.release(first);
    await run.step();
    expect(bufferOf(snapshots(events)[3])).toBe(bufferOf(first));
    run.dispose();
  });

  it('measures what the GPU can do once for the page, on the device of the run', { timeout: 240_000 }, async () => {
    const fresh = await requestDevice(await nodeGpu());
    const openHere = openRunIn({
      findAdapter: () => Promise.resolve(fresh.adapter),
      openGpu: () => Promise.resolve(fresh),
      startWorker: () => {
        throw new Error('no worker is needed');
      },
    });
    const eventsOf = (): { readonly run: PageRun; readonly events: RunEvent[] } => {
      const events: RunEvent[] = [];
      const job = { scenario, files: {}, source: scenario.name, misfit: 'begin', ceilings: 'beside' } as const;
      return { events, run: openHere('webgpu', job, { observers: [{ event: (event) => events.push(event) }] }) };
    };
    const first = eventsOf();
    for (let n = 0; n < 3; n++) await first.run.step();
    await expect.poll(() => measured(first.events), { timeout: 200_000 }).toHaveLength(1);
    first.run.dispose();
    const second = eventsOf();
    await second.run.step();
    const told = second.events.map(({ type }) => type);
    expect(told.indexOf('ceilings')).toBeLessThan(told.indexOf('cycle'));
    expect(measured(second.events)).toEqual(measured(first.events));
    expect(measured(first.events)[0]).toMatchObject({
      clock: fresh.device.features.has('timestamp-query') ? 'device' : 'wall',
    });
    second.run.dispose();
    fresh.device.destroy();
  });

  it('leaves what it stored as it was until it is released, also after its end', async () => {
    const { run, events } = open(gpu);
    await run.step();
    const checkpoint = await run.ask({ kind: 'checkpoint' });
    const [, stored] = snapshots(events);
    const before = await read(gpu, stored.truth.eta);
    run.dispose();
    const next = open(gpu, checkpoint);
    await next.run.step();
    expect(await read(gpu, stored.truth.eta)).toEqual(before);
    const lease = stored.truth.eta.kind === 'device' ? stored.truth.eta.lease : undefined;
    expect(lease?.over).toBe(false);
    run.release(stored);
    await expect.poll(() => lease?.over).toBe(true);
    // The next run does not take over the buffer: it is gone.
    await next.run.step();
    expect(snapshots(next.events).map(bufferOf)).not.toContain(bufferOf(stored));
    next.run.dispose();
  });

  it('records the members at probes as the reference does', async () => {
    const { run, events } = open(gpu);
    run.probe([{ x: 5, y: 4 }]);
    await run.step();
    await run.step();
    const seen = events.flatMap((event) => (event.type === 'states' ? event.readings : []));
    expect(seen.map(({ cell, reading }) => [cell, reading.cycle])).toEqual([
      [4 * 12 + 5, 0],
      [4 * 12 + 5, 1],
    ]);
    const { reading: latest } = seen[1];
    const snapshot = snapshots(events)[2];
    expect(latest.truth).toBe((await read(gpu, snapshot.truth.eta))[53]);
    for (const { method, forecast, analysis } of snapshot.methods) {
      const { members, ...means } = latest.methods[method];
      expect(means.forecast).toBe((await read(gpu, forecast.eta))[53]);
      // The mean of the members as they are read, against the mean of the states: a few roundings of depths near 2 m.
      expect(Math.abs(means.analysis - (await read(gpu, analysis.eta))[53])).toBeLessThan(1e-6);
      expect(members).toHaveLength(4);
    }
    run.dispose();
  });

  it('says that a lost device may be recovered, and continues from its checkpoint on another', async () => {
    const lost = await requestDevice(await nodeGpu());
    const first = open(lost);
    await first.run.step();
    const checkpoint = await first.run.ask({ kind: 'checkpoint' });
    lost.device.destroy();
    await expect(first.run.step()).rejects.toThrow('lost');
    expect(first.events.filter(({ type }) => type === 'failed')).toEqual([
      { type: 'failed', error: expect.any(DeviceLostError) },
    ]);
    first.run.dispose();

    const second = open(gpu, checkpoint);
    await second.run.step();
    expect(snapshots(second.events).map(({ cycle }) => cycle)).toEqual([0, 1]);
    second.run.dispose();
  });
});
