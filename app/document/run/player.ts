/**
 * Plays, steps and goes round in a loop, through stored cycles if there are such, by computing if there are none; the speed that
 * playing reaches; and the way to a later cycle, as fast as it is computed, shown as long work that can be stopped.
 */
import { batch, type ReadonlySignal } from '@preact/signals';
import type { LoopRange, RunCourse, RunStatus } from './run-course.ts';
import type { LongWorkHandle, Progress } from '../../page/notices.ts';

/** Cycles that the speed is measured over. */
const MEASURED_CYCLES = 6;
/** Playing falls short of a speed if it reaches less than this share of it. */
const SHORT_OF = 0.85;

/** Measures one row of playing. */
interface ReachedSpeed {
  /** @param now ms, when a cycle came on screen @returns cycles a second; undefined before three cycles were shown */
  readonly arrived: (now: number) => number | undefined;
}

export function measureSpeed(): ReachedSpeed {
  let arrivals: readonly number[] = [];
  return {
    arrived: (now) => {
      arrivals = [...arrivals, now].slice(-(MEASURED_CYCLES + 1));
      const seconds = (now - arrivals[0]) / 1000;
      return arrivals.length > 2 && seconds > 0 ? (arrivals.length - 1) / seconds : undefined;
    },
  };
}

/** @returns `2.1/s reached`; undefined while the wanted speed is reached, or nothing is known */
export function reachedText(wanted: number, reached: number | undefined): string | undefined {
  if (reached === undefined || reached >= SHORT_OF * wanted) return undefined;
  return `${reached < 1 ? reached.toPrecision(1) : reached.toPrecision(2)}/s reached`;
}

export interface Clock {
  /** Milliseconds. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

interface PlayerOptions {
  /** Computes one cycle. @returns whether there is one more than before */
  readonly compute: () => Promise<boolean>;
  readonly clock?: Clock | undefined;
  /** Whether cycles follow each other by cuts. */
  readonly reducedMotion: ReadonlySignal<boolean>;
  /** Whether playing begins again at the end of the run. */
  readonly repeats: () => boolean;
  /**
   * Shows something of the state before the first cycle, while that is computed. @returns for how long it did, ms: the water then
   * flows from there to the first analysis in the rest of the cycle's time. If that is 0, the analysis is what is seen first
   */
  readonly opening?: (() => Promise<number>) | undefined;
}

export interface Player {
  play(): void;
  pause(): void;
  /** Continues where playing was asked for while there was nothing to play. */
  resume(): void;
  /** Ends a row of playing that is under way, not the wish to play. */
  interrupt(): void;
  /** The next cycle: a stored one, or one that is computed now. */
  stepForward(): Promise<void>;
  stepBack(): void;
  /** Shows a stored cycle, and stops following the newest unless it is that. */
  scrub(wanted: number): void;
}

const systemClock: Clock = {
  now: () => performance.now(),
  wait: (milliseconds) =>
    new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
    }),
};

/** Water that is slow to compute flows no slower than this from cycle to cycle, ms; then it waits at the analysis. */
const LONGEST_WAY = 4000;

