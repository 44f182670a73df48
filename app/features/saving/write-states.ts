/**
 * A run of the page saved with the states of its cycles. The page keeps few of them, so that the run is computed again beside it:
 * that needs no foresight, takes nothing of a cycle, and as much memory as another such run.
 */
import {
  FIELDS_FILE,
  NETCDF_FILE,
  type RunRecord,
  hostPlanesOf,
  memoryOf,
  startService,
  createHostPlanes,
  type CycleDiagnostics,
  type RowDifference,
  type ServicePort,
  type BackendName,
  type Run,
  type RunJob,
  type Snapshot,
} from '../../../engine/index.ts';
import type { NamedFolder } from '../../host/host.ts';
import { attempt } from '../../page/notices.ts';
import { formatBytes } from '../../format/numbers.ts';
import { type Laboratory, slot } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { cyclesDone, runFolderOf, type StoredResults } from '../../document/run/save-run.ts';
import type { ScratchNames, SavingCommands, WrittenStates } from './saving-service.ts';
import { workerPort } from '../../workers/worker-port.ts';
import type { OpenRun } from '../../document/run/page-run.ts';
import { removeScratch, scratchRoom, sweepScratch, type ScratchRoom } from './scratch.ts';

/** What runs are saved with their states by: where they are computed again, and where the page keeps what is not saved yet. */
export interface SavingParts extends WritingParts {
  /** What the page has room for. */
  readonly room: () => Promise<ScratchRoom>;
  /** Removes files of the page's own storage. */
  readonly remove: (names: readonly string[]) => Promise<void>;
  /** Removes those that pages have left that are gone. */
  readonly sweep: () => Promise<void>;
}

/** @returns the parts of a page */
export function savingParts(openHeadless: WritingParts['openHeadless']): SavingParts {
  return { openHeadless, room: scratchRoom, remove: removeScratch, sweep: () => sweepScratch() };
}

/** Runs cannot be saved with their states if a page is given nothing else. */
export function createSavingOf(): SavingParts | undefined {
  return undefined;
}

/** @returns what runs of a page are saved with their states by */
export const savingOf = slot<Laboratory, SavingParts | undefined>(createSavingOf);

/** Opens a run that nobody looks at: its planes come as numbers in memory. */
export type OpenHeadless = (...asked: Parameters<OpenRun>) => Pick<Run, 'play' | 'dispose'>;

interface RunToRepeat {
  readonly job: Pick<RunJob, 'scenario' | 'files' | 'source'>;
  readonly backend: BackendName;
  /** To the beginning of this cycle, which is not computed. */
  readonly until: number;
  readonly fields: NonNullable<RunRecord['fields']>;
}

/** The receiver of the results, cycle by cycle; the run waits if it is behind. What it rejects with ends the run. */
interface Takes {
  states(snapshot: Snapshot): Promise<void>;
  rows(cycle: number, rows: readonly CycleDiagnostics[]): Promise<void>;
}

/**
 * Resolves when all was taken.
 *
 * @throws what the run fails with, or whoever takes; the signal's reason
 */
async function recompute(
  open: OpenHeadless,
  { job, backend, until, fields }: RunToRepeat,
  take: Takes,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    AbortSignal.any([signal, ending.signal]).addEventListener('abort', ({ currentTarget }) =>
      reject((currentTarget as AbortSignal).reason as Error),
    );
  });
  ended.catch(() => undefined);
  /** What was taken last, one after the other. */
  let taking: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    taking = taking.then(work);
    taking.catch((error: unknown) => ending.abort(error));
    return taking;
  };
  let rows: CycleDiagnostics[] = [];
  const run = open(
    backend,
    { ...job, misfit: 'refuse' },
    {
      planesOf: createHostPlanes,
      observers: [
        {
          event(event) {
            if (event.type === 'diagnostics') rows.push(event.diagnostics);
            if (event.type === 'failed') ending.abort(event.error);
            if (event.type !== 'cycle') return;
            const ofCycle = rows;
            rows = [];
            void inTurn(() => take.rows(event.cycle, ofCycle));
          },
        },
      ],
      writers: [
        {
          schedule: { kind: 'multiples', of: fields.every },
          prepare: 'states',
          ...(fields.members && { members: fields.members }),
          waits: 'behind',
          atEnd: true,
          commit: (snapshot) => inTurn(() => take.states(snapshot)),
        },
      ],
    },
  );
  try {
    await Promise.race([run.play(until), ended]);
    await Promise.race([taking, ended]);
  } finally {
    run.dispose();
  }
}

