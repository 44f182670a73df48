/** Twin experiments: truth, observing networks, methods in lockstep, diagnostics, checkpoints. */
export { isOwnCheckpoint, disturbed, wrongByARounding } from './checkpoint.ts';
export type { Checkpoint } from './checkpoint.ts';
export { createModel, previewScenario } from './draw.ts';
export { createStateDraw } from './drawn-states.ts';
export type { Drawable, DrawnState, StateDraw } from './drawn-states.ts';
export type { CycleTrace, HostPart, HostSpan } from './cycle-trace.ts';
export { createExperiment } from './experiment.ts';
export { shownTruth } from './hidden-truth.ts';
export type { Cycle } from './cycles.ts';
export type { Experiment } from './experiment.ts';
export type {
  WindowObserver,
  BandSpectra,
  Budget,
  ConsistencyMeasures,
  DepartureProducts,
  SampledScores,
} from './events.ts';
export { SPREAD_EDGES } from './events.ts';
export type * from './events.ts';
export type { BasinPreview, Preview, RingPreview } from './draw.ts';
export { createSnapshotRecorder, MAXIMUM_PROBES } from './snapshot.ts';
export type { MethodPlanes, ProbeCell, SnapshotRecorder } from './snapshot.ts';
export type { CycleObservations } from './truth-observer.ts';
export { createStoredRecorder } from './stored-parts.ts';
export type { StoredRecorder } from './stored-parts.ts';
