/** The linearised models, measured: small basins of every scheme with all that it knows, and what a tangent and its adjoint must be. */
import type { Backend } from '../../compute/backend.ts';
import { createLinearWindow, createLorenz96, createShallowWater, type Model } from '../../models/index.ts';
import { dot, minus, norm } from './dense.ts';
import { normals } from '../measures.ts';

export interface LinearisedCase {
  readonly name: string;
  readonly model: Model;
  /** Physical fields of a state that is not at rest. */
  readonly fields: Float64Array;
  /** Whether water is held back at a shore, by limits that are taken as they are. */
  readonly isLimited?: boolean;
}

/** Not square, no multiple of a workgroup. */
const [NX, NY] = [11, 9];
const CELLS = NX * NY;
const STEPS = 6;
const TIME_STEP = 0.04;
const RING = { variables: 13, timeStep: 0.05 };

const grid = { nx: NX, ny: NY, dx: 1, dy: 1.25, periodicX: false, periodicY: false };
const walls = { grid, boundary: { x: 'wall', y: 'wall' } } as const;
const open = { grid, boundary: { x: 'open', y: 'wall' } } as const;
const periodic = {
  grid: { ...grid, periodicX: true, periodicY: true },
  boundary: { x: 'periodic', y: 'periodic' },
} as const;
const shared = { gravity: 9.81, timeStep: TIME_STEP };
const rotating = { coriolis: { f: 0.3, beta: 0.02 } };
const hills = Float64Array.from({ length: CELLS }, (_, cell) => -1 + 0.3 * Math.sin(cell));
/** Water about a metre deep in the west, dry land in the east. */
const beach = Float64Array.from({ length: CELLS }, (_, cell) => -1 + 0.16 * (cell % NX));

function fieldsOf(
  nx: number,
  ny: number,
  at: (x: number, y: number) => readonly [h: number, hu: number, hv: number],
): Float64Array {
  const cells = nx * ny;
  const fields = new Float64Array(3 * cells);
  for (let cell = 0; cell < cells; cell++) {
    at(cell % nx, Math.floor(cell / nx)).forEach((value, variable) => (fields[variable * cells + cell] = value));
  }
  return fields;
}

/**
 * Waves that are nowhere level nor at an extremum of their cells: there a limiter has a kink, and no derivative.
 *
 * @returns h, hu, hv, [variable][y][x]
 */
export function wavesOn(nx: number, ny: number): Float64Array {
  return fieldsOf(nx, ny, (x, y) => [
    1 + 0.1 * Math.sin(0.9 * x + 0.4 * y + 0.3),
    0.2 * Math.cos(0.7 * x - 0.6 * y),
    0.15 * Math.sin(0.5 * x + 0.8 * y + 1),
  ]);
}

const waves = wavesOn(NX, NY);

/** Every scheme, with all kinds of sides. */
export const LINEARISED_CASES: readonly LinearisedCase[] = [
  {
    name: 'lorenz-96',
    model: createLorenz96({ n: RING.variables, timeStep: RING.timeStep }),
    fields: Float64Array.from({ length: RING.variables }, (_, i) => 3 + 4 * Math.sin(i * i + 1)),
  },
  ...(['lax-wendroff', 'richtmyer'] as const).flatMap((scheme) => [
    { name: `${scheme}, walls`, model: createShallowWater({ scheme, ...shared, ...walls }), fields: waves },
    {
      name: `${scheme}, open, with drag`,
      model: createShallowWater({ scheme, ...shared, ...open, drag: 0.5 }),
      fields: waves,
    },
    { name: `${scheme}, periodic`, model: createShallowWater({ scheme, ...shared, ...periodic }), fields: waves },
  ]),
  {
    name: 'central-upwind, walls, rotating, with friction',
    model: createShallowWater({
      scheme: 'central-upwind',
      ...shared,
      ...walls,
      ...rotating,
      manning: 0.05,
      drag: 0.1,
      bed: hills,
    }),
    fields: waves,
  },
  {
    name: 'central-upwind, periodic',
    model: createShallowWater({ scheme: 'central-upwind', ...shared, ...periodic, ...rotating }),
    fields: waves,
  },
  {
    name: 'central-upwind, open, with a shore',
    model: createShallowWater({ scheme: 'central-upwind', ...shared, ...open, bed: beach }),
    fields: fieldsOf(NX, NY, (x, y) => {
      const depth = Math.max(0, 0.05 * Math.sin(x + 2 * y) - beach[y * NX + x]);
      return [depth, 0.05 * depth, 0.03 * depth];
    }),
    isLimited: true,
  },
];

