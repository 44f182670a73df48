/** Puts the stored states of an opened run folder behind its run on screen; what is wrong with them is reported, and the run stays. */
import { effect } from '@preact/signals';
import { describeProblem, ScenarioError } from '../../../engine/index.ts';
import type { Checkpoint, MethodDivergence, RunRecord } from '../../../engine/index.ts';
import type { Notices } from '../../page/notices.ts';
import type { RunCourse } from '../../document/run/run-course.ts';
import { skippedText } from '../../document/run/stored-cycles.ts';
import { PlaybackEnded } from '../../document/run/recorded-cycles.ts';
import type { OpenPlayback, PlaybackFolder } from './open-playback.ts';

const UNREADABLE = 'Stored cycles cannot be read';
const WRONG_STATES = 'The stored cycles cannot be shown';
/** Cycles that a notice names. */
const MOST_LINES = 5;

/** The run that is on screen. */
export interface PlayedRun {
  readonly fields: RunRecord['fields'];
  readonly divergences: readonly MethodDivergence[];
  /** Where it continues. */
  readonly checkpoint: Pick<Checkpoint, 'cycle'> | undefined;
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof ScenarioError) return error.problems.map(describeProblem);
  return [error instanceof Error ? error.message : String(error)];
}

/** @returns reports cycles that cannot be read, all of them in one notice */
function createTeller({ notify, dismissTitled }: Notices): (cycle: number, error: unknown) => void {
  const lines: string[] = [];
  return (cycle, error) => {
    const [line] = linesOf(error);
    lines.push(line.includes(`cycle ${cycle}`) ? line : `Cycle ${cycle}: ${line}`);
    dismissTitled(UNREADABLE);
    const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [];
    notify('error', UNREADABLE, {
      lines: [...lines.slice(0, MOST_LINES), ...more, 'Playing and steps pass over them.'],
    });
  };
}

/** Resolves when the run has something to show, or another took its place. */
function ready({ history, runNumber }: RunCourse): Promise<void> {
  const run = runNumber.peek();
  return new Promise((resolve) => {
    const end = effect(() => {
      if (history.value.snapshots.length === 0 && runNumber.value === run) return;
      resolve();
      // Not before `end` is there.
      queueMicrotask(() => end());
    });
  });
}

/** @param folder undefined where it has no file of states */
export async function playFolder(
  folder: PlaybackFolder | undefined,
  { fields, divergences, checkpoint }: PlayedRun,
  course: RunCourse,
  notices: Notices,
  open: OpenPlayback,
): Promise<void> {
  const { recorded, runNumber, cycle, followNewest, newestCycle, showCycle } = course;
  notices.dismissTitled(UNREADABLE);
  notices.dismissTitled(WRONG_STATES);
  if (!fields) return;
  const run = runNumber.peek();
  const refuse = (lines: readonly string[]): void => {
    const shown = checkpoint ? 'The run is shown as its checkpoint has it.' : 'The run is shown by its charts.';
    notices.notify('error', WRONG_STATES, { lines: [...lines, shown] });
  };
  if (!folder) {
    refuse(['fields.nc: there is no such file, though run.json says that the states of cycles were kept.']);
    return;
  }
  try {
    const playback = await open(folder, new Map(divergences.map((each) => [each.method, each.cycle])));
    if (runNumber.peek() !== run) {
      playback?.close();
      return;
    }
    // A run that continues computes what comes after its checkpoint again.
    const cycles = playback?.cycles.filter((each) => each < (checkpoint?.cycle ?? Infinity)) ?? [];
    if (!playback || cycles.length === 0) {
      playback?.close();
      return;
    }
    const tell = createTeller(notices);
    recorded.attach({
      ...playback,
      cycles,
      every: fields.every,
      onFailure(of, error) {
        if (!(error instanceof PlaybackEnded)) {
          tell(of, error);
          return;
        }
        recorded.clear();
        showCycle(cycle.peek());
        refuse([error.message]);
      },
    });
    const skipped = skippedText({ file: playback.file, every: fields.every });
    if (skipped !== undefined) {
      const count = cycles.length === 1 ? 'One stored cycle' : `${cycles.length} stored cycles`;
      notices.notify('information', `${count} can be played`, { lines: [`${skipped}.`] });
    }
    void ready(course).then(() => {
      if (runNumber.peek() !== run) return;
      const last = cycles[cycles.length - 1];
      // Where the checkpoint is of no use here the run would begin again: what was last is shown.
      const isBehind = newestCycle.peek() < last;
      if (isBehind) followNewest.value = false;
      // Else what of the cycle on screen the checkpoint does not have: its forecast, and its observations.
      showCycle(isBehind ? last : cycle.peek());
    });
  } catch (error) {
    if (runNumber.peek() === run) refuse(linesOf(error));
  }
}
