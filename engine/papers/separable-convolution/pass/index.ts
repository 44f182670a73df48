/**
 * Passes of the separable convolution of a volume [magic-filter], each a filter along one axis, periodic:
 *
 *   out(i) = Σ ω_j in(i + j),  j from −lower to taps.length − 1 − lower.
 *
 * A pass either writes its result transposed, so that all three read along the fastest axis, or leaves the layout as it is. Its kernels
 * are generated from one description. Every sum has its terms in the order of the taps: kernels give the same bits if their
 * multiply-adds are fused alike, which those of the simple and scalar forms on `wasm` never are.
 */
import type { ArraysOf, BackendName, Operator, RealArray } from '../../../compute/backend.ts';
import { count, defineOperator } from '../../../compute/define-operator.ts';
import type { KernelVariants } from '../../../compute/variants.ts';
import { checkTaps } from '../../../operators/convolution/index.ts';
import { inTurn, modulo, passesOf } from './description.ts';
import type { Pass, PassElement, PassesFields, PassesParameters, PassKernel } from './description.ts';
import { passVariants, type PassSubject } from './variants.ts';

export { passesOf, SIMPLE, type PassElement, type PassesParameters, type PassKernel } from './description.ts';
export { nameOfKernel } from './variants.ts';

function referencePass({ before, length, after, transposed, taps, lower }: Pass) {
  return (input: RealArray, output: RealArray): void => {
    for (let column = 0; column < before * after; column++) {
      const start = Math.floor(column / after) * length * after + (column % after);
      for (let i = 0; i < length; i++) {
        let sum = 0;
        for (let q = 0; q < taps.length; q++) sum += taps[q] * input[start + modulo(i + q - lower, length) * after];
        output[transposed ? i * before + column : start + i * after] = sum;
      }
    }
  };
}

function reference(parameters: PassesParameters) {
  const between = new Float64Array(parameters.axes === 1 ? 0 : parameters.n1 * parameters.n2 * parameters.n3);
  const run = inTurn<RealArray>(passesOf(parameters).map(referencePass), between);
  return (arrays: ArraysOf<PassesFields>) => run(arrays);
}

function passesOperator(element: PassElement): Operator<PassesParameters, PassesFields> {
  return defineOperator<PassesParameters, PassesFields>({
    name: element === 'double' ? 'convolution-passes-double' : 'convolution-passes',
    parameters: { n1: count, n2: count, n3: count },
    check: (parameters) => checkTaps('convolution-passes', 'taps', parameters),
    fields: { input: element, output: element },
    cost({ n1, n2, n3, axes, taps }, elementBytes) {
      const points = n1 * n2 * n3;
      const bytes = element === 'double' ? 8 : elementBytes;
      return { bytes: 2 * axes * points * bytes, flops: 2 * axes * taps.length * points };
    },
    reference,
    wasm: async () => (await import('./wasm.ts')).passesOnWasm(element),
    webgpu: async () => (await import('./webgpu.ts')).default,
  });
}

/** In the precision of the backend; and in float64, where the backend has it. */
export const filterPasses = { real: passesOperator('real'), double: passesOperator('double') } as const;

/** @returns the patterns that a backend offers of a pass; undefined if it has one form */
export function patternsOf(
  backend: BackendName,
  element: PassElement,
): KernelVariants<PassSubject, PassKernel> | undefined {
  switch (backend) {
    case 'reference':
      return undefined;
    case 'wasm':
      return passVariants.wasm[element];
    case 'webgpu':
      return passVariants.webgpu;
    default:
      return backend satisfies never;
  }
}
