/**
 * What a sweep measures of a method in a case: means over the cycles after the spin-up. A measure has the name of the column of
 * `diagnostics.csv` that it is the mean of, or the path in the JSON of `shoal run` joined by "_": `rmse_analysis_h` is the RMSE of
 * the analysis of h; `skill` and `skill_h` compare the RMSE of the analysis with that of the free run, `skill_pattern` that of its
 * pattern; `spread_error` is the mean spread over the mean RMSE.
 */
import type { CycleDiagnostics, MethodSummary } from '../experiment/index.ts';
import { methodDefinition } from '../methods/index.ts';
import { summariseRun, summaryTerms, type MethodResult } from '../output/summary.ts';
import { STATE_VARIABLES, comparedVariables, headlineError, unitOf, type Scenario } from '../scenario/index.ts';
import type { SweepMeasure } from './results.ts';

/** What a measure is taken from. */
interface Measured {
  readonly result: MethodResult;
  /** Rows of the method after the spin-up, in the order of their cycles; at least one. */
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

/** @returns the mean of the rows that have a value; undefined if none has */
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

/** Measures of one stage and variable. */
function stageMeasures(stage: Stage, variable: string): MeasureDefinition[] {
  const of = `of the ${stage}, ${variable}`;
  const unit = unitOf(variable);
  const named = (name: string): string => `${name}_${stage}_${variable}`;
  return [
    { name: named('rmse'), title: `RMSE ${of}`, unit, best: 'least', of: ({ result }) => result.rmse[stage][variable] },
    {
      name: named('rmse_level'),
      title: `Error of the mean level ${of}`,
      unit,
      best: 'least',
      of: ({ result }) => result.rmseLevel[stage][variable],
    },
    {
      name: named('rmse_pattern'),
      title: `RMSE of the pattern ${of}`,
      unit,
      best: 'least',
      of: ({ result }) => result.rmsePattern[stage][variable],
    },
    {
      name: named('spread'),
      title: `Spread ${of}`,
      unit,
      best: 'none',
      of: ({ result, hasSpread }) => (hasSpread ? result.spread[stage][variable] : undefined),
    },
    {
      name: named('spread_error'),
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
      name: named('fair_crps'),
      title: `Fair CRPS ${of}`,
      unit,
      best: 'least',
      of: ({ rows }) => mean(rows, ({ fairCrps }) => fairCrps[stage][variable]),
    },
  ];
}

const byStage = STAGES.flatMap((stage) => STATE_VARIABLES.flatMap((variable) => stageMeasures(stage, variable)));

/** Skill of the whole error or of its pattern, of the compared variables and of each by itself. */
function skillMeasures(name: string, words: string, of: (result: MethodResult) => SkillOf): MeasureDefinition[] {
  const measure = (variable?: string): MeasureDefinition => ({
    name: variable === undefined ? name : `${name}_${variable}`,
    title: variable === undefined ? words : `${words}, ${variable}`,
    unit: '',
    best: 'most',
    of: ({ result, hasFreeRun }) => {
      const { skill, byVariable } = of(result);
      if (!hasFreeRun) return undefined;
      return variable === undefined ? skill : byVariable[variable];
    },
  });
  return [measure(), ...STATE_VARIABLES.map(measure)];
}

interface SkillOf {
  readonly skill: number | null;
  readonly byVariable: Readonly<Record<string, number>>;
}

const QUANTITIES = ['rmse', 'rmse_level', 'rmse_pattern', 'spread', 'spread_error', 'crps', 'fair_crps'] as const;

/** All that there are, those of one quantity beside one another. */
export const MEASURES: readonly MeasureDefinition[] = [
  ...QUANTITIES.flatMap((quantity) =>
    byStage.filter(({ name }) => STAGES.some((stage) => name.startsWith(`${quantity}_${stage}_`))),
  ),
  ...skillMeasures('skill', 'Skill against the free run', ({ skill, skillByVariable }) => ({
    skill,
    byVariable: skillByVariable,
  })),
  ...skillMeasures(
    'skill_pattern',
    'Skill of the pattern against the free run',
    ({ skillPattern, skillPatternByVariable }) => ({ skill: skillPattern, byVariable: skillPatternByVariable }),
  ),
  {
    name: 'chi_square',
    title: 'χ²/p of the innovations',
    unit: '',
    best: { near: 1 },
    of: ({ rows }) => mean(rows, ({ innovation }) => innovation?.chiSquare),
  },
  ...STAGES.map((stage): MeasureDefinition => ({
    name: `milliseconds_${stage}`,
    title: `Time of the ${stage}, a cycle`,
    unit: 'ms',
    best: 'least',
    of: ({ result }) => result.milliseconds[stage],
  })),
];

const BY_NAME = new Map(MEASURES.map((measure) => [measure.name, measure]));

/** @returns a measure's name in the one scheme: `rmse_analysis_h` of `rmse.analysis.h`, as files of an earlier version have it */
export function measureName(written: string): string {
  return written.replaceAll(/[.-]/g, '_');
}

/** @param name may be one of an earlier version. @returns the measure with that name; undefined if none has it */
export function measureNamed(name: string): SweepMeasure | undefined {
  const found = BY_NAME.get(measureName(name));
  return found && { name: found.name, title: found.title, unit: found.unit, best: found.best };
}

/** Whether a measure is a time, which no two runs have alike. */
export function isTime({ name }: Pick<SweepMeasure, 'name'>): boolean {
  return name.startsWith('milliseconds_');
}

/** Whether a measure compares a method with the free run. */
export function isAgainstFreeRun({ name }: Pick<SweepMeasure, 'name'>): boolean {
  return name === 'skill' || name.startsWith('skill_');
}

/** @returns the measure that says most of a scenario's methods: their skill, of the pattern if that is the scenario's headline */
export function headlineSkill(scenario: Scenario): string {
  return headlineError(scenario) === 'pattern' ? 'skill_pattern' : 'skill';
}

/** @returns the measures of a sweep that asks for none: the errors of the compared variables first */
export function usualMeasures(scenario: Scenario): readonly string[] {
  const compared = comparedVariables(scenario);
  const each = (name: string): readonly string[] => compared.map((variable) => `${name}_${variable}`);
  const pattern = headlineError(scenario) === 'pattern';
  return [
    ...(pattern ? each('rmse_pattern_analysis') : []),
    ...each('rmse_analysis'),
    ...each('rmse_forecast'),
    ...(pattern ? ['skill_pattern'] : []),
    'skill',
    ...each('spread_error_forecast'),
    ...each('spread_error_analysis'),
    'chi_square',
    ...each('crps_analysis'),
    'milliseconds_forecast',
    'milliseconds_analysis',
  ];
}

/** All measures of one method by name; null if one does not apply. */
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
  const { spinup, cycles } = terms;
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
