/** C and P̃ᵃ in SIMD: a part a row of cells. */
import { parameterBlock } from '../../../compute/parameter-block.ts';
import type { WasmBuilder, WasmOperator } from '../../../compute/wasm/program.ts';
import { NEIGHBOURS } from './parameters.ts';
import type {
  AnalysisCovarianceFields,
  LetkfPartsFields,
  LetkfPartsParameters,
  ObservationWeightsFields,
} from './parameters.ts';

const LETKF_PARTS = parameterBlock('LetkfParts', {
  nx: 'i32',
  ny: 'i32',
  members: 'i32',
  /** Members rounded up to a multiple of four. */
  padded: 'i32',
  /** (k − 1)/ρ */
  diagonal: 'f32',
  anomalies: 'pointer',
  weights: 'pointer',
  c: 'pointer',
  covariance: 'pointer',
});

type Kernel = 'observationWeights' | 'analysisCovariance';

function program(builder: WasmBuilder, kernel: Kernel, { nx, ny, members, inflation }: LetkfPartsParameters) {
  const padded = 4 * Math.ceil(members / 4);
  const scratchBytes = kernel === 'analysisCovariance' ? 4 * padded * (NEIGHBOURS + members) : 0;
  const values = { nx, ny, members, padded, diagonal: (members - 1) / inflation };
  return builder.program(kernel, LETKF_PARTS, values, scratchBytes);
}

export const prepareObservationWeights: WasmOperator<LetkfPartsParameters, ObservationWeightsFields> = (
  builder,
  parameters,
) => {
  const weigh = program(builder, 'observationWeights', parameters);
  return ({ anomalies, weights, c }) => {
    weigh.set({ anomalies: anomalies.byteOffset, weights: weights.byteOffset, c: c.byteOffset });
    weigh.run(parameters.ny);
  };
};

export const prepareAnalysisCovariance: WasmOperator<LetkfPartsParameters, AnalysisCovarianceFields> = (
  builder,
  parameters,
) => {
  const invert = program(builder, 'analysisCovariance', parameters);
  return ({ anomalies, c, covariance }) => {
    invert.set({ anomalies: anomalies.byteOffset, c: c.byteOffset, covariance: covariance.byteOffset });
    invert.run(parameters.ny);
  };
};

export const prepareLetkfParts: WasmOperator<LetkfPartsParameters, LetkfPartsFields> = (builder, parameters) => {
  const weigh = prepareObservationWeights(builder, parameters);
  const invert = prepareAnalysisCovariance(builder, parameters);
  return (arrays) => {
    weigh?.(arrays);
    invert?.(arrays);
  };
};
