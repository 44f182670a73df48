/**
 * Correlated observation errors, as a minimisation takes them: R = D C D, D the standard deviations, and with L Lᵀ = C
 *
 *   J_o = ½ (d − Hδx)ᵀ R⁻¹ (d − Hδx) = ½ ‖L⁻¹ (D⁻¹d − D⁻¹Hδx)‖²,
 *
 * so that what is scaled by D⁻¹ is multiplied by L⁻¹ once more, and conjugate gradients stay as they are. C and L are of the
 * observations that are used, those that are missing or rejected have no rows there. L⁻¹ is made on the host in float64, block by
 * block, when other observations are used than last time: C may be so near to singular that float32 finds no factor of it.
 */
import type { IndexField, Prepared, RealField } from '../../compute/backend.ts';
import { sparseAdjoint, sparseProduct, transposeStructure } from '../../operators/observation/index.ts';
import type { ErrorBlock, ErrorCorrelation, MethodContext, ObservedPositions } from '../method.ts';
import { rootOf } from './correlated-errors.ts';

/** L⁻¹ of the errors of some of the observations of a block. */
interface WhiteningBlock {
  /** Which of the block's, rising. */
  readonly used: readonly number[];
  /** L⁻¹ row by row, up to the diagonal. */
  readonly rows: readonly Float64Array[];
  /** A bound on the condition of C, ‖C‖_∞ tr C⁻¹. */
  readonly condition: number;
}

/** L⁻¹ of all observations in compressed rows; of one that goes with none, or is not used, 1 on the diagonal. */
interface WhiteningRows {
  /** [observations + 1] */
  readonly indptr: Uint32Array;
  readonly indices: Uint32Array;
  readonly data: Float64Array;
}

export interface WhitenedErrors {
  /**
   * Takes up how the errors of the cycle are correlated. Waits for the device where quality control may have rejected one that goes
   * with others.
   *
   * @param inverseErrorStd of what is used, [capacity]
   * @returns the warnings about their correlation that are new
   */
  follow(inverseErrorStd: RealField): Promise<string | undefined>;
  /** Queues `white` = L⁻¹ `scaled`, both [capacity]. */
  whiten(scaled: RealField, white: RealField): void;
  /** Queues `scaled` = L⁻ᵀ `white`, both [capacity]. */
  whitenAdjoint(white: RealField, scaled: RealField): void;
  dispose(): void;
}

/** Share of what it multiplies that rounding may leave in a product with L⁻¹. */
const TOLERATED_ROUNDING = 1e-3;

/** L⁻¹, row by row: each is that of the identity less what the rows before it make of L's. */
function inverseOf(root: readonly Float64Array[]): Float64Array[] {
  const inverse: Float64Array[] = [];
  root.forEach((row, a) => {
    const found = new Float64Array(a + 1);
    found[a] = 1;
    for (let k = 0; k < a; k++) {
      const factor = row[k];
      if (factor === 0) continue;
      const before = inverse[k];
      for (let b = 0; b <= k; b++) found[b] -= factor * before[b];
    }
    inverse.push(found.map((value) => value / row[a]));
  });
  return inverse;
}

function whiteningOf({ between }: ErrorCorrelation, used: readonly number[]): WhiteningBlock {
  const count = used.length;
  const ofUsed = (a: number, b: number): number => between(used[a], used[b]);
  const rows = inverseOf(rootOf({ count, between: ofUsed }));
  let largest = 0;
  for (let a = 0; a < count; a++) {
    let sum = 0;
    for (let b = 0; b < count; b++) sum += Math.abs(ofUsed(a, b));
    largest = Math.max(largest, sum);
  }
  const inverseTrace = rows.reduce((sum, row) => sum + row.reduce((squares, value) => squares + value * value, 0), 0);
  return { used, rows, condition: count > 0 ? largest * inverseTrace : 1 };
}

