/** The Cholesky solver in SIMD, panel by panel. */
import { partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { CholeskySolutionFields, CholeskySolutionParameters } from './parameters.ts';
import { CHOLESKY, ROWS } from './wasm-block.ts';

/** Columns of a panel. */
const PANEL = 64;

const prepare: WasmOperator<CholeskySolutionParameters, CholeskySolutionFields> = (
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
    const places = { matrix: matrix.byteOffset, solution: solution.byteOffset, status: status.byteOffset };
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

export default prepare;
