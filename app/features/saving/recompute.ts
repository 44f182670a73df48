/** A run of the page once more from its beginning, beside it and on the same backend, which gives the same bits: for its states. */
import { createHostPlanes } from '../../../engine/index.ts';
import type { BackendName, CycleDiagnostics, Run, RunJob, RunRecord, Snapshot } from '../../../engine/index.ts';
import type { OpenRun } from '../../document/run/page-run.ts';

/** Opens a run that nobody looks at: its planes come as numbers in memory. */
export type OpenHeadless = (...asked: Parameters<OpenRun>) => Pick<Run, 'play' | 'dispose'>;

export interface RunToRepeat {
  readonly job: Pick<RunJob, 'scenario' | 'files' | 'source'>;
  readonly backend: BackendName;
  /** To the beginning of this cycle, which is not computed. */
  readonly until: number;
  readonly fields: NonNullable<RunRecord['fields']>;
}

/** The receiver of the results, cycle by cycle; the run waits if it is behind. What it rejects with ends the run. */
export interface Takes {
  states(snapshot: Snapshot): Promise<void>;
  rows(cycle: number, rows: readonly CycleDiagnostics[]): Promise<void>;
}

/**
 * Resolves when all was taken.
 *
 * @throws what the run fails with, or whoever takes; the signal's reason
 */
export async function recompute(
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