/** What it is done with. */
interface WritingParts {
  readonly openHeadless: OpenHeadless;
  readonly startWorker?: () => ServicePort<SavingCommands>;
}

function startHere(): ServicePort<SavingCommands> {
  return workerPort(
    new Worker(new URL('./saving-worker.ts', import.meta.url), { type: 'module', name: 'shoal saving' }),
  );
}

/** Computed again, the run came out otherwise. */
class OtherRunError extends Error {
  override readonly name = 'OtherRunError';

  constructor({ method, cycle, column, expected = 'nothing', found = 'nothing' }: RowDifference) {
    const what = column === undefined ? '' : ` ${column}`;
    super(
      `Computed again, the run is another one from cycle ${cycle} on: ${method}${what} was ${expected} and is ${found}. ` +
        'States of it would not be those of this run, so that nothing was written. A run that was opened may be of another ' +
        'machine or version: restart it here, and save that; or save it as a folder, without states.',
    );
  }
}

/** Rows of all methods by cycle. */
function byCycle(diagnostics: StoredResults['diagnostics']): ReadonlyMap<number, readonly CycleDiagnostics[]> {
  const found = new Map<number, CycleDiagnostics[]>();
  for (const row of [...diagnostics.values()].flat()) {
    const rows = found.get(row.cycle);
    if (rows) rows.push(row);
    else found.set(row.cycle, [row]);
  }
  return found;
}

interface StatesOfRun {
  readonly results: StoredResults;
  /** As its folder will have it: it says which states are kept. */
  readonly record: RunRecord;
  readonly names: ScratchNames;
  readonly room: ScratchRoom['kind'];
}

/**
 * @param update called with the share that is done
 * @throws OtherRunError; what the run fails with, or who writes; the signal's reason
 */
async function writeStates(
  { openHeadless, startWorker = startHere }: WritingParts,
  { results, record, names, room }: StatesOfRun,
  update: (share: number) => void,
  signal: AbortSignal,
): Promise<WrittenStates> {
  const { info, files, diagnostics } = results;
  const { fields } = record;
  if (!fields) throw new RangeError('the record says of no states');
  const until = cyclesDone(results);
  const rows = byCycle(diagnostics);
  const service = startService<SavingCommands>(startWorker());
  try {
    await service.call('open', { ground: { record, bed: info.basin.bed }, names, room });
    await recompute(
      openHeadless,
      {
        // What leaves the run is no part of it.
        job: { scenario: { ...info.scenario, branches: [] }, files, source: info.scenario.name },
        backend: info.backend.name,
        until,
        fields,
      },
      {
        states: (snapshot) => service.call('add', snapshot, memoryOf(hostPlanesOf(snapshot))),
        async rows(cycle, again) {
          const known = rows.get(cycle) ?? [];
          const difference = await service.call('rows', { variables: record.variables, known, again });
          if (difference) throw new OtherRunError(difference);
          update((cycle + 1) / until);
        },
      },
      signal,
    );
    return await service.call('finish', undefined);
  } finally {
    service.end();
  }
}

/**
 * @returns all that the page has of the run on screen, as its folder has it; undefined where another run was started in the
 * meantime
 */
