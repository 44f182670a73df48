/** The stochastic EnKF around its solve in SIMD. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields, partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type {
  GainBlock,
  GainIncrementFields,
  ObservedCovarianceFields,
  PerturbedInnovationFields,
  PerturbedInnovationParameters,
} from './parameters.ts';

const PERTURBED_INNOVATION = parameterBlock('PerturbedInnovation', {
  observations: 'i32',
  values: 'pointer',
  observed: 'pointer',
  inverseErrorStd: 'pointer',
  perturbations: 'pointer',
  scaled: 'pointer',
});

/** A part is a member. */
export const perturbedInnovation: WasmOperator<PerturbedInnovationParameters, PerturbedInnovationFields> = (
  builder,
  { members, observations },
) => onFields(builder.program('perturbedInnovation', PERTURBED_INNOVATION, { observations }), members);

const OBSERVED_COVARIANCE = parameterBlock('ObservedCovariance', {
  length: 'i32',
  observations: 'i32',
  firstObservation: 'i32',
  covariance: 'pointer',
  indptr: 'pointer',
  indices: 'pointer',
  data: 'pointer',
  inverseErrorStd: 'pointer',
  matrix: 'pointer',
});

/** A part is a row of the block. */
export const observedCovariance: WasmOperator<GainBlock, ObservedCovarianceFields> = (
  builder,
  { length, observations, firstObservation, blockObservations },
) => {
  const constants = { length, observations, firstObservation };
  return onFields(builder.program('observedCovariance', OBSERVED_COVARIANCE, constants), blockObservations);
};

const GAIN_INCREMENT = parameterBlock('GainIncrement', {
  length: 'i32',
  members: 'i32',
  observations: 'i32',
  firstObservation: 'i32',
  blockObservations: 'i32',
  /** Elements of a part; a multiple of eight. */
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
