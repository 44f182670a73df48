/** The LETKF in float64, by symmetric eigendecompositions: the k × k problem as Hunt et al. write it, and its ℓ × ℓ dual. */
import type { ArraysOf } from '../../compute/backend.ts';
import { binGeometry, binsWithinReach, gaspariCohn, shortest, type LocalisationGrid } from '../localisation/index.ts';
import { createSymmetricEigenSolver } from './eigen.ts';
import { correlationAt, rootOfLocal, whitenLocal } from './local-errors.ts';
import { letkfForm, tooManyLocal } from './parameters.ts';
import type {
  CorrelatedLetkfFields,
  InflatedLetkfFields,
  LetkfFields,
  LetkfParameters,
  ObservedFields,
} from './parameters.ts';

/**
 * What is known of the observations near one grid point, rows scaled by √w R^−½, or by the L⁻¹ √w D⁻¹ of correlated errors, and by
 * the stretch.
 */
interface LocalProblem {
  /** ℓ */
  count: number;
  /** √ρ of the point alone: 1 if all have the same. */
  stretch: number;
  /** [ℓ][k]: √w R^−½ Y, anomalies of the observed ensemble. */
  readonly anomalies: Float64Array;
  /** [ℓ]: √w R^−½ (yᵒ − ȳ). */
  readonly innovation: Float64Array;
}

/** Turns a local problem into the weights, then applies them to the k anomalies of one variable. */
interface Transform {
  weigh(problem: LocalProblem): void;
  /** analysis[i] ← x̄ + X (Wᵃ_i + w̄) */
  apply(mean: number, anomalies: Float64Array, analysis: Float64Array): void;
}

/** @returns the analysis, of correlated errors where its arrays have their correlations, of factors where they have those */
export function referenceLetkf(
  parameters: LetkfParameters,
): (arrays: ArraysOf<LetkfFields | CorrelatedLetkfFields | InflatedLetkfFields>) => void {
  const { nx, ny, variables, members: k, observations: p, localCapacity } = parameters;
  const cells = nx * ny;
  const observedAnomalies = new Float64Array(p * k);
  const innovations = new Float64Array(p);
  const problem: LocalProblem = {
    count: 0,
    stretch: 1,
    anomalies: new Float64Array(localCapacity * k),
    innovation: new Float64Array(localCapacity),
  };
  const listed = new Uint32Array(localCapacity);
  const roots = new Float64Array(localCapacity);
  const transform = letkfForm(parameters) === 'dual' ? dualTransform(parameters) : primalTransform(parameters);
  const anomalies = new Float64Array(k);
  const analysed = new Float64Array(k);

  return (arrays) => {
    const { ensemble, analysis } = arrays;
    standardise(parameters, arrays, observedAnomalies, innovations);
    const visitLocal = localVisitor(parameters, arrays);
    for (let cell = 0; cell < cells; cell++) {
      const x = cell % nx;
      const y = (cell - x) / nx;
      problem.count = 0;
      visitLocal(x, y, (observation, weight) => {
        const row = problem.count++;
        if (row === localCapacity) throw tooManyLocal(x, y, localCapacity);
        const root = Math.sqrt(weight);
        listed[row] = observation;
        roots[row] = root;
        problem.innovation[row] = root * innovations[observation];
        for (let i = 0; i < k; i++) problem.anomalies[row * k + i] = root * observedAnomalies[observation * k + i];
      });
      if ('correlation' in arrays) {
        const { count } = problem;
        const root = rootOfLocal(count, roots, (a, b) => correlationAt(arrays, listed[a], listed[b]));
        whitenLocal(root, problem.anomalies, k);
        whitenLocal(root, problem.innovation, 1);
      }
      if ('factor' in arrays) stretchLocal(problem, Math.sqrt(arrays.factor[cell]), k);
      transform.weigh(problem);
      for (let variable = 0; variable < variables; variable++) {
        let sum = 0;
        for (let i = 0; i < k; i++) sum += ensemble[(i * variables + variable) * cells + cell];
        const mean = sum / k;
        for (let i = 0; i < k; i++) anomalies[i] = ensemble[(i * variables + variable) * cells + cell] - mean;
        transform.apply(mean, anomalies, analysed);
        for (let i = 0; i < k; i++) analysis[(i * variables + variable) * cells + cell] = analysed[i];
      }
    }
  };
}

