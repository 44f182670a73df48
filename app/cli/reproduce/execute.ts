/** Runs a bundle's scenario as far as its rows go. */
import { AllDivergedError, DivergenceError } from '../../../engine/index.ts';
import type { Backend, Bundle, Checkpoint, CycleDiagnostics, RunEvent } from '../../../engine/index.ts';
import { listenForInterruption } from '../run/interruption.ts';
import { createProgress } from '../run/progress.ts';
import { selectMethods } from '../run/select-methods.ts';
import { startRun } from '../run/start-run.ts';
import type { BackendPlace } from '../select-backend.ts';
import type { Terminal } from '../terminal.ts';

export interface BundleRun {
  /** Undefined where it was stopped. */
  readonly rows: readonly CycleDiagnostics[] | undefined;
  /** Where it began. */
  readonly start: Checkpoint;
}

/** @param checkpoint to begin with; the scenario's own beginning if omitted */
export async function runBundle(
  terminal: Terminal,
  place: BackendPlace,
  backend: Backend,
  { record, parsed: { scenario }, files }: Bundle,
  source: string,
  checkpoint?: Checkpoint,
): Promise<BundleRun> {
  const rows: CycleDiagnostics[] = [];
  const progress = createProgress(terminal);
  const event = (each: RunEvent): void => {
    if (each.type === 'ready' || each.type === 'states' || each.type === 'failed') return;
    progress.listen(each);
    if (each.type === 'warning') terminal.note(`warning: ${each.message}`);
    if (each.type === 'diverged') terminal.note(each.message);
    if (each.type === 'diagnostics') rows.push(each.diagnostics);
  };
  const methods = selectMethods(scenario, record.selected);
  const job = { scenario, files, source, methods, checkpoint, misfit: 'refuse' } as const;
  const run = startRun(place, backend, job, { observers: [{ event }] });
  const interruption = listenForInterruption(() => {
    progress.end();
    terminal.warn('stopping …');
    run.stop();
  });
  try {
    await run.ready;
    const start = await run.ask({ kind: 'checkpoint' });
    try {
      const outcome = await Promise.race([run.play(record.completedCycles), interruption.outOfPatience]);
      const stopped = outcome === 'out-of-patience' || interruption.requested;
      return { rows: stopped ? undefined : rows, start };
    } catch (error) {
      // Its rows end where those of the bundle end, or differ there.
      if (error instanceof DivergenceError || error instanceof AllDivergedError) return { rows, start };
      throw error;
    }
  } finally {
    progress.end();
    interruption.dispose();
    run.dispose();
  }
}
