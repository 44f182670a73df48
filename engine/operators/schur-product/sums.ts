/** The operator and its adjoint are one kind of sum: of products of planes, anomalies with those of the input, in their order. */
import type { SchurProductParameters } from './parameters.ts';

export interface PlaneSums {
  /** Of the output, each a sum. */
  readonly planes: number;
  /** Products in a sum: planes of the input. */
  readonly terms: number;
  /** Planes of the anomalies between the first products of two sums, and between the products of one. */
  readonly anomalyPlane: number;
  readonly anomalyTerm: number;
}

export function sumsOf({ members, variables, transpose }: SchurProductParameters): PlaneSums {
  return transpose
    ? { planes: members, terms: variables, anomalyPlane: variables, anomalyTerm: 1 }
    : { planes: variables, terms: members, anomalyPlane: 1, anomalyTerm: variables };
}
