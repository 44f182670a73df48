/** Water at rest ahead of a wave on the wasm backend: no numbers that fade through the smallest ones, and no water lost for it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWasmBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { createShallowWater } from '../../../engine/models/index.ts';
import { fieldsOf, sum } from './forecast.ts';

const [NX, NY] = [64, 48];
const STEPS = 12;
/** The smallest number that float32 keeps all digits of. */
const SMALLEST = 2 ** -126;

/** How many numbers have fewer digits than others. */
function tiny(values: Float64Array): number {
  return values.filter((value) => value !== 0 && Math.abs(value) < SMALLEST).length;
}

/** A drop whose rim is nowhere 0, and under every row a current that is too slow for float32. */
const start = fieldsOf(NX, NY, (x, y) => {
  const drop = Math.exp(-((x - 32) ** 2 + (y - 20) ** 2) / 10);
  return [1 + 0.3 * drop, 1e-30 * drop + 1e-39, -1e-25 * drop];
});

describe.each(['lax-wendroff', 'richtmyer', 'central-upwind'] as const)('quiet water with %s', (scheme) => {
  let backend: Backend;
  let state: Float64Array;
  let before: Float64Array;
  beforeAll(async () => {
    backend = await createWasmBackend();
    const model = createShallowWater({
      scheme,
      grid: { nx: NX, ny: NY, dx: 1, dy: 1, periodicX: false, periodicY: false },
      gravity: 9.8,
      timeStep: 0.1,
      bed: new Float64Array(NX * NY).fill(-1),
    });
    const propagator = await model.prepare(backend, 1);
    // Of a flat-bottom scheme the state is the depth, of the other the elevation above the bed at −1 m.
    before = start.map((value, i) => (model.surface === 'elevation' && i < NX * NY ? value - 1 : value));
    const field = backend.allocate('state', 'real', before.length);
    backend.write(field, before);
    before = Float64Array.from(await backend.read(field));
    await propagator.advanceSteps(field, STEPS);
    await propagator.check('quiet water');
    state = Float64Array.from(await backend.read(field));
    propagator.dispose();
    field.dispose();
  });
  afterAll(() => backend.dispose());

  it('has no momenta among the numbers with few digits', () => {
    expect(tiny(before.subarray(NX * NY))).toBeGreaterThan(1000);
    expect(tiny(state)).toBe(0);
  });

  it('is at rest where the wave has not come, and moves where it has', () => {
    const corner = NX * NY + (NY - 1) * NX;
    expect(state[corner]).toBe(0);
    expect(Math.abs(state[NX * NY + 20 * NX + 27])).toBeGreaterThan(1e-3);
  });

  it('keeps its water', () => {
    const cells = NX * NY;
    const [volume, volumeBefore] = [sum(state.subarray(0, cells)), sum(before.subarray(0, cells))];
    // Every step rounds each depth, which is near 1 m or a part of the drop, twice by 6e-8 of it at most.
    expect(Math.abs(volume - volumeBefore)).toBeLessThan(cells * STEPS * 2 * 6e-8);
  });
});
