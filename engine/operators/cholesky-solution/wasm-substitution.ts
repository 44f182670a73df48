/** Both substitutions in SIMD, a right-hand side a part. */
import { partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { CholeskySolutionParameters, CholeskySubstitutionFields } from './parameters.ts';
import { CHOLESKY, ROWS } from './wasm-block.ts';

const prepare: WasmOperator<CholeskySolutionParameters, CholeskySubstitutionFields> = (
  builder,
  { size, rightHandSides },
) => {
  const first = builder.words('cholesky-substitution.first', size);
  const constants = { size, segment: ROWS, first: first.address };
  const firstEntries = builder.program('choleskyFirstEntries', CHOLESKY, constants);
  const substitution = builder.program('choleskySubstitute', CHOLESKY, constants);
  return ({ matrix, solution }) => {
    const places = { matrix: matrix.byteOffset, solution: solution.byteOffset };
    firstEntries.set(places);
    firstEntries.run(partsFor(size, ROWS));
    substitution.set(places);
    substitution.run(rightHandSides);
  };
};

export default prepare;
