/** The numbers of a cycle's diagnostics, one a method and cycle, and the impacts of observations, with lists by network: `diagnostics.csv` and `fields.nc` both have them, by these names. */
import type { CycleDiagnostics, ImpactReport } from '../experiment/index.ts';
import { unitOf } from '../scenario/index.ts';
import { consistencyColumns } from './consistency-columns.ts';
import type { Measured, ConsistencyColumn, ConsistencyList } from './consistency-columns.ts';

/** @returns that of a squared error: of water an energy over density, as a mean over the basin */
function unitOfImpact([first = '']: readonly string[]): string {
  return unitOf(first) === '' ? '' : 'm³/s²';
}

/** @param variables names of the model's variables, in order */
function impactColumns(variables: readonly string[]): readonly ConsistencyColumn[] {
  const unit = unitOfImpact(variables);
  return [
    {
      name: 'impact_error_before',
      longName: 'squared error of the later forecast that the impacts are on, from the background',
      unit,
      of: ({ impact }) => impact?.errorBefore,
    },
    {
      name: 'impact_error',
      longName: 'the same of the forecast from the analysis',
      unit,
      of: ({ impact }) => impact?.error,
    },
  ];
}

function listOf(name: string, longName: string, unit: string, key: keyof ImpactReport['networks']): ConsistencyList {
  return {
    name,
    longName: `${longName}, by network`,
    unit,
    along: 'network',
    of: ({ impact }) => impact?.networks[key],
  };
}

/** @param variables names of the model's variables, in order. @returns lists by the networks of the scenario */
export function impactLists(variables: readonly string[]): readonly ConsistencyList[] {
  return [
    listOf('impact', 'what the observations have added to that squared error', unitOfImpact(variables), 'impact'),
    listOf('impact_used', 'observations that have an impact', '', 'used'),
    listOf('impact_helped', 'those of them that have made the error smaller', '', 'helped'),
  ];
}

function listIn(text: string | undefined): readonly number[] {
  return text ? text.split(' ').map(Number) : [];
}

/** @param row cells by the names of their columns. @returns undefined if impacts were not asked for */
export function parseImpact(row: Readonly<Record<string, string | undefined>>): ImpactReport | undefined {
  if (!row['impact_error']) return undefined;
  const [impact, used, helped] = ['impact', 'impact_used', 'impact_helped'].map((name) => listIn(row[name]));
  return {
    error: Number(row['impact_error']),
    errorBefore: Number(row['impact_error_before']),
    networks: { used, helped, impact },
  };
}

export interface DiagnosticColumn {
  readonly name: string;
  /** What it is, for people. */
  readonly longName: string;
  /** Empty for what has none; undefined where it is that of each observation. */
  readonly unit: string | undefined;
  /** Undefined where a method, or a cycle, has none. */
  readonly of: (row: CycleDiagnostics) => number | boolean | undefined;
}

const STAGES = ['forecast', 'analysis'] as const;

type Stage = (typeof STAGES)[number];

/** A quantity of each stage and variable: as columns call it, in words, and where it is in the diagnostics. */
interface Quantity {
  readonly column: string;
  readonly words: string;
  readonly of: (row: CycleDiagnostics, stage: Stage, variable: string) => number | undefined;
}

const BY_VARIABLE: readonly Quantity[] = [
  {
    column: 'rmse',
    words: 'root mean square error of the mean of the',
    of: ({ rmse }, stage, variable) => rmse[stage][variable],
  },
  {
    column: 'spread',
    words: 'root mean square spread of the members of the',
    of: ({ spread }, stage, variable) => spread[stage][variable],
  },
  {
    column: 'crps',
    words: 'continuous ranked probability score of the',
    of: ({ crps }, stage, variable) => crps[stage][variable],
  },
  {
    column: 'fair_crps',
    words: 'continuous ranked probability score, fair to small ensembles, of the',
    of: ({ fairCrps }, stage, variable) => fairCrps[stage][variable],
  },
  {
    column: 'mean_error',
    words: 'mean over the basin of the error, signed, of the mean of the',
    of: ({ meanError }, stage, variable) => meanError?.[stage][variable],
  },
  {
    column: 'rmse_level',
    words: 'error of the mean level of the basin, without sign, of the mean of the',
    of: ({ meanError }, stage, variable) => {
      const error = meanError?.[stage][variable];
      return error === undefined ? undefined : Math.abs(error);
    },
  },
  {
    column: 'rmse_pattern',
    words: 'root mean square error about that of the mean level, of the mean of the',
    of: ({ rmsePattern }, stage, variable) => rmsePattern?.[stage][variable],
  },
];

