import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DivergenceError } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { createShallowWater } from '../../../engine/models/index.ts';
import type { Boundary, Model, ShallowWaterDescription } from '../../../engine/models/index.ts';
import { backends, allBackends } from '../../setup/backends.ts';
import { ensembleOf, fieldsOf, forecast, hump, mirrored, sum, transposed } from './forecast.ts';

const GRAVITY = 9.8;

function modelOf(
  nx: number,
  ny: number,
  settings: Partial<ShallowWaterDescription> = {},
  x: Boundary = 'wall',
  y: Boundary = 'wall',
): Model {
  return createShallowWater({
    scheme: 'central-upwind',
    grid: { nx, ny, dx: 1, dy: 1, periodicX: x === 'periodic', periodicY: y === 'periodic' },
    gravity: GRAVITY,
    timeStep: 0.05,
    boundary: { x, y },
    ...settings,
  });
}

/** A basin 1 m deep with an island that rises 0.3 m out of the water. */
function island(nx: number, ny: number): Float64Array {
  return fieldsOf(nx, ny, (x, y) => [
    -1 + 1.3 * Math.exp(-((x - 0.3 * nx) ** 2 + (y - 0.45 * ny) ** 2) / 12),
    0,
    0,
  ]).subarray(0, nx * ny);
}

/** Water up to the elevation 0, and a hump that will run up the island. */
function around(bed: Float64Array, nx: number, ny: number, height = 0.2): Float64Array {
  return fieldsOf(nx, ny, (x, y) => {
    const surface = height * Math.exp(-((x - 0.7 * nx) ** 2 + (y - 0.5 * ny) ** 2) / 10);
    return [Math.max(surface - bed[y * nx + x], 0), 0, 0];
  });
}

