/** Innovation statistics, in one part. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { InnovationStatisticsFields } from './parameters.ts';

const INNOVATION_STATISTICS = parameterBlock('InnovationStatistics', {
  observations: 'i32',
  innovation: 'pointer',
  inverseErrorStd: 'pointer',
  originalInverseErrorStd: 'pointer',
  backgroundVariance: 'pointer',
  report: 'pointer',
});

const prepare: WasmOperator<{ readonly observations: number }, InnovationStatisticsFields> = (builder, parameters) =>
  onFields(builder.program('innovationStatistics', INNOVATION_STATISTICS, parameters), 1);

export default prepare;
