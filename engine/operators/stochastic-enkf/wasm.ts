/** The increment of the stochastic EnKF in SIMD. */
import { parameterBlock } from '../../compute/wasm/parameter-block.ts';
import { partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { GainBlock, GainIncrementFields } from './parameters.ts';

const GAIN_INCREMENT = parameterBlock('GainIncrement', {
  length: 'i32',
  members: 'i32',
  observations: 'i32',
  firstObservation: 'i32',
  blockObservations: 'i32',
  segment: 'i32',
  covariance: 'pointer',
  inverseErrorStd: 'pointer',
  weights: 'pointer',
  ensemble: 'pointer',
});

/** Elements of a part. */
const SEGMENT = 512;
/** Bytes of a listed gain. */
const GAIN_BYTES = 48;

export const gainIncrement: WasmOperator<GainBlock & { readonly members: number }, GainIncrementFields> = (
  builder,
  { length, members, observations, firstObservation, blockObservations },
) => {
  const program = builder.program(
    'gainIncrement',
    GAIN_INCREMENT,
    { length, members, observations, firstObservation, blockObservations, segment: SEGMENT },
    GAIN_BYTES * blockObservations,
  );
  return ({ covariance, inverseErrorStd, weights, ensemble }) => {
    program.set({
      covariance: covariance.byteOffset,
      inverseErrorStd: inverseErrorStd.byteOffset,
      weights: weights.byteOffset,
      ensemble: ensemble.byteOffset,
    });
    program.run(partsFor(length, SEGMENT));
  };
};
