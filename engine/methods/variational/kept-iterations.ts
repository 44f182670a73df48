/** What is kept of the iterations of a minimisation while it is followed, within a bound. */
import { ritzValues } from '../../operators/conjugate-gradient/index.ts';
import type { LanczosMatrix, Look, MinimisationReport } from '../../operators/conjugate-gradient/index.ts';

/** Ritz values of an iteration, at most. */
const MOST_RITZ_VALUES = 64;

export interface KeptIteration {
  readonly iteration: number;
  readonly plane: Float32Array;
  /** Largest of its absolute values. */
  readonly largest: number;
  readonly ritzValues: Float64Array;
}

/**
 * Follows a minimisation, and keeps of its iterations from 1 on all, or every second, fourth, … and the last.
 *
 * @param most that are kept, 2 or more
 * @param readIncrement of the iterate that the minimisation has come to
 * @param goesOn is asked after each iteration, from 0 on
 */
export async function followKeeping(
  follow: (look: (seen: Look) => Promise<boolean>) => Promise<MinimisationReport>,
  most: number,
  readIncrement: () => Promise<Float32Array>,
  goesOn: (iteration: number) => Promise<boolean>,
): Promise<{ readonly report: MinimisationReport; readonly kept: readonly KeptIteration[] }> {
  let kept: KeptIteration[] = [];
  let every = 1;
  const keep = async (iteration: number, lanczos: LanczosMatrix): Promise<void> => {
    const plane = await readIncrement();
    const largest = plane.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    kept.push({ iteration, plane, largest, ritzValues: ritzValues(lanczos, MOST_RITZ_VALUES) });
  };
  let last: Look | undefined;
  const report = await follow(async (seen) => {
    last = seen;
    const { iteration, lanczos } = seen;
    if (iteration > 0 && iteration % every === 0) {
      if (kept.length === most) {
        every *= 2;
        kept = kept.filter((one) => one.iteration % every === 0);
      }
      if (iteration % every === 0) await keep(iteration, lanczos);
    }
    return goesOn(iteration);
  });
  if (last && last.iteration > (kept.at(-1)?.iteration ?? 0)) {
    // In the place of the one next to it if there is no other.
    kept = kept.slice(0, most - 1);
    await keep(last.iteration, last.lanczos);
  }
  return { report, kept };
}