export async function gatherResults(
  { progress: { beginWork } }: Pick<Laboratory, 'progress'>,
  run: RunView,
): Promise<StoredResults | undefined> {
  const {
    controller,
    edits: { branches },
    course: { runNumber, info, allRows, kernels, storedTrace, ceilings, failure, divergences, warnings },
    clock: { runTimes },
  } = run;
  const number = runNumber.value;
  // The checkpoint waits for the cycle that is being computed.
  const work = beginWork('Gathering the run');
  try {
    const { files } = controller;
    const checkpoint = await controller.checkpoint().catch(() => undefined);
    const diagnostics = await allRows();
    const running = info.value;
    if (runNumber.value !== number || !running) return undefined;
    return {
      // What leaves the run is no part of its numbers, so that what computes it knows nothing about it.
      info: { ...running, scenario: { ...running.scenario, branches: [...branches.value] } },
      diagnostics,
      kernels: kernels.value,
      trace: storedTrace(),
      ceilings: ceilings.value,
      checkpoint,
      files,
      times: runTimes(),
      failure: failure.value,
      divergences: divergences.value,
      warnings: warnings.value,
    };
  } finally {
    work.end();
  }
}

/** A browser that saves a file as a download reads it a while longer. */
const HANDED_OVER_MILLISECONDS = 600_000;

const CANCELLED = 'Saving was cancelled';

/** Names that no other page has. */
function scratchNames(hasRecords: boolean): ScratchNames {
  const name = crypto.randomUUID();
  return { netcdf: `${name}.nc`, records: hasRecords ? `${name}.bin` : undefined };
}

/** Writes the folder. @returns bytes of its states */
async function writeFolder(
  { parts, laboratory, folder }: { parts: SavingParts; laboratory: Laboratory; folder: NamedFolder },
  results: StoredResults,
  fields: NonNullable<RunRecord['fields']>,
  cancelling: AbortController,
): Promise<number> {
  const names = scratchNames(cyclesDone(results) < results.info.cycles);
  const used = [names.netcdf, ...(names.records === undefined ? [] : [names.records])];
  let isRead = false;
  try {
    const { record } = await runFolderOf(results, { fields });
    const { kind: room } = await parts.room();
    const writing = laboratory.progress.beginWork('Writing states', () => cancelling.abort(new Error(CANCELLED)));
    const { netcdf, records } = await writeStates(
      parts,
      { results, record, names, room },
      (share) => writing.update(share),
      cancelling.signal,
    ).finally(() => writing.end());
    cancelling.signal.throwIfAborted();
    // From here on it is not given up.
    const { files } = await runFolderOf(results, { fields, records: records?.extent });
    const large = { [NETCDF_FILE]: netcdf, ...(records && { [FIELDS_FILE]: records.content }) };
    const work = laboratory.progress.beginWork('Writing the folder');
    isRead = (await folder.write(files, large).finally(() => work.end())) === 'handed over';
    return netcdf.size;
  } finally {
    if (isRead) setTimeout(() => void parts.remove(used), HANDED_OVER_MILLISECONDS);
    else await parts.remove(used);
  }
}

/** Saves the run on screen as far as it has come; an error is reported, and leaves nothing behind. */
export function saveWithStates(
  laboratory: Laboratory,
  run: RunView,
  fields: NonNullable<RunRecord['fields']>,
): Promise<void> {
  const { host, notices } = laboratory;
  const parts = savingOf(laboratory);
  const running = run.course.info.peek();
  if (!parts || !running) return Promise.resolve();
  return attempt(laboratory, 'Saving the run with its states', async () => {
    const folder = await host.nameFolder(`${running.scenario.name}-${running.scenario.seed}`);
    if (!folder) return;
    const cancelling = new AbortController();
    try {
      void parts.sweep();
      const results = await gatherResults(laboratory, run);
      if (!results) throw new Error('Another run was started meanwhile.');
      const bytes = await writeFolder({ parts, laboratory, folder }, results, fields, cancelling);
      const cycles = Math.floor(cyclesDone(results) / fields.every);
      notices.notify('information', `Saved the run as ${folder.name}`, {
        lines: [
          `With the states of ${cycles === 1 ? 'one cycle' : `${cycles} cycles`} in fields.nc, ${formatBytes(bytes)}.`,
        ],
      });
    } catch (error) {
      if (!cancelling.signal.aborted) {
        // The first error is reported, whatever happens here.
        await folder.abandon().catch(() => undefined);
        throw error;
      }
      await folder.abandon();
      notices.notify('information', CANCELLED, { lines: ['Nothing was written.'] });
    }
  });
}
