/** A parabolic basin whose rim is dry, where drifters are observed: what methods must survive whose increments know no depth. */
import { validateScenario } from '../../engine/index.ts';
import type { Scenario, ScenarioInput } from '../../engine/index.ts';

type Method = NonNullable<ScenarioInput['methods']>[number];

interface DryRim {
  /** Cells of a side, and their size, metres. */
  readonly cells: number;
  readonly dx: number;
  /** Depth of the water at rest in the middle, and at the middle of each side, where it is dry land: metres. */
  readonly depth: number;
  readonly edgeDepth: number;
  readonly seed: number;
  readonly members: number;
  readonly cycles: number;
  /** Variables observed: by drifters u and v, by gauges at every fourth cell the others. */
  readonly observed: readonly ('u' | 'v' | 'speed' | 'h' | 'eta' | 'hu' | 'hv')[];
}

function isVelocity(variable: string): boolean {
  return ['u', 'v', 'speed'].includes(variable);
}

/** All methods that assimilate, each with its usual settings scaled to the basin. */
export function dryRimScenario({ cells, dx, depth, edgeDepth, seed, members, cycles, observed }: DryRim): Scenario {
  const speed = Math.sqrt(9.81 * depth);
  const amplitude = 0.08 * depth;
  const perturbation = { standardDeviation: amplitude, length: 5 * dx };
  const errors = { u: 0.001 * speed, h: 0.004 * depth, hu: 0.001 * depth * speed };
  const deviation = { h: amplitude / 2, hu: (amplitude / 2) * speed, hv: (amplitude / 2) * speed };
  const covariance = { kind: 'recursive-filter', length: 4 * dx, iterations: 4, standardDeviation: deviation } as const;
  const localisation = { halfWidth: 6 * dx };
  const methods: Method[] = [
    { kind: 'free-run' },
    { kind: '3dvar', covariance },
    { kind: 'letkf', localisation, inflation: 1.1 },
    { kind: 'enkf', localisation, inflation: 1.1 },
    {
      kind: 'hybrid',
      covariance,
      localisation: { length: 3 * dx },
      ensemble: { kind: 'letkf', localisation, inflation: 1.1 },
    },
  ];
  const input: ScenarioInput = {
    version: 3,
    name: 'dry-rim',
    seed,
    grid: { nx: cells, ny: cells, dx, dy: dx },
    model: { scheme: 'central-upwind', bathymetry: { kind: 'basin', depth, edgeDepth } },
    truth: { initial: { kind: 'rest' }, perturbation },
    background: { initial: { kind: 'rest' }, perturbation, members },
    observations: observed.map((variable) => ({
      name: variable,
      variable,
      network: isVelocity(variable) ? { kind: 'drifters', count: cells } : { kind: 'regular', stride: [4, 4] },
      errorStandardDeviation: isVelocity(variable) ? errors.u : ['h', 'eta'].includes(variable) ? errors.h : errors.hu,
    })),
    methods,
    experiment: { cycles, window: Number(((3 * dx) / speed).toPrecision(3)) },
  };
  return validateScenario(input, 'dry-rim').scenario;
}
