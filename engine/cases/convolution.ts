/** Cases of the separable periodic convolution of a volume. */
import { z } from 'zod';
import { CaseError } from '../errors.ts';
import { convolution } from '../operators/convolution/index.ts';
import { assertAxes } from './case-arrays.ts';
import { caseOperator } from './case-operator.ts';
import { runOperator } from './run-operator.ts';

export const convolutionCase = caseOperator({
  name: 'convolution',
  parameters: z.strictObject({
    taps: z.array(z.number()).min(1),
    lower: z.int().min(0),
    boundary: z.literal('periodic').default('periodic'),
  }),
  inputs: ['volume'],
  outputs: ['volume'],
  async run(backend, { taps, lower }, { volume }) {
    assertAxes(volume, [3], 'a volume [n1, n2, n3]');
    if (lower >= taps.length) {
      throw new CaseError(`parameters.lower: found ${lower}, allowed: 0 to ${taps.length - 1}, the index of a tap`);
    }
    const [n1, n2, n3] = volume.shape;
    const parameters = { n1, n2, n3, taps, lower };
    const { output } = await runOperator(backend, convolution, parameters, {
      input: volume.data,
      output: volume.data.length,
    });
    return { volume: { shape: volume.shape, data: output } };
  },
});
