/**
 * The stored states of an opened run folder, read beside the page. The file may be anybody's: HDF5 is read in a worker of its own
 * (`engine/guard`), and the one that asks there is ended where it makes no progress; nothing goes with it but what was waited for.
 */
import { createWatch, FIELDS_FILE, FileLostError, hdf5Seconds, startService } from '../../../engine/index.ts';
import type { ServicePort, Snapshot, StoredCell } from '../../../engine/index.ts';
import type { OpenedFolder } from '../../host/host.ts';
import { workerPort } from '../../workers/worker-port.ts';
import { answerPart, sizesOf } from '../reading/parts.ts';
import type { PlaybackCommands, PlaybackEvent, PlaybackSource, StoredStates } from './playback-service.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import { PlaybackEnded } from '../../document/run/recorded-cycles.ts';

/** How long the worker may take without a sign of life beside what HDF5 may, seconds: what is left to it is copying of planes. */
const PATIENCE_SECONDS = 30;

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

function startWorker(): ServicePort<PlaybackCommands, PlaybackEvent> {
  return workerPort(
    new Worker(new URL('./playback-worker.ts', import.meta.url), { type: 'module', name: 'shoal playback' }),
  );
}

export interface PlaybackOptions {
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

function createOpenPlaybackOf(): OpenPlayback {
  return openPlayback;
}

/** @returns what reads the stored states of opened runs for a page */
export function openPlaybackOf(laboratory: Laboratory): OpenPlayback {
  return laboratory.use(createOpenPlaybackOf);
}
