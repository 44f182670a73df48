/** The tuner, which chooses among the variants of kernels (../variants.ts), and the record of what it chose. */
export { mergeTuning, readTuningRecord, recallTuning, untunedTasks } from './record.ts';
export type { FindTuning, TunedChoice, TuningRecord, TuningStore } from './record.ts';
export { kernelsVersion } from './kernels-version.ts';
export { tuningTask } from './task.ts';
export type { TuningTask } from './task.ts';
export { tune, tuneByParts } from './tuner.ts';
export type { TriedVariant, TuningFinding, TuningFindings, TuningOptions } from './tuner.ts';
