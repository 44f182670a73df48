/** A ring of Lorenz-96 that smoothers are run on, cycle by cycle, with what they keep. */
import { createExperiment, NO_FILES, validateScenario } from '../../../engine/index.ts';
import type { Backend, Checkpoint, CycleDiagnostics, Scenario } from '../../../engine/index.ts';
import type { CycleObservations } from '../../../engine/experiment/truth-observer.ts';

export const N = 24;
export const MEMBERS = 8;
export const LAG = 3;
export const ERROR = 0.5;

/** Lorenz-96, every second place observed after every fourth step. */
export function scenarioOf(methods: readonly object[], changes: object = {}): Scenario {
  const raw = {
    version: 3,
    name: 'smoothed',
    seed: 3,
    grid: { nx: N, ny: 1 },
    model: { kind: 'lorenz-96' },
    truth: { initial: { kind: 'climatology' }, perturbation: { standardDeviation: 0.1, length: 0.01 } },
    background: {
      initial: { kind: 'truth' },
      perturbation: { standardDeviation: 0.5, length: 0.01 },
      members: MEMBERS,
    },
    observations: [
      { name: 'places', variable: 'x', network: { kind: 'regular', stride: [2, 1] }, errorStandardDeviation: ERROR },
    ],
    methods,
    experiment: { cycles: 12, window: 0.1 },
    ...changes,
  };
  return validateScenario(raw, 'smoothed').scenario;
}

export interface Ran {
  readonly rows: readonly CycleDiagnostics[];
  readonly observed: readonly CycleObservations[];
  readonly checkpoints: readonly Checkpoint[];
}

/** @param onForecast is given what the members were before each analysis */
export async function run(
  backend: Backend,
  scenario: Scenario,
  cycles: number,
  {
    checkpoint,
    onForecast,
  }: { readonly checkpoint?: Checkpoint; readonly onForecast?: (state: Float64Array) => void } = {},
): Promise<Ran> {
  const rows: CycleDiagnostics[] = [];
  const observed: CycleObservations[] = [];
  const checkpoints: Checkpoint[] = [];
  const experiment = await createExperiment(backend, scenario, {
    files: NO_FILES,
    listener: (event) => event.type === 'diagnostics' && rows.push(event.diagnostics),
    ...(onForecast && {
      observer: {
        forecast: async ({ state }) => onForecast(Float64Array.from(await backend.read(state))),
      },
    }),
    ...(checkpoint && { checkpoint }),
  });
  try {
    while (experiment.nextCycle < cycles) {
      await experiment.step();
      if (experiment.observations) observed.push(experiment.observations);
      checkpoints.push(await experiment.checkpoint());
    }
    return { rows, observed, checkpoints };
  } finally {
    experiment.dispose();
  }
}

/** States that a checkpoint has under a name. */
export function ensembles(
  checkpoint: Checkpoint | undefined,
  name: string,
  length = MEMBERS * N,
): readonly Float64Array[] {
  const all = checkpoint?.arrays[name] ?? new Float64Array(0);
  return Array.from({ length: all.length / length }, (_, i) => all.slice(i * length, (i + 1) * length));
}

/** Root mean square of a difference. */
export function errorOf(found: Float64Array, truth: Float64Array): number {
  return Math.sqrt(found.reduce((sum, value, i) => sum + (value - truth[i]) ** 2, 0) / truth.length);
}
