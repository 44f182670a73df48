import { expect, it } from 'vitest';
import { AllDivergedError, createReferenceBackend, DeviceLostError } from '../../../engine/index.ts';
import type { Backend, Checkpoint, Scenario } from '../../../engine/index.ts';
import { createEngineSession, frameCountOf } from '../../../app/renderer/session/engine-session.ts';
import type { CellReading, EngineSession } from '../../../app/renderer/session/engine-session.ts';
import { createHostPlanes } from '../../../app/renderer/session/planes.ts';
import type { Plane, SessionEvent, Snapshot } from '../../../app/renderer/session/session.ts';
import { tinyScenario } from './scenario.ts';

interface Opened {
  readonly session: EngineSession;
  readonly events: SessionEvent[];
  readonly readings: CellReading[];
}

async function open(
  scenario: Scenario,
  { checkpoint, backend = createReferenceBackend() }: { checkpoint?: Checkpoint; backend?: Backend } = {},
): Promise<Opened> {
  const events: SessionEvent[] = [];
  const readings: CellReading[] = [];
  const session = await createEngineSession(backend, scenario, {
    files: {},
    checkpoint,
    reason: 'as asked for',
    planes: createHostPlanes(backend),
    listener: (event) => events.push(event),
    onReadings: (told) => readings.push(...told),
    onCheckpoint: () => undefined,
  });
  return { session, events, readings };
}

function snapshots(events: readonly SessionEvent[]): Snapshot[] {
  return events.flatMap((event) => (event.type === 'ready' || event.type === 'cycle' ? [event.snapshot] : []));
}

function valuesOf(plane: Plane | undefined): Float32Array {
  if (plane?.kind !== 'host') throw new Error('the plane is not in memory');
  return plane.values;
}

/** The distance of two planes, as the root of the sum of squares. */
function apart(a: Plane, b: Plane): number {
  return Math.sqrt(valuesOf(a).reduce((sum, value, i) => sum + (value - valuesOf(b)[i]) ** 2, 0));
}

it('is ready with the state before the first cycle, in which forecast and analysis are the same', async () => {
  const { events } = await open(tinyScenario());
  const [ready] = events;
  if (ready?.type !== 'ready') throw new Error(`the first event is ${ready?.type}`);
  const { info, snapshot } = ready;
  expect(info).toMatchObject({ cycles: 4, backend: { name: 'reference', reason: 'as asked for' }, device: undefined });
  expect(info.basin).toMatchObject({ nx: 12, ny: 10, gravity: 9.81 });
  expect([...info.basin.bed]).toEqual(Array.from({ length: 120 }, () => -2));
  expect(snapshot).toMatchObject({ cycle: -1, timeSeconds: 0 });
  expect(snapshot.methods.map(({ method }) => method)).toEqual(['free-run', '3dvar', 'letkf']);
  for (const { analysis, forecast } of snapshot.methods) expect(valuesOf(analysis.eta)).toEqual(valuesOf(forecast.eta));
  expect(snapshot.observations.x).toHaveLength(0);
});

it('gives elevations above the water at rest, not depths', async () => {
  const { events } = await open(tinyScenario());
  const eta = valuesOf(snapshots(events)[0].truth.eta);
  // The water is 2 m deep and a drop is a fraction of a metre high.
  expect(eta).toHaveLength(120);
  expect(Math.max(...eta.map(Math.abs))).toBeLessThan(1);
  expect(Math.max(...eta.map(Math.abs))).toBeGreaterThan(0.001);
});

it('tells of each cycle its analysis, spread, innovations and diagnostics, and of the end', async () => {
  const { session, events } = await open(tinyScenario());
  for (let i = 0; i < 4; i++) await session.step();
  expect(snapshots(events).map(({ cycle }) => cycle)).toEqual([-1, 0, 1, 2, 3]);
  expect(events.at(-1)).toEqual({ type: 'ended', cycles: 4 });
  const [, unobserved, observed] = snapshots(events);

  // Observations come at the end of every second cycle; without them the analysis is the forecast.
  expect(unobserved.observations.x).toHaveLength(0);
  for (const { analysis, forecast } of unobserved.methods) {
    expect(valuesOf(analysis.eta)).toEqual(valuesOf(forecast.eta));
  }
  const [free, variational, letkf] = observed.methods;
  expect(valuesOf(free.analysis.eta)).toEqual(valuesOf(free.forecast.eta));
  expect(valuesOf(variational.analysis.eta)).not.toEqual(valuesOf(variational.forecast.eta));
  expect(variational.spread).toBeUndefined();
  expect(Math.min(...valuesOf(letkf.spread))).toBeGreaterThan(0);
  const { innovations, x, values } = observed.observations;
  expect(x).toHaveLength(16);
  expect(values).toHaveLength(16);
  expect(Object.keys(innovations)).toEqual(['free-run', '3dvar', 'letkf']);
  expect(innovations['letkf']).toHaveLength(16);
  expect(innovations['letkf'].some((value) => value !== 0)).toBe(true);

  const cycles = events.filter((event) => event.type === 'cycle');
  for (const { diagnostics } of cycles) expect(diagnostics.map(({ method }) => method)).toHaveLength(3);
  expect(events.filter(({ type }) => type === 'kernels')).toHaveLength(4);

  const before = events.length;
  await session.step();
  expect(events).toHaveLength(before);
});

