/**
 * A combination of an ensemble's anomalies with weights of their own in every cell, the same for all variables [lorenc2003], and
 * its adjoint:
 *
 *   x = Σ_i X_i ∘ w_i,   w_i = Σ_v X_iv ∘ x_v,
 *
 * the Schur products of anomaly i with a plane of weights. With w = F a and F Fᵀ = C the first is a square root of C ∘ X Xᵀ.
 */
import { count, inRunsOfLayers, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';

export interface SchurProductParameters {
  /** k. */
  readonly members: number;
  /** Planes of a state. */
  readonly variables: number;
  /** Elements of a plane. */
  readonly cells: number;
  /** Apply the adjoint. */
  readonly transpose: boolean;
}

/**
 * The operator and its adjoint are one kind of sum: of products of planes, anomalies with those of the input, in their order.
 * `input` is [members][cells] and `output` [variables][cells]; of the adjoint it is the other way round.
 */
const block = parameterBlock('SchurProduct', {
  cells: 'count',
  /** Planes of the output, each a sum. */
  planes: 'count',
  /** Products in a sum: planes of the input. */
  terms: 'count',
  /** Planes of the anomalies between the first products of two sums, and between the products of one. */
  anomalyPlane: 'count',
  anomalyTerm: 'count',
  /** Cells of a part, and parts of a plane. */
  segment: 'part',
  segments: 'part',
  /** [members][variables][cells] */
  anomalies: 'read real',
  input: 'read real',
  output: 'write real',
});

function sumsOf({ members, variables, transpose }: SchurProductParameters) {
  return transpose
    ? { planes: members, terms: variables, anomalyPlane: variables, anomalyTerm: 1 }
    : { planes: variables, terms: members, anomalyPlane: 1, anomalyTerm: variables };
}

/** Products of a part, about. */
const PART_PRODUCTS = 65_536;

/** Cost: anomalies, weights and state once; a multiplication and an addition an anomaly. */
export const schurProduct = kernelOperator({
  name: 'schur-product',
  block,
  parameters: { members: count, variables: count, cells: count },
  values: (parameters: SchurProductParameters) => ({ cells: parameters.cells, ...sumsOf(parameters) }),
  cost: ({ members, variables, cells }, elementBytes) => ({
    bytes: (members * variables + members + variables) * cells * elementBytes,
    flops: 2 * members * variables * cells,
  }),
  reference: ({ members, variables, cells, transpose }) => {
    const length = variables * cells;
    return ({ anomalies, input, output }) => {
      if (transpose) {
        for (let i = 0; i < members; i++) {
          for (let cell = 0; cell < cells; cell++) {
            let sum = 0;
            for (let at = cell; at < length; at += cells) sum += anomalies[i * length + at] * input[at];
            output[i * cells + cell] = sum;
          }
        }
        return;
      }
      for (let at = 0; at < length; at++) {
        let sum = 0;
        for (let i = 0; i < members; i++) sum += anomalies[i * length + at] * input[i * cells + (at % cells)];
        output[at] = sum;
      }
    };
  },
  wasm: (parameters) => {
    const { planes, terms } = sumsOf(parameters);
    const segment = 4 * Math.max(1, Math.ceil(PART_PRODUCTS / terms / 4));
    return { kernel: 'schurProduct', ...inRunsOfLayers(parameters.cells, planes, segment) };
  },
  webgpu: {
    code: () => [import('./schur-product.wgsl?raw')],
    items: (parameters) => sumsOf(parameters).planes * parameters.cells,
  },
});
