/**
 * What departures say of the stated errors [desroziers2005], and whether the spread of an ensemble matches its error: on the whole,
 * from place to place, by the ranks of the truth and by its score.
 */
import type { CycleDiagnostics, SampledScores, DepartureProducts } from '../experiment/index.ts';
import { meanOfSeries, ratioOfSeries, type SeriesEstimate } from '../statistics/index.ts';
import { figureOf, decomposeCrps, poolSampled, type ConsistencyFigure, type CrpsDecomposition } from './figure.ts';

type DeparturePair = readonly [numerator: number, denominator: number];

function productsOf(rows: readonly CycleDiagnostics[], variable: string): readonly DepartureProducts[] {
  return rows.flatMap(({ consistency }) => consistency?.departures[variable] ?? []).filter(({ count }) => count > 0);
}

function ratioOver(
  products: readonly DepartureProducts[],
  found: keyof DepartureProducts,
  expected: (of: DepartureProducts) => number,
): ReturnType<typeof ratioOfSeries> {
  const pairs = products.map((of): DeparturePair => [of.count * of[found], of.count * expected(of)]);
  // A method that states no such error has nothing to be held against.
  if (pairs.every(([, denominator]) => denominator === 0)) return { value: Number.NaN, interval: undefined };
  return ratioOfSeries(pairs);
}

/** Ratios by one observed variable. */
function byVariable(rows: readonly CycleDiagnostics[], variable: string): ConsistencyFigure[] {
  const products = productsOf(rows, variable);
  if (products.length === 0) return [];
  const ofBackground = ratioOver(products, 'increment', (of) => of.backgroundVariance);
  // The products of departures are of a method that weighs errors; without a background's there is none.
  if (Number.isNaN(ofBackground.value)) return [];
  return [
    ...figureOf(
      {
        key: `desroziers.r.${variable}`,
        group: 'departures',
        title: `⟨dᵃ dᵇ⟩ over R, ${variable}`,
        meaning:
          'Near 1: the stated observation error is what residuals and innovations show. Below 1 it is stated too large, above 1 too small.',
      },
      ratioOver(products, 'residual', () => 1),
    ),
    ...figureOf(
      {
        key: `desroziers.b.${variable}`,
        group: 'departures',
        title: `⟨(dᵇ − dᵃ) dᵇ⟩ over HBHᵀ, ${variable}`,
        meaning:
          'Near 1: the background’s error at the observations is what the increments show. Below 1 it is stated too large, above 1 too small.',
      },
      ofBackground,
    ),
    ...figureOf(
      {
        key: `desroziers.a.${variable}`,
        group: 'departures',
        title: `⟨(dᵇ − dᵃ) dᵃ⟩ over HAHᵀ, ${variable}`,
        meaning:
          'Near 1: the analysis is as sure as the departures show. Below 1 its members are overdispersive, above 1 underdispersive.',
      },
      ratioOver(products, 'incrementResidual', (of) => of.analysisVariance),
    ),
  ];
}

/** tr(HK)/p by what the observations drew out of the residuals, (d_b − d_a)ᵀ R⁻¹ d_a, over all observed variables. [lupu2011] */
function signal(rows: readonly CycleDiagnostics[]): ConsistencyFigure[] {
  const pairs = rows.flatMap(({ consistency }): DeparturePair[] => {
    const products = Object.values(consistency?.departures ?? {});
    const count = products.reduce((sum, of) => sum + of.count, 0);
    return count === 0 ? [] : [[products.reduce((sum, of) => sum + of.count * of.signal, 0), count]];
  });
  if (pairs.length === 0) return [];
  return figureOf(
    {
      key: 'degrees-of-freedom',
      group: 'departures',
      title: 'Degrees of freedom for signal, per observation',
      good: [0, 1],
      meaning:
        'Between 0 and 1, tr(HK)/p by the departures: the share that observations have in the analysis at their places. Below 0 the analysis goes past the observations, above 1 the statistics contradict each other.',
    },
    ratioOfSeries(pairs),
  );
}

/** @param rows of one method after the spin-up */
export function departureFigures(rows: readonly CycleDiagnostics[]): ConsistencyFigure[] {
  const chiSquares = rows.flatMap(({ innovation }) => innovation?.chiSquare ?? []).filter(Number.isFinite);
  const variables = new Set(rows.flatMap(({ consistency }) => Object.keys(consistency?.departures ?? {})));
  return [
    ...(chiSquares.length === 0
      ? []
      : figureOf(
          {
            key: 'chi-square',
            group: 'departures',
            title: 'χ²/p of the innovations',
            meaning:
              'Near 1: innovations are as large as the stated errors of background and observations together. Above 1 the stated errors are too small, below 1 too large.',
          },
          meanOfSeries(chiSquares),
        )),
    ...[...variables].flatMap((variable) => byVariable(rows, variable)),
    ...signal(rows),
  ];
}

type Pair = readonly [numerator: number, denominator: number];

/** Share of the score from which the loss to unreliability is worth a look. */
const MOST_UNRELIABLE = 0.1;

