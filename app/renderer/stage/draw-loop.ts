/**
 * Frames on request: one when something changed, more only while something moves. A frame is not begun before the last one
 * was drawn, and the governor sees what it cost.
 */
import { createResolutionGovernor } from './resolution-governor.ts';

/** After this time without a frame the picture counts as at rest, ms; and after this one a frame in full as the last. */
const REST = 400;
const LONG_REST = 1000;

export interface DrawLoop {
  /** Something changed; several requests before a frame are one. */
  request(): void;
  dispose(): void;
}

/**
 * @param draw draws at a resolution (1 is full) and returns whether it must go on
 * @param settled resolves when the last frame was drawn
 * @param finest resolution of a picture that rests
 * @param onStill told whether what is drawn is all that is to be drawn until something changes
 * @param share of a frame's time that is rested before the next one while something moves by itself
 */
export function createDrawLoop(
  draw: (resolution: number, now: number) => boolean,
  settled: () => Promise<void>,
  finest: () => number = () => 1,
  onStill: (still: boolean) => void = () => undefined,
  share = 0,
): DrawLoop {
  const governor = createResolutionGovernor();
  let asked = false;
  let busy = false;
  let disposed = false;
  let frame = 0;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let pausing: ReturnType<typeof setTimeout> | undefined;

  const schedule = (): void => {
    if (asked && !busy && !disposed && frame === 0) frame = requestAnimationFrame(run);
  };
  const rest = (): void => {
    resting = undefined;
    if (disposed) return;
    if (!governor.rest(finest())) {
      onStill(true);
      return;
    }
    asked = true;
    atRest = true;
    schedule();
  };
  let atRest = false;
  const goOn = (): void => {
    pausing = undefined;
    asked = true;
    schedule();
  };
  const finish = async (begun: number, counts: boolean, moves: boolean): Promise<void> => {
    try {
      await settled();
    } catch {
      // The device is gone; the stage is told by its own way.
    }
    busy = false;
    if (disposed) return;
    const milliseconds = performance.now() - begun;
    if (counts) governor.frame(milliseconds);
    if (moves) pausing = setTimeout(goOn, share * milliseconds);
    else resting = setTimeout(rest, governor.scale < 1 ? REST : LONG_REST);
    schedule();
  };
  const run = (now: number): void => {
    frame = 0;
    asked = false;
    busy = true;
    onStill(false);
    if (resting !== undefined) clearTimeout(resting);
    const full = atRest;
    atRest = false;
    if (!full) governor.wake();
    const begun = performance.now();
    if (pausing !== undefined) clearTimeout(pausing);
    pausing = undefined;
    const moves = draw(governor.scale, now);
    void finish(begun, !full, moves);
  };

  return {
    request() {
      asked = true;
      onStill(false);
      schedule();
    },
    dispose() {
      disposed = true;
      if (frame !== 0) cancelAnimationFrame(frame);
      if (resting !== undefined) clearTimeout(resting);
      if (pausing !== undefined) clearTimeout(pausing);
    },
  };
}
