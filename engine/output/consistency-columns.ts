/** The columns of a cycle's consistency: numbers, which `fields.nc` has as well, and lists, separated by spaces. */
import type {
  Budget,
  ConsistencyMeasures,
  CycleDiagnostics,
  DepartureProducts,
  RegionErrors,
  SampledScores,
  SmoothedErrors,
} from '../experiment/index.ts';
import { MODEL_KINDS, unitOf } from '../scenario/index.ts';

/** A number of a method and cycle. */
export interface ConsistencyColumn {
  readonly name: string;
  /** What it is, for people. */
  readonly longName: string;
  /** Empty for what has none. */
  readonly unit: string;
  /** Undefined where a method, or a cycle, has none. */
  readonly of: (row: CycleDiagnostics) => number | undefined;
}

/**
 * What the numbers of a list are counted by: ranks from 0, bins of spread, octaves of the wavenumber, cycles back from 1,
 * regions, networks.
 */
export type ListDimension = 'rank' | 'spread_bin' | 'band' | 'lag' | 'region' | 'network';

/** A list of numbers of a method and cycle. */
export interface ConsistencyList {
  readonly name: string;
  /** What it is, for people. */
  readonly longName: string;
  /** Empty for what has none. */
  readonly unit: string;
  readonly along: ListDimension;
  /** Undefined where a method, or a cycle, has none. */
  readonly of: (row: CycleDiagnostics) => readonly number[] | undefined;
}

const DEPARTURES = [
  ['count', 'count', 'observations used'],
  ['innovation', 'innovation', 'mean of (y − Hx_b)² over the observation error variance'],
  ['residual', 'residual', 'mean of (y − Hx_a)(y − Hx_b) over the observation error variance'],
  ['increment', 'increment', 'mean of (Hx_a − Hx_b)(y − Hx_b) over the observation error variance'],
  ['increment_residual', 'incrementResidual', 'mean of (Hx_a − Hx_b)(y − Hx_a) over the observation error variance'],
  [
    'signal',
    'signal',
    'degrees of freedom for signal per observation: the same mean, of departures multiplied by R^−½ if the method takes R whole',
  ],
  ['background', 'backgroundVariance', 'mean background variance at the observations over theirs'],
  ['analysis', 'analysisVariance', 'mean analysis variance at the observations over theirs'],
] as const satisfies readonly (readonly [string, keyof DepartureProducts, string])[];

const SAMPLED = [
  ['crps_below', 'below', 'share of truths below all members'],
  ['crps_above', 'above', 'share of truths above all members'],
  ['crps_uncertainty', 'uncertainty', 'score of the distribution of the truth over the cells'],
] as const satisfies readonly (readonly [string, keyof SampledScores, string])[];

const SAMPLED_LISTS = [
  ['crps_alpha', 'alpha', 'rank', 1, 'mean length of the gaps between the sorted members that is below the truth'],
  ['crps_beta', 'beta', 'rank', 1, 'mean length of the gaps between the sorted members that is above the truth'],
  ['spread_bin_share', 'share', 'spread_bin', 0, 'share of the cells whose spread is in the bin'],
  [
    'spread_bin_variance',
    'variance',
    'spread_bin',
    2,
    'variance of the members, summed over the cells of the bin, over all cells',
  ],
  [
    'spread_bin_squared_error',
    'squaredError',
    'spread_bin',
    2,
    'squared error of the mean, summed over the cells of the bin, over all cells',
  ],
] as const satisfies readonly (readonly [string, keyof SampledScores, ListDimension, 0 | 1 | 2, string])[];

const SPECTRA = [
  ['spectrum_forecast_error', 'forecastError', 'mean square of the error of the mean forecast in the octave'],
  ['spectrum_analysis_error', 'analysisError', 'mean square of the error of the mean analysis in the octave'],
  ['spectrum_increment', 'increment', 'mean square of the increment in the octave'],
  [
    'spectrum_forecast_spread',
    'forecastSpread',
    'variance of the members of the forecast in the octave, estimated from one of them',
  ],
] as const satisfies readonly (readonly [string, keyof NonNullable<ConsistencyMeasures['spectra']>, string])[];

const BUDGETS = [
  ['mass', 'mass', 'volume of the water', 'm³'],
  ['energy', 'energy', 'energy over density above the same water at rest', 'm⁵/s²'],
  ['potential_enstrophy', 'potentialEnstrophy', 'potential enstrophy', 'm/s²'],
  ['tendency', 'tendency', 'mean rate at which the surface rises or falls', 'm/s'],
  ['ageostrophic_share', 'ageostrophicShare', 'ageostrophic share of the kinetic energy', ''],
] as const satisfies readonly (readonly [string, keyof Budget, string, string])[];

