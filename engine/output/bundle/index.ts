/** Bundles: a run as one file that reproduces it, and what came of reproducing it. */
import type { CycleDiagnostics } from '../../experiment/index.ts';
import { formatDiagnostics } from '../diagnostics-csv.ts';
import { filesNamedBy, readScenarioCopies, type RunIdentity, type Versions } from '../run-record.ts';
import { firstDifference, parseRows, compareStatistics, lengthOf, methodsIn } from './statistics.ts';
import type { RowDifference, Rows, StatisticComparison } from './statistics.ts';
import { ScenarioError } from '../../errors.ts';
import { formatScenario, parseScenario, cyclesOf, modelKindDefinition } from '../../scenario/index.ts';
import type { ParsedScenario, Scenario } from '../../scenario/index.ts';
import { extentOf, extentProblem, type Extent, type Storage } from '../stored-files.ts';
import { readRun } from '../read-run.ts';
import { parseBundleRecord, RECORD_FILE, statedMeans, statedMeansProblems, type BundleRecord } from './record.ts';
import { fromSpreadsheetText } from '../../words.ts';
import { describeValue, scenarioError } from '../../settings/index.ts';

export type { RowDifference, StatisticComparison } from './statistics.ts';

/** What the two files are called in a message. */
interface ExpectedFiles {
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
function assertExpected(record: BundleRecord, scenario: Scenario, rows: Rows, files: ExpectedFiles): void {
  const methods = assertRecord(record, scenario, files.record);
  assertRows(rows, record, methods, files.rows);
  const terms = { cycles: record.completedCycles, spinup: scenario.experiment.spinup };
  const problems = statedMeansProblems(record.statistics, rows, terms);
  if (problems.length > 0) throw scenarioError(problems.slice(0, 1), files.record);
}

const SCENARIO_FILE = 'scenario.json';
const EXPECTED_FILE = 'expected.csv';
const FILES_FOLDER = 'files/';

/**
 * A run as a few files that reproduce it: the scenario with what was done while it ran and its branches, the files that it names,
 * seed, versions and adapter, and the rows that are expected. They are packed as one file, `.shoal`, by whoever holds them.
 *
 *   bundle.json     what the others are (record.ts)
 *   scenario.json   as it was run
 *   files/…         what the scenario names
 *   expected.csv    the rows of the cycles that were completed, as `diagnostics.csv`
 *
 * Files by their paths inside the bundle.
 */
export type BundleFiles = Readonly<Record<string, Uint8Array>>;

/** A bundle that was read, and is whole. */
export interface Bundle {
  readonly record: BundleRecord;
  readonly parsed: ParsedScenario;
  /** What the scenario names, by name. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly expected: Rows;
}

function encoded(written: string): Uint8Array {
  return new TextEncoder().encode(written);
}

function refuse(file: string, message: string): never {
  throw new ScenarioError([{ file, path: [], message }]);
}

/**
 * @param storage of a run folder
 * @returns the bundle's files, the same for the same folder; undefined if it holds no run
 * @throws ScenarioError if a file is broken or missing, or no cycle is complete
 */
export async function createBundle(storage: Storage): Promise<BundleFiles | undefined> {
  const run = await readRun(storage);
  if (!run) return undefined;
  const { seed, selected, backend, versions, variables, completedCycles, start } = run.record;
  const { scenario } = run.parsed;
  if (completedCycles === 0) refuse('run.json', 'found no complete cycle, a bundle needs one at least');
  const named = await readScenarioCopies(storage, { ...run.record, scenario });
  const rows = run.rows.filter(({ cycle }) => cycle < completedCycles);
  const csv = formatDiagnostics(variables, rows);
  const contents: Record<string, Uint8Array> = {
    [SCENARIO_FILE]: encoded(formatScenario(scenario)),
    [EXPECTED_FILE]: encoded(csv),
    ...Object.fromEntries(Object.entries(named).map(([name, bytes]) => [FILES_FOLDER + name, bytes])),
  };
  const files: Record<string, Extent> = {};
  for (const [path, bytes] of Object.entries(contents)) files[path] = await extentOf(bytes);
  const record: BundleRecord = {
    format: 1,
    seed,
    ...(selected && { selected }),
    backend: { name: backend.name, adapter: backend.adapter },
    versions,
    date: start,
    variables,
    completedCycles,
    files,
    statistics: statedMeans(parseRows(csv, EXPECTED_FILE), {
      cycles: completedCycles,
      spinup: scenario.experiment.spinup,
    }),
  };
  return { [RECORD_FILE]: encoded(`${JSON.stringify(record, null, 2)}\n`), ...contents };
}

/** Every file is the one that was bundled, and there is no other. */
async function assertWhole(contents: BundleFiles, { files }: BundleRecord, bundle: string): Promise<void> {
  for (const path of Object.keys(contents)) {
    if (path === RECORD_FILE || Object.hasOwn(files, path)) continue;
    refuse(`${bundle}: ${path}`, `found a file that ${RECORD_FILE} does not name`);
  }
  for (const [path, written] of Object.entries(files)) {
    if (!Object.hasOwn(contents, path)) refuse(`${bundle}: ${path}`, 'found no such file, the bundle names it');
    const problem = extentProblem(await extentOf(contents[path]), written);
    if (problem !== undefined) refuse(`${bundle}: ${path}`, problem);
  }
}

/**
 * @param contents its files, which anybody may have written
 * @param name of the bundle, for messages
 * @throws ScenarioError naming file, place, what was found and what is allowed
 */
export async function readBundle(contents: BundleFiles, name: string): Promise<Bundle> {
  const fileOf = (path: string): Uint8Array =>
    Object.hasOwn(contents, path) ? contents[path] : refuse(name, `found no ${path}; "shoal bundle" makes bundles`);
  const record = parseBundleRecord(fileOf(RECORD_FILE), `${name}: ${RECORD_FILE}`);
  await assertWhole(contents, record, name);
  const parsed = parseScenario(fileOf(SCENARIO_FILE), `${name}: ${SCENARIO_FILE}`);
  const files = Object.fromEntries(filesNamedBy(parsed.scenario).map((file) => [file, fileOf(FILES_FOLDER + file)]));
  const csv = new TextDecoder().decode(fileOf(EXPECTED_FILE));
  const expected = parseRows(csv, `${name}: ${EXPECTED_FILE}`);
  assertExpected(record, parsed.scenario, expected, {
    record: `${name}: ${RECORD_FILE}`,
    rows: `${name}: ${EXPECTED_FILE}`,
  });
  return { record, parsed, files, expected };
}

/** Where the run was made again. */
export interface Place {
  readonly backend: RunIdentity['backend'];
  readonly versions: Versions;
}

export interface Reproduction {
  readonly reproduced: boolean;
  /** `bits`: each number of every row is the same. `statistics`: it was held, or had to be held, to those alone. */
  readonly by: 'bits' | 'statistics';
  /** Whether the comparison says anything: by statistics, a run of few cycles may agree with any numbers. */
  readonly decided: boolean;
  /** What differs between then and now: nothing if all bits are to be the same. */
  readonly otherwise: readonly string[];
  readonly rows: number;
  /** Columns of the bundle that this version does not measure. */
  readonly notCompared: readonly string[];
  /** Where the two runs differ first; undefined if they do not. */
  readonly first: RowDifference | undefined;
  /** None if the bits are the same, or have to be. */
  readonly statistics: readonly StatisticComparison[];
}

/** @returns what may make another last bit, in words */
function differencesOf({ backend, versions }: Bundle['record'], now: Place): string[] {
  const names = [...new Set([...Object.keys(versions), ...Object.keys(now.versions)])];
  const pairs: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['backend', backend.name, now.backend.name],
    ['adapter', backend.adapter, now.backend.adapter],
    ...names.map((name) => [name, versions[name], now.versions[name]] as const),
  ];
  return pairs
    .filter(([, before, after]) => before !== after)
    .map(([what, before, after]) => `${what} ${before ?? 'none'}, now ${after ?? 'none'}`);
}

function parsed(variables: readonly string[], rows: readonly CycleDiagnostics[]): Rows {
  return parseRows(formatDiagnostics(variables, rows), 'the run');
}

/**
 * @param variables names of the model's variables, in order
 * @returns where rows differ first in anything but times; undefined where each number of all of them is the same
 */
export function rowDifference(
  variables: readonly string[],
  expected: readonly CycleDiagnostics[],
  found: readonly CycleDiagnostics[],
): RowDifference | undefined {
  return firstDifference(parsed(variables, expected), parsed(variables, found));
}

/** Rows of the cycles that the bundle has, in any order. */
type FoundRows = readonly CycleDiagnostics[];

/** With as many runs, means that differ by more than a twentieth from run to run are still held to a quarter. */
const MOST_RUNS = 8;

/**
 * @param again runs it once more, from states that are wrong by one rounding, another one for each draw from 1: called if bits
 *   differ and may, until the runs show what such means differ by
 * @returns undefined if `again` gives nothing
 */
export async function judgeReproduction(
  { record, parsed: { scenario }, expected }: Bundle,
  rows: FoundRows,
  now: Place,
  again: (draw: number) => Promise<FoundRows | undefined>,
): Promise<Reproduction | undefined> {
  const { variables, completedCycles } = record;
  const runs = [parsed(variables, rows)];
  const [found] = runs;
  const otherwise = differencesOf(record, now);
  const notCompared = expected.columns.filter((column) => !found.columns.includes(column));
  const first = firstDifference(expected, found);
  const common = { otherwise, rows: found.rows.length, notCompared, first, statistics: [] };
  const isSame = !first && (otherwise.length > 0 || notCompared.length === 0);
  if (isSame || otherwise.length === 0) return { ...common, reproduced: isSame, by: 'bits', decided: true };
  const terms = { cycles: completedCycles, spinup: scenario.experiment.spinup };
  for (;;) {
    const other = await again(runs.length);
    if (!other) return undefined;
    runs.push(parsed(variables, other));
    const statistics = compareStatistics(expected, runs, terms);
    const count = (verdict: StatisticComparison['verdict']): number =>
      statistics.filter((each) => each.verdict === verdict).length;
    const isOpen = count('failed') === 0 && count('open') > 0;
    if (isOpen && runs.length < MOST_RUNS) continue;
    const reproduced = statistics.length > 0 && count('passed') === statistics.length;
    return { ...common, statistics, reproduced, by: 'statistics', decided: !isOpen };
  }
}
