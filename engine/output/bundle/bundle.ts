/**
 * A run as a few files that reproduce it: the scenario with what was done while it ran and its branches, the files that it names,
 * seed, versions and adapter, and the rows that are expected. They are packed as one file, `.shoal`, by whoever holds them.
 *
 *   bundle.json     what the others are (record.ts)
 *   scenario.json   as it was run
 *   files/…         what the scenario names
 *   expected.csv    the rows of the cycles that were completed, as `diagnostics.csv`
 */
import { ScenarioError } from '../../errors.ts';
import { formatScenario, parseScenario } from '../../scenario/index.ts';
import type { ParsedScenario } from '../../scenario/index.ts';
import { extentOf, extentProblem } from '../checksum.ts';
import type { Extent } from '../checksum.ts';
import { formatDiagnostics } from '../diagnostics-csv.ts';
import { readRun } from '../read-run.ts';
import { filesNamedBy, readScenarioCopies } from '../scenario-copies.ts';
import type { Storage } from '../storage.ts';
import { parseBundleRecord, RECORD_FILE } from './record.ts';
import type { BundleRecord } from './record.ts';
import { parseRows } from './rows.ts';
import type { Rows } from './rows.ts';
import { assertExpected } from './expected-rows.ts';
import { statedMeans } from './stated-means.ts';

const SCENARIO_FILE = 'scenario.json';
const EXPECTED_FILE = 'expected.csv';
const FILES_FOLDER = 'files/';

/** Files by their paths inside the bundle. */
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
