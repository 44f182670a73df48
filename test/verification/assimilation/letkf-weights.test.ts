/** The weights of the LETKF in a cell, as it explains them: they make the analysis there, by dense algebra. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import {
  dot,
  eigenvalues as spectrumOf,
  norm,
  plusDiagonal,
  solve,
  times,
} from '../../../engine/check/assimilation/dense.ts';
import { meanOf, method } from '../../../engine/check/assimilation/set-up.ts';
import {
  CELLS,
  FILTER,
  HALF_WIDTH,
  INFLATION,
  LENGTH,
  MEMBERS,
  NX,
  OBSERVED,
  USED,
  analysed,
  drawn,
  roundingOf,
  seenElement,
  taperOf,
} from './asked-analysis.ts';

/** Errors that are correlated along a track. */
const TRACK = { count: 5, between: (a: number, b: number) => (a === b ? 1 : 0.8 * Math.exp(-Math.abs(a - b))) };

// Compiling is most of the time on SwiftShader; influence.test.ts asks its kernels for no less.
describe.each(backends.filter(({ name }) => name !== 'webgpu'))(
  'the weights of a cell on $name',
  ({ open, precision }) => {
    const eps = precision === 'float64' ? 2 ** -53 : 2 ** -24;
    let backend: Backend;
    beforeAll(async () => {
      backend = await open();
    });
    afterAll(() => backend.dispose());

    it.each([
      ['fewer observations in reach than members', HALF_WIDTH],
      // Beyond half of the periodic axis, so that all are in reach.
      ['more observations in reach than members', 40],
    ])('make its mean, with %s', async (_, halfWidth) => {
      const settings = method({ kind: 'letkf', localisation: { halfWidth }, inflation: INFLATION });
      await analysed(backend, settings, async ({ ask, increment }) => {
        const before = drawn(MEMBERS);
        let least = Infinity;
        for (const [x, y] of [
          [3, 4],
          [1, 1],
          [8, 6],
        ] as const) {
          const { weights, observations, localisation, degreesOfFreedom } = await ask({
            kind: 'weights',
            cell: { x, y },
          });
          const rounding = roundingOf(eps);
          expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeClose(1, { absolute: rounding });
          for (let variable = 0; variable < 3; variable++) {
            const element = variable * CELLS + y * NX + x;
            const values = Array.from({ length: MEMBERS }, (__, i) => before[i * LENGTH + element]);
            const made = dot(weights, values) - meanOf(before, LENGTH)[element];
            expect(made).toBeClose(increment[element], { absolute: rounding });
          }
          const at = y * NX + x;
          const inReach = USED.filter((j) => taperOf(seenElement(j), at, halfWidth) > 0);
          expect([...observations]).toEqual(inReach);
          const expected = inReach.map((j) => taperOf(seenElement(j), at, halfWidth));
          expect(localisation).toBeClose(expected, { absolute: 1e-14 });
          least = Math.min(least, observations.length);
          expect(degreesOfFreedom).toBeGreaterThan(0);
          expect(degreesOfFreedom).toBeLessThan(Math.min(observations.length, MEMBERS - 1));
        }
        expect(least >= MEMBERS).toBe(halfWidth > HALF_WIDTH);
      });
    });

    it.each([
      ['independent errors', {}],
      ['correlated errors', { errorCorrelation: 'full' }],
      ['inflation that adapts itself', { adaptation: { kind: 'innovations' } }],
      ['inflation of every cell', { adaptation: { kind: 'local' } }],
    ] as const)('have matrices that make its analysis, with %s', async (_, own) => {
      const settings = method({ kind: 'letkf', ...FILTER, ...own });
      const observed = { ...OBSERVED, correlated: [{ first: 0, errors: TRACK }] };
      await analysed(
        backend,
        settings,
        async ({ ask, state }) => {
          const k = MEMBERS;
          const before = drawn(k);
          const cell = { x: 3, y: 4 };
          const { weights, transform } = await ask({ kind: 'weights', cell });
          const { place, observations, observationWeights, covariance, root, eigenvalues } = transform;
          expect(place).toEqual(cell);
          const rows = (values: Float64Array): Float64Array[] =>
            Array.from({ length: k }, (__, i) => values.slice((i * values.length) / k, ((i + 1) * values.length) / k));
          const [c, p, w] = [observationWeights, covariance, root].map(rows);
          // xᵃ⁽ⁱ⁾ = Σ weightₘ x⁽ᵐ⁾ + Σ Wₘᵢ (x⁽ᵐ⁾ − x̄), for every variable.
          const rounding = roundingOf(eps);
          for (let variable = 0; variable < 3; variable++) {
            const element = variable * CELLS + cell.y * NX + cell.x;
            const values = Float64Array.from({ length: k }, (__, m) => before[m * LENGTH + element]);
            const mean = values.reduce((sum, value) => sum + value / k, 0);
            const [moved] = times([values.map((value) => value - mean)], w);
            const made = moved.map((value) => dot(weights, values) + value);
            const found = Float64Array.from({ length: k }, (__, i) => state[i * LENGTH + element]);
            expect(found).toBeClose(made, { absolute: rounding });
          }
          // (k − 1) P̃ᵃ = W², and P̃ᵃ [(k − 1) I/ρ + C Y] = I: so are the eigenvalues (k − 1)/ρ over those of P̃ᵃ.
          const square = times(w, w).map((row) => row.map((value) => value / (k - 1)));
          p.forEach((row, i) => expect(row).toBeClose(square[i], { absolute: rounding }));
          const y = [...observations].map((j) => {
            const seen = Float64Array.from({ length: k }, (__, m) => before[m * LENGTH + seenElement(j)]);
            return seen.map((value) => value - seen.reduce((sum, each) => sum + each / k, 0));
          });
          const none = square.map((row) => new Float64Array(row.length));
          const inverse = solve(p, plusDiagonal(none, new Float64Array(k).fill(1)));
          const product = times(c, y);
          const own = inverse[0][0] - product[0][0];
          const size = Math.max(...inverse.map((row) => norm(row)));
          expect(own).toBeClose((k - 1) / INFLATION, { absolute: 100 * rounding * size });
          inverse.forEach((row, i) =>
            expect(row).toBeClose(
              product[i].map((value, j) => value + (i === j ? own : 0)),
              { absolute: 100 * rounding * size },
            ),
          );
          const expected = spectrumOf(p).map((value) => 1 / (own * value));
          expect(eigenvalues).toBeClose(expected, { relative: 100 * rounding });
          expect(eigenvalues[0]).toBeGreaterThan(1.2);
          expect(eigenvalues[k - 1]).toBeClose(1, { absolute: 100 * rounding });
        },
        observed,
      );
    });

    it('are alike where no observation is in reach', async () => {
      const settings = method({ kind: 'letkf', localisation: { halfWidth: 1 }, inflation: INFLATION });
      await analysed(backend, settings, async ({ ask }) => {
        const answer = await ask({ kind: 'weights', cell: { x: 0, y: 6 } });
        expect(answer.observations).toHaveLength(0);
        expect(answer.degreesOfFreedom).toBe(0);
        expect(answer.weights).toBeClose(new Float64Array(MEMBERS).fill(1 / MEMBERS), { absolute: 4 * eps });
      });
    });
  },
);
