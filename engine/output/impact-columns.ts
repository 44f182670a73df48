/** Impacts of observations as columns of `diagnostics.csv` and of `fields.nc`: two numbers, and lists by network. */
import type { ImpactReport } from '../experiment/index.ts';
import { unitOf } from '../scenario/index.ts';
import type { ConsistencyColumn, ConsistencyList } from './consistency-columns.ts';

/** @returns that of a squared error: of water an energy over density, as a mean over the basin */
function unitOfImpact([first = '']: readonly string[]): string {
  return unitOf(first) === '' ? '' : 'm³/s²';
}

/** @param variables names of the model's variables, in order */
export function impactColumns(variables: readonly string[]): readonly ConsistencyColumn[] {
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
