import { errorOf, FileLostError } from '../errors.ts';
import type { ByteSource } from '../files/hdf5.ts';
import type { Hdf5Reader, OpenHdf5 } from '../files/hdf5-reader.ts';
import { memoryOf, startService, toPlainError, type Service } from '../run/index.ts';
import { shown } from '../words.ts';
import { createWatch, type Hdf5Commands, type Hdf5StarterPort, type PartQuestion } from './hdf5-calls.ts';

export { serveHdf5, createWatch, type Hdf5HostPort, type Hdf5StarterPort } from './hdf5-calls.ts';

/**
 * HDF5 files read in a thread beside this one, which is ended when it does not come back: a damaged file can keep the library busy
 * for ever, take all memory, or break it. One thread reads one file; what a file has done to the library ends with it.
 *
 * How long the library may take without anything that moves: a part of the file that it asks for, or an answer.
 */
export interface Hdf5Patience {
  readonly seconds: number;
  /** Beside, for each MiB of the file. */
  readonly secondsPerMebibyte: number;
}

/**
 * An answer takes milliseconds, and the largest chunk a second or two; on a machine whose processors are shared by many it may be
 * a hundred times that. What a disk takes to give a part of the file does not count.
 */
export const HDF5_PATIENCE: Hdf5Patience = { seconds: 60, secondsPerMebibyte: 0.2 };

/** @returns seconds that a file of so many bytes is left without anything that moves */
export function hdf5Seconds(bytes: number, { seconds, secondsPerMebibyte } = HDF5_PATIENCE): number {
  return seconds + (secondsPerMebibyte * bytes) / 2 ** 20;
}

/**
 * Bytes of a file that is in memory, or where its parts come from. They are copied, because they are given away to the thread:
 * `slice` of a `Buffer` is a view of the caller's memory.
 */
function contentOf(content: Uint8Array | ByteSource): {
  readonly length: number;
  readonly copy: Uint8Array | undefined;
} {
  if (!(content instanceof Uint8Array)) return { length: content.length, copy: undefined };
  return { length: content.length, copy: new Uint8Array(content) };
}

/**
 * @param start starts a thread at whose other end `serveHdf5` waits
 * @returns opens files in threads of their own; a file's thread ends as it is closed, or fails
 */
export function guardHdf5(start: () => Hdf5StarterPort, patience = HDF5_PATIENCE): OpenHdf5 {
  return async (content, name) => {
    const { length, copy } = contentOf(content);
    const limit = hdf5Seconds(length, patience);
    let asked = shown(name);
    const end = (error: Error): void => {
      watch.run(false);
      service.end(error);
    };
    const watch = createWatch(limit, () => {
      end(
        new FileLostError(
          `${asked}: found no answer of HDF5 within ${Math.round(limit)} s, which are allowed (${patience.seconds} s, and ` +
            `${patience.secondsPerMebibyte} s for each MiB of the file); the file is damaged: take a copy of it that is whole, or write it again`,
        ),
      );
    });
    const service: Service<Hdf5Commands> = startService<Hdf5Commands, PartQuestion>(
      start(),
      (question) => void answer(question),
      // What breaks down is closed with what is known about it.
      (error) => {
        const why = `${asked}: the thread that reads it broke down: ${error.message}; the file is damaged, or too large for this machine`;
        end(new FileLostError(why));
      },
    );
    const answer = async ({ question, from, bytes }: PartQuestion): Promise<void> => {
      watch.progress();
      watch.run(false);
      try {
        if (content instanceof Uint8Array) throw new RangeError(`${name} was handed over as a whole`);
        const part = new Uint8Array(await content.read(from, bytes));
        service.send('part', { question, part });
      } catch (error) {
        service.send('part', { question, failure: toPlainError(error) });
      }
      watch.run(isWaiting > 0);
    };
    let isWaiting = 0;
    /** One after the other, so that it is known what is waited for. */
    let last: Promise<unknown> = Promise.resolve();
    const inTurn = <Answer>(where: string, ask: () => Promise<Answer>): Promise<Answer> => {
      const turn = last.then(async () => {
        asked = where;
        isWaiting += 1;
        watch.progress();
        watch.run(true);
        try {
          return await ask();
        } finally {
          isWaiting -= 1;
          watch.run(false);
        }
      });
      last = turn.catch(() => undefined);
      return turn;
    };
    const whereOf = (path: string): string => `${shown(name)}: ${shown(path)}`;
    const reader: Hdf5Reader = {
      variable: (path, attributes = []) => inTurn(whereOf(path), () => service.call('variable', { path, attributes })),
      planes: () => inTurn(shown(name), () => service.call('planes', undefined)),
      numbers: (path, ranges) => inTurn(whereOf(path), () => service.call('numbers', { path, ranges })),
      labels: (path) => inTurn(whereOf(path), () => service.call('labels', path)),
      close: () => end(new Error(`${name} is closed`)),
    };
    try {
      const opening = { name, length, content: copy };
      await inTurn(shown(name), () => service.call('open', opening, copy ? memoryOf([copy]) : []));
      return reader;
    } catch (error) {
      reader.close();
      throw errorOf(error);
    }
  };
}

/** Files that somebody else may have made, read where it can be stopped. */
