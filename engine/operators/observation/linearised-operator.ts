/** The tangent linear of the observation operator about a state of its owner's: R^−½H′, as 3D-Var and the EnKF apply it. */
import type { Backend, IndexField, Prepared, RealField } from '../../compute/backend.ts';
import type { linearisation } from './observation.ts';
import type { columnScaling, sparseAdjoint, sparseProduct } from './sparse.ts';

/** Each has its own entries, so that owners that linearise about different states, or scale otherwise, do not meet. */
export interface LinearisedOperator {
  /** R^−½H′ in compressed rows, as linearised last: what the tapered gain of the EnKF is made of. */
  readonly matrix: { readonly indptr: IndexField; readonly indices: IndexField; readonly data: RealField };
  /** Its columns (`transposeStructure`), entries in `matrix.data`. */
  readonly columns: {
    readonly columnStart: IndexField;
    readonly entryRow: IndexField;
    readonly entryPosition: IndexField;
  };
  /**
   * Queues the computation of R^−½H′ at a state, for the observations that are set then, rows scaled by `inverseErrorStd`, by
   * default the one that was set.
   */
  linearise(state: RealField, inverseErrorStd?: RealField): void;
  /** Queues R^−½H′ ← R^−½H′ diag(`scale`), `scale` a state: what follows applies that, until it is linearised again. */
  scaleColumns(scale: RealField): void;
  /** Queues `output` = R^−½H′ `input`, from a state to `[capacity]`. */
  product(input: RealField, output: RealField): void;
  /** Queues `output` = (R^−½H′)ᵀ `input`, from `[capacity]` to a state. */
  adjoint(input: RealField, output: RealField): void;
  dispose(): void;
}

/** What all linearised operators of a network share: where the entries are, and what works on them. */
export interface TangentStructure {
  readonly fields: {
    readonly corners: IndexField;
    readonly weights: RealField;
    readonly kind: IndexField;
    readonly offset: RealField;
    readonly inverseErrorStd: RealField;
  };
  /** By rows and by columns. */
  readonly entries: {
    readonly indptr: IndexField;
    readonly indices: IndexField;
    readonly columnStart: IndexField;
    readonly entryRow: IndexField;
    readonly entryPosition: IndexField;
  };
  /** Entries of the matrix at most. */
  readonly nonzeros: number;
  readonly linearising: Prepared<typeof linearisation.fields>;
  readonly multiplying: Prepared<typeof sparseProduct.fields>;
  readonly scaling: Prepared<typeof columnScaling.fields>;
  readonly adjoining: Prepared<typeof sparseAdjoint.fields>;
  /** Brings the entries' places up to date with the network. */
  readonly update: () => void;
}

/** @param label of its owner */
export function createLinearisedOperator(
  backend: Backend,
  label: string,
  { fields, entries, nonzeros, linearising, scaling, multiplying, adjoining, update }: TangentStructure,
): LinearisedOperator {
  const data = backend.allocate(`${label}.linearised`, 'real', nonzeros);
  const { indptr, indices, columnStart, entryRow, entryPosition } = entries;
  return {
    matrix: { indptr, indices, data },
    columns: { columnStart, entryRow, entryPosition },
    linearise(state, inverseErrorStd = fields.inverseErrorStd) {
      update();
      linearising.run({ ...fields, state, inverseErrorStd, indptr, data });
    },
    scaleColumns: (scale) => scaling.run({ indptr, indices, data, scale }),
    product: (input, output) => multiplying.run({ indptr, indices, data, input, output }),
    adjoint: (input, output) => adjoining.run({ columnStart, entryRow, entryPosition, data, input, output }),
    dispose: () => data.dispose(),
  };
}
