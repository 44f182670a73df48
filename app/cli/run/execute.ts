/** A run from its first cycle to its end, a signal or an error; the folder is left in a state that is true. */
import { AllDivergedError, describeInterventions, DivergenceError } from '../../../engine/index.ts';
import type {
  Outcome,
  Run,
  RunEvent,
  RunFolder,
  RunOptions,
  RunState,
  RunWriter,
  Scenario,
} from '../../../engine/index.ts';
import { WriteError } from '../../files/disk.ts';
import type { Terminal } from '../context.ts';
import type { ClaimedFolder } from './folder.ts';
import { listenForInterruption, createProgress, type Progress } from './progress.ts';

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
  return `cycle ${cycle}: ${describeInterventions(scenario, cycle).join(', ')}`;
}

async function untilEnd(playing: Promise<Outcome>, outOfPatience: Promise<'out-of-patience'>): Promise<Ending> {
  try {
    const outcome = await Promise.race([playing, outOfPatience]);
    return { state: outcome === 'out-of-patience' ? 'stopped' : outcome };
  } catch (error) {
    if (!(error instanceof DivergenceError || error instanceof AllDivergedError)) throw error;
    return { state: 'diverged', reason: error.message };
  }
}

/**
 * The folder's writers: states that are kept, checkpoints with all that is complete, and rows. All of them write beside the run,
 * which waits only where one is as far behind as it may be: states by the bytes that wait for the disk, checkpoints by one, rows by
 * twice their cycles.
 */
function writersOf(folder: RunFolder, assertHeld: () => Promise<void>): readonly RunWriter[] {
  const rows: readonly RunWriter[] = [
    {
      schedule: { kind: 'safety' },
      prepare: 'checkpoint',
      waits: false,
      atEnd: true,
      commit: (checkpoint) => folder.save(checkpoint, assertHeld),
    },
    {
      schedule: { kind: 'cycles', every: MOST_WAITING_CYCLES },
      prepare: 'nothing',
      waits: 'behind',
      atEnd: false,
      commit: () => folder.save(undefined, assertHeld),
    },
  ];
  const { fields } = folder.record;
  if (!fields) return rows;
  // Before the checkpoint that records them.
  const states: RunWriter = {
    schedule: { kind: 'multiples', of: fields.every },
    prepare: 'states',
    ...(fields.members && { members: fields.members }),
    // They are taken at once, while few wait for the disk.
    waits: true,
    atEnd: true,
    commit: (snapshot) => folder.keepStates(snapshot),
  };
  return [states, ...rows];
}

/** Takes what the run says into its folder, and reports it to the user. */
function emit(event: RunEvent, folder: RunFolder, progress: Progress, terminal: Terminal): void {
  if (event.type === 'ready' || event.type === 'states' || event.type === 'failed') return;
  folder.listen(event);
  progress.listen(event);
  if (event.type === 'warning') terminal.note(`warning: ${event.message}`);
  if (event.type === 'diverged') terminal.warn(event.message);
  if (event.type === 'edited') terminal.note(editText(folder.record.scenario, event.cycle));
}

/**
 * @param start starts the run
 * @throws what went wrong, with the run's last state saying so where it can still be written
 */
export async function execute(
  terminal: Terminal,
  { absolutePath, lock }: Pick<ClaimedFolder, 'absolutePath' | 'lock'>,
  folder: RunFolder,
  start: (options: RunOptions) => Promise<Run>,
): Promise<Ending> {
  const progress = createProgress(terminal);
  let run: Run | undefined;
  const interruption = listenForInterruption(() => {
    progress.end();
    terminal.warn('stopping …');
    run?.stop();
  });
  const assertHeld = async (): Promise<void> => {
    if (await lock.isHeld()) return;
    const why = 'another process has taken the run over, or its folder was removed';
    throw new WriteError(absolutePath, new Error(why));
  };
  try {
    await folder.begin();
    run = await start({
      observers: [{ event: (event) => emit(event, folder, progress, terminal) }],
      writers: writersOf(folder, assertHeld),
    });
    const playing = run.play();
    if (interruption.requested) run.stop();
    const ending = await untilEnd(playing, interruption.outOfPatience);
    run.dispose();
    progress.end();
    await assertHeld();
    await folder.finish(ending.state, ending.reason);
    return ending;
  } catch (error) {
    run?.dispose();
    // What is reported is the first thing that went wrong; this one may go wrong for the same reason.
    if (await lock.isHeld()) await folder.finish('failed', messageOf(error)).catch(() => undefined);
    throw error;
  } finally {
    progress.end();
    interruption.dispose();
  }
}
