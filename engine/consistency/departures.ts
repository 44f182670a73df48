/** What innovations and residuals say of the stated errors of background and observations. [desroziers2005] */
import type { CycleDiagnostics, DepartureProducts } from '../experiment/index.ts';
import { meanOfSeries, ratioOfSeries } from '../statistics/index.ts';
import { figureOf, type ConsistencyFigure } from './figure.ts';

type Pair = readonly [numerator: number, denominator: number];

function productsOf(rows: readonly CycleDiagnostics[], variable: string): readonly DepartureProducts[] {
  return rows.flatMap(({ consistency }) => consistency?.departures[variable] ?? []).filter(({ count }) => count > 0);
}

function ratioOver(
  products: readonly DepartureProducts[],
  found: keyof DepartureProducts,
  expected: (of: DepartureProducts) => number,
): ReturnType<typeof ratioOfSeries> {
  const pairs = products.map((of): Pair => [of.count * of[found], of.count * expected(of)]);
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
  const pairs = rows.flatMap(({ consistency }): Pair[] => {
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
