/**
 * Shoal as a library: twin experiments of data assimilation on shallow water and Lorenz-96, in Node and in a page.
 *
 * ```js
 * import { createTwinExperiment, openBackend, readScenario } from 'shoal';
 *
 * const backend = await openBackend();
 * const experiment = await createTwinExperiment(readScenario({ version: 3, name: 'drops' }), { backend });
 * const { diagnostics } = await experiment.step();
 * console.log(diagnostics.get('letkf').rmse.analysis.h, await experiment.plane({ of: 'letkf', variable: 'h' }));
 * ```
 *
 * A scenario says what is run, as in a file of the program; a backend says where. Lengths are metres, times seconds; planes are
 * [y][x], row by row. Numbers depend on the scenario, its seed and the kind of backend alone.
 *
 * @packageDocumentation
 */
export { ArgumentError } from './scenario.ts';
export { openBackend, type BackendOptions } from './backend.ts';
export { readScenario, type MethodEntry, type OwnScenario } from './scenario.ts';
export { createTwinExperiment } from './twin-experiment.ts';
export type { CycleResult, PlaneRequest, TwinExperiment, TwinExperimentOptions } from './twin-experiment.ts';
export { choice, count, quantity, toggle, defineMethod, explainWith, methodSchema, registerMethod } from './method.ts';
export {
  AllDivergedError,
  BackendError,
  createEnsembleState,
  DivergenceError,
  LimitError,
  NotKeptError,
  QuestionError,
  ScenarioError,
  type AnalysisReport,
  type Appearance,
  type Backend,
  type BackendName,
  type ByVariable,
  type Checkpoint,
  type CycleDiagnostics,
  type CycleObservations,
  type Departures,
  type EnsembleState,
  type Explanation,
  type ExplanationKind,
  type Explanations,
  type InnovationReport,
  type MethodContext,
  type MethodDefinition,
  type MethodDivergence,
  type MethodQuestion,
  type ObservationOperator,
  type ObservedPositions,
  type QueuedAnalysis,
  type RunningMethod,
  type Scenario,
  type ScenarioInput,
} from '../../engine/index.ts';
