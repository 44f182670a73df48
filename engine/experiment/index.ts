/** Twin experiments: truth, observing networks, methods in lockstep, diagnostics, checkpoints. */
export { isOwnCheckpoint } from './checkpoint.ts';
export type { Checkpoint } from './checkpoint.ts';
export { disturbed, wrongByARounding } from './disturbance.ts';
export { createModel } from './draw.ts';
export { createStateDraw } from './drawn-states.ts';
export type { Drawable, DrawnState, StateDraw } from './drawn-states.ts';
export type { CycleTrace, HostPart, HostSpan } from './cycle-trace.ts';
export { createExperiment } from './experiment.ts';
export { shownTruth } from './hidden-truth.ts';
export type { Cycle } from './cycles.ts';
export type { Experiment } from './experiment.ts';
export type { WindowObserver } from './experiment-observer.ts';
export { SPREAD_EDGES } from './consistency-measures.ts';
export type {
  BandSpectra,
  Budget,
  ConsistencyMeasures,
  DepartureProducts,
  SampledScores,
} from './consistency-measures.ts';
export type * from './events.ts';
export { previewScenario } from './preview.ts';
export type { BasinPreview, Preview, RingPreview } from './preview.ts';
export { createSnapshotRecorder, MAXIMUM_PROBES } from './snapshot.ts';
export type { MethodPlanes, ProbeCell, SnapshotRecorder } from './snapshot.ts';
export type { CycleObservations } from './truth-observer.ts';
export { createStoredRecorder } from './stored-parts.ts';
export type { StoredRecorder } from './stored-parts.ts';
