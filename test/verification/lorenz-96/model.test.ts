/** The Lorenz-96 model [lorenz1996] against an exact solution, the order of its time stepping, and its published climate. */
import { describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { createReferenceBackend } from '../../../engine/index.ts';
import { createLorenz96 } from '../../../engine/models/lorenz-96/index.ts';
import { backends } from '../../setup/backends.ts';
import { order } from '../../../engine/check/measures.ts';

const N = 40;
const F = 8;

/** The state after `time` units in steps of `timeStep`. */
async function forecast(backend: Backend, start: Float64Array, time: number, timeStep: number): Promise<Float64Array> {
  const propagator = await createLorenz96({ n: N, forcing: F, timeStep }).prepare(backend, 1);
  const state = backend.allocate('lorenz-96.state', 'real', N);
  backend.write(state, start);
  await propagator.advance(state, time);
  await propagator.check('verification');
  const found = await backend.read(state);
  propagator.dispose();
  state.dispose();
  return found;
}

/** A state far from symmetry, without a random number. */
const start = Float64Array.from({ length: N }, (_, i) => F + 2 * Math.sin(1.7 * i) + Math.cos(0.6 * i * i));

describe.each(backends)('Lorenz-96 on $name', ({ open, precision }) => {
  it('relaxes a uniform state as x = F + (x₀ − F) e^−t', async () => {
    const backend = await open();
    const found = await forecast(backend, new Float64Array(N).fill(2), 1, 0.05);
    backend.dispose();
    // Each Runge–Kutta step of x' = −x is wrong by dt⁵/120: 20 steps from a distance of 6 by 6 · 20 · 0.05⁵/120 · e^−1; rounding in
    // float32 is 20 steps of 8 · 6e-8.
    const discretisation = 6 * 20 * (0.05 ** 5 / 120) * Math.exp(-1) * 1.1;
    expect(found).toBeClose(new Float64Array(N).fill(F + (2 - F) * Math.exp(-1)), {
      absolute: discretisation + (precision === 'float32' ? 20 * 8 * 6e-8 : 1e-13),
    });
  });
});

describe('Lorenz-96 in float64', () => {
  it('converges with the fourth power of the step', async () => {
    const backend = createReferenceBackend();
    const steps = [20, 40, 80, 160];
    const exact = await forecast(backend, start, 1, 1 / 2560);
    const errors: number[] = [];
    for (const n of steps) {
      const found = await forecast(backend, start, 1, 1 / n);
      errors.push(Math.hypot(...found.map((x, i) => x - exact[i])));
    }
    backend.dispose();
    // The next term of the error is of relative size dt · (rate of growth): a tenth over these steps.
    expect(order(steps, errors)).toBeGreaterThan(3.9);
    expect(order(steps, errors)).toBeLessThan(4.3);
  });

  it('has the published climate: mean 2.3, standard deviation 3.6', async () => {
    const backend = createReferenceBackend();
    let state = await forecast(backend, start, 20, 0.05);
    let [sum, squares, count] = [0, 0, 0];
    for (let sample = 0; sample < 500; sample++) {
      state = await forecast(backend, state, 1, 0.05);
      for (const x of state) {
        sum += x;
        squares += x * x;
        count += 1;
      }
    }
    backend.dispose();
    const mean = sum / count;
    // 20 000 values of which neighbours in time and space are related: some 4000 independent ones, 3.6/√4000 = 0.06.
    expect(Math.abs(mean - 2.34)).toBeLessThan(0.15);
    expect(Math.abs(Math.sqrt(squares / count - mean ** 2) - 3.64)).toBeLessThan(0.15);
  });
});
