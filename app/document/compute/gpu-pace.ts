/**
 * Keeps the queue of the page's GPU short while it computes long cycles: what the stage draws waits in the same queue. Between two
 * parts of a cycle, of a forecast or an analysis by one method, the host then waits until the part before is done.
 */

/** A part that takes longer makes a picture come late, ms: half a picture's time. */
const LONG_PART = 8;
/** The number of short parts in a row after which the host stops waiting. */
const SHORT_PARTS = 32;

/**
 * @param queue of the page's device
 * @returns to be awaited between the parts of a cycle, when they are submitted
 */
export function createGpuPace(
  queue: Pick<GPUQueue, 'onSubmittedWorkDone'>,
  now: () => number = () => performance.now(),
): () => Promise<void> {
  /** Short parts still to come before there is no more waiting; the first part is waited for. */
  let left = 1;
  let isMeasuring = false;

  async function measure(): Promise<void> {
    isMeasuring = true;
    const begun = now();
    try {
      await queue.onSubmittedWorkDone();
      left = now() - begun > LONG_PART ? SHORT_PARTS : Math.max(0, left - 1);
    } catch {
      // A device that is lost is reported by whatever waits for results.
    } finally {
      isMeasuring = false;
    }
  }

  return () => {
    if (left > 0) return measure();
    // Looks at one part after the other, and holds none of them up.
    if (!isMeasuring) void measure();
    return Promise.resolve();
  };
}
