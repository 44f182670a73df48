/**
 * Planes on the GPU, read back as far as they are asked for: few cells by copies of single numbers, lines and means over blocks by
 * kernels, planes in pieces that fit the staging buffers. Questions are served in the order in which they come.
 */
import { ELEMENT_BYTES, type DevicePlane } from './plane-buffers.ts';
import { blockCount, createGatherer, gatheredBytes, type Gatherer, type Gathering, type PlaneMeans } from './gather.ts';

/** Bytes of one staging buffer, at most: what is copied out in one task of a page. */
export const STAGING_BYTES = 2 * 2 ** 20;
/** Staging buffers: one is mapped while the next is being filled. */
const STAGINGS = 2;
const SMALLEST = 64 * 1024;

interface Staging {
  buffer: GPUBuffer | undefined;
  busy: boolean;
}

/**
 * Bytes from buffers of the GPU to memory: a small pool of buffers that can be mapped, used again and again. What is copied
 * is what the buffers hold after all work that was submitted before.
 */
interface StagingPool {
  /** Whether `read` may be called now. */
  readonly free: boolean;
  /**
   * @param bytes at most `STAGING_BYTES`
   * @param record adds the copies into the staging buffer, from its begin
   * @param take copies what it wants of those bytes, which are gone when it returns
   * @throws Error when the device is lost
   */
  read(
    bytes: number,
    record: (encoder: GPUCommandEncoder, staging: GPUBuffer) => void,
    take: (bytes: ArrayBuffer) => void,
  ): Promise<void>;
}

function createStagingPool(device: GPUDevice): StagingPool {
  const pool: Staging[] = Array.from({ length: STAGINGS }, () => ({ buffer: undefined, busy: false }));

  const bufferOf = (staging: Staging, bytes: number): GPUBuffer => {
    if (staging.buffer && staging.buffer.size >= bytes) return staging.buffer;
    staging.buffer?.destroy();
    staging.buffer = device.createBuffer({
      label: 'planes.staging',
      size: Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(bytes))),
      usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    });
    return staging.buffer;
  };

  return {
    get free() {
      return pool.some(({ busy }) => !busy);
    },
    async read(bytes, record, take) {
      const staging = pool.find(({ busy }) => !busy);
      if (!staging) throw new RangeError('all staging buffers are in use');
      staging.busy = true;
      try {
        const buffer = bufferOf(staging, bytes);
        const encoder = device.createCommandEncoder({ label: 'planes.read' });
        record(encoder, buffer);
        device.queue.submit([encoder.finish()]);
        await buffer.mapAsync(GPUMapMode.READ, 0, bytes);
        try {
          take(buffer.getMappedRange(0, bytes));
        } finally {
          buffer.unmap();
        }
      } finally {
        staging.busy = false;
      }
    },
  };
}

/** What is asked of a plane. */
export interface DevicePlaneRequest {
  readonly plane: DevicePlane;
  /** Cell indices y·nx + x; without them the whole plane is asked for. Requests that share one array are served together. */
  readonly cells?: readonly number[] | undefined;
  /** Means are asked for instead. */
  readonly means?: PlaneMeans<DevicePlane> | undefined;
}

/** Numbers of a plane by cell index: all of them, or at least those that were asked for; or means by block, [row][column]. */
type DevicePlaneNumbers = ArrayLike<number>;

/**
 * Reads planes back, as they are after all work that was submitted before.
 *
 * @returns numbers in the order of the requests
 * @throws Error when the planes were released, or the device is lost; the signal's reason
 */
export type DevicePlaneReader = (
  requests: readonly DevicePlaneRequest[],
  signal: AbortSignal,
) => Promise<readonly DevicePlaneNumbers[]>;

/** More cells than these are gathered by a kernel first. */
const MOST_COPIES = 16;
/** Pieces in one submission, so that a long question lets others in between. */
const MOST_PIECES = 512;

/** A part of a request that is read at once: numbers `from` … `from + count` of the plane, or the request's cells or means. */
interface Piece {
  readonly plane: DevicePlane;
  readonly cells: readonly number[] | undefined;
  readonly means?: PlaneMeans<DevicePlane>;
  readonly from: number;
  readonly count: number;
  readonly take: (numbers: Float32Array) => void;
}

interface Job {
  readonly answers: readonly DevicePlaneNumbers[];
  /** Not submitted yet. */
  readonly pieces: Piece[];
  readonly signal: AbortSignal;
  underWay: number;
  over: boolean;
  readonly resolve: (answers: readonly DevicePlaneNumbers[]) => void;
  readonly reject: (error: Error) => void;
}

/** Numbers by cell, of cells that are few among many. */
function sparse(cells: readonly number[], numbers: Float32Array, into: Record<number, number>): void {
  for (const [k, cell] of cells.entries()) into[cell] = numbers[k];
}

/** @throws RangeError for more means than one staging buffer holds */
function partsOf({ plane, cells, means }: DevicePlaneRequest): {
  readonly answer: DevicePlaneNumbers;
  readonly pieces: Piece[];
} {
  const most = STAGING_BYTES / ELEMENT_BYTES;
  if (means) {
    const count = blockCount(means.blocks);
    if (count > most)
      throw new RangeError(`${String(count)} means of a plane: at most ${String(most)} are read at once`);
    const answer = new Float32Array(count);
    return { answer, pieces: [{ plane, cells, means, from: 0, count, take: (numbers) => answer.set(numbers) }] };
  }
  if (cells && gatheredBytes(cells.length) <= STAGING_BYTES) {
    const answer = { length: plane.cells };
    if (cells.length === 0) return { answer, pieces: [] };
    const take = (numbers: Float32Array): void => sparse(cells, numbers, answer);
    return { answer, pieces: [{ plane, cells, from: 0, count: cells.length, take }] };
  }
  const answer = new Float32Array(plane.cells);
  const pieces: Piece[] = [];
  for (let from = 0; from < plane.cells; from += most) {
    const count = Math.min(most, plane.cells - from);
    pieces.push({ plane, cells: undefined, from, count, take: (numbers) => answer.set(numbers, from) });
  }
  return { answer, pieces };
}

