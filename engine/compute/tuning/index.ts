/**
 * The tuner, which chooses among the variants of kernels (../variants.ts), and the record of what it chose. A room that offers some
 * describes them as `KernelVariants` in a file of its own (`*variants.ts`), asks its builder for one (`builder.variant`), and lists
 * `tuningTask`s at typical sizes, which `performance/tuning-tasks.ts` gathers.
 */
export { mergeTuning, readTuningRecord, recallTuning, untunedTasks } from './record.ts';
export type { FindTuning, TunedChoice, TuningRecord, TuningStore } from './record.ts';
export { kernelsVersion } from './kernels-version.ts';
export { tuningTask } from './task.ts';
export type { TuningTask } from './task.ts';
export { tune, tuneByParts } from './tuner.ts';
export type { TriedVariant, TuningFinding, TuningFindings, TuningOptions } from './tuner.ts';
