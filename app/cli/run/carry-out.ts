/** A run from its first cycle to its end, a signal or an error; the folder is left in a state that is true. */
import { AllDivergedError, changesAt, describeChange, DivergenceError } from '../../../engine/index.ts';
import type { RunFolder, RunState, Scenario } from '../../../engine/index.ts';
import { WriteError } from '../../files/disk.ts';
import type { Terminal } from '../terminal.ts';
import type { DriveListener } from './drive.ts';
import type { EngineHost } from './engine-host.ts';
import type { ClaimedFolder } from './folder.ts';
import { listenForInterruption } from './interruption.ts';
import { createProgress } from './progress.ts';

/** Rows are written when so many cycles wait, whenever the next checkpoint comes: memory does not depend on how fast they are. */
const MOST_WAITING_CYCLES = 500;

export interface Ending {
  readonly state: Exclude<RunState, 'running' | 'failed'>;
  /** Why it ended early, for people. */
  readonly reason?: string;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function editText(scenario: Scenario, cycle: number): string {
  return `cycle ${cycle}: ${changesAt(scenario, cycle)
    .map((change) => describeChange(scenario, change))
    .join(', ')}`;
}

/** Writes rows beside the engine, which goes on meanwhile. */
interface RowWriter {
  /** Writes them when enough are waiting. */
  look(): void;
  /** Rejects when they could not be written; never settles otherwise. */
  readonly failed: Promise<never>;
}

function createRowWriter(folder: RunFolder, assertHeld: () => Promise<void>): RowWriter {
  let isWriting = false;
  let fail: ((error: unknown) => void) | undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Heard of where the run is waited for, if it still is.
  failed.catch(() => undefined);
  const write = async (): Promise<void> => {
    await assertHeld();
    await folder.save();
  };
  return {
    look() {
      if (isWriting || folder.waitingCycles < MOST_WAITING_CYCLES) return;
      isWriting = true;
      void write()
        .catch((error: unknown) => fail?.(error))
        .finally(() => {
          isWriting = false;
        });
    },
    failed,
  };
}

async function untilEnd(
  host: EngineHost,
  outOfPatience: Promise<'out-of-patience'>,
  failed: Promise<never>,
): Promise<Ending> {
  try {
    const outcome = await Promise.race([host.done, outOfPatience, failed]);
    if (outcome !== 'out-of-patience') return { state: outcome };
    await host.abandon();
    return { state: 'stopped' };
  } catch (error) {
    if (!(error instanceof DivergenceError || error instanceof AllDivergedError)) throw error;
    return { state: 'diverged', reason: error.message };
  }
}

/**
 * @param start starts the engine
 * @throws what went wrong, with the run's last state saying so where it can still be written
 */
export async function carryOut(
  terminal: Terminal,
  { absolutePath, lock }: Pick<ClaimedFolder, 'absolutePath' | 'lock'>,
  folder: RunFolder,
  start: (listener: DriveListener) => Promise<EngineHost>,
): Promise<Ending> {
  const { scenario } = folder.record;
  const progress = createProgress(terminal);
  let host: EngineHost | undefined;
  const interruption = listenForInterruption(() => {
    progress.end();
    terminal.warn('stopping …');
    host?.stop();
  });
  const assertHeld = async (): Promise<void> => {
    if (await lock.isHeld()) return;
    const why = 'another process has taken the run over, or its folder was removed';
    throw new WriteError(absolutePath, new Error(why));
  };
  const writer = createRowWriter(folder, assertHeld);
  try {
    await folder.begin();
    host = await start({
      event: (event) => {
        folder.listen(event);
        progress.listen(event);
        if (event.type === 'cycle') writer.look();
        if (event.type === 'warning') terminal.note(`warning: ${event.message}`);
        if (event.type === 'diverged') terminal.warn(event.message);
        if (event.type === 'edited') terminal.note(editText(scenario, event.cycle));
      },
      checkpoint: async (checkpoint) => {
        await assertHeld();
        await folder.save(checkpoint);
      },
    });
    if (interruption.requested) host.stop();
    const ending = await untilEnd(host, interruption.outOfPatience, writer.failed);
    progress.end();
    await assertHeld();
    await folder.finish(ending.state, ending.reason);
    return ending;
  } catch (error) {
    await host?.abandon();
    // What is told is the first thing that went wrong; this one may go wrong for the same reason.
    if (await lock.isHeld()) await folder.finish('failed', messageOf(error)).catch(() => undefined);
    throw error;
  } finally {
    progress.end();
    interruption.dispose();
  }
}