describe.each(allBackends)('central-upwind on $name', ({ open, precision }) => {
  // A step of float32 adds some tens of roundings of 6e-8 to values up to 1; tens of steps stay below this.
  const rounding = precision === 'float64' ? 1e-12 : 1e-5;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([
    [30, 20],
    [13, 13],
    [14, 27],
    [41, 1],
    [1, 16],
    [1, 1],
    [2, 3],
  ])('agrees with float64 on %i × %i cells, with an island, rotation and friction', async (nx, ny) => {
    const bed = island(nx, ny);
    const settings = { bed, coriolis: { f: 0.1, beta: 0.01 }, manning: 0.03 };
    const start = around(bed, nx, ny);
    const [reference] = backends;
    for (const [x, y] of [
      ['wall', 'open'],
      ['periodic', 'wall'],
    ] as const) {
      const model = modelOf(nx, ny, settings, x, y);
      const expected = await forecast(await reference.open(), model, start, { steps: 20 });
      const result = await forecast(backend, model, start, { steps: 20 });
      expect(result).toBeClose(expected, { absolute: rounding });
    }
  });

  it('leaves a lake at rest exactly as it is, also around an island and with rotation', async () => {
    const [nx, ny] = [20, 16];
    const bed = island(nx, ny);
    const model = modelOf(nx, ny, { bed, coriolis: { f: 0.2, beta: 0 }, timeStep: 0.1 });
    const propagator = await model.prepare(backend, 1);
    const state = backend.allocate('state', 'real', 3 * nx * ny);
    backend.write(state, model.toState(around(bed, nx, ny, 0)));
    const before = await backend.read(state);
    await propagator.advanceSteps(state, 50);
    await propagator.check('lake');
    expect(await backend.read(state)).toBeClose(before, { absolute: 0 });
    expect(before.subarray(0, nx * ny).some((eta) => eta > 0.1)).toBe(true);
    propagator.dispose();
    state.dispose();
  });

  it('keeps depths from falling below zero, and the water in the basin, where it runs up and falls dry', async () => {
    const [nx, ny] = [24, 15];
    const bed = island(nx, ny);
    const start = around(bed, nx, ny, 0.6);
    const model = modelOf(nx, ny, { bed, timeStep: 'auto' });
    const result = await forecast(backend, model, start, { seconds: 6 });
    expect(Math.min(...result.subarray(0, nx * ny))).toBeGreaterThanOrEqual(0);
    // Some 60 steps; each rounds η, at most 0.6, in some 300 wet cells of both signs.
    expect(sum(result.subarray(0, nx * ny)) / sum(start.subarray(0, nx * ny)) - 1).toBeClose(0, {
      absolute: precision === 'float64' ? 1e-14 : 1e-7,
    });
    expect(result).not.toBeClose(start, { absolute: 0.1 });
  });

  it('advances members together as each alone, bit by bit', async () => {
    const [nx, ny] = [15, 14];
    const bed = island(nx, ny);
    const members = [0.1, 0.2, 0.3].map((height) => around(bed, nx, ny, height));
    const model = modelOf(nx, ny, { bed, manning: 0.02 });
    const together = await forecast(backend, model, ensembleOf(members), { steps: 6 });
    const alone = [];
    for (const member of members) alone.push(await forecast(backend, model, member, { steps: 6 }));
    expect(together).toBeClose(ensembleOf(alone), { absolute: 0 });
  });

  it('keeps mirror and transpose', async () => {
    const [nx, ny] = [21, 12];
    const cells = nx * ny;
    const bed = island(nx, ny);
    const bedFields = fieldsOf(nx, ny, (x, y) => [bed[y * nx + x], 0, 0]);
    const start = around(bed, nx, ny);
    const result = await forecast(backend, modelOf(nx, ny, { bed }), start, { steps: 20 });
    const mirrorModel = modelOf(nx, ny, { bed: mirrored(bedFields, nx, ny).subarray(0, cells) });
    const other = await forecast(backend, mirrorModel, mirrored(start, nx, ny), { steps: 20 });
    expect(mirrored(other, nx, ny)).toBeClose(result, { absolute: rounding });
    const turnedModel = modelOf(ny, nx, { bed: transposed(bedFields, nx, ny).subarray(0, cells) });
    const turned = await forecast(backend, turnedModel, transposed(start, nx, ny), { steps: 20 });
    expect(transposed(turned, ny, nx)).toBeClose(result, { absolute: rounding });
  });

  it('has walls that are a mirror', async () => {
    const [nx, ny] = [14, 6];
    const start = hump(nx, ny);
    const image = mirrored(start, nx, ny);
    const doubled = fieldsOf(2 * nx, ny, (x, y) => {
      const [source, column] = x < nx ? [start, x] : [image, x - nx];
      const cell = y * nx + column;
      return [source[cell], source[nx * ny + cell], source[2 * nx * ny + cell]];
    });
    const walls = await forecast(backend, modelOf(nx, ny), start, { steps: 20 });
    const mirror = await forecast(backend, modelOf(2 * nx, ny, {}, 'periodic'), doubled, { steps: 20 });
    for (let row = 0; row < 3 * ny; row++) {
      expect(mirror.subarray(2 * nx * row, 2 * nx * row + nx)).toBeClose(walls.subarray(nx * row, nx * (row + 1)), {
        absolute: rounding,
      });
    }
  });

  it('lets waves out where it is open', async () => {
    const [nx, ny] = [20, 4];
    const still = fieldsOf(nx, ny, (x) => [1 + 0.2 * Math.exp(-((x - 10) ** 2) / 8), 0, 0]);
    const result = await forecast(backend, modelOf(nx, ny, { timeStep: 0.1 }, 'open', 'wall'), still, { steps: 80 });
    // After 8 s at 3.1 m/s the two halves of the hump have left the 20 m; what a wall would reflect is 0.1 m high.
    expect(result.subarray(0, nx * ny)).toBeClose(new Float64Array(nx * ny).fill(1), { absolute: 0.01 });
  });

  it('turns a uniform current by f·t, and takes "auto" steps that end on time', async () => {
    const [nx, ny] = [6, 5];
    const [f, speed, seconds] = [0.2, 0.5, 3.3];
    const current = fieldsOf(nx, ny, () => [1, speed, 0]);
    for (const timeStep of [0.05, 'auto'] as const) {
      const model = modelOf(nx, ny, { coriolis: { f, beta: 0 }, timeStep }, 'periodic', 'periodic');
      const result = await forecast(backend, model, current, { seconds });
      const expected = fieldsOf(nx, ny, () => [1, speed * Math.cos(f * seconds), -speed * Math.sin(f * seconds)]);
      // Heun's error is (f·dt)²/6 of an angle of 0.66, with dt up to 0.13: 8e-5. A step omitted turns by 0.026.
      expect(result).toBeClose(expected, { absolute: 1e-4 });
    }
  });

  it('takes as many "auto" steps as it needs, over many batches and calls', async () => {
    const [nx, ny] = [4, 1];
    const [f, speed] = [0.05, 0.5];
    const model = modelOf(nx, ny, { coriolis: { f, beta: 0 }, timeStep: 'auto' }, 'periodic', 'periodic');
    const propagator = await model.prepare(backend, 1);
    const state = backend.allocate('state', 'real', 3 * nx);
    backend.write(state, model.toState(fieldsOf(nx, ny, () => [1, speed, 0])));
    // Some 60 steps each, of 0.13 s.
    for (const seconds of [7.7, 0.01, 8.1]) await propagator.advance(state, seconds);
    await propagator.check('batches');
    const angle = f * (7.7 + 0.01 + 8.1);
    const expected = fieldsOf(nx, ny, () => [1, speed * Math.cos(angle), -speed * Math.sin(angle)]);
    // As above: (f·dt)²/6 of an angle of 0.79; a step omitted turns by 0.0065.
    expect(model.fromState(Float64Array.from(await backend.read(state)))).toBeClose(expected, { absolute: 2e-5 });
    propagator.dispose();
    state.dispose();
  });

  it('slows a uniform current as Manning’s law has it', async () => {
    const [nx, ny] = [4, 3];
    const [h, q, manning, seconds] = [0.5, 1, 0.05, 5];
    const model = modelOf(nx, ny, { manning }, 'periodic', 'periodic');
    const result = await forecast(
      backend,
      model,
      fieldsOf(nx, ny, () => [h, 0, q]),
      { seconds },
    );
    const left = q / (1 + (seconds * GRAVITY * manning ** 2 * q) / h ** (7 / 3));
    expect(result).toBeClose(
      fieldsOf(nx, ny, () => [h, 0, left]),
      { absolute: rounding },
    );
    expect(left).toBeLessThan(0.8);
  });

  it('repairs what an analysis left, and nothing else', async () => {
    const [nx, ny] = [12, 10];
    const cells = nx * ny;
    const bed = island(nx, ny);
    const model = modelOf(nx, ny, { bed });
    const propagator = await model.prepare(backend, 2);
    const state = backend.allocate('state', 'real', 6 * cells);
    const start = around(bed, nx, ny);
    backend.write(state, model.toState(ensembleOf([start, start])));
    await propagator.advanceSteps(state, 10);
    const before = await backend.read(state);
    propagator.repair(state);
    expect(await backend.read(state)).toBeClose(before, { absolute: 0 });
    backend.write(state, [bed[7] - 0.5], 3 * cells + 7);
    backend.write(state, [3], 4 * cells + 7);
    propagator.repair(state);
    const after = await backend.read(state);
    expect(after[3 * cells + 7]).toBeClose(bed[7], { absolute: 1e-6 });
    expect([after[4 * cells + 7], after[5 * cells + 7]]).toEqual([0, 0]);
    expect(after[7]).toBe(before[7]);
    propagator.dispose();
    state.dispose();
  });

  it.each([
    { kind: 'courant', timeStep: 0.7, poison: 2 },
    { kind: 'not-finite', timeStep: 0.05, poison: NaN },
    { kind: 'not-finite', timeStep: 'auto', poison: NaN },
  ] as const)('names step, cell and member of a fault: $kind, $timeStep', async ({ kind, timeStep, poison }) => {
    const [nx, ny] = [30, 12];
    const still = fieldsOf(nx, ny, () => [0.1, 0, 0]);
    const bad = fieldsOf(nx, ny, (x, y) => [x === 20 && y === 7 ? poison : 0.1, 0, 0]);
    const model = modelOf(nx, ny, { timeStep });
    const propagator = await model.prepare(backend, 3);
    const state = backend.allocate('state', 'real', 9 * nx * ny);
    backend.write(state, model.toState(ensembleOf([still, bad, bad])));
    await propagator.advance(state, 1.4);
    const left = await backend.read(state);
    await propagator.advance(state, 1.4);
    expect(await backend.read(state)).toEqual(left);
    const error = await propagator.check('cycle 3').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DivergenceError);
    const { divergence } = error as DivergenceError;
    expect(divergence).toMatchObject({ kind, step: 0, member: 1 });
    // Two stages of a stencil that reaches two cells each way, three where a face asks for its donor's share.
    expect(Math.hypot(divergence.x - 20, divergence.y - 7)).toBeLessThanOrEqual(6);
    await propagator.check('cleared');
    propagator.dispose();
    state.dispose();
  });

  it('takes its state as η, hu, hv', () => {
    const [nx, ny] = [6, 5];
    const bed = island(nx, ny);
    const model = modelOf(nx, ny, { bed });
    const fields = ensembleOf([around(bed, nx, ny), around(bed, nx, ny, 0.4)]);
    const state = model.toState(fields);
    expect(model.surface).toBe('elevation');
    expect(state[3 * nx * ny + 4]).toBeClose(fields[3 * nx * ny + 4] + bed[4], { absolute: 1e-15 });
    expect(model.fromState(state)).toBeClose(fields, { absolute: 1e-15 });
    expect(model.fromState(state.map((value, i) => (i === 4 ? bed[4] - 1 : value)))[4]).toBe(0);
  });
});
