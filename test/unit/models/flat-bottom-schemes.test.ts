import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DivergenceError } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { createShallowWater } from '../../../engine/models/index.ts';
import type { Boundary, Model } from '../../../engine/models/index.ts';
import { backends, allBackends } from '../../setup/backends.ts';
import { oracleCases } from '../../setup/oracle.ts';
import { ensembleOf, fieldsOf, forecast, hump, mirrored, sum, transposed } from './forecast.ts';

type Scheme = 'lax-wendroff' | 'richtmyer';

function modelWith(
  scheme: Scheme,
  nx: number,
  ny: number,
  timeStep: number | 'auto' = 0.02,
  x: Boundary = 'wall',
  y: Boundary = 'wall',
): Model {
  return createShallowWater({
    scheme,
    grid: { nx, ny, dx: 1, dy: 1, periodicX: x === 'periodic', periodicY: y === 'periodic' },
    gravity: 9.8,
    timeStep,
    boundary: { x, y },
  });
}

function apart(nx: number, ny: number): Float64Array {
  return fieldsOf(nx, ny, (x) => [0.1, x < nx / 2 ? -0.25 : 0.25, 0]);
}

function poisoned(nx: number, ny: number): Float64Array {
  return fieldsOf(nx, ny, (x, y) => [x === 6 && y === 4 ? NaN : 1, 0, 0]);
}

/** Cells of a row and of a column, and steps. */
const SIZES = [
  [1, 1, 7],
  [33, 1, 7],
  [1, 17, 7],
  [32, 8, 7],
  [65, 9, 7],
  // So many cells that an invocation takes four rows.
  [1027, 1023, 1],
] as const;

/** What float64 makes of a hump, computed once for all backends. */
const humps = new Map<string, Promise<Float64Array>>();
function inFloat64(scheme: Scheme, nx: number, ny: number, steps: number): Promise<Float64Array> {
  const key = `${scheme} ${nx} ${ny}`;
  const known =
    humps.get(key) ??
    backends[0].open().then((reference) => forecast(reference, modelWith(scheme, nx, ny), hump(nx, ny), { steps }));
  humps.set(key, known);
  return known;
}

const schemes = ['lax-wendroff', 'richtmyer'] as const;
const cases = schemes.flatMap((scheme) => backends.map((backend) => ({ scheme, ...backend })));