it('tells how truth and methods moved inside each window, between the analysis before and the forecast', async () => {
  const { session, events } = await open(tinyScenario());
  for (let i = 0; i < 2; i++) await session.step();
  const [before, last] = events
    .filter((event) => event.type === 'cycle')
    .map(({ snapshot, motion }) => ({ snapshot, motion }));
  const { motion, snapshot } = last;
  expect(motion?.cycle).toBe(1);
  expect(motion?.surfaces.map(({ method }) => method)).toEqual([undefined, 'free-run', '3dvar', 'letkf']);
  const shares = motion?.surfaces[0].frames.map(({ share }) => share) ?? [];
  expect(shares.length).toBeGreaterThanOrEqual(2);
  expect(shares).toEqual([...new Set(shares)].sort((a, b) => a - b));
  expect(Math.min(...shares)).toBeGreaterThan(0);
  expect(Math.max(...shares)).toBeLessThan(1);
  const ends = [
    [before.snapshot.truth.eta, snapshot.truth.eta],
    ...snapshot.methods.map(({ forecast }, n) => [before.snapshot.methods[n].analysis.eta, forecast.eta]),
  ];
  for (const [n, { frames }] of (motion?.surfaces ?? []).entries()) {
    expect(frames.map(({ share }) => share)).toEqual(shares);
    const [start, end] = ends[n];
    // From frame to frame the water goes its way in small parts; a frame of another moment would be a leap.
    const path = [start, ...frames.map(({ eta }) => eta), end];
    const parts = path.slice(1).map((each, k) => apart(path[k], each));
    expect(Math.min(...parts)).toBeGreaterThan(0);
    expect(Math.max(...parts)).toBeLessThan(3 * (parts.reduce((sum, part) => sum + part, 0) / parts.length));
  }
});

it('keeps frames of a window where they are affordable', () => {
  expect(frameCountOf(5, 64 * 64, 8)).toBe(6);
  expect(frameCountOf(4, 1024 * 1024, 4)).toBe(4);
  expect(frameCountOf(5, 2048 * 2048, 4)).toBe(0);
});

it('records the mean that the experiment scores: RMSE of η from the planes is that of the diagnostics', async () => {
  const { session, events } = await open(tinyScenario());
  await session.step();
  await session.step();
  const last = events.findLast((event) => event.type === 'cycle');
  const { snapshot, diagnostics } = last ?? { snapshot: undefined, diagnostics: [] };
  const truth = valuesOf(snapshot?.truth.eta);
  for (const { method, forecast, analysis } of snapshot?.methods ?? []) {
    const scored = diagnostics.find((each) => each.method === method);
    const rmse = (plane: Plane): number => {
      const squares = valuesOf(plane).map((value, i) => (value - truth[i]) ** 2);
      return Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / squares.length);
    };
    // Float32 planes of values below 1 m: 6e-8 m each.
    expect(Math.abs(rmse(analysis.eta) - (scored?.rmse.analysis['h'] ?? NaN))).toBeLessThan(1e-6);
    expect(Math.abs(rmse(forecast.eta) - (scored?.rmse.forecast['h'] ?? NaN))).toBeLessThan(1e-6);
  }
  expect(snapshot?.methods).toHaveLength(3);
});

it('records members at probes from the next cycle on', async () => {
  const { session, events, readings } = await open(tinyScenario());
  await session.step();
  expect(readings).toEqual([]);
  session.probe([
    { x: 5, y: 4 },
    { x: 0, y: 9 },
  ]);
  await session.step();
  expect(readings.map(({ cell }) => cell)).toEqual([4 * 12 + 5, 9 * 12]);
  const snapshot = snapshots(events)[2];
  for (const { cell, reading } of readings) {
    expect(reading.cycle).toBe(1);
    expect(reading.truth).toBeCloseTo(valuesOf(snapshot.truth.eta)[cell], 6);
    for (const { method, forecast, analysis } of snapshot.methods) {
      const { members, ...means } = reading.methods[method];
      expect(means.forecast).toBeCloseTo(valuesOf(forecast.eta)[cell], 6);
      expect(means.analysis).toBeCloseTo(valuesOf(analysis.eta)[cell], 6);
      expect(members).toHaveLength(method === '3dvar' ? 1 : 4);
    }
  }
});