/** @param count of observations there is room for. @param blocks with what whitens each, none over another */
function whiteningRows(
  count: number,
  blocks: readonly { readonly first: number; readonly white: WhiteningBlock }[],
): WhiteningRows {
  const columns = Array.from({ length: count }, (_, row) => [row]);
  const values: ArrayLike<number>[] = columns.map(() => [1]);
  for (const { first, white } of blocks) {
    white.used.forEach((own, a) => {
      columns[first + own] = white.used.slice(0, a + 1).map((other) => first + other);
      values[first + own] = white.rows[a];
    });
  }
  const indptr = new Uint32Array(count + 1);
  columns.forEach((row, at) => (indptr[at + 1] = indptr[at] + row.length));
  const data = new Float64Array(indptr[count]);
  values.forEach((row, at) => data.set(row, indptr[at]));
  return { indptr, indices: Uint32Array.from(columns.flat()), data };
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** Whether quality control may reject one of the observations whose errors are correlated. */
function mayReject({ threshold, inverseErrorStd }: ObservedPositions, blocks: readonly ErrorBlock[]): boolean {
  if (!threshold) return false;
  return blocks.some(({ first, errors }) => {
    for (let j = first; j < first + errors.count; j++) if (threshold[j] > 0 && inverseErrorStd[j] > 0) return true;
    return false;
  });
}

/** Room for so many entries, with what works in it. */
interface Room {
  readonly nonzeros: number;
  readonly fields: {
    readonly indptr: IndexField;
    readonly indices: IndexField;
    readonly columnStart: IndexField;
    readonly entryRow: IndexField;
    readonly entryPosition: IndexField;
    readonly data: RealField;
  };
  readonly multiplying: Prepared<typeof sparseProduct.fields>;
  readonly adjoining: Prepared<typeof sparseAdjoint.fields>;
  dispose(): void;
}

export function createWhitenedErrors(
  label: string,
  { backend, observations, positions }: Pick<MethodContext, 'backend' | 'observations' | 'positions'>,
): WhitenedErrors {
  const { capacity } = observations;
  const unit = backend.precision === 'float64' ? 2 ** -53 : 2 ** -24;
  /** The whitening of each block for the observations that were used last. */
  const made = new WeakMap<ErrorCorrelation, WhiteningBlock>();
  let known: readonly { readonly first: number; readonly white: WhiteningBlock }[] = [];
  let room: Room | undefined;
  let isTold = false;

  function whiteningOfUsed({ first, errors }: ErrorBlock, inverseErrorStd: ArrayLike<number>): WhiteningBlock {
    const used = Array.from({ length: errors.count }, (_, own) => own).filter(
      (own) => inverseErrorStd[first + own] > 0,
    );
    const before = made.get(errors);
    if (before && isSame(before.used, used)) return before;
    const white = whiteningOf(errors, used);
    made.set(errors, white);
    return white;
  }

  async function makeRoom(nonzeros: number): Promise<Room> {
    const sparse = { rows: capacity, columns: capacity, nonzeros, batch: 1 };
    const multiplying = await backend.prepare(sparseProduct, sparse);
    const adjoining = await backend.prepare(sparseAdjoint, sparse);
    const index = (name: string, length: number) => backend.allocate(`${label}.whitening.${name}`, 'index', length);
    const fields = {
      indptr: index('indptr', capacity + 1),
      indices: index('indices', nonzeros),
      columnStart: index('columnStart', capacity + 1),
      entryRow: index('entryRow', nonzeros),
      entryPosition: index('entryPosition', nonzeros),
      data: backend.allocate(`${label}.whitening.data`, 'real', nonzeros),
    };
    return {
      nonzeros,
      fields,
      multiplying,
      adjoining,
      dispose() {
        for (const owned of [multiplying, adjoining, ...Object.values(fields)]) owned.dispose();
      },
    };
  }

  function warningOf(): string | undefined {
    const condition = known.reduce((most, { white }) => Math.max(most, white.condition), 1);
    const rounding = unit * Math.sqrt(condition);
    if (isTold || rounding <= TOLERATED_ROUNDING) return undefined;
    isTold = true;
    return (
      `the correlation of the observation errors is next to singular (condition up to ${condition.toExponential(0)}), so that ` +
      `rounding leaves up to ${(100 * rounding).toPrecision(1)} % in departures scaled by R whole; ` +
      'use a share below 1, a shorter length, "exponential", or the backend reference'
    );
  }

  return {
    async follow(inverseErrorStd) {
      const observed = positions();
      const blocks = observed.correlated ?? [];
      const used = mayReject(observed, blocks) ? await backend.read(inverseErrorStd) : observed.inverseErrorStd;
      const now = blocks.map((block) => ({ first: block.first, white: whiteningOfUsed(block, used) }));
      const isAlike =
        now.length === known.length &&
        now.every(({ first, white }, index) => first === known[index].first && white === known[index].white);
      if (isAlike) return undefined;
      // Until what they need is written nothing is known: an analysis after one that failed begins again.
      known = [];
      if (now.length === 0) return undefined;
      const rows = whiteningRows(capacity, now);
      const { length } = rows.data;
      if (!room || length > room.nonzeros) {
        room?.dispose();
        room = undefined;
        room = await makeRoom(length);
      }
      const { fields } = room;
      const structure = { ...rows, ...transposeStructure(rows, capacity) };
      for (const name of ['indptr', 'indices', 'columnStart', 'entryRow', 'entryPosition'] as const)
        backend.write(fields[name], structure[name]);
      backend.write(fields.data, rows.data);
      known = now;
      return warningOf();
    },
    whiten(scaled, white) {
      if (!room || known.length === 0) backend.copy(scaled, white);
      else {
        const { indptr, indices, data } = room.fields;
        room.multiplying.run({ indptr, indices, data, input: scaled, output: white });
      }
    },
    whitenAdjoint(white, scaled) {
      if (!room || known.length === 0) backend.copy(white, scaled);
      else {
        const { columnStart, entryRow, entryPosition, data } = room.fields;
        room.adjoining.run({ columnStart, entryRow, entryPosition, data, input: white, output: scaled });
      }
    },
    dispose() {
      room?.dispose();
    },
  };
}
