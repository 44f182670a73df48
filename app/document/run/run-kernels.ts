/** What is known of the kernels of a run: the totals of all cycles, and the last ones one by one. */
import { addTimings, NO_KERNELS, removeTimings, timingsOf } from '../../../engine/index.ts';
import type { Ceilings, KernelSample, KernelTiming, KernelTotals } from '../../../engine/index.ts';

/** Kernels of one cycle. */
export interface KernelCycle {
  readonly cycle: number;
  readonly timings: readonly KernelTiming[];
}

/** What is known of the kernels of a run, wherever it was done. */
export interface StoredRunKernels {
  /** Totals of all cycles together. */
  readonly totals: KernelTotals;
  /** Kernels of the last cycles one by one, ascending. */
  readonly recent: readonly KernelCycle[];
  /** Ceilings of the machine that the run was done on, if measured. */
  readonly ceilings: Ceilings | undefined;
}

/** What is known of the kernels of the run on screen. */
export interface RunKernels extends StoredRunKernels {
  /** They were read from a run folder, and no cycle has been run here since. */
  readonly isRestored: boolean;
}

/** Kernel times are kept cycle by cycle of this many cycles, beside the totals of all. */
export const KERNEL_CYCLES = 100;

/** Kernels of a run without a cycle. */
export const NOTHING_RUN: RunKernels = { totals: NO_KERNELS, recent: [], ceilings: undefined, isRestored: false };

/**
 * Adds the kernels of a cycle, in place of those of the same cycle and later ones. The first cycle begins everything again;
 * of a run that goes back further than the cycles that are kept one by one, those between stay in the totals.
 */
export function withKernels(known: RunKernels, of: number, samples: readonly KernelSample[]): RunKernels {
  const { totals, recent } = of === 0 ? NOTHING_RUN : known;
  const again = recent.filter((each) => each.cycle >= of);
  const before = removeTimings(
    totals,
    again.flatMap(({ timings }) => timings),
    again.length,
  );
  const timings = timingsOf(samples);
  return {
    totals: addTimings(before, timings),
    recent: [...recent.filter((each) => each.cycle < of), { cycle: of, timings }].slice(-KERNEL_CYCLES),
    ceilings: undefined,
    isRestored: false,
  };
}

/** @returns what a run folder knows of its kernels, as those of the run on screen */
export function restoredKernels({ totals, recent, ceilings }: StoredRunKernels): RunKernels {
  return { totals, recent: recent.slice(-KERNEL_CYCLES), ceilings, isRestored: true };
}
