/** The one door into the engine: everything outside engine/ imports from here. */
export * from './errors.ts';
export { legibleLine, quote, shown, visible, toSpreadsheetText } from './words.ts';
export * from './statistics/index.ts';
export type * from './compute/backend.ts';
export { createReferenceBackend } from './compute/host-backend.ts';
export { createWasmBackend } from './compute/wasm/wasm-backend.ts';
export * from './compute/tuning/index.ts';
export { compileKernels, kernelFeatures, type KernelFeatures } from './compute/wasm/kernel-modules.ts';
export { runThread, type ThreadStart } from './compute/wasm/thread-loop.ts';
export type { KernelThread } from './compute/wasm/thread-pool.ts';
export { createWebGpuBackend, type WebGpuBackendHandle } from './compute/webgpu/webgpu-backend.ts';
export { requestDevice, summariseAdapter, hasRoomFor } from './compute/webgpu/device.ts';
export type { AdapterSummary, GpuDevice } from './compute/webgpu/device.ts';
export { blockCount, createDevicePlaneReader, createPlaneTextures } from './compute/webgpu/planes/index.ts';
export type {
  DevicePlaneReader,
  DevicePlaneRequest,
  PlaneBlocks,
  PlaneMeans,
  PlaneTextures,
} from './compute/webgpu/planes/index.ts';
export { crc32 } from './files/checksums.ts';
export { formatNpy, parseNpy, formatCsvArray } from './files/array-files.ts';
export { readHdf5Here, type Hdf5Reader, type OpenHdf5 } from './files/hdf5-reader.ts';
export * from './scenario/index.ts';
export { describeImpact, impactMeans, impactSums, networkSums, recordedImpacts, withImpact } from './impact/index.ts';
export type { ImpactMean, ImpactQuestion, ImpactSum, ObservationImpact } from './impact/index.ts';
export {
  addedMethod,
  addMethod,
  answersImpact,
  AT_END,
  correlationsOf,
  createEnsembleState,
  defineMethod,
  describeDegreesOfFreedom,
  describeMinimisation,
  describeObservation,
  describeReach,
  describeTrust,
  EXPLANATION_KINDS,
  explainWith,
  localSums,
  methodDefinition,
  METHODS,
  MOST_LEAD,
  methodSchema,
  spokenName,
  type Appearance,
  type AskedObservation,
  type CovarianceTimes,
  type Covariance,
  type AnalysisReport,
  type DegreesOfFreedom,
  type Departures,
  type EnsembleState,
  type ExplainedVariable,
  type Explanation,
  type ExplanationKind,
  type Explanations,
  type EnsembleTransform,
  type LocalSums,
  type LocalVolumes,
  type LocalWeights,
  type Marker,
  type Method as RunningMethod,
  type MethodContext,
  type MethodDefinition,
  type MethodQuestion,
  type MinimisationCourse,
  type MinimisationExplanation,
  type ObservationExplanation,
  type ObservedPositions,
  type QueuedAnalysis,
  type SpokenMethod,
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
export type { ScenarioFiles, TakesEffect } from './settings/index.ts';
export type { Model } from './models/index.ts';
export * from './experiment/index.ts';
export * from './consistency/index.ts';
export * from './run/index.ts';
export * from './guard/index.ts';
export * from './sweep/index.ts';
export * from './tune/index.ts';
export { runCase, type CaseResult } from './cases/index.ts';
export { createMemoryStorage, extentOf, type Storage, type Extent as FileExtent } from './output/stored-files.ts';
export { formatDiagnostics, parseDiagnostics } from './output/diagnostics-csv.ts';
export * from './output/bundle/index.ts';
export { createRunFolder, type EarlierKernels, type RunFolder } from './output/run-folder.ts';
export type { StoredKernels } from './output/kernel-files.ts';
export { FIELDS_FILE, readFields, createStatesWriter, fieldsSize } from './output/fields/fields-file.ts';
export type { StatesWriter, FieldsSize } from './output/fields/fields-file.ts';
export { createFieldsWriter } from './output/fields/netcdf.ts';
export { NETCDF_FILE } from './output/fields/netcdf-parts.ts';
export type { RandomAccessFile } from './files/hdf5.ts';
export { openFields } from './output/fields/reader.ts';
export { readStoredCells, readStoredSnapshot, TRUTH } from './output/fields/stored-plane.ts';
export type { CellObservations, StoredCell, FieldsReader } from './output/fields/stored-plane.ts';
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
export {
  describeDifference,
  judgeVersions,
  readRunRecord,
  warningShape,
  withWarning,
  readFieldsGround,
  filesNamedBy,
  readScenarioCopies,
  SCENARIO_FILES_FOLDER,
} from './output/run-record.ts';
export type { RunIdentity, RunRecord, RunState, Versions, FieldsGround } from './output/run-record.ts';
export { gatherSummary, summariseRun, summaryTerms, type MethodResult, type RunSummary } from './output/summary.ts';
export { comparedRunOf, compareRuns, versionDifferences } from './output/compare-runs.ts';
export type { ComparedRun, NotCompared, RunGroup, RunsComparison } from './output/compare-runs.ts';
export { winnerAmong } from './output/cycle-series.ts';
export type {
  ComparedMethods,
  CycleDifference,
  MethodComparison,
  MethodComparisons,
  Reference,
} from './output/cycle-series.ts';
export { isWorseThanFree, worseInShort, worseThanFreeRun } from './output/worse-than-free-run.ts';
export type { WorseThanFreeRun } from './output/worse-than-free-run.ts';
export {
  recordOf,
  boundOf,
  isSeen,
  ratesOf,
  timingsOf,
  addTimings,
  NO_KERNELS,
  removeTimings,
} from './performance/kernel-totals.ts';
export type { KernelRecord } from './performance/kernel-totals.ts';
export type { KernelRates, KernelWork, KernelTiming, KernelTotal, KernelTotals } from './performance/kernel-totals.ts';
export { createTraceLog, cyclesBefore, NO_TRACE, type StoredTrace } from './performance/trace-log.ts';
export type { Ceilings } from './compute/backend.ts';
export { CEILING_FIELD_BYTES, measureCeilings, occupy } from './performance/ceilings/index.ts';
export {
  benchDocumentSchema,
  benchmarkCeilings,
  benchmarksOn,
  driveBenchmarks,
  measure,
  resultOf,
  runBenchmark,
  SUITES,
  variantsOf,
  budgetWithin,
  compareWithPublished,
  describeBackend,
  largestError,
  relateRows,
  rowOf,
  type BenchBackend,
  type BenchDocument,
  type BenchListener,
  type Benchmark,
  type BenchmarkProblem,
  type BenchmarkRow,
  type BenchOptions,
  type BenchRequest,
  type Extent,
  type Judgement,
  type Measurement,
  type PublishedComparison,
  type PublishedFigure,
  type Suite,
  type TimeBudget,
  type Workload,
} from './benchmarks/index.ts';
export * from './papers/index.ts';
export * from './check/index.ts';
