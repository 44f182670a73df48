/** What a tuning gave so far as the table that the map of sweeps draws: a row for each setting and seed. */
import { isRecord, parameterTitle } from '../../../engine/index.ts';
import type { Point, SeedOutcome, TuningPlan, TuningResult } from '../../../engine/index.ts';
import { withUnit } from '../../fields/fields.ts';
import type { Findings } from '../sweeps/findings.ts';
import { emptyTable, OUTCOMES, ROW_STATES } from '../reading/sweep-table.ts';
import type { SweepTable } from '../reading/sweep-table.ts';

function asHead(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What one setting gave so far: an outcome for each seed, undefined where it was not run yet. */
export interface Trials {
  readonly values: Point;
  readonly outcomes: readonly (SeedOutcome | undefined)[];
}

export function tableOfTrials(plan: TuningPlan, trials: readonly Trials[]): SweepTable {
  const { name, method, parameters, measure, seeds, raw } = plan;
  const axes = parameters.map(({ path, title, name: key, unit }, axis) => ({
    path,
    title: withUnit(asHead(parameterTitle({ title, name: key })), unit),
    values: [...new Set(trials.map(({ values }) => values[axis]))].sort((a, b) => a - b),
  }));
  const rows = trials.flatMap(({ values, outcomes }) => outcomes.map((outcome, seed) => ({ values, seed, outcome })));
  const reasons = new Map(
    rows.flatMap(({ outcome }, row) => (outcome?.reason === undefined ? [] : [[row, outcome.reason] as const])),
  );
  const table = emptyTable(
    {
      name: `${name}-tuning-${method}`,
      source: `tuning of ${method}`,
      backend: '',
      remark: '',
      scenario: isRecord(raw) ? raw : {},
      axes,
      methods: [method],
      measures: [measure],
      seeds,
      kind: 'runs',
      taken: undefined,
    },
    rows.length,
    reasons,
  );
  rows.forEach(({ values, seed, outcome }, row) => {
    values.forEach((value, axis) => (table.places[row * axes.length + axis] = axes[axis].values.indexOf(value)));
    table.rowSeeds[row] = seeds[seed];
    const state = outcome === undefined ? 'waiting' : outcome.reason === undefined ? 'complete' : 'failed';
    table.states[row] = ROW_STATES.indexOf(state);
    if (outcome === undefined || outcome.reason !== undefined) return;
    table.outcomes[row] = OUTCOMES.indexOf(outcome.value === null ? 'diverged' : 'complete');
    if (outcome.value !== null) table.values[row] = outcome.value;
  });
  return table;
}

/** @returns what the search found, by the numbers of the points in the order of the trials */
export function findingsOfResult({ found }: TuningResult, trials: readonly Trials[]): Findings {
  const numberOf = (values: readonly number[]): number =>
    trials.findIndex((each) => each.values.every((value, axis) => value === values[axis]));
  if (!found) return { best: undefined, alike: new Set() };
  return { best: numberOf(found.best.values), alike: new Set(found.alike.map(numberOf)) };
}
