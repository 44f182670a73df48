import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LimitError } from '../../../../engine/index.ts';
import type { Backend } from '../../../../engine/index.ts';
import { letkf } from '../../../../engine/operators/letkf/index.ts';
import { localObservations } from '../../../../engine/operators/localisation/index.ts';
import type { LetkfParameters } from '../../../../engine/operators/letkf/index.ts';
import { backends, allBackends } from '../../../setup/backends.ts';
import type { BackendUnderTest } from '../../../setup/backends.ts';
import { isNightly } from '../../../setup/nightly.ts';
import { analyse, randomProblem } from './set-up.ts';

const parameters: LetkfParameters = {
  nx: 5,
  ny: 4,
  periodicX: false,
  periodicY: true,
  variables: 2,
  members: 6,
  observations: 9,
  halfWidthCells: 2,
  inflation: 1,
  localCapacity: 9,
  form: 'auto',
};

interface Refusal {
  readonly attempt: (backend: Backend) => Promise<unknown>;
  readonly message: RegExp;
}

const crowded: Refusal = {
  attempt: (backend) => analyse(backend, randomProblem({ halfWidthCells: 4 }), { localCapacity: 2 }),
  message: /more than localCapacity 2/,
};

/** What each backend refuses: the reference form at a crowded grid point, the GPU where its workgroup memory ends. */
const tooLarge: Record<BackendUnderTest['name'], readonly Refusal[]> = {
  reference: [crowded],
  float32: [crowded],
  wasm: [crowded],
  webgpu: [
    {
      attempt: (backend) => backend.prepare(letkf, { ...parameters, members: 200, localCapacity: 300 }),
      message: /200 members asked for, at most \d+ fit/,
    },
    {
      attempt: (backend) => backend.prepare(letkf, { ...parameters, members: 200, localCapacity: 150 }),
      message: /150 local observations asked for, at most \d+ fit/,
    },
  ],
};

const SMALL = [
  { nx: 1, ny: 1, variables: 1, members: 2, observations: 1 },
  { nx: 65, ny: 1, variables: 3, members: 3, observations: 20 },
  { nx: 1, ny: 3, variables: 4, members: 5, observations: 4, halfWidthCells: 0.4 },
];
/** Kernels that a GPU in software takes seconds to compile: `npm run nightly` has them. */
const LARGE = [
  { nx: 13, ny: 9, variables: 7, members: 8, observations: 30, periodicX: true },
  { nx: 9, ny: 16, variables: 2, members: 7, observations: 16, halfWidthCells: Infinity },
];

describe.each(allBackends)('letkf on $name: sizes', ({ name, open, precision }) => {
  let backend: Backend;
  let exact: Backend;
  // The two forms round differently: sums of up to 100 terms at conditions near 1000.
  const tolerance = { relative: precision === 'float64' ? 1e-11 : 2e-5 };
  beforeAll(async () => {
    backend = await open();
    exact = await backends[0].open();
  });
  afterAll(() => {
    backend.dispose();
    exact.dispose();
  });

  it.each(isNightly || name !== 'webgpu' ? [...SMALL, ...LARGE] : SMALL)(
    'dual and primal agree: $nx × $ny, $variables variables, $members members',
    async (shape) => {
      const problem = randomProblem(shape);
      const expected = await analyse(exact, problem, { form: 'primal' });
      for (const form of ['dual', 'primal', 'auto'] as const) {
        expect(await analyse(backend, problem, { form })).toBeClose(expected, tolerance);
      }
    },
  );

  it.each([1, 12, 17])('takes room for %i local observations, and fills it up with none', async (localCapacity) => {
    const problem = randomProblem({
      nx: 9,
      ny: 5,
      variables: 3,
      members: 19,
      observations: localCapacity - (localCapacity >> 2),
    });
    const expected = await analyse(exact, problem, { form: 'primal' });
    expect(await analyse(backend, problem, { form: 'dual', localCapacity })).toBeClose(expected, tolerance);
  });

  it('takes 63 local observations, and 72 members', async () => {
    const problem = randomProblem({ nx: 2, ny: 1, members: 72, observations: 63, halfWidthCells: 40 });
    const expected = await analyse(exact, problem, { form: 'primal' });
    for (const form of ['dual', 'primal'] as const) {
      expect(await analyse(backend, problem, { form })).toBeClose(expected, tolerance);
    }
  });

  it.each([
    { name: 'members', value: 1 },
    { name: 'halfWidthCells', value: 0 },
    { name: 'halfWidthCells', value: NaN },
    { name: 'inflation', value: 0 },
    { name: 'inflation', value: Infinity },
    { name: 'localCapacity', value: 1.5 },
    { name: 'nx', value: 0 },
  ])('refuses $name $value, naming it', async ({ name, value }) => {
    const prepare = async (): Promise<unknown> => backend.prepare(letkf, { ...parameters, [name]: value });
    await expect(prepare()).rejects.toThrow(new RegExp(`letkf: ${name} is ${value},`));
  });

  it.each(tooLarge[name])('says $message', async ({ attempt, message }) => {
    const refused = attempt(backend);
    await expect(refused).rejects.toThrow(LimitError);
    await expect(refused).rejects.toThrow(message);
  });
});

describe('the cost of the letkf', () => {
  it('counts the ensemble twice and the observations once', () => {
    // 2·(5·4)·2·6 + 9·(6 + 4) reals
    expect(letkf.cost(parameters, 8).bytes).toBe(8 * (480 + 90));
  });

  it('follows the form that is used', () => {
    const many = { ...parameters, localCapacity: 50 };
    expect(letkf.cost(many, 4).flops).toBe(letkf.cost({ ...many, form: 'primal' }, 4).flops);
    expect(letkf.cost(parameters, 4).flops).toBe(letkf.cost({ ...parameters, form: 'primal' }, 4).flops);
    const few = { ...parameters, localCapacity: 4 };
    expect(letkf.cost(few, 4).flops).toBe(letkf.cost({ ...few, form: 'dual' }, 4).flops);
  });
});

describe('localObservations on a large grid', () => {
  it('indexes 65 536 observations of 1024² cells', () => {
    const grid = { nx: 1024, ny: 1024, periodicX: true, periodicY: true };
    const x = Float64Array.from({ length: 65_536 }, (_, o) => 4 * (o % 256) + 1.5);
    const y = Float64Array.from({ length: 65_536 }, (_, o) => 4 * Math.floor(o / 256) + 1.5);
    // Cells lie half a cell off the network of spacing 4; with reach 4 a cell sees at most four of it in a square.
    expect(localObservations(grid, 2, x, y).largest).toBe(4);
  });
});