/** @returns what a kernel gathers of a piece; undefined if it is copied */
function gatheringOf({ plane, cells = [], means }: Piece): Gathering | undefined {
  if (means) return { plane, means };
  return cells.length > MOST_COPIES ? { plane, cells } : undefined;
}

/** Bytes of a piece in the staging buffer. */
function bytesOf(piece: Piece): number {
  return gatheringOf(piece) ? gatheredBytes(piece.count) : piece.count * ELEMENT_BYTES;
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** One for a device: its staging buffers are the reader's as long as the device is there. */
export function createDevicePlaneReader(device: GPUDevice): DevicePlaneReader {
  const staging = createStagingPool(device);
  let gatherer: Gatherer | undefined;
  let opening: Promise<void> | undefined;
  /** Compiles the kernel, once. */
  const openGatherer = (): Promise<void> => {
    opening ??= createGatherer(device).then((opened) => {
      gatherer = opened;
    });
    return opening;
  };
  let jobs: Job[] = [];

  const end = (job: Job, error?: Error): void => {
    if (job.over) return;
    job.over = true;
    job.pieces.length = 0;
    if (error) job.reject(error);
    else job.resolve(job.answers);
  };
  /** Ends those that nobody waits for, and those whose planes are gone. */
  const sift = (): void => {
    for (const job of jobs) {
      if (job.signal.aborted) end(job, reasonOf(job.signal));
      else if (job.pieces.some(({ plane, means }) => plane.lease.over || means?.minus?.lease.over === true)) {
        end(job, new Error('the snapshot was released'));
      }
    }
    jobs = jobs.filter(({ over, pieces }) => !over && pieces.length > 0);
  };
  const nextBatch = (): (readonly [Job, Piece])[] => {
    const batch: (readonly [Job, Piece])[] = [];
    let bytes = 0;
    for (const job of jobs) {
      for (;;) {
        const piece = job.pieces.at(0);
        if (!piece) break;
        bytes += bytesOf(piece);
        if (bytes > STAGING_BYTES || batch.length === MOST_PIECES) return batch;
        job.pieces.shift();
        job.underWay += 1;
        batch.push([job, piece]);
      }
    }
    return batch;
  };
  /** Where each piece lies in the staging buffer: what is gathered first, for its alignment. */
  const order = (batch: readonly (readonly [Job, Piece])[]) => {
    const gathered = batch.filter(([, piece]) => gatheringOf(piece));
    const others = batch.filter(([, piece]) => !gatheringOf(piece));
    let offset = 0;
    const placed = [...gathered, ...others].map(([job, piece]) => {
      const place = { job, piece, offset };
      offset += bytesOf(piece);
      return place;
    });
    return { placed, gatherings: gathered.flatMap(([, piece]) => gatheringOf(piece) ?? []), bytes: offset };
  };
  const readBatch = async (batch: readonly (readonly [Job, Piece])[]): Promise<void> => {
    const { placed, gatherings, bytes } = order(batch);
    let free: (() => void) | undefined;
    try {
      const record = (encoder: GPUCommandEncoder, target: GPUBuffer): void => {
        if (gatherings.length > 0) free = gatherer?.record(encoder, gatherings, target);
        for (const { piece, offset } of placed.slice(gatherings.length)) {
          const { buffer, byteOffset } = piece.plane;
          const copy = (from: number, to: number, count: number): void =>
            encoder.copyBufferToBuffer(buffer, byteOffset + from * ELEMENT_BYTES, target, to, count * ELEMENT_BYTES);
          if (piece.cells) for (const [k, cell] of piece.cells.entries()) copy(cell, offset + k * ELEMENT_BYTES, 1);
          else copy(piece.from, offset, piece.count);
        }
      };
      const reading = staging.read(bytes, record, (read) => {
        for (const { piece, offset } of placed) piece.take(new Float32Array(read, offset, piece.count));
      });
      free?.();
      await reading;
      for (const { job } of placed) {
        job.underWay -= 1;
        if (job.underWay === 0 && job.pieces.length === 0) end(job);
      }
    } catch (reason) {
      const error = reason instanceof Error ? reason : new Error(String(reason));
      for (const { job } of placed) end(job, error);
    }
  };
  const pump = (): void => {
    while (staging.free) {
      sift();
      const batch = nextBatch();
      if (batch.length === 0) return;
      void readBatch(batch).then(pump);
    }
  };

  return async (requests, signal) => {
    const parts = requests.map(partsOf);
    const pieces = parts.flatMap((part) => part.pieces);
    if (!gatherer && pieces.some(gatheringOf)) await openGatherer();
    return new Promise((resolve, reject) => {
      const job: Job = {
        answers: parts.map(({ answer }) => answer),
        pieces,
        signal,
        underWay: 0,
        over: false,
        resolve,
        reject,
      };
      if (job.pieces.length === 0) {
        end(job);
        return;
      }
      jobs.push(job);
      pump();
    });
  };
}