function byVariable(variables: readonly string[]): readonly DiagnosticColumn[] {
  return BY_VARIABLE.flatMap(({ column, words, of }) =>
    STAGES.flatMap((stage) =>
      variables.map((variable) => ({
        name: `${column}_${stage}_${variable}`,
        longName: `${words} ${stage}, of ${variable}`,
        unit: unitOf(variable),
        of: (row: CycleDiagnostics) => of(row, stage, variable),
      })),
    ),
  );
}

function last(values: readonly number[] | undefined): number | undefined {
  return values?.at(-1);
}

const INNOVATIONS: readonly DiagnosticColumn[] = [
  {
    name: 'innovation_count',
    longName: 'observations that the method used',
    unit: '',
    of: ({ innovation }) => innovation?.count,
  },
  {
    name: 'innovation_rejected',
    longName: 'observations that quality control rejected',
    unit: '',
    of: ({ innovation }) => innovation?.rejected,
  },
  {
    name: 'innovation_mean',
    longName: 'mean innovation, in the units of what was observed',
    unit: undefined,
    of: ({ innovation }) => innovation?.mean,
  },
  {
    name: 'innovation_standard_deviation',
    longName: 'standard deviation of the innovations, in the units of what was observed',
    unit: undefined,
    of: ({ innovation }) => innovation?.standardDeviation,
  },
  {
    name: 'innovation_normalised_squares',
    longName: 'mean square of the innovations, each over the standard deviation that is expected of it',
    unit: '',
    of: ({ innovation }) => innovation?.normalisedSquares,
  },
  {
    name: 'innovation_chi_square',
    longName: 'chi square of the innovations over their number',
    unit: '',
    of: ({ innovation }) => innovation?.chiSquare,
  },
  {
    name: 'inflation',
    longName: 'factor of the forecast covariance, where it adapts itself',
    unit: '',
    of: ({ inflation }) => inflation,
  },
];

const MINIMISATIONS: readonly DiagnosticColumn[] = [
  {
    name: 'cg_iterations',
    longName: 'iterations of the minimisation',
    unit: '',
    of: ({ minimisation }) => minimisation?.iterations,
  },
  {
    name: 'cg_converged',
    longName: 'whether the minimisation came to its tolerance',
    unit: '',
    of: ({ minimisation }) => minimisation?.converged,
  },
  {
    name: 'cg_condition_number',
    longName: 'condition number of the minimisation, by its Ritz values',
    unit: '',
    of: ({ minimisation }) => minimisation?.conditionNumber,
  },
  {
    name: 'jb',
    longName: 'background part of the cost function at its minimum',
    unit: '',
    of: ({ minimisation }) => last(minimisation?.backgroundCost),
  },
  {
    name: 'jo',
    longName: 'observation part of the cost function at its minimum',
    unit: '',
    of: ({ minimisation }) => last(minimisation?.observationCost),
  },
];

const TIMES: readonly DiagnosticColumn[] = STAGES.map((stage) => ({
  name: `milliseconds_${stage}`,
  longName: `time that the ${stage} took`,
  unit: 'ms',
  of: ({ milliseconds }) => milliseconds[stage],
}));

/**
 * @param variables names of the model's variables, in order
 * @param measured whose columns of consistency there are; all if omitted
 */
export function diagnosticColumns(variables: readonly string[], measured?: Measured): readonly DiagnosticColumn[] {
  return [
    ...byVariable(variables),
    ...INNOVATIONS,
    ...MINIMISATIONS,
    ...(measured && !measured.hasImpacts ? [] : impactColumns(variables)),
    ...TIMES,
    ...consistencyColumns(variables, measured),
  ];
}