/** Rows of √ρ as much: what they make of the anomalies x is that of √ρ x, but for the factor √ρ of these. */
function stretchLocal(problem: LocalProblem, stretch: number, k: number): void {
  problem.stretch = stretch;
  for (let e = 0; e < problem.count * k; e++) problem.anomalies[e] *= stretch;
  for (let j = 0; j < problem.count; j++) problem.innovation[j] *= stretch;
}

/** R^−½ Y and R^−½ (yᵒ − ȳ), by observation. */
export function standardise(
  { members: k, observations: p }: Pick<LetkfParameters, 'members' | 'observations'>,
  { observedEnsemble, values, inverseErrorStd }: ArraysOf<ObservedFields>,
  anomalies: Float64Array,
  innovations: Float64Array,
): void {
  for (let o = 0; o < p; o++) {
    let sum = 0;
    for (let i = 0; i < k; i++) sum += observedEnsemble[i * p + o];
    const mean = sum / k;
    innovations[o] = inverseErrorStd[o] * (values[o] - mean);
    for (let i = 0; i < k; i++) anomalies[o * k + i] = inverseErrorStd[o] * (observedEnsemble[i * p + o] - mean);
  }
}

/** @returns a function that visits the observations of positive weight around (x, y), bin by bin */
export function localVisitor(
  parameters: LocalisationGrid & Pick<LetkfParameters, 'halfWidthCells'>,
  { inverseErrorStd, positionX, positionY, binStart, binObservations }: ArraysOf<ObservedFields>,
): (x: number, y: number, visit: (observation: number, weight: number) => void) => void {
  const { nx, ny, periodicX, periodicY, halfWidthCells, aspect = 1 } = parameters;
  const { binsX, binsY } = binGeometry(parameters, halfWidthCells);
  const reach = 2 * halfWidthCells;
  return (x, y, visit) => {
    const columns = binsWithinReach(x, reach, nx, binsX, periodicX);
    const rows = binsWithinReach(y, reach / aspect, ny, binsY, periodicY);
    for (let r = 0; r < rows.count; r++) {
      const row = ((rows.first + r) % binsY) * binsX;
      for (let c = 0; c < columns.count; c++) {
        const bin = row + ((columns.first + c) % binsX);
        for (let slot = binStart[bin]; slot < binStart[bin + 1]; slot++) {
          const o = binObservations[slot];
          if (inverseErrorStd[o] === 0) continue;
          const dx = periodicX ? shortest(positionX[o] - x, nx) : positionX[o] - x;
          const dy = aspect * (periodicY ? shortest(positionY[o] - y, ny) : positionY[o] - y);
          const weight = gaspariCohn(Math.sqrt(dx * dx + dy * dy) / halfWidthCells);
          if (weight > 0) visit(o, weight);
        }
      }
    }
  };
}

/** P̃ᵃ = [(k − 1) I/ρ + C Y]⁻¹ = V D⁻¹ Vᵀ and its root, k × k. */
function primalTransform({ members: k, inflation }: LetkfParameters): Transform {
  const eigen = createSymmetricEigenSolver(k);
  const rootWeights = new Float64Array(k * k);
  const meanWeights = new Float64Array(k);
  const gradient = new Float64Array(k);
  const projected = new Float64Array(k);
  return {
    weigh: ({ count, stretch, anomalies: y, innovation }) => {
      const { vectors: v, values: d } = eigen;
      for (let a = 0; a < k; a++) {
        for (let b = 0; b <= a; b++) {
          let sum = a === b ? (k - 1) / inflation : 0;
          for (let j = 0; j < count; j++) sum += y[j * k + a] * y[j * k + b];
          v[a * k + b] = sum;
          v[b * k + a] = sum;
        }
      }
      eigen.solve(k);
      // No eigenvalue is below (k − 1)/ρ but by rounding.
      for (let c = 0; c < k; c++) d[c] = Math.max((k - 1) / inflation, d[c]);
      // w̄ = V D⁻¹ Vᵀ C (yᵒ − ȳ)
      gradient.fill(0);
      for (let j = 0; j < count; j++) {
        for (let i = 0; i < k; i++) gradient[i] += y[j * k + i] * innovation[j];
      }
      for (let c = 0; c < k; c++) {
        let sum = 0;
        for (let i = 0; i < k; i++) sum += v[i * k + c] * gradient[i];
        projected[c] = sum / d[c];
      }
      for (let a = 0; a < k; a++) {
        let mean = 0;
        for (let c = 0; c < k; c++) mean += v[a * k + c] * projected[c];
        meanWeights[a] = mean;
        for (let b = 0; b <= a; b++) {
          let root = 0;
          for (let c = 0; c < k; c++) root += v[a * k + c] * v[b * k + c] * Math.sqrt((k - 1) / d[c]);
          rootWeights[a * k + b] = stretch * root;
          rootWeights[b * k + a] = stretch * root;
        }
      }
    },
    apply: (mean, x, analysis) => {
      let shift = 0;
      for (let i = 0; i < k; i++) shift += x[i] * meanWeights[i];
      for (let i = 0; i < k; i++) {
        let sum = 0;
        for (let j = 0; j < k; j++) sum += x[j] * rootWeights[i * k + j];
        analysis[i] = mean + shift + sum;
      }
    },
  };
}

