import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend, LimitError, type Backend } from '../../../engine/index.ts';
import {
  differenceFrom,
  LINEARISED_CASES,
  taylorOrder,
  transposeError,
  wavesOn,
} from '../../../engine/check/assimilation/linear-models.ts';
import { FLOAT32_DIFFERENCE, LEAST_ORDER, LIMITED_SHARE } from '../../../engine/check/cases/derivatives.ts';
import { minus, norm } from '../../../engine/check/assimilation/dense.ts';
import { normals } from '../../../engine/check/measures.ts';
import { createLinearWindow, createLorenz96, createShallowWater, SCHEME_NAMES } from '../../../engine/models/index.ts';
import type { Model, Scheme } from '../../../engine/models/index.ts';
import { allBackends, backends } from '../../setup/backends.ts';

describe.each(allBackends)('linearised models on $name', ({ open, precision }) => {
  const isExact = precision === 'float64';
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(LINEARISED_CASES)('$name: the adjoint is the transpose of the tangent', async (each) => {
    const { difference, size } = await transposeError(backend, each);
    expect(difference).toBeLessThan(isExact ? 1e-14 : 2e-6);
    expect(size).toBeGreaterThan(1e-3);
  });

  // At a shore another rounding takes another branch of a limit: there the transpose alone is compared.
  it.each(LINEARISED_CASES.filter(({ isLimited }) => !isLimited))('$name: both are those of float64', async (each) => {
    const reference = createReferenceBackend();
    expect(await differenceFrom(reference, backend, each)).toBeLessThanOrEqual(isExact ? 0 : FLOAT32_DIFFERENCE);
    reference.dispose();
  });
});

/** Seconds of a step. */
const TIME_STEP = 0.04;

/** Sizes at which kernels have edges: of vectors, rows and workgroups, and basins whose cells are their own neighbours. */
const SHAPES = [
  { nx: 41, ny: 1, boundary: { x: 'wall', y: 'wall' } },
  { nx: 1, ny: 6, boundary: { x: 'open', y: 'periodic' } },
  { nx: 2, ny: 3, boundary: { x: 'open', y: 'wall' } },
  { nx: 3, ny: 2, boundary: { x: 'periodic', y: 'open' } },
  { nx: 18, ny: 35, boundary: { x: 'periodic', y: 'open' } },
  { nx: 300, ny: 5, boundary: { x: 'wall', y: 'periodic' } },
  { nx: 257, ny: 66, boundary: { x: 'open', y: 'open' } },
] as const;

function modelOf(scheme: Scheme, { nx, ny, boundary }: (typeof SHAPES)[number]): Model {
  const periodicX = boundary.x === 'periodic';
  const periodicY = boundary.y === 'periodic';
  return createShallowWater({
    scheme,
    grid: { nx, ny, dx: 1, dy: 1.25, periodicX, periodicY },
    gravity: 9.81,
    timeStep: TIME_STEP,
    boundary,
    drag: 0.1,
    ...(scheme === 'central-upwind' && {
      bed: Float64Array.from({ length: nx * ny }, (_, cell) => -1 + 0.3 * Math.sin(cell)),
      coriolis: { f: 0.3, beta: 0.02 },
      manning: 0.05,
    }),
  });
}

/** One step of a vector. */
async function stepOf(backend: Backend, model: Model, state: Float64Array, direction: 'tangent' | 'adjoint') {
  const steps = await model.linearise(backend, TIME_STEP);
  const vector = normals(state.length, 'linear.shape');
  const [before, input, output] = [state, vector, vector].map((values, which) => {
    const field = backend.allocate(`linear.${which}`, 'real', values.length);
    backend.write(field, values);
    return field;
  });
  const kept = backend.allocate('linear.kept', 'real', Math.max(1, model.linearKept));
  steps.follow?.run({ before, kept });
  steps[direction].run({ before, kept, input, output });
  const result = Float64Array.from(await backend.read(output));
  for (const owned of [steps, before, kept, input, output]) owned.dispose();
  return result;
}

/** The largest relative difference of a step, in either direction, from that of float64. */
async function stepDifference(backend: Backend, model: Model, state: Float64Array): Promise<number> {
  const exactBackend = createReferenceBackend();
  let largest = 0;
  for (const direction of ['tangent', 'adjoint'] as const) {
    const found = await stepOf(backend, model, state, direction);
    const expected = await stepOf(exactBackend, model, state, direction);
    largest = Math.max(largest, norm(minus(found, expected)) / norm(expected));
  }
  exactBackend.dispose();
  return largest;
}

describe.each(backends.filter(({ precision }) => precision === 'float32'))('kernels on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(
    SCHEME_NAMES.flatMap((scheme) =>
      SHAPES.map((shape) => ({ scheme, shape, size: `${shape.nx} × ${shape.ny}`, ...shape.boundary })),
    ),
  )('$scheme, $size, $x and $y: a step is that of float64', async ({ scheme, shape }) => {
    const model = modelOf(scheme, shape);
    const state = model.toState(wavesOn(shape.nx, shape.ny));
    expect(await stepDifference(backend, model, state)).toBeLessThan(FLOAT32_DIFFERENCE);
  });

  it.each([4, 5, 40, 301])('lorenz-96, %i variables: a step is that of float64', async (n) => {
    const model = createLorenz96({ n });
    const state = Float64Array.from({ length: n }, (_, i) => 3 + 4 * Math.sin(i * i + 1));
    expect(await stepDifference(backend, model, state)).toBeLessThan(FLOAT32_DIFFERENCE);
  });
});

describe('linearised models', () => {
  it.each(LINEARISED_CASES)('$name: what the tangent leaves is of second order', async (each) => {
    const backend = createReferenceBackend();
    const { order, share } = await taylorOrder(backend, each);
    expect(each.isLimited ? LIMITED_SHARE : order).toBeGreaterThan(each.isLimited ? share : LEAST_ORDER);
    backend.dispose();
  });

  it('refuses a trajectory whose checkpoints are too large to keep', async () => {
    const backend = createReferenceBackend();
    const long = createLinearWindow(backend, createLorenz96({ n: 4000 }), {
      seconds: 10_000,
      shares: [],
      mostBytes: 2 ** 24,
    });
    await expect(long).rejects.toThrow(LimitError);
    await expect(long).rejects.toThrow(
      /checkpoints of the trajectory of a window of 200000 steps take 28 MiB, allowed: 16 MiB/,
    );
    backend.dispose();
  });
});
