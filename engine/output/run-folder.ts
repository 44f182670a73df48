/**
 * The run folder while it is written: `run.json` (what was run, where, and how far it came), `diagnostics.csv`, the kernels'
 * times and the checkpoint. Rows and records are written once, at the end of files that grow; then the checkpoint that
 * counts them, then `run.json`, each whole or not at all. A run that is stopped at any moment continues from its last
 * checkpoint; what follows that is cut off. Memory and what is written do not depend on how many cycles
 * came before.
 */
import type { Ceilings } from '../compute/backend.ts';
import type { Checkpoint, CycleDiagnostics, ExperimentEvent } from '../experiment/index.ts';
import { createKernelLog, NO_KERNELS, type KernelRecord, type KernelTotals } from '../performance/kernel-totals.ts';
import { createTraceLog, type StoredTrace } from '../performance/trace-log.ts';
import { cyclesOf, type Scenario } from '../scenario/index.ts';
import type { Snapshot } from '../run/index.ts';
import { removeOtherCheckpoints, writeCheckpoint, countRow } from './checkpoint-files.ts';
import type { CheckpointGround, RowCounts } from './checkpoint-files.ts';
import { formatDiagnosticsHeader, formatDiagnosticsRows } from './diagnostics-csv.ts';
import { createFieldsFile, FIELDS_FILE } from './fields/fields-file.ts';
import { createGrowingFile, type Extent, type Storage } from './stored-files.ts';
import { formatKernelRecord, KERNEL_RECORDS_FILE, writeKernelTotals, writeTrace } from './kernel-files.ts';
import { DIAGNOSTICS_FILE, type KeptRun } from './read-run.ts';
import { writeRunRecord, withWarning, copyScenarioFiles } from './run-record.ts';
import type { RunIdentity, RunRecord, RunState, Versions, ReadNamedFile } from './run-record.ts';
import { createSummary, summaryTerms, type RunSummary } from './summary.ts';

export interface RunFolder {
  readonly record: RunRecord;
  /** Summary of all rows of complete cycles that were written. */
  readonly summary: Pick<RunSummary, 'headline' | 'results' | 'comparisons' | 'tracks'>;
  /** Begins the folder, before anything is computed: with its record, and copies of the files that its scenario names. */
  begin(): Promise<void>;
  /** Takes in what the experiment says. */
  listen(event: ExperimentEvent): void;
  /** Takes in the states of a cycle, of a folder that keeps them. Resolves when it has room for the next; rejects where the disk has none. */
  keepStates(snapshot: Snapshot): Promise<void>;
  /**
   * Writes all that is complete as this is called, and the checkpoint where one is given; the run may continue meanwhile. When it fails,
   * the same may be tried again.
   *
   * @param before is waited for when its turn comes; nothing is written where it rejects
   */
  save(checkpoint?: Checkpoint, before?: () => Promise<void>): Promise<void>;
  /** Writes the last state. */
  finish(state: Exclude<RunState, 'running'>, reason?: string): Promise<void>;
}

/** Kernels that were added up elsewhere. */
export interface EarlierKernels {
  /** By cycle, of the last cycles or of all. */
  readonly records: readonly KernelRecord[];
  /** Totals of those that are in no record. */
  readonly unrecorded: KernelTotals;
  /** With those of the records. */
  readonly totals: KernelTotals;
  readonly ceilings: Ceilings | undefined;
}

export interface RunFolderOptions {
  readonly identity: RunIdentity;
  readonly versions: Versions;
  /** The clock. */
  readonly now: () => Date;
  /** The run to continue. */
  readonly continued?: KeptRun;
  /** Kernels that were added up elsewhere; those that the experiment reports come after them. */
  readonly kernels?: EarlierKernels;
  /** What was traced elsewhere; what the experiment reports comes after it. */
  readonly trace?: StoredTrace;
  /** Gives the files that the scenario names, to be copied; those of a run that continues are there. */
  readonly scenarioFiles?: ReadNamedFile;
  /** Which cycles' states are kept; none if omitted. */
  readonly fields?: RunRecord['fields'] | undefined;
  /** States that were written elsewhere: which, and how much of `fields.bin` belongs to the run where it is there. */
  readonly written?: { readonly fields: NonNullable<RunRecord['fields']>; readonly records?: Extent | undefined };
  /** When a run began that was not written down until now, and when it was continued; ISO 8601. */
  readonly history?: Pick<RunRecord, 'start' | 'resumed'>;
}

