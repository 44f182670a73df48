/** Conjugate gradients with their vectors in SIMD; what is decided is decided as in reference.ts. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type {
  initialisationFields,
  InitialisationParameters,
  iterationFields,
  IterationParameters,
} from './parameters.ts';
import { beginWith, iterateWith } from './reference.ts';

const CONJUGATE_GRADIENT = parameterBlock('ConjugateGradient', {
  length: 'i32',
  segment: 'i32',
  shift: 'f32',
  /** α or β. */
  factor: 'f32',
  product: 'pointer',
  solution: 'pointer',
  residual: 'pointer',
  direction: 'pointer',
  /** Two float64 a part. */
  sums: 'pointer',
  rightHandSide: 'pointer',
});

/** Elements of a part. */
const SEGMENT = 16_384;

/** One of the two sums of the parts, over all of them. */
function sumOf(sums: Float64Array, which: 0 | 1): number {
  let sum = 0;
  for (let place = which; place < sums.length; place += 2) sum += sums[place];
  return sum;
}

export const initialisation: WasmOperator<InitialisationParameters, typeof initialisationFields> = (
  builder,
  { length },
) => {
  const parts = partsFor(length, SEGMENT);
  const sums = builder.doubles('conjugate-gradient.sums', 2 * parts);
  const constants = { length, segment: SEGMENT, sums: sums.address };
  const program = builder.program('startFromRest', CONJUGATE_GRADIENT, constants);
  return ({ rightHandSide, solution, residual, direction, history, progress }) => {
    program.set(addressesOf({ rightHandSide, solution, residual, direction }));
    program.run(parts);
    beginWith(sumOf(sums.view(), 0), history, progress);
  };
};

export const iteration: WasmOperator<IterationParameters, typeof iterationFields> = (builder, parameters) => {
  const { length, shift } = parameters;
  const parts = partsFor(length, SEGMENT);
  const sums = builder.doubles('conjugate-gradient.sums', 2 * parts);
  const constants = { length, segment: SEGMENT, shift, sums: sums.address };
  const programs = {
    curvature: builder.program('curvature', CONJUGATE_GRADIENT, constants),
    stepAlong: builder.program('stepAlong', CONJUGATE_GRADIENT, constants),
    newDirection: builder.program('newDirection', CONJUGATE_GRADIENT, constants),
  };
  return iterateWith(parameters, ({ product, solution, residual, direction }) => {
    const places = addressesOf({ product, solution, residual, direction });
    return {
      curvature() {
        programs.curvature.set(places);
        programs.curvature.run(parts);
        return sumOf(sums.view(), 0);
      },
      step(alpha) {
        programs.stepAlong.set({ ...places, factor: alpha });
        programs.stepAlong.run(parts);
        return { residualSquared: sumOf(sums.view(), 0), solutionSquared: sumOf(sums.view(), 1) };
      },
      turn(beta) {
        programs.newDirection.set({ ...places, factor: beta });
        programs.newDirection.run(parts);
      },
    };
  });
};
