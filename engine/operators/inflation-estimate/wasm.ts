/** The estimate in one part: observations are few. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import { validated } from './parameters.ts';
import type { InflationEstimateFields, InflationEstimateParameters } from './parameters.ts';

const INFLATION_ESTIMATE = parameterBlock('InflationEstimate', {
  observations: 'i32',
  /** 1: by the ratio of Desroziers; 0: from the innovations. */
  ratio: 'i32',
  /** v_b */
  priorVariance: 'f32',
  least: 'f32',
  most: 'f32',
  innovation: 'pointer',
  residual: 'pointer',
  inverseErrorStd: 'pointer',
  variance: 'pointer',
  factor: 'pointer',
});

const prepare: WasmOperator<InflationEstimateParameters, InflationEstimateFields> = (builder, parameters) => {
  const { observations, kind, deviation, least, most } = validated(parameters);
  const values = { observations, ratio: Number(kind === 'desroziers'), priorVariance: deviation ** 2, least, most };
  return onFields(builder.program('inflationEstimate', INFLATION_ESTIMATE, values), 1);
};

export default prepare;
