/** What analyses do to the water: by scales, to its mass, its energy and its potential enstrophy, and to its balance. */
import type { Budget, CycleDiagnostics } from '../experiment/index.ts';
import { meanOfSeries, ratioOfSeries, type SeriesEstimate } from '../statistics/index.ts';
import { figureOf, NEARLY, type ConsistencyFigure, type FigureDescription } from './figure.ts';

type Pair = readonly [numerator: number, denominator: number];

/** Relative error of the water's mass that is no fault: what float32 and increments of no bias leave. */
const MASS_ERROR = 0.01;
/** Change of the ageostrophic share by an analysis that is no fault. */
const SHARE_CHANGE = 0.05;

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function root(square: number): number {
  return Math.sqrt(Math.max(0, square));
}

/** The ratio of mean squares as one of amplitudes. */
function rooted({ value, interval }: SeriesEstimate): SeriesEstimate {
  return { value: root(value), interval: interval && [root(interval[0]), root(interval[1])] };
}

/** The bands of the long waves, and of the short ones. */
function halves(bands: number): readonly (readonly [name: string, title: string, from: number, to: number])[] {
  const middle = Math.ceil(bands / 2);
  return [
    ['long', 'long waves', 0, middle],
    ['short', 'short waves', middle, bands],
  ];
}

function spectralFigures(rows: readonly CycleDiagnostics[], hasSpread: boolean): ConsistencyFigure[] {
  const spectra = rows.flatMap(({ consistency }) => consistency?.spectra ?? []);
  if (spectra.length === 0) return [];
  return halves(spectra[0].increment.length).flatMap(([name, title, from, to]) => {
    const of = (bands: readonly number[]): number => sumOf(bands.slice(from, to));
    const spread = spectra.map((one): Pair => [of(one.forecastSpread), of(one.forecastError)]);
    const split = spectra.map((one): Pair => [of(one.analysisError) + of(one.increment), of(one.forecastError)]);
    return [
      ...(hasSpread
        ? figureOf(
            {
              key: `spectrum.spread.${name}`,
              group: 'scales',
              title: `Spread over error in ${title}`,
              meaning:
                'Near 1: the members differ in these waves as much as the forecast is wrong in them. Below 1 they are too alike there, above 1 too different.',
            },
            rooted(ratioOfSeries(spread)),
          )
        : []),
      ...(spectra.some(({ increment }) => increment.some((power) => power > 0))
        ? figureOf(
            {
              key: `spectrum.increment.${name}`,
              group: 'scales',
              title: `Increment and remaining error over error, ${title}`,
              meaning:
                'Near 1: in these waves the increments take away error and nothing else. Above 1 they add noise or go too far, below 1 they are too small.',
            },
            ratioOfSeries(split),
          )
        : []),
    ];
  });
}

type Budgets = NonNullable<NonNullable<CycleDiagnostics['consistency']>['budgets']>;

interface Conserved extends FigureDescription {
  readonly of: (budget: Budget) => number;
  /** Whether it means something with rotation alone: without it waves have none, and what there is are roundings. */
  readonly ofRotation?: boolean;
}

const CONSERVED: readonly Conserved[] = [
  {
    key: 'mass',
    group: 'water',
    of: ({ mass }) => mass,
    title: 'Mass of the mean analysis over the truth’s',
    good: [1 - MASS_ERROR, 1 + MASS_ERROR],
    meaning:
      'Within 1 % of 1: increments neither fill nor empty the basin. Above 1 the analyses bring in water, below 1 they take it out.',
  },
  {
    key: 'energy',
    group: 'water',
    of: ({ energy }) => energy,
    title: 'Energy of the mean analysis over the truth’s',
    meaning:
      'Near 1: the mean has the waves that the truth has. Below 1 they are averaged or damped away, above 1 the analyses add waves.',
  },
  {
    key: 'potential-enstrophy',
    group: 'water',
    of: ({ potentialEnstrophy }) => potentialEnstrophy,
    ofRotation: true,
    title: 'Potential enstrophy of the mean analysis over the truth’s',
    meaning:
      'Near 1: the mean has the eddies that the truth has. Above 1 the analyses add eddies or noise, below 1 they are smoothed away.',
  },
];

function budgetFigures(budgets: readonly Budgets[], assimilates: boolean): ConsistencyFigure[] {
  const shares = budgets.flatMap(({ forecast, analysis }) =>
    forecast.ageostrophicShare === undefined || analysis.ageostrophicShare === undefined
      ? []
      : [analysis.ageostrophicShare - forecast.ageostrophicShare],
  );
  return [
    ...CONSERVED.flatMap(({ of, ofRotation = false, ...description }) => {
      if (ofRotation && shares.length === 0) return [];
      const pairs = budgets.map(({ analysis, truth }): Pair => [of(analysis), of(truth)]);
      // Water at rest has no energy to be compared with.
      return pairs.some(([, truth]) => truth > 0) ? figureOf(description, ratioOfSeries(pairs)) : [];
    }),
    ...(assimilates
      ? figureOf(
          {
            key: 'imbalance',
            group: 'water',
            title: 'Mean |∂η/∂t| after the analysis over that before',
            meaning: `Near 1: the analysis leaves the water as calm as it was. Above ${NEARLY} it sets off waves of its own, below ${1 / NEARLY} it smooths the flow.`,
          },
          ratioOfSeries(budgets.map(({ analysis, forecast }): Pair => [analysis.tendency, forecast.tendency])),
        )
      : []),
    ...(assimilates && shares.length > 0
      ? figureOf(
          {
            key: 'ageostrophic',
            group: 'water',
            title: 'Ageostrophic share of kinetic energy after the analysis less that before',
            good: [-SHARE_CHANGE, SHARE_CHANGE],
            meaning:
              'Near 0: the increments are as balanced as the flow. Above 0 they put energy into motions out of geostrophic balance, below 0 they take such motions out.',
          },
          meanOfSeries(shares),
        )
      : []),
  ];
}

/** @param rows of one method after the spin-up */
export function dynamicFigures(
  rows: readonly CycleDiagnostics[],
  { hasSpread, assimilates }: { readonly hasSpread: boolean; readonly assimilates: boolean },
): ConsistencyFigure[] {
  const budgets = rows.flatMap(({ consistency }) => consistency?.budgets ?? []);
  return [...spectralFigures(rows, hasSpread), ...(budgets.length === 0 ? [] : budgetFigures(budgets, assimilates))];
}
