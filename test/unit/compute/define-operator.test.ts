import { describe, expect, it } from 'vitest';
import {
  aboveZero,
  count,
  defineOperator,
  integerFrom,
  oneOf,
  kernelOperator,
} from '../../../engine/compute/define-operator.ts';
import { parameterBlock } from '../../../engine/compute/parameter-block.ts';
import { LimitError } from '../../../engine/errors.ts';

interface Parameters {
  readonly length: number;
  readonly lag: number;
  readonly deviation: number;
  readonly kind: 'sum' | 'mean';
}

const shifted = defineOperator<Parameters, { output: 'real' }>({
  name: 'shifted',
  fields: { output: 'real' },
  parameters: {
    length: count,
    lag: integerFrom(0, 'use the adjoint for lags below it'),
    deviation: aboveZero,
    kind: oneOf('sum', 'mean'),
  },
  check({ length, lag }) {
    if (lag >= length) throw new LimitError(`shifted: lag is ${lag}, it must be below length ${length}`);
  },
  cost: ({ length }, elementBytes) => ({ bytes: length * elementBytes, flops: length }),
  reference:
    ({ lag }) =>
    ({ output }) =>
      void output.fill(lag),
});

const allowed: Parameters = { length: 4, lag: 3, deviation: 0.5, kind: 'sum' };

describe('defineOperator', () => {
  it('takes what is allowed', () => {
    expect(shifted.cost(allowed, 4)).toEqual({ bytes: 16, flops: 4 });
    const output = new Float64Array(2);
    shifted.implementations.reference(allowed)({ output });
    expect([...output]).toEqual([3, 3]);
  });

  it.each([
    [{ length: 0 }, 'shifted: length is 0, it must be an integer of at least 1'],
    [{ length: 1.5 }, 'shifted: length is 1.5, it must be an integer of at least 1'],
    [{ lag: -1 }, 'shifted: lag is -1, it must be an integer of at least 0; use the adjoint for lags below it'],
    [{ deviation: Infinity }, 'shifted: deviation is Infinity, it must be finite and above 0'],
    [{ kind: 'median' }, 'shifted: kind is median, it must be sum or mean'],
    [{ length: undefined }, 'shifted: length is undefined, it must be an integer of at least 1'],
    [{ lag: 4 }, 'shifted: lag is 4, it must be below length 4'],
  ])('refuses %j for its cost and its forms', (wrong, message) => {
    const parameters = { ...allowed, ...wrong } as Parameters;
    expect(() => shifted.cost(parameters, 4)).toThrow(new LimitError(message));
    expect(() => shifted.implementations.reference(parameters)).toThrow(new LimitError(message));
  });
});

describe('kernelOperator', () => {
  const scaled = kernelOperator({
    name: 'scaled',
    block: parameterBlock('Scaled', { planes: 'count', factor: 'f32', input: 'read real', rows: 'write index' }),
    values: ({ variables, factor }: { readonly variables: number; readonly factor: number }) => ({
      planes: 2 * variables,
      factor,
    }),
    cost: ({ variables }) => ({ bytes: 0, flops: variables }),
    reference: () => () => undefined,
    wasm: () => ({ kernel: 'none', parts: 1 }),
    webgpu: { code: () => [], items: () => 1 },
  });

  it('has the arrays of its block as fields', () => expect(scaled.fields).toEqual({ input: 'real', rows: 'index' }));

  it('checks the counts that it gives its kernels', () => {
    expect(scaled.cost({ variables: 2, factor: -1 }, 4)).toEqual({ bytes: 0, flops: 2 });
    expect(() => scaled.cost({ variables: 0, factor: 1 }, 4)).toThrow(
      new LimitError('scaled: planes is 0, it must be an integer of at least 1'),
    );
  });
});
