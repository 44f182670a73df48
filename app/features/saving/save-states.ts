/**
 * A run of the page saved with the states of its cycles. The page keeps few of them, so that the run is computed again beside it:
 * that needs no foresight, takes nothing of a cycle, and as much memory as another such run.
 */
import { FIELDS_FILE, NETCDF_FILE, type RunRecord } from '../../../engine/index.ts';
import type { NamedFolder } from '../../host/host.ts';
import { attempt } from '../../page/notices.ts';
import { formatBytes } from '../../format/numbers.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { cyclesDone, runFolderOf, type StoredResults } from '../../document/run/save-run.ts';
import type { ScratchNames } from './saving-service.ts';
import { writeStates, savingOf, type SavingParts } from './write-states.ts';

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