/** The record of a run that begins, or continues. */
function firstRecord({
  identity,
  versions,
  now,
  continued,
  history,
  written,
  fields = written?.fields,
}: RunFolderOptions): RunRecord {
  const opened = now().toISOString();
  const earlier = continued?.record;
  const record: RunRecord = {
    format: 2,
    state: 'running',
    ...identity,
    versions,
    methods: earlier?.methods ?? [],
    variables: earlier?.variables ?? [],
    cycles: cyclesOf(identity.scenario),
    completedCycles: continued?.checkpoint?.cycle ?? 0,
    start: earlier?.start ?? history?.start ?? opened,
    end: opened,
    resumed: earlier ? [...earlier.resumed, opened] : (history?.resumed ?? []),
    warnings: earlier?.warnings ?? [],
  };
  // What diverged after the checkpoint does so again.
  const diverged = earlier?.diverged?.filter(({ cycle }) => cycle < record.completedCycles) ?? [];
  return {
    ...record,
    ...(diverged.length > 0 && { diverged }),
    ...(earlier?.scenarioFiles && { scenarioFiles: earlier.scenarioFiles }),
    ...(fields && { fields }),
  };
}

/** What is to be written when its turn comes. */
interface Goal {
  /** All before this one is. */
  readonly cycle: number;
  /** Has the states on the disk that were taken before; undefined if none are kept. */
  readonly flushFields: (() => Promise<Extent>) | undefined;
}

/** Rows that wait to be written, in the order in which they came. */
function createRows(storage: Storage, scenario: Scenario, continued: KeptRun | undefined) {
  const file = createGrowingFile(storage, DIAGNOSTICS_FILE, continued?.diagnostics);
  const summary = continued?.summary ?? createSummary(summaryTerms(scenario));
  let counts: RowCounts = continued?.rows ?? {};
  let waiting: CycleDiagnostics[] = [];
  let end = continued?.checkpoint?.cycle ?? 0;
  return {
    summary,
    file,
    get counts() {
      return counts;
    },
    /** All rows of the cycles before this one are written. */
    get end() {
      return end;
    },
    add(row: CycleDiagnostics) {
      waiting.push(row);
    },
    /** Writes those of the cycles before one. */
    async writeBefore(cycle: number, variables: readonly string[]) {
      const ready = waiting.filter((row) => row.cycle < cycle);
      const header = variables.length > 0 && file.extent.bytes === 0 ? formatDiagnosticsHeader(variables) : '';
      await file.append(header + formatDiagnosticsRows(variables, ready));
      waiting = waiting.filter((row) => row.cycle >= cycle);
      end = cycle;
      for (const row of ready) {
        const next = countRow(counts, row);
        if (!next) throw new RangeError(`the row of ${row.method} in cycle ${row.cycle} comes out of its turn`);
        counts = next;
        summary.add(row);
      }
    },
  };
}