/** A window of some steps about the state of a case, on arrays of the host. */
async function linearisedWindow(backend: Backend, { model, fields }: LinearisedCase) {
  const seconds = STEPS * (model.surface === undefined ? RING.timeStep : TIME_STEP);
  const window = await createLinearWindow(backend, model, { seconds, shares: [0.5] });
  const work = backend.allocate('linearised.work', 'real', fields.length);
  const through = async (vector: Float64Array, move: (field: typeof work) => void): Promise<Float64Array> => {
    backend.write(work, vector);
    move(work);
    return Float64Array.from(await backend.read(work));
  };
  /** Moves a state through the window, about which the model is linearised from then on. */
  const follow = async (state: Float64Array): Promise<Float64Array> => {
    backend.write(work, state);
    const conclude = await window.follow(work, true);
    await backend.collect();
    await conclude('the linearised model');
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

/** Depth of water that a perturbation of a shore leaves alone, metres. */
const SHALLOW = 0.02;

/** A random perturbation that leaves dry land as it is. */
function perturbationOf({ model, fields }: LinearisedCase, streamName: string): Float64Array {
  const all = normals(fields.length, streamName);
  if (model.dryDepth === undefined) return all;
  return all.map((value, i) => (fields[i % CELLS] > SHALLOW ? value : 0));
}

/** |⟨M′y, z⟩ − ⟨y, M′ᵀz⟩| of the window, and |⟨M′y, z⟩|, both over ‖M′y‖‖z‖. */
export async function transposeError(backend: Backend, each: LinearisedCase) {
  const held = await linearisedWindow(backend, each);
  const [y, z] = ['linearised.y', 'linearised.z'].map((name) => perturbationOf(each, name));
  const [forth, back] = [await held.tangent(y), await held.adjoint(z)];
  held.dispose();
  const scale = norm(forth) * norm(z);
  return { difference: Math.abs(dot(forth, z) - dot(y, back)) / scale, size: Math.abs(dot(forth, z)) / scale };
}

/** Sizes of perturbations: small enough that no limiter takes another branch, large enough for the digits of their squares. */
const SIZES = [1e-5, 1e-6] as const;

/**
 * The remainder of Taylor's series, ‖M(x + εd) − M(x) − ε M′d‖, of two perturbations that are ten times one another. It needs the
 * digits of float64.
 *
 * @returns its order in ε, and the remainder of the smaller one over ε‖M′d‖
 */
export async function taylorOrder(backend: Backend, each: LinearisedCase) {
  const held = await linearisedWindow(backend, each);
  const state = each.model.toState(each.fields);
  const direction = perturbationOf(each, 'linearised.taylor').map((value) => 0.1 * value);
  const first = await held.tangent(direction);
  const base = await held.follow(state);
  const remainders: number[] = [];
  for (const size of SIZES) {
    const moved = await held.follow(state.map((value, i) => value + size * direction[i]));
    remainders.push(norm(moved.map((value, i) => value - base[i] - size * first[i])));
  }
  held.dispose();
  const [larger, smaller] = remainders;
  return { order: Math.log10(larger / smaller), share: smaller / (SIZES[1] * norm(first)) };
}

/** The largest relative difference, in the norm, of the tangent and the adjoint from those of another backend. */
export async function differenceFrom(reference: Backend, backend: Backend, each: LinearisedCase): Promise<number> {
  const [held, exact] = [await linearisedWindow(backend, each), await linearisedWindow(reference, each)];
  const vector = perturbationOf(each, 'linearised.vector');
  let largest = 0;
  for (const direction of ['tangent', 'adjoint'] as const) {
    const [found, expected] = [await held[direction](vector), await exact[direction](vector)];
    largest = Math.max(largest, norm(minus(found, expected)) / norm(expected));
  }
  for (const owned of [held, exact]) owned.dispose();
  return largest;
}
