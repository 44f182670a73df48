/**
 * The run folder: `run.json` (what was run, where, and how far it came), `diagnostics.csv`, the kernels' times and the
 * checkpoint. Every file is written whole or not at all, rows before the checkpoint that stands for them, so that a run that
 * is stopped at any moment can be continued from its last checkpoint.
 */
import type { BackendName } from '../compute/backend.ts';
import type { Checkpoint, CycleDiagnostics, ExperimentEvent, MethodSummary } from '../experiment/index.ts';
import { createKernelLog } from '../performance/kernel-log.ts';
import { removeTimings } from '../performance/kernel-totals.ts';
import type { Scenario } from '../scenario/index.ts';
import { readCheckpoint, writeCheckpoint } from './checkpoint-files.ts';
import { formatDiagnostics, parseDiagnostics } from './diagnostics-csv.ts';
import { NO_STORED_KERNELS, readKernels, writeKernels } from './kernel-files.ts';
import type { StoredKernels } from './kernel-files.ts';
import { list, object, oneOf, parseStored, problemsWith, text, wholeFrom } from './stored-json.ts';
import type { Rules } from './stored-json.ts';
import { readText } from './storage.ts';
import type { Storage } from './storage.ts';

export type RunState = 'running' | 'complete' | 'stopped' | 'diverged';

/** What makes a run: continued with another of these it would be another run. */
export interface RunIdentity {
  /** As run: with defaults filled in, overrides and seed applied. */
  readonly scenario: Scenario;
  readonly seed: number;
  /** Labels or kinds that were selected; all methods when left out. */
  readonly selected?: readonly string[];
  readonly backend: { readonly name: BackendName; readonly adapter: string };
}

/** `run.json`. */
export interface RunRecord extends RunIdentity {
  readonly format: 1;
  readonly state: RunState;
  readonly versions: Readonly<Record<string, string>>;
  readonly methods: readonly MethodSummary[];
  readonly variables: readonly string[];
  readonly cycles: number;
  /** Cycles that every method has completed. */
  readonly completedCycles: number;
  /** ISO 8601. */
  readonly start: string;
  /** When this record was last written. */
  readonly end: string;
  /** Times of continuation. */
  readonly resumed: readonly string[];
  readonly warnings: readonly string[];
  /** Why the run ended early. */
  readonly reason?: string;
}

/** A run as it lies in its folder. */
export interface StoredRun {
  readonly record: RunRecord;
  readonly rows: readonly CycleDiagnostics[];
  readonly kernels: StoredKernels;
}

export interface RunFolder {
  readonly record: RunRecord;
  readonly rows: readonly CycleDiagnostics[];
  /** Takes in what the experiment says. */
  listen(event: ExperimentEvent): void;
  /** Writes all that is complete, and the checkpoint where one is given. */
  save(checkpoint?: Checkpoint): Promise<void>;
  /** Writes the last state. */
  finish(state: Exclude<RunState, 'running'>, reason?: string): Promise<void>;
}

const RECORD = 'run.json';
const DIAGNOSTICS = 'diagnostics.csv';

/** What every reader of `run.json` relies on; the scenario in it is checked by itself. */
const RECORD_RULES: Rules = {
  format: oneOf([1]),
  state: oneOf(['running', 'complete', 'stopped', 'diverged']),
  scenario: object,
  seed: wholeFrom(0),
  backend: object,
  methods: list,
  variables: list,
  cycles: wholeFrom(1),
  completedCycles: wholeFrom(0),
  start: text,
  resumed: list,
  warnings: list,
};

/**
 * @returns the run in a folder, or undefined when there is none
 * @throws ScenarioError where a file is broken, naming file, place, what was found and what is allowed
 */
export async function readRun(storage: Storage): Promise<StoredRun | undefined> {
  const written = await readText(storage, RECORD);
  if (written === undefined) return undefined;
  return {
    record: parseStored(written, RECORD, (value) => problemsWith(value, RECORD_RULES)) as RunRecord,
    rows: parseDiagnostics((await readText(storage, DIAGNOSTICS)) ?? '', DIAGNOSTICS),
    kernels: await readKernels(storage),
  };
}

export { readCheckpoint as readRunCheckpoint };

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

