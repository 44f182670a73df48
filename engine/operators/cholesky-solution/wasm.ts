/** The Cholesky solver in SIMD, panel by panel. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { CholeskySolutionFields, CholeskySolutionParameters, CholeskySubstitutionFields } from './reference.ts';

/** What the kernels of `cholesky.as.ts` take. */
const CHOLESKY = parameterBlock('Cholesky', {
  size: 'i32',
  /** First column of the panel, and how many it has. */
  column: 'i32',
  width: 'i32',
  /** Rows of a part beneath the diagonal block. */
  segment: 'i32',
  matrix: 'pointer',
  solution: 'pointer',
  status: 'pointer',
  /** The column of each row's first entry. */
  first: 'pointer',
});

/** Rows of a part. */
const ROWS = 16;

/** Columns of a panel. */
const PANEL = 64;

export const choleskySolution: WasmOperator<CholeskySolutionParameters, CholeskySolutionFields> = (
  builder,
  { size, rightHandSides },
) => {
  const first = builder.words('cholesky-solution.first', size);
  const constants = { size, width: PANEL, segment: ROWS, first: first.address };
  const [firstEntries, diagonal, rows, substitution] = [
    'choleskyFirstEntries',
    'choleskyDiagonal',
    'choleskyRows',
    'choleskySubstitute',
  ].map((kernel) => builder.program(kernel, CHOLESKY, constants));
  return ({ matrix, solution, status }) => {
    const places = addressesOf({ matrix, solution, status });
    status[0] = 0;
    firstEntries.set(places);
    firstEntries.run(partsFor(size, ROWS));
    for (let column = 0; column < size; column += PANEL) {
      diagonal.set({ ...places, column });
      diagonal.run(1);
      const beneath = size - column - PANEL;
      if (beneath <= 0) break;
      rows.set({ ...places, column });
      rows.run(partsFor(beneath, ROWS));
    }
    substitution.set(places);
    substitution.run(rightHandSides);
  };
};

export const choleskySubstitution: WasmOperator<CholeskySolutionParameters, CholeskySubstitutionFields> = (
  builder,
  { size, rightHandSides },
) => {
  const first = builder.words('cholesky-substitution.first', size);
  const constants = { size, segment: ROWS, first: first.address };
  const firstEntries = builder.program('choleskyFirstEntries', CHOLESKY, constants);
  const substitution = builder.program('choleskySubstitute', CHOLESKY, constants);
  return ({ matrix, solution }) => {
    const places = addressesOf({ matrix, solution });
    firstEntries.set(places);
    firstEntries.run(partsFor(size, ROWS));
    substitution.set(places);
    substitution.run(rightHandSides);
  };
};