/** @param course whose cycles are played */
export function createPlayer(
  course: RunCourse,
  { compute, clock = systemClock, reducedMotion, repeats, opening }: PlayerOptions,
): Player {
  const { awaited, cycle, followNewest, goesOn: canCompute, lastCycle, loopRange, oldestCycle, playing } = course;
  const { reachedSpeed, speed, status, transit } = course;
  const { bring, setOut, showCycle, storedAfter, storedBefore } = course;
  /** Where a step begins: at the cycle that is being read to be shown, else at the one on screen. */
  const here = (): number => awaited.value ?? cycle.value;
  function showWithoutFollowing(wanted: number): void {
    followNewest.value = false;
    showCycle(wanted);
  }

  /** @returns whether there was a stored cycle to continue to; one that cannot be read is passed over */
  async function showNext(goesOn: () => boolean): Promise<boolean> {
    const next = storedAfter(cycle.value);
    if (next === undefined) return false;
    const isThere = await bring(next);
    if (isThere && goesOn()) showCycle(next);
    const later = storedAfter(next);
    if (later !== undefined) void bring(later);
    return true;
  }

  /** Goes back, to where a row of playing begins again. */
  async function goTo(start: number, goesOn: () => boolean): Promise<void> {
    await bring(start);
    if (goesOn()) showWithoutFollowing(start);
  }

  /** Shows the cycle that is travelled to. */
  function arrive(): void {
    const to = transit.value?.to.cycle;
    if (to === undefined) return;
    batch(() => {
      transit.value = undefined;
      showCycle(to);
    });
  }

  /** Where a loop begins again from the cycle on screen; undefined inside of it, and if it is in later cycles. */
  function loopStart({ from, to }: LoopRange): number | undefined {
    const here = cycle.value;
    const next = storedAfter(here);
    const isInside = here >= from && here < to && (next === undefined || next <= to);
    // Cycles thin out: the loop begins with the first that is left of it.
    return isInside ? undefined : storedAfter(from - 1);
  }

  /** Raised by whatever ends a row of playing; a row that finds another number stops. */
  let turn = 0;

  /** How long the cycle took that was computed last, ms. */
  let computed = 0;

  const interrupt = (): void => {
    turn += 1;
    transit.value = undefined;
  };
  const computeOne = async (): Promise<boolean> => {
    if (!canCompute.value) return false;
    const begun = clock.now();
    const found = await compute();
    computed = clock.now() - begun;
    return found;
  };
  /** As fast as is asked for, and no faster than cycles are computed: then the water never stops between them. */
  const period = (): number =>
    Math.max(1000 / speed.value, status.value === 'ready' ? Math.min(LONGEST_WAY, computed) : 0);

  /**
   * Lets the water flow to the next cycle, computed first where it must be, while the one after it is computed.
   *
   * @returns whether there was a way to go; otherwise the next cycle is shown by a cut
   */
  async function flow(goesOn: () => boolean): Promise<boolean> {
    const leaps = loopRange.value !== undefined && loopStart(loopRange.value) !== undefined;
    if (reducedMotion.value || leaps) return false;
    const opens = cycle.value < 0 ? opening?.() : undefined;
    if (storedAfter(cycle.value) === undefined && status.value === 'ready') await computeOne();
    const seen = (await opens) ?? 0;
    const next = storedAfter(cycle.value);
    if (!goesOn() || next === undefined) return false;
    const duration = Math.max(period() - seen, period() / 2);
    if (!setOut(next, duration, performance.now())) return false;
    if (cycle.value < 0 && seen === 0) {
      // What nobody has seen yet begins with an analysis.
      arrive();
      return true;
    }
    const way = transit.value;
    if (storedAfter(next) === undefined) void computeOne();
    await clock.wait(duration);
    // Whoever went elsewhere in the meantime stays there.
    if (goesOn() && transit.value === way) arrive();
    return true;
  }

  /**
   * Goes one cycle on, within the loop if there is one. A cycle that is there only after playing has ended is kept, and the
   * view stays where it was put in the meantime.
   *
   * @returns whether there was anything to continue to
   */
  async function advance(goesOn: () => boolean): Promise<boolean> {
    const start = loopRange.value && loopStart(loopRange.value);
    if (start !== undefined) {
      await goTo(start, goesOn);
      return true;
    }
    if (await showNext(goesOn)) return true;
    if (status.value === 'ended' && repeats()) {
      await goTo(oldestCycle.value, goesOn);
      return true;
    }
    if (!(await computeOne())) return false;
    if (goesOn()) await showNext(goesOn);
    return true;
  }

  /** @param start the cycle to begin with, where it is another than the one on screen */
  async function playOn(own: number, start: number | undefined): Promise<void> {
    const goesOn = (): boolean => playing.value && own === turn;
    if (start !== undefined) {
      const begun = clock.now();
      await goTo(start, goesOn);
      // What an opened run begins with is a cycle that wants to be seen; the state before the first is not.
      if (start >= 0) await clock.wait(Math.max(0, 1000 / speed.value - (clock.now() - begun)));
    }
    const measured = measureSpeed();
    reachedSpeed.value = undefined;
    while (goesOn()) {
      const start = clock.now();
      reachedSpeed.value = measured.arrived(start);
      if (await flow(goesOn)) continue;
      if (!goesOn()) break;
      if (!(await advance(goesOn))) break;
      const pause = 1000 / speed.value - (clock.now() - start);
      // At least one task in between, so that what was computed is drawn.
      await clock.wait(Math.max(0, pause));
    }
    const isOver = own === turn && status.value !== 'opening';
    if (isOver) playing.value = false;
  }

  function startPlaying(start?: number): void {
    interrupt();
    void playOn(turn, start);
  }

  function pause(): void {
    playing.value = false;
    arrive();
    interrupt();
  }

  return {
    pause,
    interrupt,
    play() {
      const isOver = status.value === 'ended' || (status.value === 'ready' && !canCompute.value);
      const atEnd = isOver && here() >= lastCycle.value && !loopRange.value;
      playing.value = true;
      startPlaying(atEnd ? oldestCycle.value : awaited.value);
    },
    resume() {
      if (playing.value) startPlaying();
    },
    async stepForward() {
      pause();
      const from = here();
      if (storedAfter(from) === undefined && !(await computeOne())) return;
      const next = storedAfter(from);
      // Whoever went elsewhere while it was computed stays there.
      if (next === undefined || here() !== from) return;
      const duration = period();
      if (reducedMotion.value || !setOut(next, duration, performance.now())) {
        showCycle(next);
        await bring(next);
        return;
      }
      const way = transit.value;
      await clock.wait(duration);
      if (transit.value === way) arrive();
    },
    stepBack() {
      pause();
      showWithoutFollowing(storedBefore(here()) ?? here());
    },
    scrub(wanted) {
      followNewest.value = wanted >= lastCycle.value;
      showCycle(wanted);
    },
  };
}

