/**
 * The analysis of the IEnKS in the space of its members [bocquet2014]. At the beginning of the window they are
 *
 *   E = x̄ 1ᵀ + X (w 1ᵀ + T),
 *
 * x̄ and X mean and anomalies of the k members that come there from the window before, with the inflation ρ. With G = H(M(E)), what members
 * observe at the end of their window, ḡ its mean and G′ its anomalies, an iteration of Gauss and Newton linearises H ∘ M about E:
 *
 *   Y = R^−½ G′ T⁻¹,   P̃ = [(k − 1) I/ρ + YᵀY]⁻¹,   w ← P̃ Yᵀ (R^−½ (y − ḡ) + Y w),   T ← [(k − 1) P̃]^½ (symmetric).
 *
 * Of the first iteration, with w = 0 and T = I, this is the LETKF's analysis without localisation. The matrices have the order k, and
 * are made on the host, in float64.
 */
import { createSymmetricEigenSolver } from '../../operators/letkf/index.ts';

/** What makes members of those of the window before. */
export interface MemberWeights {
  /** w, [k]. */
  readonly mean: Float64Array;
  /** T, [k][k]. */
  readonly root: Float64Array;
  /** T⁻¹, [k][k]. */
  readonly inverseRoot: Float64Array;
}

/** What is observed of members, and what the observations are. */
export interface ObservedMembers {
  /** G, [k][capacity]. */
  readonly seen: Float64Array;
  /** y, [capacity]. */
  readonly values: Float64Array;
  /** 1/σₒ, 0 of what is not used. [capacity] */
  readonly inverseErrorStd: Float64Array;
}

export interface GaussNewtonStep {
  readonly weights: MemberWeights;
  /** ‖R^−½ (y − ḡ) + Y w‖² less what the analysis explains: dᵀS⁻¹d with S = ρ Y Yᵀ/(k − 1) + R, where w was 0. */
  readonly misfit: number;
  /** tr(H K) */
  readonly degreesOfFreedom: number;
}

/** @returns w = 0, T = I */
export function unchangedWeights(members: number): MemberWeights {
  const identity = Float64Array.from({ length: members ** 2 }, (_, at) => Number(at % (members + 1) === 0));
  return { mean: new Float64Array(members), root: identity, inverseRoot: identity };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** @returns matrix times vector, the matrix row by row */
function product(matrix: Float64Array, vector: Float64Array): Float64Array {
  const { length } = vector;
  return vector.map((_, row) => dot(matrix.subarray(row * length, (row + 1) * length), vector));
}

/** @returns V diag(of) Vᵀ, [k][k]. @param vectors in columns */
function ofEigenvalues(vectors: Float64Array, of: Float64Array): Float64Array {
  const k = of.length;
  const matrix = new Float64Array(k * k);
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let e = 0; e < k; e++) sum += vectors[i * k + e] * of[e] * vectors[j * k + e];
      matrix[i * k + j] = sum;
      matrix[j * k + i] = sum;
    }
  }
  return matrix;
}

/**
 * @param inflation ρ
 * @returns one iteration, from the weights of the members that were observed
 */
export function createGaussNewton(
  members: number,
  inflation: number,
): (weights: MemberWeights, observed: ObservedMembers) => GaussNewtonStep {
  const solver = createSymmetricEigenSolver(members);
  const precision = (members - 1) / inflation;
  return ({ mean, inverseRoot }, { seen, values, inverseErrorStd }) => {
    const capacity = values.length;
    const gram = new Float64Array(members ** 2);
    const gradient = new Float64Array(members);
    let square = 0;
    for (let j = 0; j < capacity; j++) {
      const scale = inverseErrorStd[j];
      if (scale === 0) continue;
      const own = Float64Array.from({ length: members }, (_, i) => seen[i * capacity + j]);
      const centre = own.reduce((sum, value) => sum + value, 0) / members;
      const y = product(
        inverseRoot,
        own.map((value) => scale * (value - centre)),
      );
      const departure = scale * (values[j] - centre) + dot(y, mean);
      square += departure ** 2;
      for (let i = 0; i < members; i++) {
        gradient[i] += y[i] * departure;
        for (let l = 0; l < members; l++) gram[i * members + l] += y[i] * y[l];
      }
    }
    solver.vectors.set(gram);
    solver.solve(members);
    // What rounding makes of an eigenvalue that is 0 may be below.
    const eigenvalues = solver.values.map((value) => Math.max(0, value));
    const shrinks = eigenvalues.map((value) => precision + value);
    const inverse = shrinks.map((value) => 1 / value);
    const next = product(ofEigenvalues(solver.vectors, inverse), gradient);
    const roots = inverse.map((value) => Math.sqrt((members - 1) * value));
    return {
      weights: {
        mean: next,
        root: ofEigenvalues(solver.vectors, roots),
        inverseRoot: ofEigenvalues(
          solver.vectors,
          roots.map((value) => 1 / value),
        ),
      },
      misfit: square - dot(gradient, next),
      degreesOfFreedom: eigenvalues.reduce((sum, value, e) => sum + value * inverse[e], 0),
    };
  };
}
