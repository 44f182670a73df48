/** The twin experiment whose cycles and answers are timed: drops in a basin with walls, with gauges on a lattice. */
import type { ScenarioInput } from '../scenario/index.ts';

/** Short enough that what grows in this scheme does not show in any number of cycles that is timed. */
const TIME_STEP_SECONDS = 0.02;
/** More than anybody will time. */
const CYCLES = 100_000;

export interface TwinExperiment {
  /** Cells a side. */
  readonly n: number;
  readonly members: number;
  /** Steps of the model in a cycle. */
  readonly steps: number;
  readonly method: keyof typeof TWIN_METHODS;
  /** Cells between gauges, along both axes; even. */
  readonly stride: number;
}

export const TWIN_METHODS = {
  'free-run': { kind: 'free-run' },
  letkf: { kind: 'letkf', localisation: { halfWidth: 3 }, inflation: 1.05 },
  nudging: { kind: 'nudging', localisation: { halfWidth: 3 } },
  enkf: { kind: 'enkf', localisation: { halfWidth: 3 }, inflation: 1.05 },
  '3dvar': {
    kind: '3dvar',
    covariance: { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.05 } },
    minimisation: { tolerance: 1e-4, maxIterations: 100 },
  },
} as const;

export function twinScenario({ n, members, steps, method, stride }: TwinExperiment): ScenarioInput {
  const initial: { kind: 'drops'; count: number; amplitude: [number, number]; width: number } = {
    kind: 'drops',
    count: 6,
    amplitude: [0.02, 0.1],
    width: n / 6,
  };
  return {
    version: 3,
    name: 'benchmark',
    seed: 1,
    grid: { nx: n, ny: n, dx: 1, dy: 1 },
    model: { scheme: 'lax-wendroff', timeStep: TIME_STEP_SECONDS, boundary: { x: 'wall', y: 'wall' } },
    truth: { initial },
    background: { initial, members },
    observations: [
      {
        name: 'gauges',
        variable: 'h',
        network: { kind: 'regular', stride: [stride, stride], offset: [stride / 2, stride / 2] },
        errorStandardDeviation: 0.02,
      },
    ],
    methods: [TWIN_METHODS[method]],
    experiment: { cycles: CYCLES, window: steps * TIME_STEP_SECONDS },
  };
}
