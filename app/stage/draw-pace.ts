/**
 * Shares the processor's time where it draws and computes: every frame is paid for by a pause before the next one, as long as the
 * frame took while nothing is computed, and several times as long while a cycle is.
 */

/** Milliseconds of a pause for each of a frame: beside nothing, and beside a cycle that is being computed. */
const REST = 1;
const REST_BESIDE_COMPUTING = 5;
/** The most time owed for one frame, ms: one may have compiled everything, and no picture may freeze for seconds. */
const MOST_OWED = 400;
/** The first picture, for which everything is compiled, comes after the cycle that is being computed, but no later than this, ms. */
const FIRST_PICTURE_WAITS = 1500;

export interface DrawPace {
  /** Whether drawing steps back for a cycle that is being computed. */
  readonly stepsBack: boolean;
  /** A cycle is being computed from now on, or none is. */
  setComputing(computing: boolean): void;
  /** The last frame took so long, ms. */
  frame(milliseconds: number): void;
  /** @returns how long the pause still is if computing continues, or does not, until then, ms */
  left(): number;
}

/** Where a GPU draws nothing is paid for. */
export const UNPACED: DrawPace = {
  stepsBack: false,
  setComputing: () => undefined,
  frame: () => undefined,
  left: () => 0,
};

/** @param now ms */
export function createDrawPace(now: () => number = () => performance.now()): DrawPace {
  let computing = false;
  /** Milliseconds of a pause beside nothing, as it was then. */
  let owed = 0;
  let then = now();
  let isFirst = true;
  const rest = (): number => (computing ? REST_BESIDE_COMPUTING : REST);
  const settle = (): void => {
    const at = now();
    owed = Math.max(0, owed - (at - then) / rest());
    then = at;
  };
  return {
    get stepsBack() {
      return computing;
    },
    setComputing(next) {
      settle();
      computing = next;
      if (isFirst) owed = computing ? FIRST_PICTURE_WAITS / REST_BESIDE_COMPUTING : 0;
    },
    frame(milliseconds) {
      settle();
      // What a hand asked for in between is not saved up for: the picture would freeze long after.
      owed = Math.min(milliseconds, MOST_OWED);
      isFirst = false;
    },
    left() {
      settle();
      return owed * rest();
    },
  };
}
