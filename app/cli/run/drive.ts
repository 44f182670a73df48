/**
 * The loop around an experiment: cycle after cycle until the end or until it is asked to stop, with a checkpoint every so
 * often. It knows nothing of files or terminals, and runs in the main thread or in a worker.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { createExperiment, measureCeilings } from '../../../engine/index.ts';
import type { Backend, Checkpoint, ExperimentEvent, Scenario, ScenarioFiles } from '../../../engine/index.ts';

/**
 * At least this often, so that little is lost when the machine goes down; in the beginning more often, so that it is never
 * more than half of what was done.
 */
const CHECKPOINT_MILLISECONDS = 10_000;
const FIRST_CHECKPOINT_MILLISECONDS = 1000;
/** A cycle that takes this long is worth a checkpoint of its own: stopping in the next one then loses nothing complete. */
const LONG_CYCLE_MILLISECONDS = 300;
/** Between checkpoints passes at least so many times what the last one took: saving takes a small share of a run's time. */
const LEAST_TIME_IN_CHECKPOINTS = 20;
/** However long the last one took: a disk may have been busy with something else. */
const LONGEST_INTERVAL_MILLISECONDS = 300_000;

export interface DriveJob {
  readonly scenario: Scenario;
  readonly files: ScenarioFiles;
  /** Labels of the methods to run; all when left out. */
  readonly methods?: readonly string[];
  readonly checkpoint?: Checkpoint;
}

export interface DriveListener {
  event(event: ExperimentEvent): void;
  /** Called between cycles; the loop goes on when it has returned. */
  checkpoint(checkpoint: Checkpoint): void | Promise<void>;
}

/** @returns whether the run came to its end. @throws DivergenceError */
export async function drive(
  backend: Backend,
  { scenario, files, methods, checkpoint }: DriveJob,
  listener: DriveListener,
  signal: AbortSignal,
): Promise<'complete' | 'stopped'> {
  listener.event({ type: 'ceilings', ...(await measureCeilings(backend)) });
  const experiment = await createExperiment(backend, scenario, {
    files,
    ...(methods && { methods }),
    ...(checkpoint && { checkpoint }),
    listener: (event) => listener.event(event),
  });
  try {
    const begun = performance.now();
    let saved = begun;
    let savedCycle = checkpoint?.cycle ?? -1;
    let taken = 0;
    const save = async (): Promise<void> => {
      const begin = performance.now();
      await listener.checkpoint(await experiment.checkpoint());
      saved = performance.now();
      taken = saved - begin;
      savedCycle = experiment.nextCycle;
    };
    while (experiment.nextCycle < experiment.cycles) {
      const begin = performance.now();
      await experiment.step();
      // Lets signals and messages in, which promises alone do not.
      await turn();
      if (signal.aborted) break;
      const now = performance.now();
      const interval = Math.min(CHECKPOINT_MILLISECONDS, Math.max(FIRST_CHECKPOINT_MILLISECONDS, saved - begun));
      const isDue = now - begin > LONG_CYCLE_MILLISECONDS || now - saved > interval;
      const least = Math.min(LONGEST_INTERVAL_MILLISECONDS, LEAST_TIME_IN_CHECKPOINTS * taken);
      if (isDue && now - saved > least) await save();
    }
    if (savedCycle !== experiment.nextCycle) await save();
    return experiment.nextCycle < experiment.cycles ? 'stopped' : 'complete';
  } finally {
    experiment.dispose();
  }
}
