/**
 * Frames on request: one when something changed, more only while something moves. A frame is not begun before the last one
 * was drawn, and the governor sees what it cost. What the run brings waits until the last frame is paid for where the
 * processor draws; what a hand does never waits.
 */
import { UNPACED, createResolutionGovernor, type DrawPace } from './draw-pace.ts';
import type { StageModel } from './stage-model.ts';

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
const REST = 400;
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

export interface DrawLoopOptions {
  /** Resolution of a picture that rests. */
  readonly finest?: () => number;
  /** Called with whether the picture is final until something changes. */
  readonly onStill?: (still: boolean) => void;
  readonly pace?: DrawPace;
  /** The window that the picture is in, which says when a frame is due; the page if omitted. */
  readonly view?: Pick<Window, 'requestAnimationFrame' | 'cancelAnimationFrame'>;
}

/**
 * @param draw draws at a resolution (1 is full) and returns what must continue
 * @param settled resolves when the last frame was drawn
 */
export function createDrawLoop(
  draw: (resolution: number, now: number) => Movement,
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
    restTimer = setTimeout(rest, governor.scale < 1 ? REST : LONG_REST);
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
    void finish(begun, !full, draw(governor.scale, now));
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
