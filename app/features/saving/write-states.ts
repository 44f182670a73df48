/** The states of a run as files: computed again, held against what the run gave, and written in a worker as they come. */
import { hostPlanesOf, memoryOf, startService } from '../../../engine/index.ts';
import type { CycleDiagnostics, RowDifference, RunRecord, ServicePort } from '../../../engine/index.ts';
import { workerPort } from '../../workers/worker-port.ts';
import { cyclesDone } from '../../document/run/save-run.ts';
import type { StoredResults } from '../../document/run/save-run.ts';
import { recompute } from './recompute.ts';
import type { OpenHeadless } from './recompute.ts';
import type { SavingCommands, ScratchNames, WrittenStates } from './saving-service.ts';
import type { ScratchRoom } from './scratch.ts';

/** What it is done with. */
export interface WritingParts {
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

export interface StatesOfRun {
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
export async function writeStates(
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
