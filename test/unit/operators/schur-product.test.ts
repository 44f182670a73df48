import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { LimitError } from '../../../engine/index.ts';
import { schurProduct } from '../../../engine/operators/schur-product/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';

/** Small integers and quarters: sums and products of them are exact in both precisions. */
function quarters(length: number, step: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => (((i * step) % 13) - 6) / 4);
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

const SIZES = [
  { members: 1, variables: 1, cells: 1 },
  { members: 5, variables: 3, cells: 7 },
  { members: 3, variables: 1, cells: 258 },
];

describe.each(allBackends)('Schur products on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(SIZES)('combine $members anomalies of $variables × $cells by weights of each cell', async (size) => {
    const { members, variables, cells } = size;
    const length = variables * cells;
    const anomalies = quarters(members * length, 5);
    const input = quarters(members * cells, 7);
    const output = new Float64Array(length);
    for (let i = 0; i < members; i++) {
      for (let at = 0; at < length; at++) output[at] += anomalies[i * length + at] * input[i * cells + (at % cells)];
    }
    const parameters = { ...size, transpose: false };
    const found = await applyOperator(backend, schurProduct, parameters, { anomalies, input, output: length });
    expect(found.output).toBeClose(output, { absolute: 0 });
  });

  it.each(SIZES)('have their adjoint, of $members anomalies of $variables × $cells', async (size) => {
    const { members, variables, cells } = size;
    const length = variables * cells;
    const anomalies = quarters(members * length, 5);
    const [weights, state] = [quarters(members * cells, 7), quarters(length, 11)];
    const forward = await applyOperator(
      backend,
      schurProduct,
      { ...size, transpose: false },
      { anomalies, input: weights, output: length },
    );
    const adjoint = await applyOperator(
      backend,
      schurProduct,
      { ...size, transpose: true },
      { anomalies, input: state, output: members * cells },
    );
    // Exact numbers: ⟨X w, x⟩ = ⟨w, Xᵀ x⟩ to the last bit.
    expect(dot(forward.output, state)).toBe(dot(weights, adjoint.output));
  });
});

describe('the parameters of Schur products', () => {
  it('must be positive integers', () => {
    const parameters = { members: 0, variables: 1, cells: 1, transpose: false };
    expect(() => schurProduct.implementations.reference(parameters)).toThrow(/members is 0/);
    expect(() => schurProduct.cost({ ...parameters, members: 2, cells: 0.5 }, 4)).toThrow(LimitError);
  });

  it('say what is read and written: anomalies, weights and state once', () => {
    const cost = schurProduct.cost({ members: 4, variables: 3, cells: 10, transpose: true }, 4);
    expect(cost).toEqual({ bytes: (12 + 4 + 3) * 10 * 4, flops: 240 });
  });
});
