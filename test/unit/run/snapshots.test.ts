/** What a run says of its states: planes of each cycle, what moves between two, and what probes saw. */
import { expect, it } from 'vitest';
import { frameCountOf } from '../../../engine/index.ts';
import type { Plane } from '../../../engine/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';
import { cyclesOf, open, readingsIn, snapshots, valuesOf } from './hold.ts';

/** The distance of two planes, as the root of the sum of squares. */
function apart(a: Plane, b: Plane): number {
  return Math.sqrt(valuesOf(a).reduce((sum, value, i) => sum + (value - valuesOf(b)[i]) ** 2, 0));
}

it('is ready with the state before the first cycle, in which forecast and analysis are the same', async () => {
  const { events } = await open(tinyScenario());
  const ready = events.find((event) => event.type === 'ready');
  const { info, snapshot } = ready ?? {};
  if (!info || !snapshot) throw new Error('the run is not ready');
  expect(info).toMatchObject({ cycles: 4, backend: { name: 'reference' } });
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

/** The run of four cycles, whose observations come at the end of every second one. */
async function whole(): Promise<Awaited<ReturnType<typeof open>>> {
  const opened = await open(tinyScenario());
  for (let i = 0; i < 4; i++) await opened.run.step();
  return opened;
}

it('reports the states of each cycle, and the end', async () => {
  const { events } = await whole();
  expect(snapshots(events).map(({ cycle }) => cycle)).toEqual([-1, 0, 1, 2, 3]);
  expect(events.at(-1)).toEqual({ type: 'end', cycles: 4 });
});

it('says nothing any more when it is stepped past its end', async () => {
  const { run, events } = await whole();
  const before = events.length;
  await run.step();
  expect(events).toHaveLength(before);
});

it('has the forecast as analysis in a cycle without observations', async () => {
  const [, unobserved] = snapshots((await whole()).events);
  expect(unobserved.observations.x).toHaveLength(0);
  for (const { analysis, forecast } of unobserved.methods) {
    expect(valuesOf(analysis.eta)).toEqual(valuesOf(forecast.eta));
  }
});

it('has an analysis of each method that makes one if there are observations', async () => {
  const [, , observed] = snapshots((await whole()).events);
  const [free, variational, letkf] = observed.methods;
  expect(valuesOf(free.analysis.eta)).toEqual(valuesOf(free.forecast.eta));
  expect(valuesOf(variational.analysis.eta)).not.toEqual(valuesOf(variational.forecast.eta));
  expect(valuesOf(letkf.analysis.eta)).not.toEqual(valuesOf(letkf.forecast.eta));
});

it('has the spread of methods with members', async () => {
  const [, , observed] = snapshots((await whole()).events);
  const [, variational, letkf] = observed.methods;
  expect(variational.spread).toBeUndefined();
  expect(Math.min(...valuesOf(letkf.spread))).toBeGreaterThan(0);
});

it('has the observations with the innovations of each method', async () => {
  const [, , observed] = snapshots((await whole()).events);
  const { innovations, x, values } = observed.observations;
  expect([x.length, values.length]).toEqual([16, 16]);
  expect(Object.keys(innovations)).toEqual(['free-run', '3dvar', 'letkf']);
  for (const of of Object.values(innovations)) {
    expect(of).toHaveLength(16);
    expect(of.some((value) => value !== 0)).toBe(true);
  }
});

it('reports diagnostics of every method in every cycle, and the kernels of the first whatever they cost', async () => {
  const { events } = await whole();
  const [, ...cycles] = cyclesOf(events);
  for (const { diagnostics } of cycles) expect(diagnostics.map(({ method }) => method)).toHaveLength(3);
  const timed = events.flatMap((event) => (event.type === 'kernel' ? [event.cycle] : []));
  expect(timed).toContain(0);
});

it('says how truth and methods moved inside each window, between the analysis before and the forecast', async () => {
  const { run, events } = await open(tinyScenario());
  for (let i = 0; i < 2; i++) await run.step();
  const [, before, last] = cyclesOf(events);
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
  const { run, events } = await open(tinyScenario());
  await run.step();
  await run.step();
  const { snapshot, diagnostics } = cyclesOf(events).at(-1) ?? { snapshot: undefined, diagnostics: [] };
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
  const { run, events } = await open(tinyScenario());
  await run.step();
  expect(readingsIn(events)).toEqual([]);
  run.probe([
    { x: 5, y: 4 },
    { x: 0, y: 9 },
  ]);
  await run.step();
  const readings = readingsIn(events);
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

it('records only probes that are cells of the grid, says so, and continues', async () => {
  const { run, events } = await open(tinyScenario());
  run.probe([
    { x: 12, y: 0 },
    { x: 2, y: 1 },
  ]);
  await run.step();
  expect(events).toContainEqual({ type: 'warning', message: expect.stringMatching(/^Of 2 probes 1 are recorded/) });
  expect(readingsIn(events).map(({ cell }) => cell)).toEqual([14]);
});
