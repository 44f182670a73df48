/**
 * How panels ask for numbers of stored cycles, wherever their planes are: in memory, where every answer is there at once, or
 * on the GPU, from where only what is asked for is read back, when it is asked for. A panel does not need to know which.
 */
import { type Plane, type PlaneMeans, blockCount, type PlaneBlocks } from '../../../engine/index.ts';

/** Adds `block` numbers from `next` on to each of the sums from `first` up to `end`. */
function addRow(sums: Float64Array, first: number, end: number, block: number, from: ArrayLike<number>, next: number) {
  let cell = next;
  for (let at = first; at < end; at++) {
    let sum = sums[at];
    for (let k = 0; k < block; k++) sum += from[cell++];
    sums[at] = sum;
  }
}

/**
 * @param values [y][x]
 * @param minus is subtracted first, in single precision
 * @returns a mean for each block, [row][column]
 */
export function blockMeans(values: ArrayLike<number>, blocks: PlaneBlocks, minus?: ArrayLike<number>): Float64Array {
  const { nx, x, y } = blocks;
  const columns = Math.floor(nx / x);
  const means = new Float64Array(blockCount(blocks));
  const differences = new Float32Array(minus ? columns * x : 0);
  const rows = (means.length / columns) * y;
  for (let j = 0; j < rows; j++) {
    const first = Math.floor(j / y) * columns;
    const cell = j * nx;
    if (minus) for (let i = 0; i < differences.length; i++) differences[i] = values[cell + i] - minus[cell + i];
    if (minus) addRow(means, first, first + columns, x, differences, 0);
    else addRow(means, first, first + columns, x, values, cell);
  }
  if (x * y > 1) {
    const share = 1 / (x * y);
    for (let at = 0; at < means.length; at++) means[at] *= share;
  }
  return means;
}

/** Numbers of a plane by cell index y·nx + x, at least those that were asked for; or the means that were, [row][column]. */
export type PlaneNumbers = ArrayLike<number>;

/** Planes that no answer holds have no numbers. */
export type Numbers = (plane: Plane | undefined) => PlaneNumbers | undefined;

export const NO_NUMBERS: Numbers = () => undefined;

/** Numbers of planes that are on the host. */
export const hostNumbers: Numbers = (plane) => (plane?.kind === 'host' ? plane.values : undefined);

export interface PlaneRequest {
  readonly plane: Plane;
  /** Cell indices; without them the whole plane is asked for. Requests that share one array are served together. */
  readonly cells?: readonly number[] | undefined;
  /** Means are asked for instead; they are made where the planes are. */
  readonly means?: PlaneMeans<Plane> | undefined;
}

/** An answer keeps what it is about, so that none is shown as the answer to another question. */
export interface Answer<Subject> {
  readonly subject: Subject;
  readonly numbers: Numbers;
}

/** The questions of one asker, one after the other. */
export interface Enquiry<Subject> {
  /**
   * Asks, unless this is the question that was answered last or is on its way. While one is on its way the newest waits, and
   * those in between are dropped.
   *
   * @returns the newest answer there is: to this question, or still to an earlier one, as its subject shows
   */
  ask(subject: Subject, requests: readonly PlaneRequest[]): Answer<Subject> | undefined;
  /** Drops what is on its way; nothing is answered any more. */
  close(): void;
}

export interface EnquiryOptions<Subject> {
  /** Called when an answer arrives later than it was asked for. */
  readonly onAnswer: (answer: Answer<Subject>) => void;
  /** Least time between questions that go out, ms, where answers cost something; default 0. */
  readonly interval?: number;
}

export interface PlaneReader {
  open<Subject>(options: EnquiryOptions<Subject>): Enquiry<Subject>;
}

/** @returns requests for each of these planes once, all for the same cells */
export function requestsFor(planes: Iterable<Plane | undefined>, cells?: readonly number[]): readonly PlaneRequest[] {
  return [...new Set(planes)].flatMap((plane) => (plane ? [{ plane, cells }] : []));
}

/** @returns what was asked of planes in memory; undefined of others */
export function numbersInMemory({ plane, means }: PlaneRequest): PlaneNumbers | undefined {
  if (plane.kind !== 'host') return undefined;
  if (!means) return plane.values;
  const { blocks, minus } = means;
  if (minus && minus.kind !== 'host') return undefined;
  return blockMeans(plane.values, blocks, minus?.values);
}

/** Planes in memory are their own answer. */
export const hostReader: PlaneReader = {
  open: () => ({
    ask: (subject, requests) => ({
      subject,
      numbers: (plane) => {
        const request = requests.find((each) => each.plane === plane);
        return request && numbersInMemory(request);
      },
    }),
    close: () => undefined,
  }),
};

/** Cells of planes that are large: reading one back takes a few milliseconds. */
const LARGE_PLANE = 2 ** 18;
/** Least time between questions about whole large planes, ms. */
const LARGE_INTERVAL = 500;

/** @returns the `interval` of those who ask for whole planes of every cycle that comes: large ones are not read that often */
export function intervalOfWholes({ nx, ny }: { readonly nx: number; readonly ny: number }): number {
  return nx * ny > LARGE_PLANE ? LARGE_INTERVAL : 0;
}