const STATES = ['truth', 'forecast', 'analysis'] as const;

/** @returns names of what can be observed of a model with such variables */
function observedOf(variables: readonly string[]): readonly string[] {
  const kind = MODEL_KINDS.find((each) =>
    variables.every((variable) => each.variables.some(({ name }) => name === variable)),
  );
  return kind?.observed.map(({ name }) => name) ?? [];
}

/** Whether a model with such variables has water, and therefore budgets. */
function hasWater(variables: readonly string[]): boolean {
  return variables.includes('hu');
}

/** Whose columns are wanted; all that a model can have if omitted. */
export interface Measured {
  /** What is observed. */
  readonly observed?: readonly string[];
  /** The variables whose scores are taken. */
  readonly compared?: readonly string[];
  /** Whether impacts of observations were asked for. */
  readonly hasImpacts?: boolean;
}

/** @param variables names of the model's variables, in order */
export function consistencyColumns(
  variables: readonly string[],
  { observed: kinds = observedOf(variables), compared = variables }: Measured = {},
): readonly ConsistencyColumn[] {
  const departures = kinds.flatMap((observed) =>
    DEPARTURES.map(([column, key, words]): ConsistencyColumn => ({
      name: `departures_${column}_${observed}`,
      longName: `${words}, of ${observed}`,
      unit: '',
      of: ({ consistency }) => consistency?.departures[observed]?.[key],
    })),
  );
  const sampled = compared.flatMap((variable) =>
    SAMPLED.map(([column, key, words]): ConsistencyColumn => ({
      name: `${column}_${variable}`,
      longName: `${words}, of ${variable}`,
      unit: key === 'uncertainty' ? unitOf(variable) : '',
      of: ({ consistency }) => consistency?.sampled[variable]?.[key],
    })),
  );
  const budgets = BUDGETS.flatMap(([column, key, words, unit]) =>
    STATES.map((state): ConsistencyColumn => ({
      name: `${column}_${state}`,
      longName: `${words}, of the ${state === 'truth' ? state : `mean ${state}`}`,
      unit,
      of: ({ consistency }) => consistency?.budgets?.[state][key],
    })),
  );
  return [...departures, ...sampled, ...(hasWater(variables) ? budgets : [])];
}

/** @returns a unit to the second power: `m⁴/s²` of `m²/s` */
function squared(unit: string): string {
  return unit.replaceAll(/([a-z]+)([²³⁴]?)/gi, (_, name: string, power: string) => {
    const exponent = power === '' ? 1 : 2 + '²³⁴'.indexOf(power);
    return name + '⁰¹²³⁴⁵⁶⁷⁸'[2 * exponent];
  });
}

/** @returns counts of the truth's rank among the members of the forecast, by variable */
export function rankLists(variables: readonly string[]): readonly ConsistencyList[] {
  return variables.map((variable) => ({
    name: `rank_histogram_${variable}`,
    longName: `how often the truth has the rank among the members of the forecast, of ${variable}`,
    unit: '',
    along: 'rank',
    of: ({ rankHistogram }) => rankHistogram[variable],
  }));
}

/** Errors and spread as lists: of which part of a row, and in which words. */
interface ErrorLists {
  readonly prefix: 'smoothed' | 'region';
  readonly along: ListDimension;
  readonly words: string;
  readonly in: (row: CycleDiagnostics) => RegionErrors | SmoothedErrors | undefined;
}

function errorLists(variables: readonly string[], lists: ErrorLists): readonly ConsistencyList[] {
  const of = (column: 'rmse' | 'spread', words: string) =>
    variables.map((variable): ConsistencyList => ({
      name: `${lists.prefix}_${column}_${variable}`,
      longName: `${words} of the analysis ${lists.words}, of ${variable}`,
      unit: unitOf(variable),
      along: lists.along,
      of: (row) => lists.in(row)?.[column][variable],
    }));
  return [...of('rmse', 'root mean square error of the mean'), ...of('spread', 'root mean square spread')];
}

/** @returns errors and spread of the states that a smoother has analysed again, by lag */
export function smoothedLists(variables: readonly string[]): readonly ConsistencyList[] {
  const words = 'of so many cycles before, smoothed';
  return errorLists(variables, { prefix: 'smoothed', along: 'lag', words, in: ({ smoothed }) => smoothed });
}

/** @returns errors and spread by region */
export function regionLists(variables: readonly string[]): readonly ConsistencyList[] {
  return errorLists(variables, {
    prefix: 'region',
    along: 'region',
    words: 'in the region',
    in: ({ regions }) => regions,
  });
}

