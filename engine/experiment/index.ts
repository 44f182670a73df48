/** Twin experiments: truth, observing networks, methods in lockstep, diagnostics, checkpoints. */
export { fingerprintOf, isOwnCheckpoint, disturbed, wrongByARounding, type Checkpoint } from './checkpoint.ts';
export { createModel, previewScenario, type BasinPreview, type Preview, type RingPreview } from './draw.ts';
export { createStateDraw, type Drawable, type DrawnState, type StateDraw } from './parts.ts';
export type { CycleTrace, HostPart, HostSpan } from './cycle-trace.ts';
export { createExperiment, type Experiment } from './experiment.ts';
export type { AnalysedCycle } from './method-explanation.ts';
export { shownTruth } from './hidden-truth.ts';
export type { Cycle } from './cycles.ts';
export type {
  WindowObserver,
  BandSpectra,
  Budget,
  ConsistencyMeasures,
  DepartureProducts,
  SampledScores,
  SmoothedErrors,
} from './events.ts';
export { SPREAD_EDGES } from './events.ts';
export type * from './events.ts';
export { createSnapshotRecorder, MAXIMUM_PROBES } from './snapshot.ts';
export type { MethodPlanes, ProbeCell, SnapshotRecorder } from './snapshot.ts';
export type { CycleObservations } from './truth-observer.ts';
export { REGIONS, regionNames, regionOf } from './regions.ts';
export { createStoredRecorder, type StoredRecorder } from './stored-parts.ts';
