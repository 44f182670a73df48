/**
 * The stored states of an opened run folder, read beside the page and put behind its run on screen; what is wrong with them is
 * reported, and the run stays. The file may be anybody's: HDF5 is read in a worker of its own (`engine/guard`), and the one that
 * asks there is ended where it makes no progress; nothing goes with it but what was waited for.
 */
import { reasonOf, type Notices } from '../../page/notices.ts';
import { effect } from '@preact/signals';
import {
  describeProblem,
  ScenarioError,
  createWatch,
  FIELDS_FILE,
  FileLostError,
  hdf5Seconds,
  startService,
  type Checkpoint,
  type MethodDivergence,
  type RunRecord,
  type ServicePort,
  type Snapshot,
  type StoredCell,
} from '../../../engine/index.ts';
import type { RunCourse } from '../../document/run/run-course.ts';
import { skippedText } from '../../document/run/run-times.ts';
import { PlaybackEnded } from '../../document/run/recorded-cycles.ts';
import type { OpenedFolder } from '../../host/host.ts';
import { workerPort } from '../../workers/worker-port.ts';
import { answerPart, sizesOf } from '../reading/parts.ts';
import type { PlaybackCommands, PlaybackEvent, PlaybackSource, StoredStates } from './playback-service.ts';
import { type Laboratory, slot } from '../../page/laboratory.ts';

/** How long the worker may take without a sign of life beside what HDF5 may, seconds: what is left to it is copying of planes. */
const PATIENCE_SECONDS = 30;

/** The states of cycles in a file. */
interface Playback extends StoredStates {
  /** Name of the file. */
  readonly file: string;
  /** Rejects with what is wrong with the file, or with `PlaybackEnded`. */
  read(cycle: number): Promise<Snapshot>;
  /** Truth, means and members at cells, index y·nx + x. Rejects as `read`. */
  readCells(cycle: number, cells: readonly number[]): Promise<readonly StoredCell[]>;
  /** Ends the worker. */
  close(): void;
}

/** The parts of a folder that are kept to read its states. */
type PlaybackFolder = Pick<PlaybackSource, 'files'> & Pick<OpenedFolder, 'parted'>;

const SMALL_FILES = ['run.json', 'checkpoint.json'];

/** @returns what is needed of a folder to play it, in memory of its own: the rest may be given away; undefined without states */
export function playbackFolder({ files, parted }: OpenedFolder): PlaybackFolder | undefined {
  if (Object.keys(parted).length === 0) return undefined;
  const small = SMALL_FILES.flatMap((name) =>
    Object.hasOwn(files, name) ? [[name, files[name].slice()] as const] : [],
  );
  return { files: Object.fromEntries(small), parted };
}

function startWorker(): ServicePort<PlaybackCommands, PlaybackEvent> {
  return workerPort(
    new Worker(new URL('./playback-worker.ts', import.meta.url), { type: 'module', name: 'shoal playback' }),
  );
}

interface PlaybackOptions {
  readonly start?: () => ServicePort<PlaybackCommands, PlaybackEvent>;
  readonly patienceSeconds?: number;
}

/**
 * @returns the stored states; undefined where the run kept none
 * @throws ScenarioError, CaseError where the file is broken or of another run, naming file and place; PlaybackEnded where reading
 *   it comes to no end
 */
export async function openPlayback(
  { files, parted }: PlaybackFolder,
  divergedAt: PlaybackSource['divergedAt'],
  { start = startWorker, patienceSeconds = PATIENCE_SECONDS }: PlaybackOptions = {},
): Promise<Playback | undefined> {
  // If there are both it is read from.
  const file = Object.hasOwn(parted, FIELDS_FILE) ? FIELDS_FILE : Object.keys(parted).join(', ');
  let waiting = 0;

  const end = (error: Error): void => {
    watch.run(false);
    service.end(error);
  };
  // If HDF5 does not return, it is ended, and the reader reports it.
  const seconds = patienceSeconds + hdf5Seconds(Math.max(...Object.values(parted).map(({ size }) => size)));
  const watch = createWatch(seconds, () => {
    const why = `${file}: reading it made no progress for ${Math.round(seconds)} s and was ended; the file may be damaged`;
    end(new PlaybackEnded(why));
  });
  /** The worker has answered, or an answer is expected. */
  const hear = (): void => {
    watch.progress();
    watch.run(waiting > 0);
  };
  const service = startService<PlaybackCommands, PlaybackEvent>(
    start(),
    (event) => {
      hear();
      if (event === 'alive') return;
      // A disk that is slow is no fault of the worker.
      watch.run(false);
      void answerPart(event, parted).then((answer) => {
        hear();
        service.send('part', answer);
      });
    },
    (error) => end(new PlaybackEnded(`${file}: ${error.message}`)),
  );
  const waitFor = async <Result>(called: Promise<Result>): Promise<Result> => {
    waiting += 1;
    hear();
    try {
      return await called;
    } catch (error) {
      if (!(error instanceof FileLostError)) throw error;
      const lost = new PlaybackEnded(error.message);
      end(lost);
      throw lost;
    } finally {
      waiting -= 1;
      hear();
    }
  };

  try {
    const found = await waitFor(service.call('open', { files, sizes: sizesOf(parted), divergedAt }));
    if (found) {
      return {
        ...found,
        file,
        read: (cycle) => waitFor(service.call('snapshot', cycle)),
        readCells: (cycle, cells) => waitFor(service.call('cells', { cycle, cells })),
        close: () => end(new PlaybackEnded('the run is on screen no more')),
      };
    }
  } catch (error) {
    end(new PlaybackEnded('it was not opened'));
    throw error;
  }
  end(new PlaybackEnded('there is nothing to read'));
  return undefined;
}

export type OpenPlayback = (...parameters: Parameters<typeof openPlayback>) => Promise<Playback | undefined>;

/** @returns what reads the stored states of opened runs for a page */
export const openPlaybackOf = slot<Laboratory, OpenPlayback>(() => openPlayback);

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
  return [reasonOf(error)];
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
