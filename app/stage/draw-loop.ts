/**
 * Frames on request: one when something changed, more only while something moves. A frame is not begun before the last one was drawn,
 * and the governor sees what it cost, and decides how finely the next is drawn. What the run brings waits until the last frame is paid
 * for where the processor draws; what a hand does never waits.
 */
import type { StageModel } from './stage-model.ts';

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
interface DrawPace {
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
  /** Milliseconds of the pause that was still due at `then`, if nothing else is computed. */
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

/** What of a model somebody has chosen. */
function chosen({
  snapshot: _s,
  transit: _t,
  isRunning: _i,
  room: _r,
  lockedRanges: _l,
  members: _m,
  further: _f,
  subjects,
  instead,
  ...rest
}: StageModel) {
  const { title, symbol, marks } = instead ?? {};
  return { ...rest, subjects: JSON.stringify(subjects), instead: JSON.stringify([title, symbol, marks]) };
}

/** @returns whether what the views show differs in nothing but what comes by itself: the run continues, and words follow it */
function onlyTheRunWentOn(before: StageModel, next: StageModel): boolean {
  // A run that neither plays nor computes shows another cycle because somebody went there.
  if (before.snapshot !== next.snapshot && !next.isRunning) return false;
  // Other planes of the same cycle are an answer that somebody waits for.
  if (before.snapshot === next.snapshot && before.instead?.planes !== next.instead?.planes) return false;
  const [a, b] = [chosen(before), chosen(next)];
  return (Object.keys(a) as (keyof typeof a)[]).every((key) => a[key] === b[key]);
}

/**
 * @returns who asks for the next picture: the run, which can wait for it, or a hand, which must not. @param before undefined if
 * nothing was shown yet
 */
export function askerOf(before: StageModel | undefined, next: StageModel): Asker {
  return !before || onlyTheRunWentOn(before, next) ? 'run' : 'hand';
}

/** After this time without a frame the picture counts as at rest, ms; and after this one a frame in full as the last. */
const REST_OF_A_PICTURE = 400;
const LONG_REST = 1000;

/** What moves on after a frame: nothing, water or cameras by themselves, or, hurried, cameras that were sent somewhere. */
export type Movement = 'none' | 'unhurried' | 'hurried';

/** Who asks for a frame. */
export type Asker = 'run' | 'hand';

export interface DrawLoop {
  /** Something changed; several requests before a frame are one. */
  request(by: Asker): void;
  /** Whether a cycle is being computed where the picture is drawn. */
  setComputing(computing: boolean): void;
  dispose(): void;
}

interface DrawLoopOptions {
  /** Resolution of a picture that rests. */
  readonly finest?: () => number;
  /** Called with whether the picture is final until something changes. */
  readonly onStill?: (still: boolean) => void;
  readonly pace?: DrawPace;
  /** The window that the picture is in, which says when a frame is due; the page if omitted. */
  readonly view?: Pick<Window, 'requestAnimationFrame' | 'cancelAnimationFrame'>;
}

/**
 * @param draw draws at a resolution (1 is full) and returns what must continue; undefined if there was nothing to draw
 * @param settled resolves when the last frame was drawn
 */
export function createDrawLoop(
  draw: (resolution: number, now: number) => Movement | undefined,
  settled: () => Promise<void>,
  { finest = () => 1, onStill = () => undefined, pace = UNPACED, view = globalThis }: DrawLoopOptions = {},
): DrawLoop {
  const governor = createResolutionGovernor();
  let asked = false;
  let hurried = false;
  let busy = false;
  let disposed = false;
  /** The frame to come is one of a picture at rest. */
  let atRest = false;
  /** Nothing has asked for a frame since the last one. */
  let resting = false;
  let frame = 0;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  let pauseTimer: ReturnType<typeof setTimeout> | undefined;

  const endPause = (): void => {
    clearTimeout(pauseTimer);
    pauseTimer = undefined;
  };
  const schedule = (): void => {
    endPause();
    if (!asked || busy || disposed || frame !== 0) return;
    const pause = hurried ? 0 : pace.left();
    if (pause > 0) pauseTimer = setTimeout(schedule, Math.ceil(pause));
    else frame = view.requestAnimationFrame(run);
  };
  const rest = (): void => {
    // Of a picture that is soon another nothing finer is drawn, but for one in full.
    const isLater = pace.stepsBack && governor.scale >= 1 && governor.scale < finest();
    if (disposed || isLater) return;
    if (!governor.rest(finest())) {
      onStill(true);
      return;
    }
    asked = true;
    atRest = true;
    schedule();
  };
  const awaitRest = (): void => {
    clearTimeout(restTimer);
    restTimer = setTimeout(rest, governor.scale < 1 ? REST_OF_A_PICTURE : LONG_REST);
  };
  const finish = async (begun: number, counts: boolean, movement: Movement): Promise<void> => {
    try {
      await settled();
    } catch {
      // The device is gone; the stage is notified separately.
    }
    busy = false;
    if (disposed) return;
    const milliseconds = performance.now() - begun;
    pace.frame(milliseconds);
    if (counts) governor.frame(milliseconds);
    asked ||= movement !== 'none';
    hurried ||= movement === 'hurried';
    resting = !asked;
    if (resting) awaitRest();
    schedule();
  };
  const run = (now: number): void => {
    frame = 0;
    asked = false;
    hurried = false;
    busy = true;
    resting = false;
    onStill(false);
    clearTimeout(restTimer);
    const full = atRest;
    atRest = false;
    if (!full) governor.wake();
    const begun = performance.now();
    const movement = draw(governor.scale, now);
    if (movement) void finish(begun, !full, movement);
    else busy = false;
  };

  return {
    request(by) {
      asked = true;
      hurried ||= by === 'hand';
      // It is not at rest that it is drawn.
      atRest = false;
      resting = false;
      onStill(false);
      schedule();
    },
    setComputing(computing) {
      if (computing === pace.stepsBack) return;
      pace.setComputing(computing);
      if (resting && !computing) awaitRest();
      schedule();
    },
    dispose() {
      disposed = true;
      if (frame !== 0) view.cancelAnimationFrame(frame);
      clearTimeout(restTimer);
      endPause();
    },
  };
}
