/** Plays, steps and goes round in a loop: through stored cycles where there are such, by computing where there are none. */
import {
  cycle,
  followNewest,
  loopRange,
  newestCycle,
  oldestCycle,
  playing,
  showCycle,
  speed,
  status,
  storedAfter,
  storedBefore,
} from './session-state.ts';
import type { LoopRange } from './session-state.ts';

export interface Clock {
  /** Milliseconds. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

export interface PlayerOptions {
  /** Computes one cycle. @returns whether there is one more than before */
  readonly compute: () => Promise<boolean>;
  readonly clock?: Clock | undefined;
  /** Whether playing begins anew at the end of the run. */
  readonly repeats: () => boolean;
}

export interface Player {
  play(): void;
  pause(): void;
  /** Goes on where playing was asked for while there was nothing to play. */
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

function showWithoutFollowing(wanted: number): void {
  followNewest.value = false;
  showCycle(wanted);
}

/** @returns whether there was a stored cycle to go on to */
function showNext(): boolean {
  const next = storedAfter(cycle.value);
  if (next !== undefined) showCycle(next);
  return next !== undefined;
}

/** Where a loop begins anew from the cycle on screen; undefined inside of it, and where it lies in cycles to come. */
function loopStart({ from, to }: LoopRange): number | undefined {
  const here = cycle.value;
  const next = storedAfter(here);
  const isInside = here >= from && here < to && (next === undefined || next <= to);
  // Cycles thin out: the loop begins with the first that is left of it.
  return isInside ? undefined : storedAfter(from - 1);
}

export function createPlayer({ compute, clock = systemClock, repeats }: PlayerOptions): Player {
  /** Raised by whatever ends a row of playing; a row that finds another number stops. */
  let turn = 0;

  const interrupt = (): void => {
    turn += 1;
  };

  /**
   * Goes one cycle on, within the loop where there is one. A cycle that is there only after playing has ended is kept, and the
   * view stays where it was put in the meantime.
   *
   * @returns whether there was anything to go on to
   */
  async function advance(goesOn: () => boolean): Promise<boolean> {
    const start = loopRange.value && loopStart(loopRange.value);
    if (start !== undefined) {
      showWithoutFollowing(start);
      return true;
    }
    if (showNext()) return true;
    if (status.value === 'ended' && repeats()) {
      showWithoutFollowing(oldestCycle.value);
      return true;
    }
    if (!(await compute())) return false;
    if (goesOn()) showNext();
    return true;
  }

  async function playOn(own: number): Promise<void> {
    const goesOn = (): boolean => playing.value && own === turn;
    while (goesOn()) {
      const start = clock.now();
      if (!(await advance(goesOn))) break;
      const pause = 1000 / speed.value - (clock.now() - start);
      // At least one task in between, so that what was computed is drawn.
      await clock.wait(Math.max(0, pause));
    }
    const isOver = own === turn && status.value !== 'opening';
    if (isOver) playing.value = false;
  }

  function startPlaying(): void {
    interrupt();
    void playOn(turn);
  }

  function pause(): void {
    playing.value = false;
    interrupt();
  }

  return {
    pause,
    interrupt,
    play() {
      const atEnd = status.value === 'ended' && cycle.value >= newestCycle.value && !loopRange.value;
      if (atEnd) showWithoutFollowing(oldestCycle.value);
      playing.value = true;
      startPlaying();
    },
    resume() {
      if (playing.value) startPlaying();
    },
    async stepForward() {
      pause();
      if (showNext()) return;
      const from = cycle.value;
      // Whoever went elsewhere while it was computed stays there.
      if ((await compute()) && cycle.value === from) showNext();
    },
    stepBack() {
      pause();
      showWithoutFollowing(storedBefore(cycle.value) ?? cycle.value);
    },
    scrub(wanted) {
      followNewest.value = wanted >= newestCycle.value;
      showCycle(wanted);
    },
  };
}