describe.each(cases)('$scheme on $name', ({ scheme, name: backendName, open, precision }) => {
  const modelOf = (...settings: Parameters<typeof modelWith> extends [Scheme, ...infer Rest] ? Rest : never): Model =>
    modelWith(scheme, ...settings);
  // A step of float32 adds some ten roundings of 6e-8 to values near 1; tens of steps add up to less than this.
  const rounding = precision === 'float64' ? 1e-13 : 4e-6;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('advances members together as each alone, bit by bit', async () => {
    const [nx, ny] = [35, 9];
    const members = [0.1, 0.2, 0.3].map((height) => hump(nx, ny, height));
    const model = modelOf(nx, ny);
    const together = await forecast(backend, model, ensembleOf(members), { steps: 5 });
    const alone = [];
    for (const member of members) alone.push(await forecast(backend, model, member, { steps: 5 }));
    expect(together).toBeClose(ensembleOf(alone), { absolute: 0 });
  });

  it('is logged with the workgroup of its step, if there is one', async () => {
    const seen: (readonly number[] | undefined)[] = [];
    const stop = backend.onKernel(({ name, workgroup }) => {
      if (name === scheme) seen.push(workgroup);
    });
    await forecast(backend, modelOf(20, 9), hump(20, 9), { steps: 3 });
    await backend.settle();
    stop();
    expect(seen.length).toBeGreaterThan(0);
    const expected = backendName === 'webgpu' ? [64, 2] : undefined;
    for (const workgroup of seen) expect(workgroup?.slice(0, 2)).toEqual(expected);
  });

  it('keeps mirror and transpose', async () => {
    const [nx, ny] = [21, 10];
    const start = hump(nx, ny);
    const result = await forecast(backend, modelOf(nx, ny), start, { steps: 20 });
    const other = await forecast(backend, modelOf(nx, ny), mirrored(start, nx, ny), { steps: 20 });
    expect(mirrored(other, nx, ny)).toBeClose(result, { absolute: rounding });
    const turned = await forecast(backend, modelOf(ny, nx), transposed(start, nx, ny), { steps: 20 });
    expect(transposed(turned, ny, nx)).toBeClose(result, { absolute: rounding });
  });

  it('has walls that are a mirror', async () => {
    const [nx, ny] = [17, 6];
    const start = hump(nx, ny);
    const image = mirrored(start, nx, ny);
    const doubled = fieldsOf(2 * nx, ny, (x, y) => {
      const [from, column] = x < nx ? [start, x] : [image, x - nx];
      const cell = y * nx + column;
      return [from[cell], from[nx * ny + cell], from[2 * nx * ny + cell]];
    });
    const walls = await forecast(backend, modelOf(nx, ny), start, { steps: 30 });
    const mirror = await forecast(backend, modelOf(2 * nx, ny, 0.02, 'periodic'), doubled, { steps: 30 });
    for (let row = 0; row < 3 * ny; row++) {
      expect(mirror.subarray(2 * nx * row, 2 * nx * row + nx)).toBeClose(walls.subarray(nx * row, nx * (row + 1)), {
        absolute: rounding,
      });
    }
  });

  it('has no seam where it is periodic', async () => {
    const [nx, ny] = [33, 7];
    const shift = 5;
    const start = hump(nx, ny);
    const shifted = start.map((_, i) => start[i - (i % nx) + ((i + shift) % nx)]);
    const model = modelOf(nx, ny, 0.02, 'periodic', 'periodic');
    const result = await forecast(backend, model, start, { steps: 30 });
    const other = await forecast(backend, model, shifted, { steps: 30 });
    // `i % nx` in a whole row of nx columns: the shift acts within the row.
    expect(other).toBeClose(
      result.map((_, i) => result[i - (i % nx) + (((i % nx) + shift) % nx)]),
      { absolute: rounding },
    );
  });

  it('conserves water, and lets it out where it is open', async () => {
    const [nx, ny] = [20, 12];
    const start = hump(nx, ny);
    const before = sum(start.subarray(0, nx * ny));
    for (const boundary of ['wall', 'periodic'] as const) {
      const result = await forecast(backend, modelOf(nx, ny, 0.05, boundary, boundary), start, { steps: 20 });
      expect(sum(result.subarray(0, nx * ny)) / before - 1).toBeClose(0, { absolute: rounding });
    }
    const still = fieldsOf(nx, ny, (x) => [1 + 0.2 * Math.exp(-((x - 10) ** 2) / 8), 0, 0]);
    const open = await forecast(backend, modelOf(nx, ny, 0.05, 'open', 'wall'), still, { steps: 160 });
    // After 8 s at 3.1 m/s the two halves of the hump have left the 20 m; what a wall would reflect is 0.1 m high.
    expect(open.subarray(0, nx * ny)).toBeClose(new Float64Array(nx * ny).fill(1), { absolute: 0.01 });
  });

  it.each(precision === 'float64' ? [] : SIZES)('agrees with float64 on %i × %i cells', async (nx, ny, steps) => {
    const result = await forecast(backend, modelOf(nx, ny), hump(nx, ny), { steps });
    expect(result).toBeClose(await inFloat64(scheme, nx, ny, steps), { absolute: rounding });
  });

  it('takes "auto" steps that end on time', async () => {
    const [nx, ny] = [24, 10];
    const wave = fieldsOf(nx, ny, (x) => [1 + 0.05 * Math.cos((2 * Math.PI * x) / nx), 0, 0]);
    const fine = await forecast(backend, modelOf(nx, ny, 0.01, 'periodic'), wave, { seconds: 1 });
    const auto = await forecast(backend, modelOf(nx, ny, 'auto', 'periodic'), wave, { seconds: 1 });
    // Steps of 0.13 s: a last step omitted would be seen as 0.05 · 3.1 · 2π/24 · 0.13 = 0.005 m.
    expect(auto).toBeClose(fine, { absolute: 1e-3 });
    expect(auto).not.toBeClose(fine, { absolute: 1e-6 });
  });

  it('repairs what an analysis left, and nothing else', async () => {
    const [nx, ny] = [5, 3];
    const model = modelOf(nx, ny);
    const propagator = await model.prepare(backend, 1);
    const state = backend.allocate('state', 'real', 3 * nx * ny);
    const good = hump(nx, ny);
    backend.write(state, good);
    const before = await backend.read(state);
    propagator.repair(state);
    expect(await backend.read(state)).toBeClose(before, { absolute: 0 });
    backend.write(state, [-0.5], 7);
    propagator.repair(state);
    const after = await backend.read(state);
    expect([after[7], after[7 + nx * ny], after[7 + 2 * nx * ny]]).toBeClose([0, 0, 0], { absolute: 1e-6 });
    expect(after[7]).toBeGreaterThan(0);
    expect(after[8]).toBe(before[8]);
    propagator.dispose();
    state.dispose();
  });

  it.each([
    // Water that flows apart leaves nothing; a wave outruns its cell; a value that is none spreads to the row below.
    { kind: 'negative-depth', timeStep: 0.1, bad: apart, expected: { variable: 'h' } },
    { kind: 'courant', timeStep: 0.6, bad: hump, expected: { step: 0 } },
    { kind: 'not-finite', timeStep: 0.02, bad: poisoned, expected: { step: 0, y: 3 } },
  ] as const)('names step, cell and member of a fault: $kind', async ({ kind, timeStep, bad, expected }) => {
    const [nx, ny] = [12, 8];
    const fields = ensembleOf([fieldsOf(nx, ny, () => [0.1, 0, 0]), bad(nx, ny), bad(nx, ny)]);
    const model = modelOf(nx, ny, timeStep);
    const propagator = await model.prepare(backend, 3);
    const state = backend.allocate('state', 'real', fields.length);
    const faultOf = async (work: () => Promise<void>): Promise<DivergenceError | undefined> => {
      backend.write(state, fields);
      try {
        await work();
      } catch (error) {
        if (error instanceof DivergenceError) return error;
        throw error;
      }
      return undefined;
    };
    // One step a call, each checked: the first that goes wrong is the step to be named.
    let step = -1;
    const single = await faultOf(async () => {
      for (step = 0; step < 70; step++) {
        await propagator.advanceSteps(state, 1);
        await propagator.check('single');
      }
    });
    const whole = await faultOf(async () => {
      await propagator.advanceSteps(state, 70);
      await propagator.advanceSteps(state, 3);
      await propagator.check('cycle 3');
    });
    expect(whole?.divergence).toEqual({ ...single?.divergence, step });
    expect(whole?.divergence).toMatchObject({ kind, member: 1, ...expected });
    // Half steps at corners reach the diagonal neighbour as well.
    const firstColumn = scheme === 'richtmyer' ? 5 : 6;
    expect(kind === 'not-finite' ? whole?.divergence.x : firstColumn).toBe(firstColumn);
    expect(Number(whole?.divergence.value) < 0).toBe(kind === 'negative-depth');
    expect(whole?.message).toMatch(/^cycle 3: /);
    // Cleared: a good ensemble runs again.
    backend.write(state, ensembleOf([fields, fields, fields].map(() => fieldsOf(nx, ny, () => [0.1, 0, 0]))));
    await propagator.advanceSteps(state, 3);
    await propagator.check('afterwards');
    propagator.dispose();
    state.dispose();
  });
});

describe.each(allBackends)('lax-wendroff on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(oracleCases('shallow-water'))('reproduces $name', async ({ parameters, inputs, outputs, tolerance }) => {
    const [ny, nx] = inputs['h'].shape;
    const { dx, dy, dt, gravity, steps } = parameters as Record<string, number>;
    const model = createShallowWater({
      scheme: 'lax-wendroff',
      grid: { nx, ny, dx, dy, periodicX: false, periodicY: false },
      gravity,
      timeStep: dt,
    });
    const names = model.variables.map(({ name }) => name);
    const fields = Float64Array.from(names.flatMap((name) => Array.from(inputs[name].data)));
    const result = await forecast(backend, model, fields, { steps });
    names.forEach((name, v) => {
      expect(result.subarray(v * nx * ny, (v + 1) * nx * ny)).toBeClose(outputs[name].data, {
        relative: tolerance[precision],
      });
    });
  });
});
