/**
 * The observing network of a run on a backend: owns its fields, takes each cycle's observations, applies H and makes its tangent
 * linears. Capacity is fixed, so that nothing is allocated or compiled in the cycle; what is not used is padding without effect.
 */
import { CaseError, LimitError } from '../../errors.ts';
import type { Backend, RealField } from '../../compute/backend.ts';
import { bilinearStencil, type InterpolationGrid, type Stencil } from './interpolation.ts';
import { createLinearisedOperator, type LinearisedOperator, type TangentStructure } from './linearised-operator.ts';
import { linearisation, observation, observedVariable } from './observation.ts';
import { columnScaling, sparseAdjoint, sparseProduct, transposeStructure, type SparseRows } from './sparse.ts';

/** Depth below which water is taken for almost dry when its velocity is observed, metres. */
const DEFAULT_DRY_DEPTH = 1e-3;

/** What the operator needs to know of a model. */
export interface ObservedModel {
  readonly grid: InterpolationGrid;
  /** Names of the state's components, in their order. */
  readonly variables: readonly string[];
  /** What component 0 is, where the model is of shallow water: the depth h, or the surface's elevation η = h + bed. */
  readonly surface?: 'depth' | 'elevation';
  /** The bed's height at cell centres, metres, `[ny][nx]`; 0 if omitted. */
  readonly bed?: ArrayLike<number>;
  readonly dryDepth?: number;
}

/** Where and what is observed in one cycle, one entry an observation. */
interface Network {
  /** Grid units. */
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Codes of `observedVariable`. */
  readonly variable: ArrayLike<number>;
  /** 1/σₒ; 0 for an observation that is absent. */
  readonly inverseErrorStd: ArrayLike<number>;
  /** When each is made: 0 with the state that is analysed, from 1 on before it. All are 0 if omitted. */
  readonly moment?: ArrayLike<number>;
}

/** The observations of one cycle. A value that is not finite is absent. */
export interface Observations extends Network {
  readonly values: ArrayLike<number>;
}

/** H for the observations of a cycle, which all methods share. */
export interface ObservationOperator {
  readonly capacity: number;
  /** Observations in the latest `set`. */
  readonly count: number;
  /** `[capacity]`, as set; 0 in the padding. */
  readonly positionX: RealField;
  readonly positionY: RealField;
  readonly values: RealField;
  readonly inverseErrorStd: RealField;
  /** Entries of a tangent linear at most. */
  readonly nonzeros: number;
  /**
   * Takes the observations of a cycle. What has not changed since the last call is not sent again.
   *
   * @throws CaseError naming an observation outside the grid, or of a variable that the model does not have
   * @throws LimitError when there are more than `capacity`
   */
  set(observations: Observations): void;
  /**
   * As `set`, but for the values: the caller has them written to `values` on the backend. An array that is the same object as
   * in the call before is taken for unchanged: nobody may write to it.
   */
  place(network: Network): void;
  /** Whether some of the observations that are set are made before the state that is analysed. */
  readonly isAsynchronous: boolean;
  /** Moments before that at most; 0 where all are made with it. */
  readonly moments: number;
  /**
   * Queues `output[member]` = H(`state[member]`), for one of the member counts that were prepared.
   *
   * @param moment of the observations that are made; those of other moments see 0. All are made if omitted
   */
  observe(state: RealField, members: number, output: RealField, moment?: number): void;
  /** A tangent linear of its own for a method: the caller disposes it. @param label of the owner */
  linearised(label: string): LinearisedOperator;
  /** Frees its fields. */
  dispose(): void;
}

/** Per observation: the kernel's kind, the offset's share of the bed, and the components in the entries. */
function described(variable: ArrayLike<number>, { variables, surface }: ObservedModel) {
  return Array.from(variable, (code) => {
    const found = observedVariable(code);
    if ((surface === undefined && found.ofWater) || found.components.some((c) => c >= variables.length)) {
      throw new CaseError(
        `${found.name} cannot be observed: the state has the components ${variables.join(', ')}` +
          (surface === undefined ? ' and no water depth; observe state0, state1, …' : ''),
      );
    }
    return { ...found, bedShare: surface === undefined ? 0 : found.bed[surface] };
  });
}

