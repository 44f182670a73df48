/** A scenario that is over in no time, and sweeps over it. */
import { planSweep, validateSweepDefinition } from '../../../engine/index.ts';
import type { NumbersOrigin, PlanProgress, SweepPlan } from '../../../engine/index.ts';

/** 16 × 16 cells with a method of every kind: each has random numbers of its own where the kind draws any. */
export const SMALL_SCENARIO = {
  version: 3,
  name: 'small',
  grid: { nx: 16, ny: 16, dx: 1, dy: 1 },
  model: { scheme: 'richtmyer', timeStep: 0.1, bathymetry: { kind: 'flat', depth: 1 } },
  truth: { initial: { kind: 'drops', count: 2, amplitude: [0.1, 0.3], width: 4 }, spinup: 1 },
  background: { initial: { kind: 'drops', count: 2, amplitude: [0.1, 0.3], width: 4 }, members: 6 },
  observations: [
    {
      name: 'gauges',
      variable: 'h',
      network: { kind: 'regular', stride: [4, 4], offset: [2, 2] },
      errorStandardDeviation: 0.02,
    },
  ],
  methods: [
    { kind: 'free-run' },
    { kind: '3dvar', covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05 } } },
    { kind: 'letkf', localisation: { halfWidth: 4 }, inflation: 1.1, rotation: true },
    { kind: 'enkf', localisation: { halfWidth: 4 }, inflation: 1.1 },
    { kind: 'nudging' },
  ],
  experiment: { cycles: 4, window: 1, spinup: 1 },
} as const;

export const REFERENCE: NumbersOrigin = {
  backend: { name: 'reference', adapter: 'JavaScript' },
  versions: { shoal: '1.0.0' },
};

const noFile = (name: string): Promise<Uint8Array> =>
  Promise.reject(Object.assign(new Error(`${name} is not there`), { code: 'ENOENT' }));

/** @param definition what is added to `{ "version": 1, "scenario": "small" }` */
export function planSmall(
  definition: object,
  raw: object = SMALL_SCENARIO,
  origin = REFERENCE,
  onProgress?: PlanProgress,
): Promise<SweepPlan> {
  const sweep = validateSweepDefinition({ version: 1, scenario: 'small', ...definition }, 'sweep.json');
  return planSweep(sweep, { raw, file: 'small.json', readFile: noFile }, origin, onProgress);
}