/** @returns what those columns of a row hold; undefined where it has none */
export function parseErrorLists(row: Row, prefix: ErrorLists['prefix']): RegionErrors | undefined {
  const lists = (column: string) =>
    Object.fromEntries(
      suffixes(row, `${prefix}_${column}_`).map((variable) => [
        variable,
        listIn(row, `${prefix}_${column}_${variable}`),
      ]),
    );
  const [rmse, spread] = [lists('rmse'), lists('spread')];
  return Object.keys(rmse).length > 0 ? { rmse, spread } : undefined;
}

/** @param variables names of the model's variables, in order. @param scored those whose scores are wanted; all if omitted */
export function consistencyLists(
  variables: readonly string[],
  scored: readonly string[] = variables,
): readonly ConsistencyList[] {
  const [first = ''] = variables;
  return [
    ...scored.flatMap((variable) =>
      SAMPLED_LISTS.map(([column, key, along, power, words]): ConsistencyList => ({
        name: `${column}_${variable}`,
        longName: `${words}, of ${variable}`,
        unit: power === 0 ? '' : power === 1 ? unitOf(variable) : squared(unitOf(variable)),
        along,
        of: ({ consistency }) => consistency?.sampled[variable]?.[key],
      })),
    ),
    ...SPECTRA.map(([name, key, words]): ConsistencyList => ({
      name,
      longName: `${words}, of ${first}`,
      unit: squared(unitOf(first)),
      along: 'band',
      of: ({ consistency }) => consistency?.spectra?.[key],
    })),
  ];
}

type Row = Readonly<Record<string, string | undefined>>;

function numberIn(row: Row, name: string): number | undefined {
  const text = row[name];
  return text === undefined || text === '' ? undefined : Number(text);
}

function listIn(row: Row, name: string): readonly number[] {
  const text = row[name];
  return text ? text.split(' ').map(Number) : [];
}

function productIn(row: Row, column: (typeof DEPARTURES)[number][0], observed: string): number {
  // Files from before there were both have the plain mean as `signal`.
  const before = column === 'increment_residual' ? numberIn(row, `departures_signal_${observed}`) : undefined;
  return numberIn(row, `departures_${column}_${observed}`) ?? before ?? Number.NaN;
}

/** What follows a prefix in the names of columns that have a value in this row. */
function suffixes(row: Row, prefix: string): readonly string[] {
  return Object.keys(row).flatMap((name) =>
    name.startsWith(prefix) && row[name] !== '' ? [name.slice(prefix.length)] : [],
  );
}

function budgetIn(row: Row, state: (typeof STATES)[number]): Budget {
  return {
    ...(Object.fromEntries(
      BUDGETS.map(([column, key]) => [key, numberIn(row, `${column}_${state}`) ?? Number.NaN]),
    ) as {
      [Key in keyof Budget]: number;
    }),
    ageostrophicShare: numberIn(row, `ageostrophic_share_${state}`),
  };
}

/** Whether a row is of a method with one member, of which the truth's rank is 0 or 1. */
export function hasOneMember(row: Row): boolean {
  return suffixes(row, 'rank_histogram_').some((variable) => listIn(row, `rank_histogram_${variable}`).length === 2);
}

/** @returns what the columns of a row hold; undefined of a file from before there were any */
export function parseConsistency(row: Row): ConsistencyMeasures | undefined {
  if (!row['spectrum_increment']) return undefined;
  const products = suffixes(row, 'departures_count_').map((observed) => [
    observed,
    Object.fromEntries(DEPARTURES.map(([column, key]) => [key, productIn(row, column, observed)])),
  ]);
  const sampled = suffixes(row, 'crps_alpha_').map((variable) => [
    variable,
    Object.fromEntries([
      ...SAMPLED.map(([column, key]) => [key, numberIn(row, `${column}_${variable}`) ?? Number.NaN]),
      ...SAMPLED_LISTS.map(([column, key]) => [key, listIn(row, `${column}_${variable}`)]),
    ]),
  ]);
  return {
    departures: Object.fromEntries(products) as ConsistencyMeasures['departures'],
    sampled: Object.fromEntries(sampled) as ConsistencyMeasures['sampled'],
    spectra: Object.fromEntries(
      SPECTRA.map(([name, key]) => [key, key === 'forecastSpread' && hasOneMember(row) ? [] : listIn(row, name)]),
    ) as unknown as ConsistencyMeasures['spectra'],
    budgets: row['mass_truth']
      ? { truth: budgetIn(row, 'truth'), forecast: budgetIn(row, 'forecast'), analysis: budgetIn(row, 'analysis') }
      : undefined,
  };
}
