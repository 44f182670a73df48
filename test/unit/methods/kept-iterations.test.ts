/** Which iterations of a minimisation are kept, whatever it is that is minimised. */
import { expect, it } from 'vitest';
import { followKeeping } from '../../../engine/methods/variational/minimisation.ts';
import type { Look, MinimisationReport } from '../../../engine/operators/conjugate-gradient/index.ts';

const REPORT: MinimisationReport = {
  iterations: 0,
  converged: true,
  cost: [],
  backgroundCost: [],
  observationCost: [],
  residual: [],
  ritzValues: [],
  conditionNumber: 1,
};

/** Follows a minimisation of so many iterations whose increment after k is k, its Lanczos matrix diag(1, 2, …, k). */
async function follow(iterations: number, most: number, until = Infinity) {
  let now = 0;
  const asked: number[] = [];
  const { kept } = await followKeeping(
    async (look) => {
      for (now = 0; now <= iterations; now++) {
        const lanczos = {
          diagonal: Float64Array.from({ length: now }, (_, k) => k + 1),
          offDiagonal: new Float64Array(Math.max(0, now - 1)),
        };
        if (!(await look({ iteration: now, lanczos } satisfies Look))) break;
      }
      now = Math.min(now, iterations);
      return REPORT;
    },
    most,
    () => Promise.resolve(Float32Array.of(now)),
    (iteration) => {
      asked.push(iteration);
      return Promise.resolve(iteration < until);
    },
  );
  for (const { iteration, plane } of kept) expect([...plane]).toEqual([iteration]);
  return { kept: kept.map(({ iteration }) => iteration), asked, ritz: kept.map(({ ritzValues }) => ritzValues) };
}

it('keeps all that fit, each with its Ritz values', async () => {
  const { kept, asked, ritz } = await follow(5, 60);
  expect(kept).toEqual([1, 2, 3, 4, 5]);
  expect(asked).toEqual([0, 1, 2, 3, 4, 5]);
  ritz.forEach((values, k) => expect(values).toBeClose([1, 2, 3, 4, 5].slice(0, k + 1), { relative: 1e-14 }));
});

it.each([
  [60, 60, [...Array(60).keys()].map((k) => k + 1)],
  [121, 60, [...[...Array(59).keys()].map((k) => 2 * (k + 1)), 121]],
  [131, 60, [...[...Array(32).keys()].map((k) => 4 * (k + 1)), 131]],
  [9, 4, [2, 4, 6, 9]],
  [1000, 2, [512, 1000]],
])('keeps of %i iterations %i at most, evenly, with the last', async (iterations, most, expected) => {
  const { kept, asked } = await follow(iterations, most);
  expect(kept).toEqual(expected);
  expect(asked).toHaveLength(iterations + 1);
});

it('ends where it is asked to, and keeps that iteration', async () => {
  const { kept, asked } = await follow(100, 3, 7);
  expect(asked.at(-1)).toBe(7);
  expect(kept.at(-1)).toBe(7);
});

it('keeps nothing of none', async () => {
  expect((await follow(0, 60)).kept).toEqual([]);
});

it('reports of many Ritz values the outermost and some between', async () => {
  const values = (await follow(200, 2)).ritz.at(-1) ?? new Float64Array(0);
  expect(values).toHaveLength(64);
  expect([values[0], values[63]]).toBeClose([1, 200], { relative: 1e-14 });
});
