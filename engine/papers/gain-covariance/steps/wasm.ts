/** The steps on a processor: C₂ by rows, then the product, a task for all rows of H or one for each. */
import { parameterBlock } from '../../../compute/parameter-block.ts';
import { addressesOf, type WasmOperator } from '../../../compute/wasm/program.ts';
import type { gainStepsFields, GainStepsParameters } from './parameters.ts';

const GAIN_STEPS = parameterBlock('GainSteps', {
  nx: 'i32',
  cells: 'i32',
  members: 'i32',
  /** Whether e eᵀ takes a transposed copy of e. */
  copies: 'i32',
  /** The row of H of the first part. */
  first: 'i32',
  anomalies: 'pointer',
  taperRow: 'pointer',
  indptr: 'pointer',
  indices: 'pointer',
  data: 'pointer',
  output: 'pointer',
  /** [L][n] */
  copy: 'pointer',
  /** C₂ [n][n] */
  covariance: 'pointer',
});

export const prepareGainSteps: WasmOperator<GainStepsParameters, typeof gainStepsFields> = (
  builder,
  { nx, ny, members, observations, step },
) => {
  const cells = nx * ny;
  const copies = step === 'basic';
  const constants = {
    nx,
    cells,
    members,
    copies: Number(copies),
    first: 0,
    copy: copies ? builder.reals('gain-steps.copy', cells * members).address : 0,
    covariance: builder.reals('gain-steps.covariance', cells * cells).address,
  };
  const byColumns = step === 'basic' || step === 'rows';
  const [copy, covariance, product] = [
    'gainStepsCopy',
    'gainStepsCovariance',
    byColumns ? 'gainStepsByColumns' : 'gainStepsByRows',
  ].map((kernel) => builder.program(kernel, GAIN_STEPS, constants));
  return (arrays) => {
    const places = addressesOf(arrays);
    for (const program of [copy, covariance, product]) program.set(places);
    if (copies) copy.run(members);
    covariance.run(cells);
    if (step === 'one launch') {
      product.run(observations);
      return;
    }
    for (let first = 0; first < observations; first++) {
      product.set({ first });
      product.run(1);
    }
  };
};