it('records only probes that are cells of the grid, says so, and goes on', async () => {
  const { session, events, readings } = await open(tinyScenario());
  session.probe([
    { x: 12, y: 0 },
    { x: 2, y: 1 },
  ]);
  await session.step();
  expect(events[1]).toEqual({ type: 'warning', message: expect.stringMatching(/^Of 2 probes 1 are recorded/) });
  expect(readings.map(({ cell }) => cell)).toEqual([14]);
});

it('goes on from a checkpoint with the same numbers', async () => {
  const first = await open(tinyScenario());
  await first.session.step();
  const checkpoint = await first.session.checkpoint();
  await first.session.step();
  const second = await open(tinyScenario(), { checkpoint });
  expect(snapshots(second.events)[0].cycle).toBe(0);
  await second.session.step();
  expect(snapshots(second.events)[1]).toEqual(snapshots(first.events)[2]);
});

it('takes a checkpoint of one moment, whatever is asked for while it is read', async () => {
  const patient = await open(tinyScenario());
  await patient.session.step();
  const expected = await patient.session.checkpoint();

  // Reading takes its time, as it does on a GPU.
  const backend = createReferenceBackend();
  const read = backend.read.bind(backend);
  const slowly: typeof backend.read = async (...what) => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve));
    return read(...what);
  };
  const { session } = await open(tinyScenario(), { backend });
  await session.step();
  backend.read = slowly;
  const [checkpoint] = await Promise.all([session.checkpoint(), session.step()]);
  expect(checkpoint).toEqual({ ...expected, arrays: expect.objectContaining(expected.arrays) });
});

it('starts anew, with a warning, where the checkpoint is of another scenario', async () => {
  const first = await open(tinyScenario());
  await first.session.step();
  const { events } = await open(tinyScenario({ seed: 4 }), { checkpoint: await first.session.checkpoint() });
  expect(events[0]).toMatchObject({ type: 'warning', message: expect.stringContaining('starts anew') });
  expect(snapshots(events)[0].cycle).toBe(-1);
});

it.each([
  { error: new DeviceLostError('the device is gone'), recoverable: true },
  { error: new Error('a bit fell over'), recoverable: false },
  { error: new AllDivergedError('Every method has diverged'), recoverable: false, diverged: true },
])('says once that $error.message, and whether a restart may help', async ({ error, ...rest }) => {
  const backend = createReferenceBackend();
  const { session, events } = await open(tinyScenario(), { backend });
  await session.step();
  const before = events.length;
  backend.collect = () => Promise.reject(error);
  await session.step();
  await session.step();
  expect(events.slice(before)).toEqual([{ type: 'failed', message: error.message, ...rest }]);
});

it('gives up a cycle in progress when it is disposed, and says nothing of it', async () => {
  const { session, events } = await open(tinyScenario());
  const stepping = session.step();
  await session.dispose();
  await stepping;
  expect(events.map(({ type }) => type)).toEqual(['ready']);
});

it('tells once of a method that diverges, draws what it was last, and goes on with the others', async () => {
  const edit = { kind: 'setting', cycle: 1, path: 'methods[2].inflation', value: 100 };
  const { session, events, readings } = await open(
    tinyScenario({ experiment: { cycles: 60, window: 0.5 }, interventions: [edit] }),
  );
  session.probe([{ x: 5, y: 4 }]);
  for (let each = 0; each < 60; each++) await session.step();
  const told = events.flatMap((event) => (event.type === 'diverged' ? [event.divergence] : []));
  expect(told).toMatchObject([{ method: 'letkf', edits: [edit] }]);
  const cycle = told[0]?.cycle ?? Number.NaN;
  expect(events.at(-1)).toEqual({ type: 'ended', cycles: 60 });
  const stored = snapshots(events);
  const letkfOf = (of: number) => stored[of + 1].methods[2];
  expect(letkfOf(cycle - 1).divergedAt).toBeUndefined();
  expect([letkfOf(cycle).divergedAt, letkfOf(59).divergedAt]).toEqual([cycle, cycle]);
  expect(valuesOf(letkfOf(59).analysis.eta)).toEqual(valuesOf(letkfOf(cycle - 1).analysis.eta));
  const last = events.findLast((event) => event.type === 'cycle');
  expect(last?.diagnostics.map(({ method }) => method)).toEqual(['free-run', '3dvar']);
  expect(last?.motion?.surfaces.map(({ method }) => method)).toEqual([undefined, 'free-run', '3dvar']);
  expect(Object.keys(last?.snapshot.observations.innovations ?? {})).toEqual(['free-run', '3dvar']);
  expect(Object.keys(readings.at(-1)?.reading.methods ?? {})).toEqual(['free-run', '3dvar']);
});
