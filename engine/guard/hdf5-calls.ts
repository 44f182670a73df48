/** What the reader of an HDF5 file asks of the thread in which the library works, and that thread's side of it. */
import { CaseError } from '../errors.ts';
import { readHdf5Here } from '../files/hdf5-reader.ts';
import type { Hdf5Reader, Range, StoredNumbers, VariableFacts } from '../files/hdf5-reader.ts';
import { fromPlainError, Given, memoryOf, serveCalls } from '../run/index.ts';
import type { HostPort, PlainError, ServicePort } from '../run/index.ts';
import { shown } from '../words.ts';

/** What all of HDF5 takes at most, bytes: a few of the largest chunks, packed and unpacked. */
const MOST_BYTES = 2 ** 30;
const PAGE_BYTES = 2 ** 16;

/** The memory that HDF5 may take, in a thread that does nothing but read HDF5 files. */
interface MemoryBound {
  /** Whether more was asked for since this was last called, and how much is allowed, bytes. */
  exceeded(): number | undefined;
}

/**
 * Refuses all WebAssembly of this thread to grow beyond a bound: the library gets the answer that there is no more memory, as on a machine
 * that has none. It grows its memory by itself, so that nothing else could say it.
 */
export function boundMemory(most = MOST_BYTES): MemoryBound {
  const { prototype } = WebAssembly.Memory;
  const grow: (this: WebAssembly.Memory, pages: number) => number = Reflect.get(prototype, 'grow');
  let refused = false;
  prototype.grow = function growWithin(this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE_BYTES <= most) return grow.call(this, pages);
    refused = true;
    throw new RangeError(`more than ${most} bytes are not given`);
  };
  return {
    exceeded() {
      const found = refused;
      refused = false;
      return found ? most : undefined;
    },
  };
}

/** How often it looks, milliseconds. */
const TICK = 250;

/** A clock over somebody who may never come back. */
export interface Watch {
  /** Something has moved: counting begins again. */
  progress(): void;
  /** Counts from now on, or waits: nobody is to be blamed for what others take. */
  run(isRunning: boolean): void;
}

/**
 * Counts the seconds without progress in which this thread was awake: a machine that sleeps, or whose processors are all taken,
 * holds the clock up with all else.
 *
 * @param expire called once, after so many seconds
 */
export function createWatch(seconds: number, expire: () => void): Watch {
  let timer: ReturnType<typeof setInterval> | undefined;
  let counted = 0;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    counted += TICK / 1000;
    if (counted < seconds) return;
    stop();
    expire();
  };
  return {
    progress() {
      counted = 0;
    },
    run(isRunning) {
      if (!isRunning) stop();
      else timer ??= setInterval(look, TICK);
    },
  };
}

/** What the thread asks for: a part of the file. */
export interface PartQuestion {
  readonly question: number;
  readonly from: number;
  readonly bytes: number;
}

type PartAnswer =
  | { readonly question: number; readonly part: Uint8Array }
  | { readonly question: number; readonly failure: PlainError };

/** A file is handed over whole where it is in memory, and in parts that are asked for where it is not. */
interface Hdf5Opening {
  readonly name: string;
  readonly length: number;
  readonly content: Uint8Array | undefined;
}

// A type, not an interface: it has to be a record of functions.
export type Hdf5Commands = {
  readonly open: (opening: Hdf5Opening) => void;
  readonly variable: (of: {
    readonly path: string;
    readonly attributes: readonly string[];
  }) => VariableFacts | undefined;
  readonly planes: () => readonly string[];
  readonly numbers: (of: { readonly path: string; readonly ranges: readonly Range[] }) => StoredNumbers;
  readonly labels: (path: string) => readonly (string | number)[];
  readonly part: (answer: PartAnswer) => void;
};

export type Hdf5StarterPort = ServicePort<Hdf5Commands, PartQuestion>;
export type Hdf5HostPort = HostPort<Hdf5Commands, PartQuestion>;

/**
 * Reads one file over a port, in a thread that does nothing else: its memory is bounded as a whole.
 *
 * @param mostBytes of memory for the library; 1 GiB if omitted
 */
export function serveHdf5(port: Hdf5HostPort, mostBytes?: number): void {
  const memory = boundMemory(mostBytes);
  const waiting: ((answer: PartAnswer) => void)[] = [];
  let file: Hdf5Reader | undefined;
  let fileName = '';
  const opened = (): Hdf5Reader => {
    if (!file) throw new Error('no file is opened yet');
    return file;
  };
  /** Says of what went wrong whether it was for want of memory. */
  const within = async <Answer>(where: string, answer: Promise<Answer>): Promise<Answer> => {
    memory.exceeded();
    return answer.catch((error: unknown) => {
      const most = memory.exceeded();
      if (most === undefined) throw error;
      throw new CaseError(
        `${where}: HDF5 asks for more than ${most / 2 ** 20} MiB of memory, which are allowed; the file is damaged, or its chunks are too large`,
      );
    });
  };
  const whereOf = (path: string): string => `${shown(fileName)}: ${shown(path)}`;
  const read = (from: number, bytes: number): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      const question =
        waiting.push((answer) => {
          if ('failure' in answer) reject(fromPlainError(answer.failure));
          else resolve(answer.part);
        }) - 1;
      tell({ question, from, bytes });
    });
  const tell = serveCalls<Hdf5Commands, PartQuestion>(port, {
    async open({ name, length, content }) {
      fileName = name;
      file = await within(shown(name), readHdf5Here(content ?? { length, read }, name));
    },
    variable: ({ path, attributes }) => within(whereOf(path), opened().variable(path, attributes)),
    planes: () => within(shown(fileName), opened().planes()),
    async numbers({ path, ranges }) {
      const found = await within(whereOf(path), opened().numbers(path, ranges));
      return new Given(found, memoryOf([found]));
    },
    labels: (path) => within(whereOf(path), opened().labels(path)),
    part: (answer) => waiting[answer.question](answer),
  });
}
