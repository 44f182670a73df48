/** A run folder as it is read: all of it to be looked at, or as much as a run needs to continue. */
import { ScenarioError } from '../errors.ts';
import type { Ceilings } from '../compute/backend.ts';
import type { Checkpoint, CycleDiagnostics } from '../experiment/index.ts';
import { NO_KERNELS, type KernelTotals } from '../performance/kernel-totals.ts';
import { cyclesBefore, NO_TRACE, type StoredTrace } from '../performance/trace-log.ts';
import { readCheckpoint, readCheckpointGround, countRow, countsDifference, furthest } from './checkpoint-files.ts';
import type { RowCounts } from './checkpoint-files.ts';
import { createDiagnosticsReader, formatDiagnosticsHeader } from './diagnostics-csv.ts';
import { FIELDS_FILE, readFieldsBefore } from './fields/fields-file.ts';
import { readLines, type Extent, type RunningChecksum, type Storage } from './stored-files.ts';
import {
  createRecordSums,
  KERNEL_RECORDS_FILE,
  readKernelRecords,
  readKernels,
  readKernelTotals,
  readTrace,
} from './kernel-files.ts';
import type { StoredKernels } from './kernel-files.ts';
import { readRunRecord, RECORD_FILE, type RunRecord } from './run-record.ts';
import { cyclesOf, validateScenario, type ParsedScenario, type Scenario } from '../scenario/index.ts';
import { describeValue, quote, scenarioError, type Problem } from '../settings/index.ts';
import { createSummary, summaryTerms, type RunSummary } from './summary.ts';

export const DIAGNOSTICS_FILE = 'diagnostics.csv';

/** A run as it is stored in its folder. */
export interface StoredRun {
  /** Its scenario as it is written there. */
  readonly record: RunRecord;
  /** The scenario as it is run. */
  readonly parsed: ParsedScenario;
  readonly rows: readonly CycleDiagnostics[];
  readonly kernels: StoredKernels;
  /** The stored trace; empty for a folder that has none. */
  readonly trace: StoredTrace;
}

/**
 * @param methods that a record names
 * @param file the record's
 * @throws ScenarioError where the scenario has them not
 */
export function assertMethods(methods: RunRecord['methods'], scenario: Scenario, file: string): void {
  const labels = scenario.methods.map(({ label }) => quote(label)).join(', ');
  const problems = methods.flatMap(({ label, kind }, index): Problem[] => {
    if (scenario.methods.some((method) => method.label === label && method.kind === kind)) return [];
    const message = `found ${quote(label)} of the kind ${quote(kind)}, allowed: the scenario’s methods: ${labels}`;
    return [{ path: ['methods', index], message }];
  });
  if (problems.length > 0) throw scenarioError(problems, file);
}

/** @throws ScenarioError if the record's scenario is none, or the record names methods or cycles that it does not have */
function recordedScenario({ scenario: written, methods, cycles }: RunRecord): ParsedScenario {
  const parsed = validateScenario(written, RECORD_FILE);
  assertMethods(methods, parsed.scenario, RECORD_FILE);
  const its = cyclesOf(parsed.scenario);
  if (cycles === its) return parsed;
  throw scenarioError([{ path: ['cycles'], message: `found ${cycles}, the scenario has ${its}` }], RECORD_FILE);
}

/**
 * @returns the run in a folder, or undefined when there is none
 * @throws ScenarioError where a file is broken, naming file, place, what was found and what is allowed
 */
export async function readRun(storage: Storage): Promise<StoredRun | undefined> {
  const record = await readRunRecord(storage);
  if (!record) return undefined;
  const parsed = recordedScenario(record);
  const rows: CycleDiagnostics[] = [];
  const ground = await readCheckpointGround(storage);
  // A folder of format 1 does not say how much of its files belongs to it.
  const committed = (file: string): Extent | undefined =>
    record.format === 1 ? undefined : furthest(record, ground, file);
  const run = { ...record, scenario: parsed.scenario };
  await readRows(storage, committed(DIAGNOSTICS_FILE), run, (row) => void rows.push(row));
  const kernels = await readKernels(storage, committed(KERNEL_RECORDS_FILE));
  return { record, parsed, rows, kernels, trace: (await readTrace(storage)) ?? NO_TRACE };
}

