/** The states of a run as files: computed again, held against what the run gave, and written in a worker as they come. */
import { hostPlanesOf, memoryOf, startService, createHostPlanes } from '../../../engine/index.ts';
import type {
  CycleDiagnostics,
  RowDifference,
  RunRecord,
  ServicePort,
  BackendName,
  Run,
  RunJob,
  Snapshot,
} from '../../../engine/index.ts';
import { workerPort } from '../../workers/worker-port.ts';
import { cyclesDone, type StoredResults } from '../../document/run/save-run.ts';
import type { SavingCommands, ScratchNames, WrittenStates } from './saving-service.ts';
import type { OpenRun } from '../../document/run/page-run.ts';
import { removeScratch, scratchRoom, sweepScratch, type ScratchRoom } from './scratch.ts';
import type { Laboratory } from '../../page/laboratory.ts';

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
export function savingOf(laboratory: Laboratory): SavingParts | undefined {
  return laboratory.use(createSavingOf);
}

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
