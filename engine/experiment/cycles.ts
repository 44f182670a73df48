/**
 * The cycles of an experiment, one after the other, of which one may be queued while the one before is under way: what is staged
 * of a cycle is collected when it is queued, or, where the device is waited for in the middle of cycles, with the next one.
 */
import type { Backend } from '../compute/backend.ts';

/** A cycle that is queued. */
export interface Cycle {
  readonly cycle: number;
  /**
   * Settles when its numbers have arrived and its events are emitted, after those of the cycles before. To ask for it may wait
   * for the device, so begin the next cycle first to keep the device at work.
   *
   * Rejects with DivergenceError when the truth has diverged, AllDivergedError when the last method has; the run is over then,
   * and of a cycle that was begun after it nothing is reported but that.
   */
  readonly reported: Promise<void>;
}

/** What was queued of a cycle. */
export interface QueuedCycle {
  /** Whether the device was waited for in the middle: what is staged then may wait for the middle of the next cycle. */
  readonly hasWaited: boolean;
}

export interface CyclesDescription<Queued extends QueuedCycle> {
  readonly backend: Backend;
  readonly first: number;
  /** How many cycles there are: while they run there may be more. */
  readonly count: () => number;
  /** Whether the cycle may be queued only when those before are reported. */
  readonly isApart: (cycle: number) => boolean;
  /** @throws what ends the run */
  readonly queue: (cycle: number) => Promise<Queued>;
  /**
   * Called in the order of the cycles when what was staged has arrived. @throws what ends the run
   *
   * @param milliseconds since it was begun or the one before was reported, whichever is later
   */
  readonly report: (cycle: number, queued: Queued, milliseconds: () => number) => Promise<void>;
}

export interface Cycles {
  /** The cycle that `begin` queues next; of a run that has ended in the middle of one, that one. */
  readonly next: number;
  /** @throws what the run has ended with, RangeError when all cycles are begun */
  begin(): Promise<Cycle>;
  /** Until all that are begun are reported. @throws RangeError when the run has ended in the middle of a cycle */
  untilTold(): Promise<void>;
}

/** What is staged of a cycle from its last wait on, until it is collected. */
interface Area {
  readonly collected: Promise<void>;
  /** Collects it, unless it is already. @param arrival of what has collected it */
  close(arrival?: Promise<void>): Promise<void>;
}

function openArea(backend: Backend): Area {
  let settle: ((arrival: Promise<void>) => void) | undefined;
  const collected = new Promise<void>((resolve) => {
    settle = resolve;
  });
  // Whoever waits for the cycle receives the error.
  collected.catch(() => undefined);
  return {
    collected,
    close(arrival) {
      settle?.(arrival ?? backend.collect());
      settle = undefined;
      return collected;
    },
  };
}

export function createCycles<Queued extends QueuedCycle>(description: CyclesDescription<Queued>): Cycles {
  const { backend, first, count, isApart, queue } = description;
  let next = first;
  /** The cycle begun last, and the one before it. */
  let latest: Cycle | undefined;
  let earlier: Cycle | undefined;
  let area: Area | undefined;
  let isQueueing = false;
  let failure: unknown;
  let lastReported = 0;

  async function report(cycle: number, queued: Queued, begun: number, before: Cycle | undefined, own: Area) {
    try {
      await before?.reported;
      await own.collected;
      await description.report(cycle, queued, () => performance.now() - Math.max(begun, lastReported));
      lastReported = performance.now();
    } catch (error) {
      failure ??= error;
      next = Math.min(next, cycle);
      throw error;
    }
  }

  async function queueNext(): Promise<Cycle> {
    const cycle = next;
    const begun = performance.now();
    const queued = await queue(cycle);
    // The one before may have ended the run meanwhile.
    if (failure !== undefined) throw failure;
    const own = openArea(backend);
    // After a wait in the middle the next cycle is likely to wait in its own, which will do for both.
    if (queued.hasWaited) void area?.close(Promise.resolve());
    else void area?.close(own.close());
    area = own;
    const reported = report(cycle, queued, begun, latest, own);
    // Whoever asks for it, or begins another one, receives the error.
    reported.catch(() => undefined);
    next = cycle + 1;
    earlier = latest;
    latest = {
      cycle,
      get reported() {
        void own.close();
        return reported;
      },
    };
    return latest;
  }

  return {
    get next() {
      return next;
    },
    async begin() {
      await earlier?.reported;
      // Where everything is known at once nothing is to be gained by going ahead.
      if (backend.immediate || isApart(next)) await latest?.reported;
      if (failure !== undefined) throw failure;
      if (isQueueing) throw new RangeError(`cycle ${next} is being queued: one at a time`);
      if (next >= count()) throw new RangeError(`the experiment has ${count()} cycles, all are run`);
      isQueueing = true;
      try {
        return await queueNext();
      } catch (error) {
        failure ??= error;
        throw error;
      } finally {
        isQueueing = false;
      }
    },
    async untilTold() {
      await latest?.reported.catch(() => undefined);
      if (!isQueueing && failure === undefined) return;
      throw new RangeError('there is no checkpoint in the middle of a cycle, where the run has ended');
    },
  };
}