/**
 * Reads the rows of a run one by one.
 *
 * @param committed how far they belong to the run; all of the file, unchecked, if omitted
 * @param run whose cycles, and whose scenario's methods, they are of
 * @throws ScenarioError where the file is broken, naming line, column, what was found and what is allowed
 */
export async function readRows(
  storage: Storage,
  committed: Extent | undefined,
  { scenario, cycles }: Pick<RunRecord, 'scenario' | 'cycles'>,
  take: (row: CycleDiagnostics) => void,
): Promise<void> {
  const read = createDiagnosticsReader(DIAGNOSTICS_FILE);
  const known = new Set(scenario.methods.map(({ label }) => label));
  await readLines(storage, DIAGNOSTICS_FILE, committed, (line, number) => {
    const row = read(line, number);
    if (!row) return;
    const refuse = (column: string, found: string | number, allowed: string): never => {
      const message = `line ${number}: ${column}: found ${describeValue(found)}, allowed: ${allowed}`;
      throw scenarioError([{ path: [], message }], DIAGNOSTICS_FILE);
    };
    if (row.cycle >= cycles) refuse('cycle', row.cycle, `0 to ${cycles - 1}, the last cycle of the run`);
    if (!known.has(row.method)) {
      refuse('method', row.method, `the methods of the run: ${[...known].map(quote).join(', ')}`);
    }
    take(row);
  });
}

/**
 * Reads the rows of a run in memory that does not grow with them.
 *
 * @param committed how far they belong to the run; all of the file, unchecked, if omitted
 * @throws ScenarioError where the file is broken, naming line, column, what was found and what is allowed
 */
export async function readSummary(
  storage: Storage,
  record: Pick<RunRecord, 'scenario' | 'cycles'>,
  committed?: Extent,
): Promise<RunSummary> {
  const summary = createSummary(summaryTerms(record.scenario));
  await readRows(storage, committed, record, (row) => summary.add(row));
  return summary;
}

/** A run as it is put beside others. */
export interface SummarisedRun {
  readonly record: RunRecord;
  readonly summary: RunSummary;
}

/**
 * @returns what a run gave, or undefined when there is none in the folder
 * @throws ScenarioError where `run.json` or the rows are broken, naming file, place, what was found and what is allowed
 */
export async function readRunSummary(storage: Storage): Promise<SummarisedRun | undefined> {
  const record = await readRunRecord(storage);
  if (!record) return undefined;
  const run = { ...record, scenario: recordedScenario(record).scenario };
  const ground = await readCheckpointGround(storage);
  const committed = record.format === 1 ? undefined : furthest(record, ground, DIAGNOSTICS_FILE);
  return { record: run, summary: await readSummary(storage, run, committed) };
}

/** What is kept of a stored run when it continues: all before the cycle of its checkpoint. */
export interface KeptRun {
  readonly record: RunRecord;
  /** Where it continues; from the beginning if there is none. */
  readonly checkpoint: Checkpoint | undefined;
  readonly rows: RowCounts;
  /** Summary of the rows that are kept. */
  readonly summary: RunSummary;
  readonly diagnostics: RunningChecksum;
  readonly kernelRecords: RunningChecksum;
  /** Checksum of the states, if they are kept. */
  readonly fields: RunningChecksum | undefined;
  readonly kernelTotals: KernelTotals;
  /** Those of the totals that are of no record. */
  readonly unrecorded: KernelTotals;
  readonly ceilings: Ceilings | undefined;
  readonly trace: StoredTrace;
}

/** The header that this program would write for the variables of another one. */
function headerLike(header: string): string {
  const variables = header.split(',').flatMap((name) => /^rmse_forecast_(.+)$/.exec(name)?.[1] ?? []);
  return formatDiagnosticsHeader(variables).trimEnd();
}

