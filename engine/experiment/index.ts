/** Twin experiments: truth, observing networks, methods in lockstep, diagnostics, checkpoints. */
export type { Checkpoint } from './checkpoint.ts';
export { createExperiment } from './experiment.ts';
export type { Experiment, ExperimentOptions } from './experiment.ts';
export type * from './events.ts';
export type { CycleObservations } from './truth-observer.ts';
