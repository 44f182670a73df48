/** The experiment, as the command line runs it. */
import { BackendError } from '../../../engine/index.ts';
import type { Backend, Checkpoint, ExperimentEvent, Scenario, ScenarioFiles } from '../../../engine/index.ts';

export interface Experiment {
  readonly nextCycle: number;
  readonly cycles: number;
  step(): Promise<void>;
  checkpoint(): Promise<Checkpoint>;
  dispose(): void;
}

export interface ExperimentOptions {
  readonly files: ScenarioFiles;
  readonly methods?: readonly string[];
  readonly listener: (event: ExperimentEvent) => void;
  readonly checkpoint?: Checkpoint;
}

/** @throws BackendError: experiments are not part of this version of the engine */
export function createExperiment(
  backend: Backend,
  _scenario: Scenario,
  _options: ExperimentOptions,
): Promise<Experiment> {
  return Promise.reject(new BackendError(`no experiment can be run on the backend ${backend.name} by this version`));
}