/**
 * Reads what a run needs to continue, in memory that does not grow with the run, and holds rows, records and checkpoint against
 * each other: a folder that was damaged or changed is refused, so that it never gives other numbers without a word.
 *
 * @param scenario of the run that continues, which is the one in `run.json`
 * @returns undefined when there is no run in the folder
 * @throws ScenarioError naming file, what was found and what is allowed
 */
export async function readRunToContinue(storage: Storage, scenario: Scenario): Promise<KeptRun | undefined> {
  const record = await readRunRecord(storage);
  if (!record) return undefined;
  if (record.format === 1) {
    throw new ScenarioError([
      {
        file: RECORD_FILE,
        path: ['format'],
        message: 'found 1, allowed: 2: the run is of an earlier version, it can be looked at and not continued',
      },
    ]);
  }
  const cycles = cyclesOf(scenario);
  const stored = await readCheckpoint(storage);
  const cycle = stored?.checkpoint.cycle ?? 0;
  if (cycle > record.cycles || cycles !== record.cycles) {
    throw new ScenarioError([
      {
        file: 'checkpoint.json',
        path: ['cycle'],
        message: `found ${cycle}, the run has ${cycles} cycles (run.json says ${record.cycles})`,
      },
    ]);
  }
  const summary = createSummary(summaryTerms(scenario));
  let rows: RowCounts = {};
  const read = createDiagnosticsReader(DIAGNOSTICS_FILE);
  const takeRow = (line: string, number: number): boolean => {
    const row = read(line, number);
    const refuse = (message: string): never => {
      throw new ScenarioError([{ file: DIAGNOSTICS_FILE, path: [], message: `line ${number}: ${message}` }]);
    };
    if (!row) {
      if (line !== headerLike(line)) refuse('the columns are not those that this program writes');
      return cycle > 0;
    }
    if (row.cycle >= cycle) return false;
    const next = countRow(rows, row);
    if (!next) return refuse(`found cycle ${row.cycle} of ${row.method} out of its turn`);
    rows = next;
    summary.add(row);
    return true;
  };
  const committed = furthest(record, stored?.ground, DIAGNOSTICS_FILE);
  const diagnostics = await readLines(storage, DIAGNOSTICS_FILE, committed, takeRow);
  const difference = countsDifference(rows, stored?.ground.rows ?? {});
  if (difference !== undefined) throw new ScenarioError([{ file: DIAGNOSTICS_FILE, path: [], message: difference }]);

  const totals = await readKernelTotals(storage);
  const unrecorded = cycle > 0 ? (totals?.unrecorded ?? NO_KERNELS) : NO_KERNELS;
  const sums = createRecordSums(unrecorded);
  const farRecords = furthest(record, stored?.ground, KERNEL_RECORDS_FILE);
  const kernelRecords = await readKernelRecords(storage, farRecords, (kernel) => {
    if (kernel.cycle >= cycle) return false;
    sums.add(kernel);
    return true;
  });
  const farFields = furthest(record, stored?.ground, FIELDS_FILE);
  // Those of a run that is complete may have become `fields.nc`.
  const fields =
    record.fields && record.state !== 'complete' ? await readFieldsBefore(storage, farFields, cycle) : undefined;
  return {
    record,
    checkpoint: stored?.checkpoint,
    rows,
    summary,
    diagnostics,
    kernelRecords,
    fields,
    kernelTotals: sums.totals,
    unrecorded,
    ceilings: totals?.ceilings,
    trace: cyclesBefore((await readTrace(storage)) ?? NO_TRACE, cycle),
  };
}

/**
 * @returns the checkpoint of a folder that is only looked at, or undefined if there is none
 * @throws ScenarioError when a file of it is missing, damaged or of another checkpoint
 */
export async function readRunCheckpoint(storage: Storage): Promise<Checkpoint | undefined> {
  const stored = await readCheckpoint(storage);
  return stored?.checkpoint;
}
