/**
 * Keeps drawing fluent: lowers the resolution while frames are slow, raises it again when there is time, and asks for one
 * frame in full when nothing moves; after a longer rest for a finer one, where edges are smoothed in no other way.
 */

/** Milliseconds: above the first the picture is coarsened, below the second it is refined. */
const SLOW = 45;
const QUICK = 20;
/** Frames that must agree before anything changes. */
const SLOW_FRAMES = 3;
const QUICK_FRAMES = 40;
const STEP = 0.75;
const LOWEST = 0.5;

export interface ResolutionGovernor {
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
