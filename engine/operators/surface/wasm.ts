/** The operators of this room in SIMD. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields, partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type {
  StandardDeviationFields,
  StandardDeviationParameters,
  SurfaceElevationFields,
  SurfaceElevationParameters,
} from './parameters.ts';

const SURFACE_ELEVATION = parameterBlock('SurfaceElevation', {
  cells: 'i32',
  variables: 'i32',
  segment: 'i32',
  state: 'pointer',
  bed: 'pointer',
  planes: 'pointer',
});

const STANDARD_DEVIATION = parameterBlock('StandardDeviation', {
  length: 'i32',
  segment: 'i32',
  variance: 'pointer',
  deviation: 'pointer',
});

/** Elements of a part. */
const SEGMENT = 16_384;

export const surfaceElevation: WasmOperator<SurfaceElevationParameters, SurfaceElevationFields> = (
  builder,
  parameters,
) => {
  const program = builder.program('surfaceElevation', SURFACE_ELEVATION, { ...parameters, segment: SEGMENT });
  return onFields(program, partsFor(parameters.cells, SEGMENT));
};

export const standardDeviation: WasmOperator<StandardDeviationParameters, StandardDeviationFields> = (
  builder,
  { length },
) => {
  const program = builder.program('standardDeviation', STANDARD_DEVIATION, { length, segment: SEGMENT });
  return onFields(program, partsFor(length, SEGMENT));
};
