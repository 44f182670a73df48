/** Holds record, scenario and rows of a bundle against each other: anybody may have written any of the three. */
import { ScenarioError } from '../../errors.ts';
import { fromSpreadsheetText } from '../../files/spreadsheet-text.ts';
import { cyclesOf, modelKindDefinition } from '../../scenario/index.ts';
import type { Scenario } from '../../scenario/index.ts';
import { describeValue, scenarioError } from '../../settings/index.ts';
import type { BundleRecord } from './record.ts';
import { lengthOf, methodsIn } from './rows.ts';
import type { Rows } from './rows.ts';
import { statedMeansProblems } from './stated-means.ts';

/** What the two files are called in a message. */
export interface ExpectedFiles {
  readonly record: string;
  readonly rows: string;
}

/** The record is that of a run of the scenario. @returns the labels of the methods that ran */
function assertRecord(record: BundleRecord, scenario: Scenario, file: string): readonly string[] {
  const { seed, selected, variables, completedCycles } = record;
  if (seed !== scenario.seed) refuse(file, `seed: found ${seed}, the scenario has ${scenario.seed}`);
  const known = modelKindDefinition(scenario.model).variables.map(({ name }) => name);
  if (known.join() !== variables.join()) {
    refuse(file, `variables: found ${variables.join(', ')}, the scenario’s model has ${known.join(', ')}`);
  }
  const cycles = cyclesOf(scenario);
  if (completedCycles > cycles) refuse(file, `completedCycles: found ${completedCycles}, the scenario has ${cycles}`);
  const { methods } = scenario;
  for (const name of selected ?? []) {
    if (methods.some(({ label, kind }) => name === label || name === kind)) continue;
    const labels = methods.map(({ label }) => label).join(', ');
    refuse(file, `selected: found ${describeValue(name)}, the scenario has the methods ${labels}`);
  }
  return methods
    .filter(({ label, kind }) => !selected || selected.includes(label) || selected.includes(kind))
    .map(({ label }) => label);
}

/** A number that is 0 or more. */
function isError(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== '' && Number.isFinite(Number(cell)) && Number(cell) >= 0;
}

/** Each method has its cycles in turn, each with an error of every variable; one of them has all cycles. */
function assertRows(
  rows: Rows,
  { variables, completedCycles }: BundleRecord,
  methods: readonly string[],
  file: string,
): void {
  const columns = variables.flatMap((variable) => [`rmse_forecast_${variable}`, `rmse_analysis_${variable}`]);
  const missing = columns.find((column) => !rows.columns.includes(column));
  if (missing !== undefined) refuse(file, `found no column ${missing}, a run's diagnostics have one`);
  const twice = rows.columns.find((column, index) => rows.columns.indexOf(column) !== index);
  if (twice !== undefined) refuse(file, `found column ${twice} twice, allowed: once`);
  const next = new Map<string, number>();
  for (const row of rows.rows) {
    const { method = '', cycle = '' } = row;
    const label = fromSpreadsheetText(method);
    if (!methods.includes(label)) {
      refuse(file, `found rows of ${describeValue(label)}, the methods that ran are ${methods.join(', ')}`);
    }
    const due = next.get(method) ?? 0;
    if (cycle !== String(due)) refuse(file, `${label}: found cycle ${describeValue(cycle)}, the next is ${due}`);
    next.set(method, due + 1);
    const wrong = columns.find((column) => !isError(row[column]));
    if (wrong === undefined) continue;
    const found = describeValue(row[wrong] ?? '');
    refuse(file, `cycle ${cycle} of ${label}: ${wrong}: found ${found}, allowed: a number of at least 0`);
  }
  const most = Math.max(0, ...methodsIn(rows).map((method) => lengthOf(rows, method)));
  if (most === completedCycles) return;
  refuse(file, `found rows of ${most} cycles, bundle.json says that ${completedCycles} were completed`);
}

/** @throws ScenarioError naming file, place, what was found and what is allowed */
export function assertExpected(record: BundleRecord, scenario: Scenario, rows: Rows, files: ExpectedFiles): void {
  const methods = assertRecord(record, scenario, files.record);
  assertRows(rows, record, methods, files.rows);
  const terms = { cycles: record.completedCycles, spinup: scenario.experiment.spinup };
  const problems = statedMeansProblems(record.statistics, rows, terms);
  if (problems.length > 0) throw scenarioError(problems.slice(0, 1), files.record);
}
