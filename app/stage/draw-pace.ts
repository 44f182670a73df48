/** When the stage draws, and how finely: time is shared with the computing, and movement stays fluent. */

/** Milliseconds of a pause for each of a frame: beside nothing, and beside a cycle that is being computed. */
const REST = 1;
const REST_BESIDE_COMPUTING = 5;
/** The most time owed for one frame, ms: one may have compiled everything, and no picture may freeze for seconds. */
const MOST_OWED = 400;
/**
 * The first picture, for which everything is compiled, comes after the cycle that is being computed, but no later than this, ms.
 */
const FIRST_PICTURE_WAITS = 1500;

/**
 * Shares the processor's time where it draws and computes: every frame is paid for by a pause before the next one, as long as the
 * frame took while nothing is computed, and several times as long while a cycle is.
 */
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

/** Milliseconds: above the first the picture is coarsened, below the second it is refined. */
const SLOW = 45;
const QUICK = 20;
/** Frames that must agree before anything changes. */
const SLOW_FRAMES = 3;
const QUICK_FRAMES = 40;
const STEP = 0.75;
const LOWEST = 0.5;

/**
 * Keeps drawing fluent: lowers the resolution while frames are slow, raises it again when there is time, and asks for one
 * frame in full when nothing moves; after a longer rest for a finer one, where edges are smoothed in no other way.
 */
interface ResolutionGovernor {
  /** Factor on the screen's pixel ratio, 0.5 … 1; more only at rest. */
  readonly scale: number;
  /** Reports how long a frame took, from its beginning until it was drawn, ms. */
  frame(milliseconds: number): void;
  /**
   * Nothing moves any more.
   *
   * @param finest scale of a picture that rests, 1 or more
   * @returns whether a frame in a higher resolution is due: in full, and then the finest
   */
  rest(finest?: number): boolean;
  /** Movement begins again after a rest: goes back to the scale that was fluent. @returns whether the scale changed */
  wake(): boolean;
}

export function createResolutionGovernor(): ResolutionGovernor {
  let scale = 1;
  let moving = 1;
  let slow = 0;
  let quick = 0;
  const setMoving = (next: number): void => {
    slow = 0;
    quick = 0;
    moving = next;
    scale = next;
  };
  return {
    get scale() {
      return scale;
    },
    frame(milliseconds) {
      slow = milliseconds > SLOW ? slow + 1 : 0;
      quick = milliseconds < QUICK ? quick + 1 : 0;
      if (slow >= SLOW_FRAMES) setMoving(Math.max(LOWEST, moving * STEP));
      else if (quick >= QUICK_FRAMES) setMoving(Math.min(1, moving / STEP));
    },
    rest(finest = 1) {
      slow = 0;
      quick = 0;
      if (scale >= finest) return false;
      scale = scale < 1 ? 1 : finest;
      return true;
    },
    wake() {
      if (scale === moving) return false;
      scale = moving;
      return true;
    },
  };
}
