/** The one door into the engine: everything outside engine/ imports from here. */
export * from './errors.ts';
export { describeProblem, formatPath, parsePath } from './problem.ts';
export type { Path, Problem } from './problem.ts';
export { legibleLine, quote, shown, visible } from './words.ts';
export * from './statistics/index.ts';
export type * from './compute/backend.ts';
export { createReferenceBackend } from './compute/host-backend.ts';
export { createWasmBackend } from './compute/wasm/wasm-backend.ts';
export type { WasmBackendOptions } from './compute/wasm/wasm-backend.ts';
export { chosenVariant, sizeClassOf } from './compute/variants.ts';
export * from './compute/tuning/index.ts';
export { tuningTasks } from './performance/tuning-tasks.ts';
export { kernelFeatures } from './compute/wasm/kernel-modules.ts';
export type { KernelFeatures } from './compute/wasm/kernel-modules.ts';
export { runThread } from './compute/wasm/thread-loop.ts';
export type { ThreadStart } from './compute/wasm/thread-loop.ts';
export type { KernelThread } from './compute/wasm/thread-pool.ts';
export { createWebGpuBackend } from './compute/webgpu/webgpu-backend.ts';
export type { WebGpuBackendHandle } from './compute/webgpu/webgpu-backend.ts';
export { requestDevice, summariseAdapter } from './compute/webgpu/device.ts';
export type { AdapterSummary, GpuDevice } from './compute/webgpu/device.ts';
export { blockCount, createDevicePlaneReader, createPlaneTextures } from './compute/webgpu/planes/index.ts';
export type {
  DevicePlaneReader,
  DevicePlaneRequest,
  PlaneBlocks,
  PlaneMeans,
  PlaneTextures,
} from './compute/webgpu/planes/index.ts';
export { hasRoomFor } from './compute/webgpu/device.ts';
export { toSpreadsheetText } from './files/spreadsheet-text.ts';
export { crc32 } from './files/crc32.ts';
export { formatNpy, parseNpy } from './files/npy.ts';
export { readHdf5Here } from './files/hdf5-reader.ts';
export type { Hdf5Reader, OpenHdf5 } from './files/hdf5-reader.ts';
export * from './scenario/index.ts';
export {
  addedMethod,
  addMethod,
  correlationsOf,
  createEnsembleState,
  defineMethod,
  describeDegreesOfFreedom,
  describeMinimisation,
  describeObservation,
  describeTrust,
  EXPLANATION_KINDS,
  explainWith,
  methodDefinition,
  METHODS,
  methodSchema,
  spokenName,
} from './methods/index.ts';
export type {
  Appearance,
  AskedObservation,
  Covariance,
  CovarianceColumn,
  AnalysisReport,
  DegreesOfFreedom,
  Departures,
  EnsembleState,
  ExplainedObservation,
  ExplainedVariable,
  Explanation,
  ExplanationKind,
  Explanations,
  Influence,
  LocalWeights,
  Marker,
  Method as RunningMethod,
  MethodContext,
  MethodDefinition,
  MethodQuestion,
  MinimisationCourse,
  MinimisationExplanation,
  ObservationExplanation,
  ObservedDistribution,
  ObservedPositions,
  ObservedPosterior,
  QueuedAnalysis,
  SingleObservationIncrement,
  SpokenMethod,
  TrustedBackground,
} from './methods/index.ts';
export {
  choice,
  count,
  describeValue,
  fileNameProblem,
  listWords,
  nearest,
  quantity,
  scenarioError,
  suggestion,
  toggle,
  within,
} from './settings/index.ts';
export type { ObservationOperator } from './operators/observation/index.ts';
export type { ScenarioFiles, Table, TakesEffect } from './settings/index.ts';
export { MOST_STEPS, SCHEMES, SCHEME_NAMES } from './models/index.ts';
export type { Model, Scheme } from './models/index.ts';
export * from './experiment/index.ts';
export * from './consistency/index.ts';
export * from './run/index.ts';
export * from './guard/index.ts';
export * from './sweep/index.ts';
export * from './tune/index.ts';
export { runCase } from './cases/index.ts';
export type { CaseResult } from './cases/index.ts';
export { createMemoryStorage } from './output/storage.ts';
export type { Storage } from './output/storage.ts';
export { extentOf } from './output/checksum.ts';
export type { Extent as FileExtent } from './output/checksum.ts';
export { formatDiagnostics, parseDiagnostics } from './output/diagnostics-csv.ts';
export * from './output/bundle/index.ts';
export { createRunFolder } from './output/run-folder.ts';
export type { StoredKernels } from './output/kernel-files.ts';
export { FIELDS_FILE, readFields } from './output/fields/fields-file.ts';
export { createFieldsWriter } from './output/fields/netcdf.ts';
export type { FieldsWriter } from './output/fields/netcdf.ts';
export { NETCDF_FILE } from './output/fields/netcdf-parts.ts';
export { createStatesWriter } from './output/fields/states-writer.ts';
export type { StateFiles, StatesWriter } from './output/fields/states-writer.ts';
export type { FieldsGround } from './output/fields/ground.ts';
export type { RandomAccessFile } from './files/hdf5-target.ts';
export { formatMemberList, parseMemberList } from './output/fields/member-list.ts';
export { fieldsSize } from './output/fields/size.ts';
export type { FieldsSize } from './output/fields/size.ts';
export { openFields } from './output/fields/reader.ts';
export { readStoredCells } from './output/fields/stored-cells.ts';
export type { CellObservations, StoredCell } from './output/fields/stored-cells.ts';
export { readStoredSnapshot } from './output/fields/stored-snapshot.ts';
export { TRUTH } from './output/fields/stored-plane.ts';
export type { FieldsReader, StoredPlane } from './output/fields/stored-plane.ts';
export { readFieldsGround } from './output/fields/ground.ts';
export type { EarlierKernels, RunFolder } from './output/run-folder.ts';
export {
  assertMethods,
  DIAGNOSTICS_FILE,
  readRows,
  readRun,
  readRunCheckpoint,
  readRunSummary,
  readRunToContinue,
  readSummary,
} from './output/read-run.ts';
export type { KeptRun } from './output/read-run.ts';
export { describeDifference, judgeVersions, readRunRecord } from './output/run-record.ts';
export type { RunIdentity, RunRecord, RunState, Versions } from './output/run-record.ts';
export { filesNamedBy, readScenarioCopies, SCENARIO_FILES_FOLDER } from './output/scenario-copies.ts';
export { warningShape, withWarning } from './output/merged-warnings.ts';
export { createSummary, gatherSummary, summariseRun, summaryTerms } from './output/summary.ts';
export type { MethodResult, RunSummary } from './output/summary.ts';
export { comparedRunOf, compareRuns, versionDifferences } from './output/compare-runs.ts';
export type { ComparedRun, NotCompared, RunGroup, RunsComparison } from './output/compare-runs.ts';
export { winnerAmong } from './output/compare-methods.ts';
export { worseInShort, worseThanFreeRun } from './output/worse-than-free-run.ts';
export type { WorseCause, WorseThanFreeRun } from './output/worse-than-free-run.ts';
export type {
  ComparedMethods,
  CycleDifference,
  MethodComparison,
  MethodComparisons,
  Reference,
} from './output/compare-methods.ts';
export { recordOf } from './performance/kernel-log.ts';
export type { KernelRecord } from './performance/kernel-log.ts';
export { boundOf, isSeen, ratesOf } from './performance/kernel-rates.ts';
export type { KernelRates, KernelWork } from './performance/kernel-rates.ts';
export { timingsOf } from './performance/kernel-timing.ts';
export type { KernelTiming } from './performance/kernel-timing.ts';
export { addTimings, NO_KERNELS, removeTimings } from './performance/kernel-totals.ts';
export type { KernelTotal, KernelTotals } from './performance/kernel-totals.ts';
export { createTraceLog, cyclesBefore, NO_TRACE } from './performance/trace-log.ts';
export type { StoredTrace, TraceLog } from './performance/trace-log.ts';
export type { Ceilings } from './compute/backend.ts';
export { CEILING_FIELD_BYTES, measureCeilings, occupy } from './performance/ceilings/index.ts';
export * from './benchmarks/index.ts';
export * from './check/index.ts';
