import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend, type Backend } from '../../../engine/index.ts';
import { createLinearWindow, createLorenz96, createShallowWater, SCHEME_NAMES } from '../../../engine/models/index.ts';
import type { LinearWindow, Model, Scheme } from '../../../engine/models/index.ts';
import { normals } from '../../../engine/check/measures.ts';
import { allBackends, backends } from '../../setup/backends.ts';
import { fieldsOf, hump } from './forecast.ts';

const [NX, NY] = [11, 9];

const grid = { nx: NX, ny: NY, dx: 1, dy: 1.25, periodicX: false, periodicY: false };
const periodic = { ...grid, periodicX: true, periodicY: true };
const basin = { gravity: 9.81, timeStep: 0.04 };
const wall = { boundary: { x: 'wall', y: 'wall' } } as const;
const openSides = { boundary: { x: 'open', y: 'wall' } } as const;
const round = { boundary: { x: 'periodic', y: 'periodic' } } as const;
/** A bed with a shore: water about 1 m deep in the west, dry land in the east. */
const beach = Float64Array.from({ length: NX * NY }, (_, cell) => -1 + 0.16 * (cell % NX));
const hills = Float64Array.from({ length: NX * NY }, (_, cell) => -1 + 0.3 * Math.sin(cell));
/** Waves that are nowhere level nor at an extremum of their cells: a limiter has a kink there, where nothing has a derivative. */
const wavesOn = (nx: number, ny: number): Float64Array =>
  fieldsOf(nx, ny, (x, y) => [
    1 + 0.1 * Math.sin(0.9 * x + 0.4 * y + 0.3),
    0.2 * Math.cos(0.7 * x - 0.6 * y),
    0.15 * Math.sin(0.5 * x + 0.8 * y + 1),
  ]);
const waves = wavesOn(NX, NY);
const coriolis = { f: 0.3, beta: 0.02 };

/** Each scheme with everything that it knows, and a state that is not at rest. */
interface Case {
  readonly name: string;
  readonly model: Model;
  readonly fields: Float64Array;
  /** Whether water is held back at a shore, by limits that are taken as they are. */
  readonly isLimited?: boolean;
}

const MODELS: readonly Case[] = [
  {
    name: 'lorenz-96',
    model: createLorenz96({ n: 13 }),
    fields: new Float64Array(13).map((_, i) => 3 + 4 * Math.sin(i * i + 1)),
  },
  ...(['lax-wendroff', 'richtmyer'] as const).flatMap((scheme) => [
    { name: `${scheme}, walls`, model: createShallowWater({ scheme, grid, ...basin, ...wall }), fields: hump(NX, NY) },
    {
      name: `${scheme}, open, with drag`,
      model: createShallowWater({ scheme, grid, ...basin, ...openSides, drag: 0.5 }),
      fields: hump(NX, NY),
    },
    {
      name: `${scheme}, periodic`,
      model: createShallowWater({ scheme, grid: periodic, ...basin, ...round }),
      fields: hump(NX, NY),
    },
  ]),
  {
    name: 'central-upwind, walls, rotating, with friction',
    model: createShallowWater({
      scheme: 'central-upwind',
      grid,
      ...basin,
      ...wall,
      coriolis,
      manning: 0.05,
      drag: 0.1,
      bed: hills,
    }),
    fields: waves,
  },
  {
    name: 'central-upwind, periodic',
    model: createShallowWater({ scheme: 'central-upwind', grid: periodic, ...basin, ...round, coriolis }),
    fields: waves,
  },
  {
    name: 'central-upwind, open, with a shore',
    model: createShallowWater({ scheme: 'central-upwind', grid, ...basin, ...openSides, bed: beach }),
    fields: fieldsOf(NX, NY, (x, y) => {
      const depth = Math.max(0, 0.05 * Math.sin(x + 2 * y) - beach[y * NX + x]);
      return [depth, 0.05 * depth, 0.03 * depth];
    }),
    isLimited: true,
  },
];

const STEPS = 6;
/** Of perturbations: small enough that no limiter takes another branch, large enough for the digits of their squares. */
const SIZES = [1e-5, 1e-6];

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function norm(a: ArrayLike<number>): number {
  return Math.sqrt(dot(a, a));
}

/** A window of some steps, with a way to run each direction on arrays of the host. */
async function windowOf(backend: Backend, { model, fields }: Case) {
  const seconds = STEPS * (model.surface === undefined ? 0.05 : basin.timeStep);
  const window: LinearWindow = await createLinearWindow(backend, model, { seconds, shares: [0.5] });
  const work = backend.allocate('work', 'real', fields.length);
  const through = async (vector: Float64Array, move: (field: typeof work) => void): Promise<Float64Array> => {
    backend.write(work, vector);
    move(work);
    return Float64Array.from(await backend.read(work));
  };
  const follow = async (state: Float64Array): Promise<Float64Array> => {
    backend.write(work, state);
    const conclude = await window.follow(work, true);
    await backend.collect();
    await conclude('test');
    return Float64Array.from(await backend.read(work));
  };
  await follow(model.toState(fields));
  return {
    follow,
    tangent: (vector: Float64Array) => through(vector, (field) => window.tangent(field)),
    adjoint: (vector: Float64Array) => through(vector, (field) => window.adjoint(field)),
    dispose() {
      window.dispose();
      work.dispose();
    },
  };
}