/** Opens a folder for a run that begins, or continues. Nothing is written before `begin`. */
export function createRunFolder(storage: Storage, options: RunFolderOptions): RunFolder {
  const { identity, now, continued, kernels, scenarioFiles } = options;
  const { scenario, backend } = identity;
  const { nx, ny } = scenario.grid;
  const place = {
    backend: backend.name,
    grid: [nx, ny],
    ceilings: kernels?.ceilings ?? continued?.ceilings,
  } as const;
  const kernelLog = createKernelLog(place, kernels?.totals ?? continued?.kernelTotals);
  const unrecorded = kernels?.unrecorded ?? continued?.unrecorded ?? NO_KERNELS;
  const recordFile = createGrowingFile(storage, KERNEL_RECORDS_FILE, continued?.kernelRecords);
  const rows = createRows(storage, scenario, continued);
  const fieldsFile = options.fields && createFieldsFile(storage, continued?.fields);
  let waitingRecords = (kernels?.records ?? []).map(formatKernelRecord);
  let record = firstRecord(options);
  const traceLog = createTraceLog(Date.parse(record.start), options.trace ?? continued?.trace);
  const saveTrace = (): Promise<void> => {
    const { start } = record;
    return writeTrace(storage, traceLog.stored, { scenario, backend, start });
  };

  /** @param before the cycle that comes next */
  const writeKernels = async (before: number): Promise<void> => {
    // A time that comes in late is of the cycle in progress then.
    waitingRecords = waitingRecords.concat(kernelLog.take(before).map(formatKernelRecord));
    await recordFile.append(waitingRecords.join(''));
    waitingRecords = [];
    await writeKernelTotals(storage, { totals: kernelLog.totals, unrecorded, ceilings: kernelLog.ceilings });
  };

  const extents = (fields = fieldsFile?.extent ?? options.written?.records): CheckpointGround['files'] => ({
    [DIAGNOSTICS_FILE]: rows.file.extent,
    [KERNEL_RECORDS_FILE]: recordFile.extent,
    ...(fields && { [FIELDS_FILE]: fields }),
  });

  /** How far the run has come: what is written when its turn comes is this much, however far the run is then. */
  const goalNow = (checkpoint?: Checkpoint): Goal => ({
    // A cycle that was given up half-way has rows of some methods only: they stay behind.
    cycle: Math.min(record.completedCycles, checkpoint?.cycle ?? Infinity),
    flushFields: fieldsFile?.mark(),
  });

  const writeAll = async (goal: Goal, change: Partial<RunRecord>, checkpoint?: Checkpoint): Promise<void> => {
    record = { ...record, ...change, end: now().toISOString() };
    await rows.writeBefore(goal.cycle, record.variables);
    await writeKernels(record.state === 'running' ? goal.cycle : Infinity);
    const files = extents(await goal.flushFields?.());
    // In the folder before the checkpoint is: whoever continues there omits what was traced after it.
    await saveTrace();
    if (checkpoint) await writeCheckpoint(storage, checkpoint, { rows: rows.counts, files });
    record = { ...record, files };
    await writeRunRecord(storage, { ...record, completedCycles: goal.cycle });
  };

  // What is written goes one after the other, whoever asks, and whether or not what came before succeeded.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };

  return {
    get record() {
      return record;
    },
    summary: rows.summary,
    begin: () =>
      inTurn(async () => {
        // The record comes first: it must never speak of more than there is when the files that grow are cut.
        record = { ...record, files: extents() };
        await writeRunRecord(storage, record);
        await removeOtherCheckpoints(storage, continued?.checkpoint?.cycle);
        await rows.file.append('');
        await recordFile.append('');
        await fieldsFile?.mark()();
        if (!scenarioFiles || record.scenarioFiles) return;
        const copies = await copyScenarioFiles(storage, scenario, scenarioFiles);
        if (!copies) return;
        record = { ...record, scenarioFiles: copies };
        await writeRunRecord(storage, record);
      }),
    listen(event) {
      switch (event.type) {
        case 'start':
          record = { ...record, methods: event.methods, variables: event.variables, cycles: event.cycles };
          break;
        case 'diagnostics':
          rows.add(event.diagnostics);
          break;
        case 'ceilings': {
          const { type: _type, ...ceilings } = event;
          kernelLog.compareWith(ceilings);
          break;
        }
        case 'kernel':
          kernelLog.add(event.cycle, event.sample);
          traceLog.kernel(event.cycle, event.sample);
          break;
        case 'trace':
          traceLog.add(event);
          break;
        case 'warning':
          record = { ...record, warnings: withWarning(record.warnings, event.message) };
          break;
        case 'diverged': {
          const { type: _type, ...divergence } = event;
          record = { ...record, diverged: [...(record.diverged ?? []), divergence] };
          break;
        }
        case 'cycle':
          record = { ...record, completedCycles: event.cycle + 1 };
          break;
        case 'preparing':
        case 'forecast':
        case 'analysis':
        case 'edited':
        case 'end':
          break;
        default:
          event satisfies never;
      }
    },
    async keepStates(snapshot) {
      if (!fieldsFile) throw new RangeError('this run folder keeps no states');
      await fieldsFile.add(snapshot);
    },
    save(checkpoint, before) {
      const goal = goalNow(checkpoint);
      return inTurn(async () => {
        await before?.();
        await writeAll(goal, {}, checkpoint);
      });
    },
    finish(state, reason) {
      const goal = goalNow();
      return inTurn(async () => {
        try {
          await writeAll(goal, reason === undefined ? { state } : { state, reason });
        } catch (error) {
          // If there is no room for what came last there may be some for saying so.
          record = { ...record, completedCycles: Math.min(record.completedCycles, rows.end), files: extents() };
          if (state === 'failed') await writeRunRecord(storage, record);
          throw error;
        }
      });
    },
  };
}
