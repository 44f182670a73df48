/**
 * What the host wants to know, copied one after the other into mappable buffers while work is recorded and mapped together: an
 * area is filled while the one before is on its way. Its buffers come back and are used again.
 */
import type { HostActivity } from '../backend.ts';

/** Who listens to what the host does for the device, and how it is reported: nothing is timed twice, and nothing is kept. */
export interface Activities {
  /** @returns what ends it */
  on(listener: (activity: HostActivity) => void): () => void;
  /** Something that began then is over now. @param begin milliseconds of `performance.now()` */
  tell(kind: HostActivity['kind'], begin: number, bytes?: number): void;
}

export function createActivities(): Activities {
  const listeners = new Set<(activity: HostActivity) => void>();
  return {
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(kind, begin, bytes = 0) {
      if (listeners.size === 0) return;
      const milliseconds = performance.now() - begin;
      for (const listener of listeners) listener({ kind, begin, milliseconds, bytes });
    },
  };
}

/** One thing that was staged: it arrives or fails, in the order of the staging. */
export interface StagedPart {
  /** @param bytes a copy, the part's own */
  arrive(bytes: ArrayBuffer): void;
  fail(reason: Error): void;
}

export interface Staging {
  /** Whether anything waits for the next `collect`. */
  readonly isEmpty: boolean;
  /** Records a copy into the area that is being filled. */
  stage(encoder: GPUCommandEncoder, source: GPUBuffer, offset: number, bytes: number, part: StagedPart): void;
  /** Maps what was staged and hands it out, areas in their order. Call after the encoder was submitted. */
  collect(): Promise<void>;
  /** What has not arrived never will. @param reason what it fails with */
  dispose(reason: Error): void;
}

/** One mappable buffer of an area, and what lies in it. */
interface Page {
  readonly buffer: GPUBuffer;
  used: number;
  readonly parts: { readonly offset: number; readonly bytes: number; readonly part: StagedPart }[];
}

const PAGE_BYTES = 2 ** 18;
/** Parts lie at multiples of this. */
const ALIGNMENT = 8;
/** Pages that are kept for later at most: those of the areas that are filled and on their way. */
const MOST_IDLE = 4;

function isLarge({ buffer }: Page): boolean {
  return buffer.size > PAGE_BYTES;
}

/**
 * @param failureOf finds out why a device does not give a buffer back
 * @param activities are notified of what is copied out
 */
export function createStaging(
  device: GPUDevice,
  failureOf: (reason: unknown) => Promise<Error>,
  activities: Pick<Activities, 'tell'>,
): Staging {
  const idle: GPUBuffer[] = [];
  const all = new Set<GPUBuffer>();
  let area: Page[] = [];
  let before: Promise<void> = Promise.resolve();
  let disposal: Error | undefined;

  function pageFor(bytes: number): Page {
    const last = area.at(-1);
    if (last && last.used + bytes <= last.buffer.size) return last;
    const kept = bytes <= PAGE_BYTES ? idle.pop() : undefined;
    const buffer =
      kept ??
      device.createBuffer({
        label: 'staging.page',
        size: Math.max(PAGE_BYTES, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT),
        usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
      });
    all.add(buffer);
    const page = { buffer, used: 0, parts: [] };
    area.push(page);
    return page;
  }

  function giveBack(buffer: GPUBuffer): void {
    buffer.unmap();
    if (buffer.size === PAGE_BYTES && idle.length < MOST_IDLE) {
      idle.push(buffer);
      return;
    }
    all.delete(buffer);
    buffer.destroy();
  }

  function handOut({ buffer, used, parts }: Page): void {
    const range = buffer.getMappedRange(0, used);
    for (const { offset, bytes, part } of parts) part.arrive(range.slice(offset, offset + bytes));
    giveBack(buffer);
  }

  function map({ buffer, used }: Page): Promise<undefined> {
    return buffer.mapAsync(GPUMapMode.READ, 0, used);
  }

  function fail({ buffer, parts }: Page, failure: Error): void {
    all.delete(buffer);
    buffer.destroy();
    for (const { part } of parts) part.fail(failure);
  }

  async function arrival(pages: readonly Page[], earlier: Promise<void>): Promise<void> {
    const small = pages.filter((page) => !isLarge(page));
    const waiting = new Set(pages);
    const handOutAll = (arrived: readonly Page[]): void => {
      if (disposal) throw disposal;
      const begin = performance.now();
      for (const page of arrived) {
        handOut(page);
        waiting.delete(page);
      }
      const bytes = arrived.reduce((sum, { used }) => sum + used, 0);
      activities.tell('readback', begin, bytes);
    };
    try {
      await Promise.all(small.map(map));
      // What came before arrives before, whether it has failed or not.
      await earlier.catch(() => undefined);
      if (small.length === pages.length) {
        handOutAll(pages);
        return;
      }
      // Large pages are handed out in a task each, so that the host can do other work between them.
      for (const page of pages) {
        if (isLarge(page)) await map(page);
        handOutAll([page]);
      }
    } catch (reason) {
      const failure = disposal ?? (await failureOf(reason));
      for (const page of waiting) fail(page, failure);
      throw failure;
    }
  }

  return {
    get isEmpty() {
      return area.length === 0;
    },
    stage(encoder, source, sourceOffset, bytes, part) {
      const page = pageFor(bytes);
      const offset = page.used;
      encoder.copyBufferToBuffer(source, sourceOffset, page.buffer, offset, bytes);
      page.parts.push({ offset, bytes, part });
      page.used = Math.ceil((offset + bytes) / ALIGNMENT) * ALIGNMENT;
    },
    collect() {
      const pages = area;
      area = [];
      if (pages.length > 0) {
        before = arrival(pages, before);
        // A rejection that nobody waits for is no fault of its own.
        before.catch(() => undefined);
      }
      return before;
    },
    dispose(reason) {
      disposal = reason;
      for (const page of area) fail(page, reason);
      area = [];
      // A buffer that is being mapped rejects when it is destroyed, and its parts fail with it.
      for (const buffer of all) buffer.destroy();
      all.clear();
      idle.length = 0;
    },
  };
}