/** A perturbation that leaves dry land as it is. */
function perturbation({ model, fields }: Case, name: string): Float64Array {
  const cells = NX * NY;
  const all = normals(fields.length, name);
  if (model.dryDepth === undefined) return all;
  return all.map((value, i) => (fields[i % cells] > 0.02 ? value : 0));
}

describe.each(allBackends)('linearised models on $name', ({ open, precision }) => {
  const isExact = precision === 'float64';
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(MODELS)('$name: the adjoint is the transpose of the tangent', async (each) => {
    const held = await windowOf(backend, each);
    const [y, z] = ['linear.y', 'linear.z'].map((name) => perturbation(each, name));
    const [forth, back] = [await held.tangent(y), await held.adjoint(z)];
    const [left, right] = [dot(forth, z), dot(y, back)];
    // Rounding of the products and sums of a few steps, of vectors of this size.
    expect(Math.abs(left - right)).toBeLessThan((isExact ? 1e-14 : 2e-6) * norm(forth) * norm(z));
    expect(norm(forth)).toBeGreaterThan(0.1 * norm(y));
    held.dispose();
  });

  // At a shore another rounding takes another branch of a limit: there the transpose alone is compared.
  it.each(MODELS.filter(({ isLimited }) => !isLimited))('$name: both are those of float64', async (each) => {
    const exactBackend = createReferenceBackend();
    const [held, exact] = [await windowOf(backend, each), await windowOf(exactBackend, each)];
    const vector = perturbation(each, 'linear.vector');
    for (const direction of ['tangent', 'adjoint'] as const) {
      const [found, expected] = [await held[direction](vector), await exact[direction](vector)];
      const difference = norm(found.map((value, i) => value - expected[i]));
      expect(difference).toBeLessThanOrEqual((isExact ? 0 : 1e-5) * norm(expected));
    }
    for (const owned of [held, exact, exactBackend]) owned.dispose();
  });
});

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
    ...basin,
    boundary,
    drag: 0.1,
    ...(scheme === 'central-upwind' && {
      bed: Float64Array.from({ length: nx * ny }, (_, cell) => -1 + 0.3 * Math.sin(cell)),
      coriolis,
      manning: 0.05,
    }),
  });
}

/** One step of a vector. */
async function stepOf(backend: Backend, model: Model, state: Float64Array, direction: 'tangent' | 'adjoint') {
  const steps = await model.linearise(backend, basin.timeStep);
  const vector = normals(state.length, 'linear.shape');
  const [before, input, output] = [state, vector, vector].map((values, which) => {
    const field = backend.allocate(`linear.${which}`, 'real', values.length);
    backend.write(field, values);
    return field;
  });
  steps[direction].run({ before, input, output });
  const result = Float64Array.from(await backend.read(output));
  for (const owned of [steps, before, input, output]) owned.dispose();
  return result;
}

/** Both directions of a step are those of float64. */
async function expectExactSteps(backend: Backend, model: Model, state: Float64Array): Promise<void> {
  const exactBackend = createReferenceBackend();
  for (const direction of ['tangent', 'adjoint'] as const) {
    const found = await stepOf(backend, model, state, direction);
    const expected = await stepOf(exactBackend, model, state, direction);
    expect(norm(found.map((value, i) => value - expected[i]))).toBeLessThanOrEqual(1e-5 * norm(expected));
  }
  exactBackend.dispose();
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
    await expectExactSteps(backend, model, model.toState(wavesOn(shape.nx, shape.ny)));
  });

  it.each([4, 5, 40, 301])('lorenz-96, %i variables: a step is that of float64', async (n) => {
    const model = createLorenz96({ n });
    await expectExactSteps(
      backend,
      model,
      new Float64Array(n).map((_, i) => 3 + 4 * Math.sin(i * i + 1)),
    );
  });
});

describe('linearised models', () => {
  it.each(MODELS)('$name: what the tangent leaves is of second order', async (each) => {
    const backend = createReferenceBackend();
    const held = await windowOf(backend, each);
    const state = each.model.toState(each.fields);
    const direction = perturbation(each, 'linear.taylor').map((value) => 0.1 * value);
    const first = await held.tangent(direction);
    const base = await held.follow(state);
    const remainders: number[] = [];
    for (const size of SIZES) {
      const moved = await held.follow(state.map((value, i) => value + size * direction[i]));
      remainders.push(norm(moved.map((value, i) => value - base[i] - size * first[i])));
    }
    const [larger, smaller] = remainders;
    expect(smaller).toBeLessThan(each.isLimited ? 0.01 * SIZES[1] * norm(first) : larger / 10 ** 1.9);
    held.dispose();
    backend.dispose();
  });
});
