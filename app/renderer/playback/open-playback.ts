/**
 * The stored states of an opened run folder, read beside the page. The file may be anybody's: a worker that makes no progress is
 * ended, and takes nothing with it but what was waited for.
 */
import { createCaller } from '../../../engine/index.ts';
import type { Snapshot, StoredCell } from '../../../engine/index.ts';
import type { OpenedFolder } from '../../host/host.ts';
import { workerPort } from '../../workers/worker-port.ts';
import { answerPart, sizesOf } from '../reading/parts.ts';
import type {
  PlaybackCommands,
  PlaybackEvent,
  PlaybackSource,
  PlaybackStarterPort,
  StoredStates,
} from './playback-calls.ts';

/** How long the worker may be at something without a sign of life, ms: a plane takes far less on any machine. */
const PATIENCE = 30_000;

/** The states of cycles in a file. */
export interface Playback extends StoredStates {
  /** Name of the file. */
  readonly file: string;
  /** Rejects with what is wrong with the file, or with `PlaybackEnded`. */
  read(cycle: number): Promise<Snapshot>;
  /** Truth, means and members at cells, index y·nx + x. Rejects as `read`. */
  readCells(cycle: number, cells: readonly number[]): Promise<readonly StoredCell[]>;
  /** Ends the worker. */
  close(): void;
}

/** The worker is there no more, and nothing more can be read. */
export class PlaybackEnded extends Error {
  override readonly name = 'PlaybackEnded';
}

/** The parts of a folder that are kept to read its states. */
export type PlaybackFolder = Pick<PlaybackSource, 'files'> & Pick<OpenedFolder, 'parted'>;

const SMALL_FILES = ['run.json', 'checkpoint.json'];

/** @returns what is needed of a folder to play it, in memory of its own: the rest may be given away; undefined without states */
export function playbackFolder({ files, parted }: OpenedFolder): PlaybackFolder | undefined {
  if (Object.keys(parted).length === 0) return undefined;
  const small = SMALL_FILES.flatMap((name) =>
    Object.hasOwn(files, name) ? [[name, files[name].slice()] as const] : [],
  );
  return { files: Object.fromEntries(small), parted };
}

function startWorker(): PlaybackStarterPort {
  return workerPort(
    new Worker(new URL('./playback-worker.ts', import.meta.url), { type: 'module', name: 'shoal playback' }),
  );
}

export interface PlaybackOptions {
  readonly start?: () => PlaybackStarterPort;
  readonly patience?: number;
}

/**
 * @returns the stored states; undefined where the run kept none
 * @throws ScenarioError, CaseError where the file is broken or of another run, naming file and place; PlaybackEnded where reading
 *   it comes to no end
 */
export async function openPlayback(
  { files, parted }: PlaybackFolder,
  divergedAt: PlaybackSource['divergedAt'],
  { start = startWorker, patience = PATIENCE }: PlaybackOptions = {},
): Promise<Playback | undefined> {
  const file = Object.keys(parted).join(', ');
  const port = start();
  let waiting = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const end = (error: Error): void => {
    clearTimeout(timer);
    caller.close(error);
    port.close();
  };
  /** Something was heard of the worker, or is waited for. */
  const watch = (): void => {
    clearTimeout(timer);
    if (waiting === 0) return;
    timer = setTimeout(() => {
      const seconds = Math.round(patience / 1000);
      end(
        new PlaybackEnded(
          `${file}: reading it made no progress for ${seconds} s and was ended; the file may be damaged`,
        ),
      );
    }, patience);
  };
  const caller = createCaller<PlaybackCommands, PlaybackEvent>(
    port,
    (event) => {
      watch();
      if (event === 'alive') return;
      // A disk that is slow is no fault of the worker.
      clearTimeout(timer);
      void answerPart(event, parted).then((answer) => {
        watch();
        caller.send('part', answer);
      });
    },
    (error) => end(new PlaybackEnded(`${file}: ${error.message}`)),
  );
  const waitFor = async <Result>(called: Promise<Result>): Promise<Result> => {
    waiting += 1;
    watch();
    try {
      return await called;
    } finally {
      waiting -= 1;
      watch();
    }
  };

  try {
    const found = await waitFor(caller.call('open', { files, sizes: sizesOf(parted), divergedAt }));
    if (found) {
      return {
        ...found,
        file,
        read: (cycle) => waitFor(caller.call('snapshot', cycle)),
        readCells: (cycle, cells) => waitFor(caller.call('cells', { cycle, cells })),
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