/** Where the entries of H′ are: for each component of each observation its four corners. Padding rows are empty. */
function tangentRows(
  { corners }: Stencil,
  components: readonly (readonly number[])[],
  plane: number,
  capacity: number,
): SparseRows {
  const indptr = new Uint32Array(capacity + 1);
  for (let row = 0; row < capacity; row++) indptr[row + 1] = indptr[row] + 4 * (components[row]?.length ?? 0);
  const indices = new Uint32Array(indptr[capacity]);
  components.forEach((ofRow, row) => {
    ofRow.forEach((component, block) => {
      for (let corner = 0; corner < 4; corner++) {
        indices[indptr[row] + 4 * block + corner] = component * plane + corners[4 * row + corner];
      }
    });
  });
  return { indptr, indices };
}

function interpolatedBed(bed: ArrayLike<number> | undefined, { corners, weights }: Stencil): Float64Array {
  const heights = new Float64Array(corners.length / 4);
  if (bed) corners.forEach((cell, entry) => (heights[entry >> 2] += weights[entry] * bed[cell]));
  return heights;
}

function assertSameLength(network: Network): number {
  const { length } = network.inverseErrorStd;
  for (const name of ['x', 'y', 'variable'] as const) {
    const found = network[name].length;
    if (found !== length) {
      throw new CaseError(`${length} observations have ${found} entries of ${name}; give one for each`);
    }
  }
  return length;
}

function assertDeviations({ inverseErrorStd }: Network): void {
  for (let j = 0; j < inverseErrorStd.length; j++) {
    const r = inverseErrorStd[j];
    if (r >= 0 && r < Infinity) continue;
    throw new CaseError(`observation ${j} has inverseErrorStd ${r}; it must be finite and at least 0`);
  }
}

/** @throws RangeError if there is no such moment */
function assertMoments(moment: ArrayLike<number>, length: number, most: number): void {
  if (moment.length !== length) throw new RangeError(`${length} observations have ${moment.length} moments`);
  for (let o = 0; o < length; o++) {
    if (Number.isInteger(moment[o]) && moment[o] >= 0 && moment[o] <= most) continue;
    throw new RangeError(`found the moment ${moment[o]}, the network was prepared for 0 to ${most}`);
  }
}

type Places = Record<'x' | 'y' | 'variable' | 'moment', ArrayLike<number>>;

function isSameNetwork(before: Places | undefined, now: Places): boolean {
  return (['x', 'y', 'variable', 'moment'] as const).every((name) => sameNumbers(before?.[name], now[name]));
}

/** Values and inverse deviations with absent observations at 0. */
function withAbsences({ values, inverseErrorStd }: Observations) {
  const present = Array.from(values, (value) => (Number.isFinite(value) ? value : 0));
  const deviations = Array.from(values, (value, j) => (Number.isFinite(value) ? inverseErrorStd[j] : 0));
  return { values: present, inverseErrorStd: deviations };
}

/**
 * @param capacity observations a cycle at most
 * @param members the member counts that `observe` will be called with, for example `[20, 1]`
 * @param moments before the state that is analysed, at most
 */
