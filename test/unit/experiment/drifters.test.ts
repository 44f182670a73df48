/** Buoys against exact paths, carried by a truth that changes inside its windows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExperiment, NO_FILES, validateScenario } from '../../../engine/index.ts';
import type { Backend, Checkpoint, Scenario } from '../../../engine/index.ts';
import { runBackends } from '../../setup/backends.ts';

const SIDE = 21;

function observed(networks: readonly object[], change: object = {}): Scenario {
  const raw = {
    version: 3,
    name: 'observed',
    grid: { nx: SIDE, ny: SIDE, dx: 2, dy: 2 },
    truth: { initial: { kind: 'rest' } },
    background: { initial: { kind: 'rest' }, members: 2, perturbation: { standardDeviation: 0.01 } },
    observations: networks.map((network, i) => ({ name: `buoys ${i}`, variable: i === 0 ? 'u' : 'v', network })),
    methods: [{ kind: 'free-run' }],
    experiment: { cycles: 4, window: 1 },
    ...change,
  };
  return validateScenario(raw, 'observed').scenario;
}

const distance = (cells: number): number => cells - 8 * Math.round(cells / 8);

describe.each(runBackends)('drifters in an experiment on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  // A uniform current turns by f·t: buoys go round on circles of the radius U/f, a third of one in each window.
  const [F, SPEED, WINDOW] = [0.5, 1, 4];
  const buoys = { kind: 'drifters', count: 6 };
  const turning = observed([buoys, buoys], {
    grid: { nx: 8, ny: 8, dx: 2, dy: 2 },
    model: { coriolis: { f: F }, boundary: { x: 'periodic', y: 'periodic' }, timeStep: 0.1 },
    truth: { initial: { kind: 'file', file: 'current.npy' } },
    experiment: { cycles: 4, window: WINDOW },
  });
  const current = Float64Array.from({ length: 3 * 64 }, (_, i) => (i < 64 ? 1 : i < 128 ? SPEED : 0));
  const files = { ...NO_FILES, array: () => ({ shape: [3, 8, 8], data: current, type: 'f8' }) };

  async function run(cycles: number, checkpoint?: Checkpoint) {
    const experiment = await createExperiment(backend, turning, { files, listener: () => undefined, checkpoint });
    try {
      const begin = (await experiment.checkpoint()).arrays['drifters'];
      const observations = [];
      while (experiment.nextCycle < cycles) {
        await experiment.step();
        if (experiment.observations) observations.push(experiment.observations);
      }
      return { begin, observations, checkpoint: await experiment.checkpoint() };
    } finally {
      experiment.dispose();
    }
  }

  it('go with the current as it turns inside the window', async () => {
    const { begin, checkpoint } = await run(3);
    const angle = 3 * WINDOW * F;
    const [alongX, alongY] = [Math.sin(angle), Math.cos(angle) - 1].map((of) => (SPEED / F) * (of / 2));
    const end = checkpoint.arrays['drifters'];
    for (let i = 0; i < 6; i++) {
      // Sub-steps of ½ s and a quarter of a radian: the trapezoidal rule is (f dt)²/12 = 0.5 % of the circle's radius of one cell.
      expect(Math.abs(distance(end[i] - begin[i] - alongX))).toBeLessThan(0.02);
      expect(Math.abs(distance(end[i + 6] - begin[i + 6] - alongY))).toBeLessThan(0.02);
    }
  });

  it('report u and v of one place', async () => {
    const { observations } = await run(2);
    for (const { count, x, y, variable, network } of observations) {
      expect(count).toBe(12);
      expect([...variable]).toEqual([...Array(6).fill('u'), ...Array(6).fill('v')]);
      expect([...network]).toEqual([...Array(6).fill(0), ...Array(6).fill(1)]);
      expect(x.slice(0, 6)).toEqual(x.slice(6));
      expect(y.slice(0, 6)).toEqual(y.slice(6));
    }
  });

  it('continue from a checkpoint bit by bit', async () => {
    const whole = await run(4);
    const half = await run(2);
    const resumed = await run(4, half.checkpoint);
    expect(resumed.checkpoint).toEqual(whole.checkpoint);
  });
});
