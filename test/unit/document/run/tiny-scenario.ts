/** A twin experiment that runs in milliseconds. */
import { validateScenario } from '../../../../engine/index.ts';
import type { Scenario } from '../../../../engine/index.ts';

export function tinyScenario(changes: object = {}): Scenario {
  const raw = {
    version: 3,
    name: 'tiny',
    seed: 3,
    grid: { nx: 12, ny: 10 },
    model: { scheme: 'lax-wendroff', timeStep: 0.1, bathymetry: { kind: 'flat', depth: 2 } },
    truth: { initial: { kind: 'drops', count: 1, width: 4 }, spinup: 0.5 },
    background: { initial: { kind: 'drops', count: 1, width: 4 }, members: 4 },
    observations: [{ name: 'gauges', variable: 'h', network: { kind: 'regular', stride: [3, 3] }, every: 2 }],
    methods: [
      { kind: 'free-run' },
      { kind: '3dvar', covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05 } } },
      { kind: 'letkf', localisation: { halfWidth: 2 }, inflation: 1.1 },
    ],
    experiment: { cycles: 4, window: 0.5 },
    ...changes,
  };
  return validateScenario(raw, 'tiny').scenario;
}
