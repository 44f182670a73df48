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
 */
export function createDrawLoop(
  draw: (resolution: number, now: number) => boolean,
  settled: () => Promise<void>,
  finest: () => number = () => 1,
  onStill: (still: boolean) => void = () => undefined,
): DrawLoop {
  const governor = createResolutionGovernor();
  let asked = false;
  let busy = false;
  let disposed = false;
  let frame = 0;
  let resting: ReturnType<typeof setTimeout> | undefined;

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
  const finish = async (begun: number, counts: boolean): Promise<void> => {
    try {
      await settled();
    } catch {
      // The device is gone; the stage is told by its own way.
    }
    busy = false;
    if (disposed) return;
    if (counts) governor.frame(performance.now() - begun);
    resting = setTimeout(rest, governor.scale < 1 ? REST : LONG_REST);
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
    if (draw(governor.scale, now)) asked = true;
    void finish(begun, !full);
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
    },
  };
}