/** (1 − (1 + λ)^−½)/λ without cancellation. */
function rootDeficit(lambda: number): number {
  const root = Math.sqrt(1 + lambda);
  return 1 / (root * (1 + root));
}

/** G = S Sᵀ = U Λ Uᵀ, ℓ × ℓ; with q = X Sᵀ: X Wᵃ = √ρ (X − q f(G) S) and X w̄ = √(ρ/(k − 1)) q (I + G)⁻¹ d̃. */
function dualTransform({ members: k, inflation, localCapacity }: LetkfParameters): Transform {
  const eigen = createSymmetricEigenSolver(localCapacity);
  const s = new Float64Array(localCapacity * k);
  const meanWeights = new Float64Array(localCapacity);
  const deficit = new Float64Array(localCapacity);
  const q = new Float64Array(localCapacity);
  const projected = new Float64Array(localCapacity);
  const corrections = new Float64Array(localCapacity);
  const scale = Math.sqrt(inflation / (k - 1));
  let count = 0;
  let rootInflation = 1;

  /** result ← U (factor ∘ Uᵀ vector) */
  const throughEigenvectors = (vector: Float64Array, factor: Float64Array, result: Float64Array): void => {
    const { vectors: u } = eigen;
    projected.fill(0, 0, count);
    for (let j = 0; j < count; j++) {
      for (let c = 0; c < count; c++) projected[c] += u[j * count + c] * vector[j];
    }
    for (let j = 0; j < count; j++) {
      let sum = 0;
      for (let c = 0; c < count; c++) sum += u[j * count + c] * projected[c] * factor[c];
      result[j] = sum;
    }
  };

  return {
    weigh: (problem) => {
      count = problem.count;
      rootInflation = Math.sqrt(inflation) * problem.stretch;
      const { vectors: g, values: lambda } = eigen;
      for (let e = 0; e < count * k; e++) s[e] = scale * problem.anomalies[e];
      for (let a = 0; a < count; a++) {
        for (let b = 0; b <= a; b++) {
          let sum = 0;
          for (let i = 0; i < k; i++) sum += s[a * k + i] * s[b * k + i];
          g[a * count + b] = sum;
          g[b * count + a] = sum;
        }
      }
      eigen.solve(count);
      for (let c = 0; c < count; c++) {
        const positive = Math.max(0, lambda[c]);
        deficit[c] = rootDeficit(positive);
        lambda[c] = scale / (1 + positive);
      }
      throughEigenvectors(problem.innovation, lambda, meanWeights);
    },
    apply: (mean, x, analysis) => {
      let shift = 0;
      for (let j = 0; j < count; j++) {
        let sum = 0;
        for (let i = 0; i < k; i++) sum += x[i] * s[j * k + i];
        q[j] = sum;
        shift += sum * meanWeights[j];
      }
      throughEigenvectors(q, deficit, corrections);
      for (let i = 0; i < k; i++) analysis[i] = x[i];
      for (let j = 0; j < count; j++) {
        for (let i = 0; i < k; i++) analysis[i] -= corrections[j] * s[j * k + i];
      }
      for (let i = 0; i < k; i++) analysis[i] = mean + shift + rootInflation * analysis[i];
    },
  };
}
