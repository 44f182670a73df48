/**
 * The ensemble forecast sensitivity to observations [kalnay2012]. With the squared error e² = eᵀ C e of a forecast's mean, e₀ that of
 * the forecast from an analysis and e₋ that of the forecast from its background, the change by the analysis is
 *
 *   e₀² − e₋² = (e₀ − e₋)ᵀ C (e₀ + e₋),   e₀ − e₋ ≈ M K d,   K = Xᵃ Yᵃᵀ R⁻¹/(k − 1),   M Xᵃ ≈ X₀,
 *
 * X₀ the anomalies of the members of the forecast from the analysis. So observation j changes it by
 *
 *   dⱼ/(k − 1) Σᵢ (R⁻¹ Yᵃ)ⱼᵢ Σ_c ρⱼ(c) X₀ᵢ(c) C_c (e₀ + e₋)(c),
 *
 * ρⱼ the taper around the observation. Below 0 it has helped. For linear H and M, without localisation, and with members whose
 * anomalies are those of K, the sum over the observations is the change itself.
 */
import { rootOfLocal, solveLocal } from '../operators/letkf/index.ts';
import { taperBetween, type TaperGeometry } from '../operators/localisation/index.ts';

/** Forecasts and observations. Fields are of one model, [variable][y][x]. */
export interface ImpactParts {
  /** Members of the forecast from the analysis, [members][variable][y][x]. */
  readonly forecast: Float64Array;
  readonly members: number;
  /** Mean of the forecast from the background, and what both are compared with. */
  readonly before: Float64Array;
  readonly verification: Float64Array;
  /** C: the weight of a squared error, by variable. */
  readonly norm: readonly number[];
  /** Grid and taper; `halfWidthCells` is infinite without localisation. */
  readonly geometry: TaperGeometry;
  readonly observations: ImpactObservations;
}

/** Observations that an analysis used. */
interface ImpactObservations {
  /** In grid units, [p]. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** y − mean H(xᵇ) and 1/σₒ, [p]; both 0 where it was not used. */
  readonly innovation: Float64Array;
  readonly inverseErrorStd: Float64Array;
  /** H of the members of the analysis, [members][p]. */
  readonly analysed: Float64Array;
  /** C between the errors of two of them where R is taken whole; they are independent if omitted. */
  readonly correlation?: ((a: number, b: number) => number) | undefined;
}

/** What the observations of one analysis changed about a forecast. */
export interface Impacts {
  /** What each adds to the squared error, below 0 where it helps; 0 of what was not used. [p] */
  readonly impacts: Float64Array;
  /** e² of the forecast from the analysis, and of that from its background. */
  readonly error: number;
  readonly errorBefore: number;
}

/** @param values [members][length]. @returns their mean, [length] */
export function memberMean(values: Float64Array, members: number): Float64Array {
  const length = values.length / members;
  const mean = new Float64Array(length);
  for (let i = 0; i < members; i++) for (let c = 0; c < length; c++) mean[c] += values[i * length + c] / members;
  return mean;
}

/** eᵀ C e of a state. */
function squaredError(error: Float64Array, norm: readonly number[]): number {
  const cells = error.length / norm.length;
  return error.reduce((sum, e, at) => sum + norm[Math.floor(at / cells)] * e * e, 0);
}

/** R⁻¹ Yᵃ of what is used, [p][members]. */
function scaledAnomalies(
  { innovation, inverseErrorStd, analysed, correlation }: ImpactObservations,
  members: number,
): Float64Array {
  const count = innovation.length;
  const used = Array.from(innovation, (_, j) => j).filter((j) => inverseErrorStd[j] > 0);
  const mean = memberMean(analysed, members);
  // D⁻¹ Y, then C⁻¹, then D⁻¹: R = D C D.
  const scaled = Float64Array.from({ length: used.length * members }, (_, at) => {
    const j = used[Math.floor(at / members)];
    return inverseErrorStd[j] * (analysed[(at % members) * count + j] - mean[j]);
  });
  if (correlation) {
    const ones = new Float64Array(used.length).fill(1);
    solveLocal(
      rootOfLocal(used.length, ones, (a, b) => correlation(used[a], used[b])),
      scaled,
      members,
    );
  }
  const all = new Float64Array(count * members);
  used.forEach((j, row) => {
    for (let i = 0; i < members; i++) all[j * members + i] = inverseErrorStd[j] * scaled[row * members + i];
  });
  return all;
}

/** Σ over variables of X₀ᵢ C (e₀ + e₋) at each cell, [cell][members]. */
function projections({ forecast, members, norm }: ImpactParts, mean: Float64Array, errors: Float64Array): Float64Array {
  const cells = mean.length / norm.length;
  const products = new Float64Array(cells * members);
  for (let i = 0; i < members; i++) {
    for (let e = 0; e < mean.length; e++) {
      const anomaly = forecast[i * mean.length + e] - mean[e];
      products[(e % cells) * members + i] += anomaly * norm[Math.floor(e / cells)] * errors[e];
    }
  }
  return products;
}

/** Cells along an axis within a distance of a place; each once. */
function within(place: number, distance: number, count: number, isPeriodic: boolean): number[] {
  const [first, last] = [Math.ceil(place - distance), Math.floor(place + distance)];
  if (last - first + 1 >= count) return Array.from({ length: count }, (_, cell) => cell);
  const near = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  return isPeriodic
    ? near.map((cell) => ((cell % count) + count) % count)
    : near.filter((cell) => cell >= 0 && cell < count);
}

/** What adds up the products of each member over the cells, tapered by their distance from a place. */
function tapered(products: Float64Array, members: number, geometry: TaperGeometry) {
  const { nx, ny, periodicX, periodicY, aspect, halfWidthCells } = geometry;
  const taper = taperBetween(geometry);
  const reach = 2 * halfWidthCells;
  return (x: number, y: number): Float64Array => {
    const sums = new Float64Array(members);
    const columns = within(x, reach, nx, periodicX);
    for (const row of within(y, reach / aspect, ny, periodicY)) {
      for (const column of columns) {
        const weight = taper(column - x, row - y);
        const first = (row * nx + column) * members;
        for (let i = 0; i < members; i++) sums[i] += weight * products[first + i];
      }
    }
    return sums;
  };
}

/** What adds up the products of each member over all cells: the same for any place. */
function summed(products: Float64Array, members: number) {
  const sums = new Float64Array(members);
  products.forEach((product, at) => (sums[at % members] += product));
  return (): Float64Array => sums;
}

/** What observations changed about a forecast. The cost is observations × cells in reach × members. */
export function impactsOf(parts: ImpactParts): Impacts {
  const { forecast, members, before, verification, norm, geometry, observations } = parts;
  const { x, y, innovation, inverseErrorStd } = observations;
  const mean = memberMean(forecast, members);
  const error = mean.map((value, e) => value - verification[e]);
  const errorBefore = before.map((value, e) => value - verification[e]);
  const products = projections(
    parts,
    mean,
    error.map((value, e) => value + errorBefore[e]),
  );
  const near = Number.isFinite(geometry.halfWidthCells)
    ? tapered(products, members, geometry)
    : summed(products, members);
  const scaled = scaledAnomalies(observations, members);
  const impacts = innovation.map((d, j) => {
    if (inverseErrorStd[j] === 0 || d === 0) return 0;
    const sums = near(x[j], y[j]);
    return (d / (members - 1)) * sums.reduce((sum, product, i) => sum + scaled[j * members + i] * product, 0);
  });
  return { impacts, error: squaredError(error, norm), errorBefore: squaredError(errorBefore, norm) };
}