/** Within each cycle, the regression of squared errors on variances over the bins of spread, in units of the cycle's mean variance. */
function spreadSkillPair({ share, variance, squaredError }: SampledScores): Pair {
  const meanVariance = variance.reduce((sum, value) => sum + value, 0);
  const meanSquare = squaredError.reduce((sum, value) => sum + value, 0);
  let [across, along] = [0, 0];
  for (const [bin, cells] of share.entries()) {
    if (cells === 0) continue;
    const apart = variance[bin] / cells - meanVariance;
    across += cells * apart * (squaredError[bin] / cells - meanSquare);
    along += cells * apart ** 2;
  }
  return [across / meanVariance ** 2, along / meanVariance ** 2];
}

/** A number that follows from all cycles together, with the interval of its pseudo-values: n times it, less n − 1 times it without a cycle. */
function pooled(cycles: readonly SampledScores[], measure: (of: CrpsDecomposition) => number): SeriesEstimate {
  const { all, without } = poolSampled(cycles);
  const value = measure(decomposeCrps(all));
  if (cycles.length < 3) return { value, interval: undefined };
  const n = cycles.length;
  const { value: centre, interval } = meanOfSeries(
    cycles.map((_, cycle) => n * value - (n - 1) * measure(decomposeCrps(without(cycle)))),
  );
  return { value, interval: interval && [interval[0] + value - centre, interval[1] + value - centre] };
}

function scoreFigures(variable: string, cycles: readonly SampledScores[]): ConsistencyFigure[] {
  return [
    ...figureOf(
      {
        key: `crps.reliability.${variable}`,
        group: 'ensemble',
        title: `Reliability part of the CRPS, ${variable}`,
        good: [0, MOST_UNRELIABLE],
        meaning:
          'Near 0, as a share of the score: the truth falls below each member as often as it should. The larger it is, the more a better spread, or less bias, would mend.',
      },
      pooled(cycles, ({ reliability, crps }) => reliability / crps),
    ),
    ...figureOf(
      {
        key: `crps.resolution.${variable}`,
        group: 'ensemble',
        title: `Resolution of the CRPS, ${variable}`,
        good: [0.5, 1],
        meaning:
          'Near 1: 1 − potential score over that of knowing the truth’s distribution in the basin alone. Near 0 the forecast does not distinguish places, below 0 it is worse than that.',
      },
      pooled(cycles, ({ potential, uncertainty }) => 1 - potential / uncertainty),
    ),
  ];
}

function spreadFigures(rows: readonly CycleDiagnostics[], variable: string): ConsistencyFigure[] {
  const sampled = rows.flatMap(({ consistency }) => consistency?.sampled[variable] ?? []);
  const binned = sampled.map(spreadSkillPair).filter(([across, along]) => Number.isFinite(across) && along > 0);
  return [
    ...figureOf(
      {
        key: `spread.${variable}`,
        group: 'ensemble',
        title: `Spread over error of the forecast, ${variable}`,
        meaning:
          'Near 1: the spread matches the error. Below 1 the ensemble is underdispersive and gives observations too little weight, above 1 overdispersive.',
      },
      ratioOfSeries(rows.map(({ spread, rmse }): Pair => [spread.forecast[variable], rmse.forecast[variable]])),
    ),
    ...(binned.length === 0
      ? []
      : figureOf(
          {
            key: `spread-skill.${variable}`,
            group: 'ensemble',
            title: `Slope of error on spread by bins, ${variable}`,
            good: [0.5, 1.5],
            meaning:
              'Near 1: where the spread is larger, squared errors are larger as much. Near 0 the spread does not show where the errors are, above 1 it differs too little from place to place.',
          },
          ratioOfSeries(binned),
        )),
    ...(sampled.length === 0 ? [] : scoreFigures(variable, sampled)),
  ];
}

/** The rank figure of all compared variables. */
function rankFigure(rows: readonly CycleDiagnostics[]): ConsistencyFigure[] {
  const pairs = rows.flatMap(({ rankHistogram }): Pair[] => {
    const histograms = Object.values(rankHistogram).filter(({ length }) => length > 2);
    if (histograms.length === 0) return [];
    const expectedShare = 2 / histograms[0].length;
    const all = histograms.flat().reduce((sum, count) => sum + count, 0);
    return [[histograms.reduce((sum, counts) => sum + counts[0] + (counts.at(-1) ?? 0), 0), all * expectedShare]];
  });
  if (pairs.length === 0) return [];
  return figureOf(
    {
      key: 'ranks',
      group: 'ensemble',
      title: 'Truths outside all members, over those expected',
      meaning:
        'Near 1: the truth is outside the members as often as each of them is outside the others. Above 1 too little spread or a bias, below 1 too much spread.',
    },
    ratioOfSeries(pairs),
  );
}

/** @param rows of one method with an ensemble, after the spin-up */
export function ensembleFigures(rows: readonly CycleDiagnostics[], compared: readonly string[]): ConsistencyFigure[] {
  return [...compared.flatMap((variable) => spreadFigures(rows, variable)), ...rankFigure(rows)];
}
