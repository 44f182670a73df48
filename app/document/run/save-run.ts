/** The run on screen as a run folder, like the one that `shoal run` writes: it can be opened, compared and continued. */
import {
  createMemoryStorage,
  createRunFolder,
  recordOf,
  removeTimings,
  warningsOf,
  warningTexts,
  type Ceilings,
  type Checkpoint,
  type CycleDiagnostics,
  type EarlierKernels,
  type MethodDivergence,
  type RunFolder,
  type RunRecord,
  type StoredTrace,
} from '../../../engine/index.ts';
import type { PageRunInfo } from './page-run.ts';
import type { StoredRunKernels } from './run-kernels.ts';
import type { RunTimes } from './run-times.ts';
import type { RunFailure } from './run-course.ts';
import { nextTask } from '../../page/render-pace.ts';
import { versionsHere } from '../../page/versions-here.ts';

export interface StoredResults {
  readonly info: PageRunInfo;
  readonly diagnostics: ReadonlyMap<string, readonly CycleDiagnostics[]>;
  readonly kernels: Pick<StoredRunKernels, 'totals' | 'recent'>;
  readonly trace: StoredTrace;
  /** What the kernels are measured against, where it is known. */
  readonly ceilings: Ceilings | undefined;
  readonly checkpoint: Checkpoint | undefined;
  /** What the scenario names, by name. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly times: RunTimes;
  /** Methods that diverged and were omitted. */
  readonly divergences: readonly MethodDivergence[];
  /** Warnings of the run that was computed here. */
  readonly warnings?: readonly string[];
  /** Why the run cannot continue. */
  readonly failure: RunFailure | undefined;
}

function earlierKernels({ info, kernels: { totals, recent }, ceilings }: StoredResults): EarlierKernels {
  const { nx, ny } = info.scenario.grid;
  const place = { backend: info.backend.name, grid: [nx, ny], ceilings } as const;
  const timings = recent.flatMap((each) => each.timings);
  return {
    records: recent.flatMap((each) => each.timings.map((timing) => recordOf(each.cycle, timing, place))),
    unrecorded: removeTimings(totals, timings, recent.length),
    totals,
    ceilings,
  };
}

type Done = Pick<StoredResults, 'diagnostics' | 'checkpoint'>;

/** @returns cycles that were done, counted from the first of the run */
export function cyclesDone({ diagnostics, checkpoint }: Done): number {
  const last = Math.max(-1, ...[...diagnostics.values()].flatMap((rows) => rows.at(-1)?.cycle ?? []));
  return last >= 0 ? last + 1 : (checkpoint?.cycle ?? 0);
}

/** Writes the completed cycles to the folder. @returns how many there are */
function replay(folder: RunFolder, results: StoredResults): number {
  const { cycles } = results.info;
  const rows = [...results.diagnostics.values()].flat().sort((a, b) => a.cycle - b.cycle);
  const done = cyclesDone(results);
  for (const row of rows) folder.listen({ type: 'diagnostics', diagnostics: row });
  // A run that continues after its page broke down has no rows of the cycles before.
  if (done > 0) folder.listen({ type: 'cycle', cycle: done - 1, cycles });
  return done;
}

/** States that are stored beside it, which the record mentions. */
type WrittenStates = NonNullable<Parameters<typeof createRunFolder>[1]['written']>;

/** @returns the folder's record, and its files by name; without the states. Written in several tasks, so that nobody waits for it */
export async function runFolderOf(
  results: StoredResults,
  written?: WrittenStates,
): Promise<{ readonly record: RunRecord; readonly files: Readonly<Record<string, Uint8Array>> }> {
  const { info, diagnostics, checkpoint, files, times, failure } = results;
  const { scenario, methods, cycles } = info;
  const backend = { name: info.backend.name, adapter: info.backend.adapter };
  const storage = createMemoryStorage();
  const folder = createRunFolder(storage, {
    identity: { scenario, seed: scenario.seed, backend },
    versions: versionsHere(),
    now: () => new Date(times.end),
    kernels: earlierKernels(results),
    trace: results.trace,
    scenarioFiles: (name) => Promise.resolve(files[name]),
    history: times,
    ...(written && { written }),
  });
  await folder.begin();
  folder.listen({
    type: 'start',
    scenario: scenario.name,
    seed: scenario.seed,
    backend,
    methods,
    variables: Object.keys([...diagnostics.values()][0]?.[0]?.rmse.analysis ?? { h: 0 }),
    cycles,
    firstCycle: 0,
    memoryBytes: info.memoryBytes,
  });
  const ofSettings = warningTexts(warningsOf(scenario));
  for (const message of [...ofSettings, ...(results.warnings ?? [])]) folder.listen({ type: 'warning', message });
  for (const divergence of results.divergences) folder.listen({ type: 'diverged', ...divergence });
  await nextTask();
  const done = replay(folder, results);
  // One that is ahead of the rows could not be continued from.
  await folder.save(checkpoint && checkpoint.cycle <= done ? checkpoint : undefined);
  await nextTask();
  if (failure) await folder.finish(failure.diverged ? 'diverged' : 'failed', failure.message);
  else await folder.finish(done === cycles ? 'complete' : 'stopped');
  return { record: folder.record, files: Object.fromEntries(storage.files) };
}

/** @returns the folder's files by name */
export async function runFolderFiles(results: StoredResults): Promise<Readonly<Record<string, Uint8Array>>> {
  return (await runFolderOf(results)).files;
}