export async function createObservationOperator(
  backend: Backend,
  model: ObservedModel,
  {
    capacity,
    members,
    moments = 0,
  }: { readonly capacity: number; readonly members: readonly number[]; readonly moments?: number },
): Promise<ObservationOperator> {
  const { grid, variables, dryDepth = DEFAULT_DRY_DEPTH } = model;
  const plane = grid.nx * grid.ny;
  const columns = variables.length * plane;
  const nonzeros = 4 * capacity * (model.surface === undefined ? 1 : Math.min(3, variables.length));
  const allocate = <Kind extends 'real' | 'index'>(label: string, kind: Kind, length: number) =>
    backend.allocate(`observations.${label}`, kind, length);
  const fields = {
    positionX: allocate('positionX', 'real', capacity),
    positionY: allocate('positionY', 'real', capacity),
    values: allocate('values', 'real', capacity),
    inverseErrorStd: allocate('inverseErrorStd', 'real', capacity),
    corners: allocate('corners', 'index', 4 * capacity),
    weights: allocate('weights', 'real', 4 * capacity),
    kind: allocate('kind', 'index', capacity),
    offset: allocate('offset', 'real', capacity),
  };
  /** Entries of the observations of each moment; the others have none. */
  const ofMoments = Array.from({ length: moments === 0 ? 0 : moments + 1 }, (_, moment) => ({
    weights: allocate(`weights.${moment}`, 'real', 4 * capacity),
    offset: allocate(`offset.${moment}`, 'real', capacity),
  }));
  const entries = {
    indptr: allocate('indptr', 'index', capacity + 1),
    indices: allocate('indices', 'index', nonzeros),
    columnStart: allocate('columnStart', 'index', columns + 1),
    entryRow: allocate('entryRow', 'index', nonzeros),
    entryPosition: allocate('entryPosition', 'index', nonzeros),
  };
  const shape = { observations: capacity, plane, variables: variables.length, dryDepth };
  const sparse = { rows: capacity, columns, nonzeros, batch: 1 };
  const observing = new Map(
    await Promise.all(
      [...new Set(members)].map(
        async (batch) => [batch, await backend.prepare(observation, { ...shape, batch })] as const,
      ),
    ),
  );
  const linearising = await backend.prepare(linearisation, shape);
  const multiplying = await backend.prepare(sparseProduct, sparse);
  const scaling = await backend.prepare(columnScaling, sparse);
  const adjoining = await backend.prepare(sparseAdjoint, sparse);

  const sent = new Map<RealField, Float64Array>();
  let placedErrors: ArrayLike<number> | undefined;
  let network: Places | undefined;
  let pendingRows: SparseRows | undefined;
  let count = 0;
  let isAsynchronous = false;

  function send(field: RealField, values: ArrayLike<number>): void {
    const before = sent.get(field);
    if (before && isPadded(values, before)) return;
    const all = padded(values, capacity);
    backend.write(field, all);
    sent.set(field, all);
  }

  function move({ x, y, variable }: Network, moment: ArrayLike<number>): void {
    const observed = described(variable, model);
    const stencil = bilinearStencil(grid, x, y);
    const bed = interpolatedBed(model.bed, stencil);
    backend.write(fields.positionX, padded(x, capacity));
    backend.write(fields.positionY, padded(y, capacity));
    backend.write(fields.corners, padded(stencil.corners, 4 * capacity));
    backend.write(fields.weights, padded(stencil.weights, 4 * capacity));
    backend.write(
      fields.kind,
      padded(
        observed.map(({ kind }) => kind),
        capacity,
      ),
    );
    const offset = observed.map(({ bedShare }, j) => bedShare * bed[j]);
    backend.write(fields.offset, padded(offset, capacity));
    ofMoments.forEach((its, which) => {
      const ownWeights = stencil.weights.map((weight, entry) => (moment[entry >> 2] === which ? weight : 0));
      const ownOffset = offset.map((value, j) => (moment[j] === which ? value : 0));
      backend.write(its.weights, padded(ownWeights, 4 * capacity));
      backend.write(its.offset, padded(ownOffset, capacity));
    });
    pendingRows = tangentRows(
      stencil,
      observed.map(({ components }) => components),
      plane,
      capacity,
    );
  }

  /** Not every method linearises: the pattern is made and sent when the network has moved and it is asked for. */
  function sendRows(): void {
    if (!pendingRows) return;
    const transposed = transposeStructure(pendingRows, columns);
    backend.write(entries.indptr, pendingRows.indptr);
    backend.write(entries.indices, pendingRows.indices);
    backend.write(entries.columnStart, transposed.columnStart);
    backend.write(entries.entryRow, transposed.entryRow);
    backend.write(entries.entryPosition, transposed.entryPosition);
    pendingRows = undefined;
  }

  function placeAt(at: Network): void {
    const length = assertSameLength(at);
    if (length > capacity) {
      throw new LimitError(
        `${length} observations are given, the network was prepared for ${capacity}; prepare it for the largest cycle`,
      );
    }
    const { x, y, variable, inverseErrorStd, moment = new Uint32Array(length) } = at;
    if (network?.moment !== moment) assertMoments(moment, length, moments);
    const places = { x, y, variable, moment };
    if (!isSameNetwork(network, places)) {
      network = undefined;
      move(at, moment);
      network = places;
      isAsynchronous = Array.from(moment).some((each) => each > 0);
    }
    if (placedErrors !== inverseErrorStd) {
      assertDeviations(at);
      send(fields.inverseErrorStd, inverseErrorStd);
      placedErrors = inverseErrorStd;
    }
    count = length;
  }

  function set(observations: Observations): void {
    if (observations.values.length !== observations.inverseErrorStd.length) {
      throw new CaseError(
        `${observations.values.length} observed values have ${observations.inverseErrorStd.length} entries of ` +
          'inverseErrorStd; give one for each',
      );
    }
    assertDeviations(observations);
    const { values, inverseErrorStd } = withAbsences(observations);
    const { x, y, variable, moment } = observations;
    // Copies: who gives these may write to them later.
    const copies = { x: Array.from(x), y: Array.from(y), variable: Array.from(variable) };
    placeAt({ ...copies, inverseErrorStd, moment: moment && Array.from(moment) });
    send(fields.values, values);
  }

  const { corners, weights, kind, offset, inverseErrorStd: setDeviation } = fields;
  const structure: TangentStructure = {
    fields: { corners, weights, kind, offset, inverseErrorStd: setDeviation },
    entries,
    nonzeros,
    linearising,
    scaling,
    multiplying,
    adjoining,
    update: sendRows,
  };
  set({ x: [], y: [], variable: [], values: [], inverseErrorStd: [] });
  return {
    capacity,
    get count() {
      return count;
    },
    set,
    place(at) {
      placeAt(at);
      // Whoever writes the values does not say what they are.
      sent.delete(fields.values);
    },
    positionX: fields.positionX,
    positionY: fields.positionY,
    values: fields.values,
    inverseErrorStd: fields.inverseErrorStd,
    nonzeros,
    get isAsynchronous() {
      return isAsynchronous;
    },
    moments,
    observe(state, batch, output, moment) {
      const prepared = observing.get(batch);
      if (!prepared) {
        throw new LimitError(
          `observe was prepared for ${[...observing.keys()].join(', ')} members, not for ${batch}; name it in "members"`,
        );
      }
      // Before there are moments, and if there is but one, all are of it.
      const its = moment === undefined || ofMoments.length === 0 ? { weights, offset } : ofMoments[moment];
      prepared.run({ state, corners, kind, ...its, output });
    },
    linearised: (label) => createLinearisedOperator(backend, label, structure),
    dispose() {
      for (const prepared of [...observing.values(), linearising, scaling, multiplying, adjoining]) prepared.dispose();
      const owned = [fields, entries, ...ofMoments].flatMap((each): readonly { dispose(): void }[] =>
        Object.values(each),
      );
      for (const field of owned) field.dispose();
    },
  };
}

function padded(values: ArrayLike<number>, length: number): Float64Array {
  const all = new Float64Array(length);
  all.set(values);
  return all;
}

/** Whether `all` begins with the values and has zeros after them. */
function isPadded(values: ArrayLike<number>, all: Float64Array): boolean {
  for (let i = 0; i < all.length; i++) if (all[i] !== (i < values.length ? values[i] : 0)) return false;
  return true;
}

function sameNumbers(before: ArrayLike<number> | undefined, now: ArrayLike<number>): boolean {
  if (before === now) return true;
  if (before === undefined || before.length !== now.length) return false;
  for (let i = 0; i < now.length; i++) if (before[i] !== now[i]) return false;
  return true;
}
