/** P_HT in SIMD. */
import { parameterBlock } from '../../compute/wasm/parameter-block.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { GainCovarianceFields, GainCovarianceParameters } from './parameters.ts';

const GAIN_COVARIANCE = parameterBlock('GainCovariance', {
  nx: 'i32',
  ny: 'i32',
  periodicX: 'i32',
  periodicY: 'i32',
  variables: 'i32',
  members: 'i32',
  firstObservation: 'i32',
  reachX: 'i32',
  reachY: 'i32',
  anomalies: 'pointer',
  taperRow: 'pointer',
  indptr: 'pointer',
  indices: 'pointer',
  data: 'pointer',
  output: 'pointer',
});

const prepare: WasmOperator<GainCovarianceParameters, GainCovarianceFields> = (builder, parameters) => {
  const { nx, ny, periodicX, periodicY, variables, members, firstObservation, observations, reachX, reachY } =
    parameters;
  const program = builder.program(
    'gainCovariance',
    GAIN_COVARIANCE,
    {
      nx,
      ny,
      periodicX: Number(periodicX),
      periodicY: Number(periodicY),
      variables,
      members,
      firstObservation,
      reachX,
      reachY,
    },
    4 * (members + nx + 8),
  );
  return ({ anomalies, taperRow, indptr, indices, data, output }) => {
    program.set({
      anomalies: anomalies.byteOffset,
      taperRow: taperRow.byteOffset,
      indptr: indptr.byteOffset,
      indices: indices.byteOffset,
      data: data.byteOffset,
      output: output.byteOffset,
    });
    program.run(observations);
  };
};

export default prepare;
