/**
 * What a sweep measures of a method in a case: means over the cycles after the spin-up, by name. `rmse.analysis.h` is the RMSE of
 * the analysis of h; `skill` and `skill.h` compare the RMSE of the analysis with that of the free run; `spread-error` is the
 * mean spread over the mean RMSE.
 */
import type { CycleDiagnostics, MethodSummary } from '../experiment/index.ts';
import { methodDefinition } from '../methods/index.ts';
import { summariseRun, summaryTerms } from '../output/summary.ts';
import type { MethodResult } from '../output/summary.ts';
import { STATE_VARIABLES, comparedVariables, unitOf } from '../scenario/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { SweepMeasure } from './results.ts';

/** What a measure is taken from. */
interface Measured {
  readonly result: MethodResult;
  /** Of the method, after the spin-up, in the order of their cycles; one at least. */
  readonly rows: readonly CycleDiagnostics[];
  /** A method with a single state has no spread. */
  readonly hasSpread: boolean;
  /** The free run is complete, so that its means are of the same cycles. */
  readonly hasFreeRun: boolean;
}

interface MeasureDefinition extends SweepMeasure {
  /** Undefined, or no number, where the measure does not apply. */
  readonly of: (measured: Measured) => number | null | undefined;
}

const STAGES = ['forecast', 'analysis'] as const;
type Stage = (typeof STAGES)[number];

/** @returns the mean of the rows that have a value; undefined where none has */
function mean(
  rows: readonly CycleDiagnostics[],
  of: (row: CycleDiagnostics) => number | undefined,
): number | undefined {
  let [sum, count] = [0, 0];
  for (const row of rows) {
    const value = of(row);
    if (value === undefined) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? undefined : sum / count;
}

/** Of one stage and variable. */
function stageMeasures(stage: Stage, variable: string): MeasureDefinition[] {
  const of = `of the ${stage}, ${variable}`;
  const unit = unitOf(variable);
  const named = (name: string): string => `${name}.${stage}.${variable}`;
  return [
    { name: named('rmse'), title: `RMSE ${of}`, unit, best: 'least', of: ({ result }) => result.rmse[stage][variable] },
    {
      name: named('spread'),
      title: `Spread ${of}`,
      unit,
      best: 'none',
      of: ({ result, hasSpread }) => (hasSpread ? result.spread[stage][variable] : undefined),
    },
    {
      name: named('spread-error'),
      title: `Spread over error ${of}`,
      unit: '',
      best: { near: 1 },
      of: ({ result: { spread, rmse }, hasSpread }) =>
        hasSpread ? spread[stage][variable] / rmse[stage][variable] : undefined,
    },
    {
      name: named('crps'),
      title: `CRPS ${of}`,
      unit,
      best: 'least',
      of: ({ rows }) => mean(rows, ({ crps }) => crps[stage][variable]),
    },
    {
      name: named('fair-crps'),
      title: `Fair CRPS ${of}`,
      unit,
      best: 'least',
      of: ({ rows }) => mean(rows, ({ fairCrps }) => fairCrps[stage][variable]),
    },
  ];
}

const byStage = STAGES.flatMap((stage) => STATE_VARIABLES.flatMap((variable) => stageMeasures(stage, variable)));

/** All that there are, those of one quantity beside one another. */
export const MEASURES: readonly MeasureDefinition[] = [
  ...['rmse', 'spread', 'spread-error', 'crps', 'fair-crps'].flatMap((quantity) =>
    byStage.filter(({ name }) => name.startsWith(`${quantity}.`)),
  ),
  {
    name: 'skill',
    title: 'Skill against the free run',
    unit: '',
    best: 'most',
    of: ({ result, hasFreeRun }) => (hasFreeRun ? result.skill : undefined),
  },
  ...STATE_VARIABLES.map((variable): MeasureDefinition => ({
    name: `skill.${variable}`,
    title: `Skill against the free run, ${variable}`,
    unit: '',
    best: 'most',
    of: ({ result, hasFreeRun }) => (hasFreeRun ? result.skillByVariable[variable] : undefined),
  })),
  {
    name: 'chi-square',
    title: 'χ²/p of the innovations',
    unit: '',
    best: { near: 1 },
    of: ({ rows }) => mean(rows, ({ innovation }) => innovation?.chiSquare),
  },
  ...STAGES.map((stage): MeasureDefinition => ({
    name: `milliseconds.${stage}`,
    title: `Time of the ${stage}, a cycle`,
    unit: 'ms',
    best: 'least',
    of: ({ result }) => result.milliseconds[stage],
  })),
];

const BY_NAME = new Map(MEASURES.map((measure) => [measure.name, measure]));

/** @returns the measure of a name; undefined where there is none */
export function measureNamed(name: string): SweepMeasure | undefined {
  const found = BY_NAME.get(name);
  return found && { name: found.name, title: found.title, unit: found.unit, best: found.best };
}

/** Whether a measure is a time, which no two runs have alike. */
export function isTime({ name }: Pick<SweepMeasure, 'name'>): boolean {
  return name.startsWith('milliseconds.');
}

/** @returns the measures of a sweep that asks for none: the errors of the compared variables first */
export function usualMeasures(scenario: Scenario): readonly string[] {
  const compared = comparedVariables(scenario);
  const each = (name: string): readonly string[] => compared.map((variable) => `${name}.${variable}`);
  return [
    ...each('rmse.analysis'),
    ...each('rmse.forecast'),
    'skill',
    ...each('spread-error.forecast'),
    ...each('spread-error.analysis'),
    'chi-square',
    ...each('crps.analysis'),
    'milliseconds.forecast',
    'milliseconds.analysis',
  ];
}

/** Of one method, all measures by name; null where one does not apply. */
export type MeasuredValues = Readonly<Record<string, number | null>>;

/**
 * @param methods that ran, the order being the scenario's
 * @param rows of all of them, those of one method in the order of their cycles
 * @param diverged labels of those that did not come to the end: they are measured by nothing
 * @returns by label
 */
export function measureMethods(
  scenario: Scenario,
  methods: readonly MethodSummary[],
  rows: readonly CycleDiagnostics[],
  diverged: ReadonlySet<string>,
): ReadonlyMap<string, MeasuredValues> {
  const terms = summaryTerms(scenario);
  const { spinup, cycles = Infinity } = terms;
  const first = spinup < cycles ? spinup : 0;
  const results = summariseRun(methods, rows, terms);
  const freeRun = methods.find(({ kind }) => !methodDefinition(kind).assimilates);
  const hasFreeRun = freeRun !== undefined && !diverged.has(freeRun.label);
  return new Map(
    methods
      .map(({ label, members }, index) => ({ label, hasSpread: members > 1, result: results[index] }))
      .filter(({ label }) => !diverged.has(label))
      .map(({ label, hasSpread, result }) => {
        const own = rows.filter(({ method, cycle }) => method === label && cycle >= first);
        const measured: Measured = { result, rows: own, hasSpread, hasFreeRun };
        return [label, Object.fromEntries(MEASURES.map(({ name, of }) => [name, finite(of(measured))]))];
      }),
  );
}

function finite(value: number | null | undefined): number | null {
  return value !== undefined && value !== null && Number.isFinite(value) ? value : null;
}
