import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { recursiveFilter } from '../../../engine/operators/recursive-filter/index.ts';
import type { RecursiveFilterParameters } from '../../../engine/operators/recursive-filter/plan.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';
import { isNightly } from '../../setup/nightly.ts';
import { oracleCases } from '../../setup/oracle.ts';
import { signal } from './recursive-filter-cases.ts';
import { noise } from '../../../engine/check/measures.ts';

/** What the literal sweeps in float64 make of the input. */
function literal(parameters: RecursiveFilterParameters, input: Float64Array): Float64Array {
  const output = new Float64Array(input.length);
  recursiveFilter.implementations.reference({ ...parameters, form: 'sweeps' })({ input, output });
  return output;
}

describe.each(allBackends)('recursive-filter on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function filter(parameters: RecursiveFilterParameters, input: Float64Array): Promise<Float64Array> {
    return (await applyOperator(backend, recursiveFilter, parameters, { input, output: input.length })).output;
  }

  const forms = ['sweeps', 'fir'] as const;
  const oracle = oracleCases('recursive-filter').flatMap((oracleCase) =>
    oracleCase.parameters['decomposition'] === 'none'
      ? forms.map((form) => ({ ...oracleCase, form }))
      : [{ ...oracleCase, form: 'sweeps' as const }],
  );

  it.each(oracle)('reproduces $name as $form', async ({ parameters: given, inputs, outputs, tolerance, form }) => {
    const { sigma, iterations, decomposition, blocks, overlap } = given as Record<string, number>;
    const [nx, ny = 1] = inputs['signal'].shape.toReversed();
    const parameters = {
      ...signal(nx, sigma, iterations),
      ny,
      sigmaY: sigma,
      form,
      ...(String(decomposition) === 'overlapped' && { decomposition: { blocks, overlap } }),
    };
    const output = await filter(parameters, Float64Array.from(inputs['signal'].data));
    expect(output).toBeClose(outputs['signal'].data, { relative: tolerance[precision] });
  });

  // Float32: eps = 6e-8 for each of some ten roundings that an iteration's memory holds. Float64: the symbol's taps
  // against the sweeps' own roundings, 2K · eps.
  const rounding = precision === 'float64' ? 1e-12 : 3e-6;

  it.each([
    { nx: 1, sigma: 2, iterations: 3 },
    { nx: 2, sigma: 2, iterations: 3 },
    { nx: 3, sigma: 0.3, iterations: 1 },
    { nx: 40, sigma: 2, iterations: 5 },
    { nx: 256, sigma: 4, iterations: 2 },
    { nx: 1024, sigma: 12, iterations: 4 },
    { nx: 1025, sigma: 1.5, iterations: 20 },
    { nx: 2600, sigma: 20, iterations: 3 },
    { nx: 9000, sigma: 3, iterations: 2 },
    { nx: 9001, sigma: 60, iterations: 2 },
    { nx: 3000, sigma: 2, iterations: 500 },
  ])('is the literal sweeps in both forms for N $nx, σ $sigma, K $iterations', async ({ nx, sigma, iterations }) => {
    const input = noise(nx);
    input[0] = 1;
    input[nx - 1] = -1;
    // The wide one takes seconds to build.
    for (const transpose of sigma < 60 || isNightly ? [false, true] : [true]) {
      const parameters = { ...signal(nx, sigma, iterations), transpose };
      const expected = literal(parameters, input);
      for (const form of forms) {
        expect(await filter({ ...parameters, form }, input)).toBeClose(expected, { relative: rounding });
      }
    }
  });

  it('extends one block by zeros, as it does several', async () => {
    const input = noise(700);
    const zeros = new Float64Array(9);
    for (const transpose of [false, true]) {
      const padded = literal({ ...signal(718, 2, 20), transpose }, Float64Array.of(...zeros, ...input, ...zeros));
      const parameters = { ...signal(700, 2, 20), transpose, decomposition: { blocks: 1, overlap: 9 } };
      expect(await filter(parameters, input)).toBeClose(padded.slice(9, -9), { relative: rounding });
    }
  });
});
