/** Small twin experiments, run to a cycle: what they said, and the states that they left. */
import type { Backend } from '../../compute/backend.ts';
import { createExperiment } from '../../experiment/index.ts';
import type { Checkpoint, CycleDiagnostics, Experiment } from '../../experiment/index.ts';
import { NO_FILES, validateScenario } from '../../scenario/index.ts';
import type { Scenario, ScenarioInput } from '../../scenario/index.ts';

/** What a scenario file holds, but for its version. */
export type TwinInput = Omit<ScenarioInput, 'version'>;

/**
 * A small experiment with something of everything: a rotating channel with a hill, drops that fall on the truth and on each
 * member, gauges and buoys that drift, whose velocities are nonlinear in the state, a free run, 3D-Var, LETKF and EnKF.
 */
export const everything: TwinInput = {
  name: 'everything',
  grid: { nx: 9, ny: 8, dx: 1, dy: 1 },
  model: {
    scheme: 'central-upwind',
    timeStep: 0.1,
    coriolis: { f: 0.5 },
    boundary: { x: 'periodic', y: 'wall' },
    bathymetry: { kind: 'bump', depth: 1, height: 0.4, width: 3 },
  },
  truth: {
    initial: { kind: 'drops', count: 2, amplitude: [0.05, 0.2], width: 6 },
    spinup: 0.5,
    forcing: { kind: 'drops', every: 4, count: 2, amplitude: [-0.05, 0.05], width: 6, seenBy: 'each' },
  },
  background: { initial: { kind: 'drops', count: 2, amplitude: [0.05, 0.2], width: 6 }, members: 6 },
  observations: [
    {
      name: 'gauges',
      variable: 'eta',
      network: { kind: 'regular', stride: [4, 3], offset: [1, 1] },
      errorStandardDeviation: 0.02,
      dropout: 0.1,
    },
    {
      name: 'buoys',
      variable: 'u',
      network: { kind: 'drifters', count: 5 },
      errorStandardDeviation: 0.05,
      every: 2,
    },
  ],
  methods: [
    { kind: 'free-run' },
    {
      kind: '3dvar',
      covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05 } },
      minimisation: { tolerance: 1e-6, maxIterations: 60 },
    },
    { kind: 'letkf', localisation: { halfWidth: 3 }, inflation: 1.05, rotation: true },
    { kind: 'enkf', localisation: { halfWidth: 3 }, relaxation: { kind: 'spread', factor: 0.3 } },
  ],
  experiment: { cycles: 40, window: 0.5, spinup: 5 },
};

/** A scenario as a file would hold it, with every default filled in. */
export function scenarioOf(input: TwinInput): Scenario {
  return validateScenario({ version: 3, ...input }, input.name).scenario;
}

export interface Twin {
  readonly experiment: Experiment;
  /** Diagnostics of all cycles and methods so far, in the order of completion. */
  readonly diagnostics: readonly CycleDiagnostics[];
  /** Runs until cycle `cycle` comes next. */
  readonly runTo: (cycle: number) => Promise<void>;
}

/** A run of the scenario; the caller disposes its experiment. */
export async function twin(backend: Backend, scenario: Scenario, checkpoint?: Checkpoint): Promise<Twin> {
  const diagnostics: CycleDiagnostics[] = [];
  const experiment = await createExperiment(backend, scenario, {
    files: NO_FILES,
    checkpoint,
    listener: (event) => {
      if (event.type === 'diagnostics') diagnostics.push(event.diagnostics);
    },
  });
  return {
    experiment,
    diagnostics,
    runTo: async (cycle) => {
      while (experiment.nextCycle < cycle) await experiment.step();
    },
  };
}