/** Resolves when the run is not being prepared, with its state at that time. */
export function prepared(status: ReadonlySignal<RunStatus>): Promise<RunStatus> {
  if (status.value !== 'opening') return Promise.resolve(status.value);
  return new Promise((resolve) => {
    const end = status.subscribe((now) => {
      if (now === 'opening') return;
      // The first call comes before `end` is there, while it is still opening.
      end();
      resolve(now);
    });
  });
}

interface ForwardStates {
  readonly course: Pick<
    RunCourse,
    'cycle' | 'followNewest' | 'newestCycle' | 'playing' | 'runNumber' | 'showCycle' | 'status'
  >;
  readonly progress: Pick<Progress, 'beginWork'>;
}

/**
 * @param wanted the cycle
 * @param compute computes one cycle; resolves to whether there is one more than before
 * @param isWanted whether nobody was sent elsewhere since: also back to the cycle from which it sets out, while that is the newest
 * @returns whether it is on screen; not where the run came to its end, was replaced, or the user stopped it, went elsewhere or
 *   let it play
 */
export async function goForward(
  wanted: number,
  { course, progress: { beginWork } }: ForwardStates,
  compute: () => Promise<boolean>,
  isWanted: () => boolean,
): Promise<boolean> {
  const { cycle, followNewest, newestCycle, playing, runNumber, showCycle, status } = course;
  const run = runNumber.value;
  let isStopped = false;
  let work: LongWorkHandle | undefined;
  /** Where it set out: what was there before takes no time that is still left. */
  const begun = newestCycle.value;
  const isFollowed = (): boolean => isWanted() && runNumber.value === run && followNewest.value && !playing.value;
  const goesOn = (): boolean => !isStopped && isFollowed();
  try {
    while (goesOn() && newestCycle.value < wanted) {
      if ((await prepared(status)) !== 'ready' || !goesOn()) break;
      work ??= beginWork(`Computing to cycle ${wanted}`, () => {
        isStopped = true;
      });
      const isOneMore = await compute();
      // What was lost continues in another run.
      if (!isOneMore && status.value !== 'opening') break;
      work.update((newestCycle.value - begun) / (wanted - begun));
      // Also the last one, if it was being computed when the user stopped it.
      if (isFollowed()) showCycle(newestCycle.value);
    }
  } finally {
    work?.end();
  }
  return runNumber.value === run && cycle.value === wanted;
}
