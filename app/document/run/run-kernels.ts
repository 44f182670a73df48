/** What is known of the kernels of a run: the totals of all cycles, the last ones one by one, and the trace that its folder gets. */
import { signal } from '@preact/signals';
import {
  createTraceLog,
  median,
  NO_TRACE,
  type CycleTrace,
  type KernelSample,
  type StoredTrace,
  addTimings,
  NO_KERNELS,
  removeTimings,
  timingsOf,
  type Ceilings,
  type KernelTiming,
  type KernelTotals,
} from '../../../engine/index.ts';

/** What a cycle asked of the device. */
export type DeviceWork = CycleTrace['counts'];

export interface CycleWork {
  readonly cycle: number;
  readonly counts: DeviceWork;
}

/** Cycles of which it is known one by one. */
const WORK_CYCLES = 100;

/** @returns the middle one of each count: a checkpoint in between, which reads everything back, is no cycle */
export function typicalWork(cycles: readonly CycleWork[]): DeviceWork | undefined {
  if (cycles.length === 0) return undefined;
  const middle = (count: keyof DeviceWork): number => median(cycles.map(({ counts }) => counts[count]));
  return {
    waits: middle('waits'),
    submissions: middle('submissions'),
    dispatches: middle('dispatches'),
    uploads: middle('uploads'),
    uploadedBytes: middle('uploadedBytes'),
    readbacks: middle('readbacks'),
    readBytes: middle('readBytes'),
  };
}

/** Makes the empty trace of one run. */
export function createRunTrace() {
  let log = createTraceLog(Date.now());
  /** Work of the last cycles one by one, ascending. */
  const work = signal<readonly CycleWork[]>([]);

  /** A run begins, or continues with what was traced of it. @param start ISO 8601 */
  function beginTrace(start: string, before: StoredTrace = NO_TRACE): void {
    log = createTraceLog(Date.parse(start), before);
    work.value = [];
  }

  /** @param samples kernels of the cycle, where they were timed */
  function addTrace(trace: CycleTrace, samples: readonly KernelSample[]): void {
    const { cycle, counts } = trace;
    log.dropFrom(cycle);
    for (const sample of samples) log.kernel(cycle, sample);
    log.add(trace);
    if (!trace.spans.some(({ part }) => part === 'cycle')) return;
    work.value = [...work.value.filter((each) => each.cycle < cycle), { cycle, counts }].slice(-WORK_CYCLES);
  }

  return {
    work,
    beginTrace,
    addTrace,
    /** What a folder of the run gets. */
    storedTrace: (): StoredTrace => log.stored,
  };
}

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
