/** Control transforms made of others: a sum has the sum of their covariances, a stack their blocks, and both an exact adjoint. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, Covariance } from '../../../engine/index.ts';
import {
  adjointBound,
  LEAST_ADJOINT_SIZE,
  testAdjoint,
  matrixOf,
  times,
  transposed,
} from '../../../engine/check/assimilation/dense.ts';
import type { Matrix } from '../../../engine/check/assimilation/dense.ts';
import { createControlTransform, stack, sum } from '../../../engine/methods/covariances/index.ts';
import type { StaticControlTransform } from '../../../engine/methods/covariances/index.ts';
import { allBackends } from '../../setup/backends.ts';
import { isNightly } from '../../setup/nightly.ts';

import { basin, lengthOf, PHYSICS, variational } from '../../../engine/check/assimilation/set-up.ts';
import type { CovarianceInput } from '../../../engine/check/assimilation/set-up.ts';

/** Not square, no multiple of a workgroup. */
const MODEL = basin({ nx: 6, ny: 5, periodicX: true });
const CELLS = 30;
const LENGTH = lengthOf(MODEL);

/** Two that differ in kind, length, balance and in the variables that they have errors for. */
const SMALL: CovarianceInput = { kind: 'gaussian', length: 2, standardDeviation: { h: 0.1, hv: 0.3 } };
const LARGE: CovarianceInput = {
  kind: 'recursive-filter',
  length: 6,
  standardDeviation: { h: 0.2 },
  balance: 'geostrophic',
};

function covariance(settings: CovarianceInput): Covariance {
  return variational(settings).covariance;
}

/** The model's first variables alone, or those after them, as a model of its own. */
function modelOf(first: number, end: number): typeof MODEL {
  return { ...MODEL, variables: MODEL.variables.slice(first, end) };
}

function covarianceOf(root: Matrix): Matrix {
  return times(root, transposed(root));
}

function flat(matrix: Matrix): number[] {
  return matrix.flatMap((row) => [...row]);
}

/** The transforms that these are made of are tested on a GPU in software daily. */
const composing = allBackends.filter(({ name }) => isNightly || name !== 'webgpu');

describe.each(composing)('control transforms made of others on $name', ({ open, precision }) => {
  /** An element of B is a sum of products of V's, each of which carries its taps' roundings. */
  const relative = precision === 'float64' ? 1e-13 : 1e-5;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  const single = (settings: CovarianceInput, model = MODEL): Promise<StaticControlTransform> =>
    createControlTransform(backend, model, covariance(settings), PHYSICS);

  async function summed(): Promise<StaticControlTransform> {
    return sum(backend, LENGTH, [await single(SMALL), await single(LARGE)]);
  }

  /** The surface with one covariance, the momenta with another. */
  async function stacked(): Promise<StaticControlTransform> {
    const surface = await single({ kind: 'gaussian', length: 5, standardDeviation: { h: 0.2 } }, modelOf(0, 1));
    const momenta = await single(
      { kind: 'gaussian', length: 3, standardDeviation: { hu: 0.5, hv: 0.3 } },
      modelOf(1, 3),
    );
    return stack(backend, CELLS, [
      { transform: surface, variables: 1 },
      { transform: momenta, variables: 2 },
    ]);
  }

  it.each([
    ['a sum', summed],
    ['a stack', stacked],
  ] as const)('⟨Vx, y⟩ = ⟨x, Vᵀy⟩: %s', async (_, make) => {
    const transform = await make();
    const found = await testAdjoint(backend, { ...transform, columns: transform.length, rows: LENGTH });
    expect(found.difference).toBeLessThan(adjointBound(precision));
    expect(found.size).toBeGreaterThan(LEAST_ADJOINT_SIZE);
    transform.dispose();
  });

  it('a sum has a control vector of each, and B = B₁ + B₂', async () => {
    const [first, second] = [await single(SMALL), await single(LARGE)];
    const [b1, b2] = [
      covarianceOf(await matrixOf(backend, first, LENGTH)),
      covarianceOf(await matrixOf(backend, second, LENGTH)),
    ];
    const transform = await sum(backend, LENGTH, [first, second]);
    expect(transform.length).toBe(first.length + second.length);
    const found = flat(covarianceOf(await matrixOf(backend, transform, LENGTH)));
    const [one, other] = [flat(b1), flat(b2)];
    const expected = one.map((value, i) => value + other[i]);
    expect(found).toBeClose(expected, { absolute: relative * Math.max(...expected.map(Math.abs)) });
    transform.dispose();
  });

  it('a stack has the blocks of its parts, and nothing between them', async () => {
    const transform = await stacked();
    const b = covarianceOf(await matrixOf(backend, transform, LENGTH));
    const between = b.slice(0, CELLS).flatMap((row) => Array.from(row.slice(CELLS)));
    expect(Math.max(...between.map(Math.abs))).toBe(0);
    const surface = await single({ kind: 'gaussian', length: 5, standardDeviation: { h: 0.2 } }, modelOf(0, 1));
    const own = covarianceOf(await matrixOf(backend, surface, CELLS));
    expect(b.slice(0, CELLS).flatMap((row) => Array.from(row.slice(0, CELLS)))).toBeClose(flat(own), {
      absolute: relative * 0.04,
    });
    for (const owned of [transform, surface]) owned.dispose();
  });

  it.each([
    ['a sum', summed],
    ['a stack', stacked],
  ] as const)('covariance() is that of V Vᵀ: %s', async (_, make) => {
    const transform = await make();
    const b = covarianceOf(await matrixOf(backend, transform, LENGTH));
    const stated = b.map((row, i) =>
      row.map((_value, j) => transform.covariance(Math.floor(i / CELLS), i % CELLS, Math.floor(j / CELLS), j % CELLS)),
    );
    expect(flat(stated)).toBeClose(flat(b), { absolute: relative * Math.max(...flat(b).map(Math.abs)) });
    transform.dispose();
  });

  it('variance() of a stack is that of the part that has the variable', async () => {
    const transform = await stacked();
    const deviations = [0.2, 0.5, 0.3];
    for (const [variable, deviation] of deviations.entries()) {
      expect(transform.variance(variable)).toBeClose(Array(CELLS).fill(deviation ** 2), { relative: 1e-12 });
    }
    expect(() => transform.variance(3)).toThrow('found the variable 3, the stack has 3');
    transform.dispose();
  });

  it('variance() of a sum adds up', async () => {
    const transform = await summed();
    expect(transform.variance(0)).toBeClose(Array(CELLS).fill(0.1 ** 2 + 0.2 ** 2), { relative: 1e-12 });
    expect(transform.variance(2)).toBeClose(Array(CELLS).fill(0.3 ** 2), { relative: 1e-12 });
    transform.dispose();
  });

  it('nothing cannot be composed', async () => {
    await expect(sum(backend, LENGTH, [])).rejects.toThrow('found no control transforms to compose');
    expect(() => stack(backend, CELLS, [])).toThrow('found no control transforms to compose');
  });
});
