/** How many steps of a scheme for a flat bottom a dispatch takes on a GPU: one, or a batch where a state is small. */
import { tuningTask, type TuningTask } from '../../../compute/tuning/index.ts';
import { sizeClassOf, type KernelVariants } from '../../../compute/variants.ts';
import type { Operator } from '../../../compute/backend.ts';
import { CLOCK, freshStatus, type StepFields } from '../../stepping.ts';
import type { SchemeParameters } from '../basin.ts';

interface StepsVariant {
  /** Steps of a dispatch at most. */
  readonly batch: number;
}

/** Cells along a side of the tile that a workgroup has in its memory, 12 KiB. As in flat-bottom.wgsl. */
const TILE_SIDE = 32;
/** The larger a batch, the fewer dispatches and the more cells that several tiles compute; the first is for any GPU. */
const BATCHES = [5, 7, 10] as const;
/** Tiles of the first up to which a step takes about as long as its dispatch: 256² cells. */
const MOST_TILES = 144;
/** Steps of a run from which on batches save dispatches: two, and one that ends the run. */
const LEAST_STEPS = 4;

/** @returns tiles along x and y that cover a grid in batches of so many steps */
export function tilesOf(nx: number, ny: number, batch: number): readonly [number, number] {
  const own = TILE_SIDE - 2 * batch;
  return [Math.ceil(nx / own), Math.ceil(ny / own)];
}

export const stepsVariants: KernelVariants<SchemeParameters, StepsVariant> = {
  kernel: 'flat-bottom.step',
  sizeClass: ({ nx, ny, members }) => sizeClassOf(nx, ny, members),
  offered({ nx, ny, members, steps, timeStep }, { isSoftware }) {
    const single = { single: { batch: 1 } };
    // With "auto" the length of a step follows from all cells as the step before has left them.
    if (timeStep === 'auto' || steps < LEAST_STEPS) return single;
    const batches = Object.fromEntries(BATCHES.map((batch) => [`batches-of-${batch}`, { batch }]));
    const [across, up] = tilesOf(nx, ny, BATCHES[0]);
    const isSmall = across * up * members <= MOST_TILES && !isSoftware;
    return isSmall ? { ...batches, ...single } : { ...single, ...batches };
  },
};

/** Cells a side: those of scenarios, and those of the truth of large ones. */
const SIZES = [64, 256] as const;

/** What is tuned, by one scheme for both: the steps of one state, of water at rest, which stays as it is. */
export function stepsTasks(operator: Operator<SchemeParameters, StepFields>): readonly TuningTask[] {
  return SIZES.map((n) => {
    const parameters: SchemeParameters = {
      nx: n,
      ny: n,
      dx: 1,
      dy: 1,
      gravity: 9.8,
      boundary: { x: 'wall', y: 'wall' },
      members: 1,
      steps: 20,
      timeStep: 0.05,
      courant: 0.4,
      begins: false,
    };
    return tuningTask({
      operator,
      parameters,
      variants: stepsVariants,
      subject: parameters,
      size: `${n} × ${n}, ${parameters.steps} steps`,
      arrays: {
        state: () => new Float64Array(3 * n * n).fill(1, 0, n * n),
        status: freshStatus,
        clock: CLOCK.length,
      },
    });
  });
}
