/**
 * Correlated observation errors, as ensemble filters take them: R = D C D, D the standard deviations. Scaled by D⁻¹, which
 * may differ from cycle to cycle and be 0 for what is not used, the perturbations of a stochastic filter are L n with L Lᵀ = C and n independent, and C
 * replaces I. C is known on the host, block by block; of any choice of observations that are used C and the rows of L
 * are theirs.
 */
import type { IndexField, Prepared, RealField } from '../../compute/backend.ts';
import { errorCorrelation } from '../../operators/stochastic-enkf/index.ts';
import { sparseProduct } from '../../operators/observation/index.ts';
import type { ErrorBlock, MethodContext } from '../method.ts';

/** Least share of an error's variance that is its own: below, those before determine it but for rounding. */
const LEAST_OWN = 1e-12;

/** The lower triangle of C and of L, in compressed rows; of an observation that goes with none 1 on the diagonal. */
export interface CorrelationRows {
  /** [p + 1] */
  readonly indptr: Uint32Array;
  readonly indices: Uint32Array;
  readonly correlation: Float64Array;
  readonly root: Float64Array;
}

export interface CorrelatedErrors {
  /** Takes up how the errors of the cycle are correlated. @returns whether any do */
  follow(): Promise<boolean>;
  /** Queues `perturbations` = L `noise`, [members][capacity]. */
  correlate(noise: RealField, perturbations: RealField): void;
  /** C below its diagonal and on it in rows without gaps, of what was followed last. */
  rows(): { readonly correlationStart: IndexField; readonly correlation: RealField };
  /** Queues A ← A + (C − I) among the observations that are used; `matrix` is [capacity][capacity]. */
  add(inverseErrorStd: RealField, matrix: RealField): void;
  dispose(): void;
}

/** L of the correlations of a block, row by row. */
export function rootOf({ count, between }: ErrorBlock['errors']): Float64Array[] {
  const rows: Float64Array[] = [];
  for (let a = 0; a < count; a++) {
    const row = new Float64Array(a + 1);
    let own = 1;
    for (let b = 0; b < a; b++) {
      let rest = between(a, b);
      for (let k = 0; k < b; k++) rest -= row[k] * rows[b][k];
      row[b] = rest / rows[b][b];
      own -= row[b] ** 2;
    }
    row[a] = Math.sqrt(Math.max(own, LEAST_OWN));
    rows.push(row);
  }
  return rows;
}

/** @param count of observations there is room for. @param blocks by rising places, none over another */
export function correlationRows(
  count: number,
  blocks: readonly ErrorBlock[],
  rootOfBlock: (errors: ErrorBlock['errors']) => readonly Float64Array[] = rootOf,
): CorrelationRows {
  const entries: { readonly column: number; readonly correlation: number; readonly root: number }[][] = Array.from(
    { length: count },
    (_, row) => [{ column: row, correlation: 1, root: 1 }],
  );
  for (const { first, errors } of blocks) {
    rootOfBlock(errors).forEach((row, a) => {
      entries[first + a] = Array.from(row, (root, b) => ({
        column: first + b,
        correlation: errors.between(a, b),
        root,
      }));
    });
  }
  const indptr = new Uint32Array(count + 1);
  entries.forEach((row, at) => (indptr[at + 1] = indptr[at] + row.length));
  const all = entries.flat();
  return {
    indptr,
    indices: Uint32Array.from(all, ({ column }) => column),
    correlation: Float64Array.from(all, ({ correlation }) => correlation),
    root: Float64Array.from(all, ({ root }) => root),
  };
}

/** C x, of observations that are there. */
export function correlated(blocks: readonly ErrorBlock[], x: Float64Array): Float64Array {
  const product = x.slice();
  for (const { first, errors } of blocks) {
    const { count, between } = errors;
    for (let a = 0; a < count; a++) {
      let sum = 0;
      for (let b = 0; b < count; b++) sum += between(a, b) * x[first + b];
      product[first + a] = sum;
    }
  }
  return product;
}

/** Room for so many entries, with what works in it. */
interface Room {
  readonly nonzeros: number;
  readonly indices: IndexField;
  readonly correlation: RealField;
  readonly root: RealField;
  readonly multiplying: Prepared<typeof sparseProduct.fields>;
  readonly adding: Prepared<typeof errorCorrelation.fields>;
  dispose(): void;
}

function isAlike(known: readonly ErrorBlock[] | undefined, blocks: readonly ErrorBlock[]): boolean {
  return (
    known?.length === blocks.length &&
    blocks.every(({ first, errors }, index) => first === known[index].first && errors === known[index].errors)
  );
}

export function createCorrelatedErrors(
  label: string,
  { backend, observations, positions, members }: MethodContext,
): CorrelatedErrors {
  const { capacity } = observations;
  const indptr = backend.allocate(`${label}.errors.indptr`, 'index', capacity + 1);
  const roots = new WeakMap<ErrorBlock['errors'], readonly Float64Array[]>();
  let known: readonly ErrorBlock[] | undefined;
  let room: Room | undefined;

  function rootOfBlock(errors: ErrorBlock['errors']): readonly Float64Array[] {
    const root = roots.get(errors) ?? rootOf(errors);
    roots.set(errors, root);
    return root;
  }

  async function makeRoom(nonzeros: number): Promise<Room> {
    const multiplying = await backend.prepare(sparseProduct, {
      rows: capacity,
      columns: capacity,
      nonzeros,
      batch: members,
    });
    const adding = await backend.prepare(errorCorrelation, { observations: capacity, nonzeros });
    const fields = {
      indices: backend.allocate(`${label}.errors.indices`, 'index', nonzeros),
      correlation: backend.allocate(`${label}.errors.correlation`, 'real', nonzeros),
      root: backend.allocate(`${label}.errors.root`, 'real', nonzeros),
    };
    return {
      nonzeros,
      ...fields,
      multiplying,
      adding,
      dispose() {
        for (const owned of [multiplying, adding, ...Object.values(fields)]) owned.dispose();
      },
    };
  }

  function roomNow(): Room {
    if (!room) throw new RangeError(`${label}: no errors are correlated`);
    return room;
  }

  return {
    async follow() {
      const blocks = positions().correlated ?? [];
      if (blocks.length === 0) return false;
      if (isAlike(known, blocks)) return true;
      const rows = correlationRows(capacity, blocks, rootOfBlock);
      const { length } = rows.indices;
      if (!room || length > room.nonzeros) {
        room?.dispose();
        room = undefined;
        room = await makeRoom(length);
      }
      backend.write(indptr, rows.indptr);
      backend.write(room.indices, rows.indices);
      backend.write(room.correlation, rows.correlation);
      backend.write(room.root, rows.root);
      known = blocks;
      return true;
    },
    correlate(noise, perturbations) {
      const { multiplying, indices, root } = roomNow();
      multiplying.run({ indptr, indices, data: root, input: noise, output: perturbations });
    },
    rows: () => ({ correlationStart: indptr, correlation: roomNow().correlation }),
    add(inverseErrorStd, matrix) {
      const { adding, indices, correlation } = roomNow();
      adding.run({ indptr, indices, correlation, inverseErrorStd, matrix });
    },
    dispose() {
      indptr.dispose();
      room?.dispose();
    },
  };
}
