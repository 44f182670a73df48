/** A run folder, as `shoal run` or "Save run as folder" writes it: its scenario, its results, and where it can continue. */
import {
  createBundle,
  cyclesBefore,
  judgeVersions,
  readRun,
  readRunCheckpoint,
  readScenarioCopies,
  ScenarioError,
  type Checkpoint,
  type CycleDiagnostics,
  type KernelRecord,
  type MethodDivergence,
  type ParsedScenario,
  type RunRecord,
  type Storage,
  type StoredTrace,
} from '../../../engine/index.ts';
import { packBundle } from '../../bundle/bundle-file.ts';
import type { RunTimes } from '../../document/run/run-times.ts';
import { folderStorage } from './parts.ts';
import type { KernelCycle, StoredRunKernels } from '../../document/run/run-kernels.ts';
import { versionsHere } from '../../page/versions-here.ts';

export interface OpenedRun {
  /** What the folder says about it; its scenario as it is written there. */
  readonly record: RunRecord;
  readonly parsed: ParsedScenario;
  readonly rows: readonly CycleDiagnostics[];
  readonly divergences: readonly MethodDivergence[];
  readonly kernels: StoredRunKernels;
  /** Trace of the cycles before the one that it continues with. */
  readonly trace: StoredTrace;
  /** Where the run continues; undefined where the folder has none, or none that can be used. */
  readonly checkpoint: Checkpoint | undefined;
  /** What the scenario names, by name. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly times: RunTimes;
  /** What to report: why it begins again, or that its last bits may differ when it continues. */
  readonly remarks: readonly string[];
}

/** What is said of a folder that holds no run. */
export const NO_RUN = 'found no run.json in the folder; a run folder is what "shoal run" writes';

/** Where a run continues, and what to report about it. */
type Continuation = Pick<OpenedRun, 'checkpoint' | 'remarks'>;

/** @param fields those of a run that kept states are played first */
function fromStart(why: string, fields: RunRecord['fields']): Continuation {
  const when = fields ? 'is started again' : 'is played';
  return { checkpoint: undefined, remarks: [`The run restarts when it ${when}: ${why}`] };
}

/** A folder whose checkpoint cannot be used still shows what was found; the run then begins again. */
async function continuationOf(
  storage: Storage,
  { versions, fields }: RunRecord,
  { notes }: ParsedScenario,
): Promise<Continuation> {
  const { refusal, warning } = judgeVersions(versions, versionsHere());
  if (notes.length > 0) return fromStart('its scenario is of an earlier version', fields);
  if (refusal !== undefined) return fromStart(`it was ${refusal}`, fields);
  try {
    const checkpoint = await readRunCheckpoint(storage);
    return { checkpoint, remarks: checkpoint && warning !== undefined ? [`The run is ${warning}`] : [] };
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return fromStart(error.message, fields);
  }
}

function byCycle(records: readonly KernelRecord[]): KernelCycle[] {
  const cycles = new Map<number, KernelRecord[]>();
  for (const record of records) {
    const timings = cycles.get(record.cycle);
    if (timings) timings.push(record);
    else cycles.set(record.cycle, [record]);
  }
  return [...cycles].map(([cycle, timings]) => ({ cycle, timings })).sort((a, b) => a.cycle - b.cycle);
}

/**
 * @param files of the folder, by their paths inside it
 * @returns the run as a bundle, packed
 * @throws Error where the folder holds no run, ScenarioError where it has no complete cycle, or a file is broken
 */
export async function bundleRunFolder(files: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array> {
  const bundled = await createBundle(await folderStorage(files));
  if (!bundled) throw new Error(NO_RUN);
  return packBundle(bundled);
}

/**
 * @param files of the folder, by their paths inside it
 * @throws Error where the folder holds no run, ScenarioError where its scenario is none of this version or a file is broken
 */
export async function readRunFolder(files: Readonly<Record<string, Uint8Array>>): Promise<OpenedRun> {
  const storage = await folderStorage(files);
  const run = await readRun(storage);
  if (!run) throw new Error(NO_RUN);
  const { parsed } = run;
  const named = await readScenarioCopies(storage, { ...run.record, scenario: parsed.scenario });
  const { checkpoint, remarks } = await continuationOf(storage, run.record, parsed);
  const { records, totals, ceilings } = run.kernels;
  const { start, end, resumed } = run.record;
  return {
    record: run.record,
    parsed,
    rows: run.rows,
    divergences: run.record.diverged ?? [],
    kernels: { totals, recent: byCycle(records), ceilings },
    trace: cyclesBefore(run.trace, checkpoint?.cycle ?? 0),
    checkpoint,
    files: named,
    times: { start, end, resumed },
    remarks,
  };
}