/** @returns the first place where two values differ, as `path: a, not b`, or undefined */
function firstDifference(found: unknown, wanted: unknown, path: string): string | undefined {
  if (Object.is(found, wanted)) return undefined;
  if (typeof found === 'object' && typeof wanted === 'object' && found !== null && wanted !== null) {
    const a = new Map<string, unknown>(Object.entries(found));
    const b = new Map<string, unknown>(Object.entries(wanted));
    for (const key of new Set([...a.keys(), ...b.keys()])) {
      const difference = firstDifference(a.get(key), b.get(key), path === '' ? key : `${path}.${key}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  return `${path} is ${shown(found)} in the folder, ${shown(wanted)} now`;
}

/** @returns why a stored run cannot be continued as another, naming the first difference, or undefined when it can */
export function describeDifference(stored: RunIdentity, wanted: RunIdentity): string | undefined {
  const identity = ({ scenario, seed, selected, backend }: RunIdentity): unknown =>
    JSON.parse(JSON.stringify({ backend: { name: backend.name, adapter: backend.adapter }, seed, selected, scenario }));
  return firstDifference(identity(stored), identity(wanted), '');
}

export interface RunFolderOptions {
  readonly identity: RunIdentity;
  readonly versions: Readonly<Record<string, string>>;
  /** The clock. */
  readonly now: () => Date;
  /** The run to continue: what it has of cycles before `nextCycle` is kept. */
  readonly continued?: { readonly stored: StoredRun; readonly nextCycle: number };
  /** Kernels that were added up elsewhere; those that the experiment tells of come after them. */
  readonly kernels?: StoredKernels;
}

/** What is known of the kernels before a cycle, which is done again with those after it. */
function kernelsBefore({ stored: { kernels }, nextCycle }: NonNullable<RunFolderOptions['continued']>): StoredKernels {
  const again = kernels.records.filter(({ cycle }) => cycle >= nextCycle);
  return {
    ...kernels,
    records: kernels.records.filter(({ cycle }) => cycle < nextCycle),
    totals: removeTimings(kernels.totals, again, new Set(again.map(({ cycle }) => cycle)).size),
  };
}

/** Opens a folder for a run that begins, or goes on. Nothing is written before the first `save`. */
export function createRunFolder(storage: Storage, options: RunFolderOptions): RunFolder {
  const { identity, versions, now, continued } = options;
  const before = (cycle: number): boolean => continued !== undefined && cycle < continued.nextCycle;
  const rows = continued?.stored.rows.filter((row) => before(row.cycle)) ?? [];
  const earlierKernels = options.kernels ?? (continued ? kernelsBefore(continued) : NO_STORED_KERNELS);
  const records = [...earlierKernels.records];
  const { nx, ny } = identity.scenario.grid;
  const place = { backend: identity.backend.name, grid: [nx, ny], ceilings: earlierKernels.ceilings } as const;
  const kernelLog = createKernelLog(place, earlierKernels.totals);
  const earlier = continued?.stored.record;
  const opened = now().toISOString();
  let record: RunRecord = {
    format: 1,
    state: 'running',
    ...identity,
    versions,
    methods: earlier?.methods ?? [],
    variables: earlier?.variables ?? [],
    cycles: identity.scenario.experiment.cycles,
    completedCycles: continued?.nextCycle ?? 0,
    start: earlier?.start ?? opened,
    end: opened,
    resumed: earlier ? [...earlier.resumed, opened] : [],
    warnings: earlier?.warnings ?? [],
  };

  const writeAll = async (change: Partial<RunRecord>, checkpoint?: Checkpoint): Promise<void> => {
    record = { ...record, ...change, end: now().toISOString() };
    // A kernel's time may come in a cycle late, so the cycle in progress and the one before stay open while it runs.
    const open = record.state === 'running' ? record.completedCycles - 1 : Infinity;
    records.push(...kernelLog.take(open));
    // A cycle that was given up half-way has rows of some methods only.
    const complete = rows.filter(({ cycle }) => cycle < record.completedCycles);
    await storage.writeWhole(DIAGNOSTICS, formatDiagnostics(record.variables, complete));
    await writeKernels(storage, { records, totals: kernelLog.totals, ceilings: kernelLog.ceilings });
    if (checkpoint) await writeCheckpoint(storage, checkpoint);
    await storage.writeWhole(RECORD, `${JSON.stringify(record, null, 2)}\n`);
  };

  return {
    get record() {
      return record;
    },
    rows,
    listen(event) {
      switch (event.type) {
        case 'start':
          record = { ...record, methods: event.methods, variables: event.variables, cycles: event.cycles };
          break;
        case 'diagnostics':
          rows.push(event.diagnostics);
          break;
        case 'ceilings': {
          const { type: _type, ...ceilings } = event;
          kernelLog.compareWith(ceilings);
          break;
        }
        case 'kernel':
          kernelLog.add(event.cycle, event.sample);
          break;
        case 'warning':
          if (!record.warnings.includes(event.message)) {
            record = { ...record, warnings: [...record.warnings, event.message] };
          }
          break;
        case 'cycle':
          record = { ...record, completedCycles: event.cycle + 1 };
          break;
        case 'forecast':
        case 'analysis':
        case 'end':
          break;
        default:
          event satisfies never;
      }
    },
    save: (checkpoint) => writeAll({}, checkpoint),
    finish: (state, reason) => writeAll(reason === undefined ? { state } : { state, reason }),
  };
}
