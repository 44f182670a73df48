/** What a scenario's runs over several seeds have given, beside what the run on screen gives: the rows of its table. */
import { comparedVariables, settingsText, summariseRun, summaryTerms } from '../../../engine/index.ts';
import type { CycleDiagnostics, MethodResult, MethodSummary, Scenario } from '../../../engine/index.ts';
import { unitOf } from '../views/series.ts';

type Expected = NonNullable<Scenario['expected']>;
type ExpectedResult = Expected['results'][string];

/** Median and range over the seeds. */
export interface ExpectedRange {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export interface ExpectedRow {
  readonly label: string;
  /** `h`, `hu`, `hv`; `skill` for the skill of all compared variables. */
  readonly variable: string;
  /** Expected RMSE of the analysis, or expected skill, a share. */
  readonly expected: ExpectedRange;
  /** Value of the run on screen; undefined while it has none. */
  readonly found: number | undefined;
  /** Undefined while nothing was found. */
  readonly isInside: boolean | undefined;
}

/** A run that computes in other numbers, or stopped elsewhere, may differ in the last digit that is shown. */
const ROUNDING = 5e-3;

/** @returns whether a number lies in a range, its ends widened by what rounding to three digits takes away */
export function isInRange(value: number, { low, high }: ExpectedRange): boolean {
  const slack = ROUNDING * Math.max(Math.abs(low), Math.abs(high));
  return value >= low - slack && value <= high + slack;
}

function rowsOf(
  label: string,
  { analysis, skill }: ExpectedResult,
  variables: readonly string[],
  found: MethodResult | undefined,
): ExpectedRow[] {
  const row = (variable: string, expected: ExpectedRange | undefined, value: number | null | undefined) => {
    if (expected === undefined) return [];
    const known = value ?? undefined;
    return [
      {
        label,
        variable,
        expected,
        found: known,
        isInside: known === undefined ? undefined : isInRange(known, expected),
      },
    ];
  };
  const byVariable: Readonly<Record<string, ExpectedRange | undefined>> = analysis;
  return [
    ...variables.flatMap((variable) => row(variable, byVariable[variable], found?.rmse.analysis[variable])),
    ...row('skill', skill, found?.skill),
  ];
}

/** @returns the rows of a scenario's expected results, by method; `results` are those of the run on screen where it is this one */
export function expectedRows(scenario: Scenario, results: readonly MethodResult[]): readonly ExpectedRow[] {
  const variables = comparedVariables(scenario);
  const labels = scenario.methods.map(({ label }) => label);
  const all = scenario.expected?.results ?? {};
  return labels
    .filter((label) => Object.hasOwn(all, label))
    .flatMap((label) => {
      const found = results.find(({ method }) => method === label);
      return rowsOf(label, all[label], variables, found);
    });
}

/** @returns what the run on screen gave so far after its spin-up */
export function resultsSoFar(
  scenario: Scenario,
  methods: readonly MethodSummary[],
  diagnostics: ReadonlyMap<string, readonly CycleDiagnostics[]>,
): readonly MethodResult[] {
  return summariseRun(methods, [...diagnostics.values()].flat(), summaryTerms(scenario)).filter(
    ({ rmse }) => Object.keys(rmse.analysis).length > 0,
  );
}

/** Whether two scenarios have the same settings, whatever their words and seeds. */
export function haveSameSettings(a: Scenario, b: Scenario): boolean {
  return settingsText(a) === settingsText(b);
}

/** @returns in a sentence whether this run lies inside what was expected; empty while there is nothing to compare */
export function expectedVerdict(rows: readonly ExpectedRow[], seeds: number, isOver: boolean): string {
  const known = rows.filter(({ isInside }) => isInside !== undefined);
  if (known.length === 0) return '';
  const outside = known.filter(({ isInside }) => isInside === false).length;
  const sofar = isOver ? 'This run' : 'This run so far';
  const range = `the range of ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}`;
  if (outside === 0) return `${sofar} lies inside ${range}.`;
  return `${sofar} lies outside ${range} in ${outside} of ${known.length} numbers.`;
}

/** @returns `h (m)`, `skill (%)` */
export function rowTitle(variable: string): string {
  if (variable === 'skill') return 'skill (%)';
  const unit = unitOf(variable);
  return unit === '' ? variable : `${variable} (${unit})`;
}
