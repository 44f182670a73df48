/** A session on WebGPU: its planes stay on the device. */
import { describe, expect, it } from 'vitest';
import { requestDevice } from '../../../../engine/index.ts';
import type { Checkpoint, GpuDevice } from '../../../../engine/index.ts';
import { nodeGpu } from '../../../../app/cli/gpu.ts';
import { openSessionIn } from '../../../../app/document/session/open-session.ts';
import type { Plane, ProbeReading, Session, SessionEvent, Snapshot } from '../../../../app/document/session/session.ts';
import { backends } from '../../../setup/backends.ts';
import { tinyScenario } from './scenario.ts';

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
  const events: SessionEvent[] = [];
  const session = openSessionIn({
    findAdapter: () => Promise.resolve(gpu.adapter),
    openGpu: () => Promise.resolve(gpu),
    startWorker: () => {
      throw new Error('no worker is needed');
    },
  })(scenario, {
    backend: 'webgpu',
    files: {},
    listener: (event) => events.push(event),
    ...(checkpoint && { checkpoint }),
  });
  return { session, events };
}

function snapshots(events: readonly SessionEvent[]): Snapshot[] {
  return events.flatMap((event) => (event.type === 'ready' || event.type === 'cycle' ? [event.snapshot] : []));
}

function bufferOf(snapshot: Snapshot): GPUBuffer | undefined {
  return snapshot.truth.eta.kind === 'device' ? snapshot.truth.eta.buffer : undefined;
}

function measured(events: readonly SessionEvent[]): SessionEvent[] {
  return events.filter(({ type }) => type === 'ceilings');
}

const onGpu = backends.some(({ name }) => name === 'webgpu');

describe.skipIf(!onGpu)('a session on the GPU', () => {
  it('keeps each cycle in a buffer of its own, on the shared device, with offsets that can be bound', async () => {
    const gpu = await requestDevice(await nodeGpu());
    const { session, events } = open(gpu);
    await session.step();
    await session.step();
    const ready = events.find(({ type }) => type !== 'preparing');
    expect(ready).toMatchObject({ type: 'ready', info: { backend: { name: 'webgpu' } } });
    expect(ready?.type === 'ready' && ready.info.device).toBe(gpu.device);
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
    session.release(first);
    await session.step();
    expect(bufferOf(snapshots(events)[3])).toBe(bufferOf(first));
    session.dispose();
    gpu.device.destroy();
  });

  it('measures what the GPU can do once for the page, on the device of the run', { timeout: 240_000 }, async () => {
    const gpu = await requestDevice(await nodeGpu());
    const openHere = openSessionIn({
      findAdapter: () => Promise.resolve(gpu.adapter),
      openGpu: () => Promise.resolve(gpu),
      startWorker: () => {
        throw new Error('no worker is needed');
      },
    });
    const eventsOf = (): { readonly session: Session; readonly events: SessionEvent[] } => {
      const events: SessionEvent[] = [];
      const listener = (event: SessionEvent): void => void events.push(event);
      return { events, session: openHere(scenario, { backend: 'webgpu', files: {}, listener }) };
    };
    const first = eventsOf();
    for (let n = 0; n < 3; n++) await first.session.step();
    await expect.poll(() => measured(first.events), { timeout: 200_000 }).toHaveLength(1);
    first.session.dispose();
    const second = eventsOf();
    await second.session.step();
    const told = second.events.map(({ type }) => type).filter((type) => type !== 'preparing');
    expect(told.slice(0, 2)).toEqual(['ready', 'ceilings']);
    expect(measured(second.events)).toEqual(measured(first.events));
    expect(measured(first.events)[0]).toMatchObject({
      ceilings: { clock: gpu.device.features.has('timestamp-query') ? 'device' : 'wall' },
    });
    second.session.dispose();
    gpu.device.destroy();
  });

  it('leaves what it stored as it was until it is released, also after its end', async () => {
    const gpu = await requestDevice(await nodeGpu());
    const { session, events } = open(gpu);
    await session.step();
    const checkpoint = await session.checkpoint();
    const [, stored] = snapshots(events);
    const before = await read(gpu, stored.truth.eta);
    session.dispose();
    const next = open(gpu, checkpoint);
    await next.session.step();
    expect(await read(gpu, stored.truth.eta)).toEqual(before);
    const lease = stored.truth.eta.kind === 'device' ? stored.truth.eta.lease : undefined;
    expect(lease?.over).toBe(false);
    session.release(stored);
    await expect.poll(() => lease?.over).toBe(true);
    // The next session does not take over the buffer: it is gone.
    await next.session.step();
    expect(snapshots(next.events).map(bufferOf)).not.toContain(bufferOf(stored));
    next.session.dispose();
    gpu.device.destroy();
  });

  it('records the members at probes as the reference does', async () => {
    const gpu = await requestDevice(await nodeGpu());
    const { session, events } = open(gpu);
    const seen: (readonly ProbeReading[])[] = [];
    session.onProbe((cell, readings) => {
      expect(cell).toBe(4 * 12 + 5);
      seen.push(readings);
    });
    session.probe([{ x: 5, y: 4 }]);
    await session.step();
    await session.step();
    expect(seen.map((readings) => readings.map(({ cycle }) => cycle))).toEqual([[0], [0, 1]]);
    const [, latest] = seen[1];
    const snapshot = snapshots(events)[2];
    expect(latest.truth).toBe((await read(gpu, snapshot.truth.eta))[53]);
    for (const { method, forecast, analysis } of snapshot.methods) {
      const { members, ...means } = latest.methods[method];
      expect(means.forecast).toBe((await read(gpu, forecast.eta))[53]);
      // The mean of the members as they are read, against the mean of the states: a few roundings of depths near 2 m.
      expect(Math.abs(means.analysis - (await read(gpu, analysis.eta))[53])).toBeLessThan(1e-6);
      expect(members).toHaveLength(4);
    }
    session.dispose();
    gpu.device.destroy();
  });

  it('says that a lost device may be recovered, and goes on from its checkpoint on another', async () => {
    const lost = await requestDevice(await nodeGpu());
    const first = open(lost);
    await first.session.step();
    const checkpoint = await first.session.checkpoint();
    lost.device.destroy();
    await first.session.step();
    expect(first.events.filter(({ type }) => type === 'failed')).toEqual([
      { type: 'failed', message: expect.stringContaining('lost'), recoverable: true },
    ]);
    first.session.dispose();

    const gpu = await requestDevice(await nodeGpu());
    const second = open(gpu, checkpoint);
    await second.session.step();
    expect(snapshots(second.events).map(({ cycle }) => cycle)).toEqual([0, 1]);
    second.session.dispose();
    gpu.device.destroy();
  });
});
