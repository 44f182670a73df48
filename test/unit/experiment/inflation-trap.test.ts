/**
 * Why long runs failed, on a small basin: multiplicative inflation lets the spread of currents without divergence grow, which gauges
 * of the depth do not see and a basin without rotation does not damp. Relaxation to prior spread does not, nor does drag let it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExperiment, createWasmBackend, NO_FILES, parseScenario } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { describeProblem } from '../../../engine/errors.ts';
import { startKernelThread } from '../../setup/kernel-threads.ts';

const N = 16;
const CELLS = N * N;
const CYCLES = 60;

function scenarioText(filter: object, linear = 0, cycles = CYCLES): string {
  const drops = { kind: 'drops', count: 2, amplitude: [0.1, 0.3], width: 8 };
  return JSON.stringify({
    version: 3,
    name: 'trap',
    seed: 3,
    grid: { nx: N, ny: N, dx: 1, dy: 1 },
    model: { scheme: 'richtmyer', timeStep: 0.1, gravity: 9.8, friction: { linear } },
    truth: { initial: drops, spinup: 3 },
    background: { initial: drops, members: 8 },
    observations: [
      {
        name: 'gauges',
        variable: 'h',
        network: { kind: 'regular', stride: [4, 4], offset: [2, 2] },
        errorStandardDeviation: 0.02,
      },
    ],
    methods: [{ kind: 'free-run' }, { kind: 'letkf', localisation: { halfWidth: 5 }, ...filter }],
    experiment: { cycles, window: 1, spinup: 5 },
  });
}

/** RMS over inner cells of the members' anomalies of ∂(hv)/∂x − ∂(hu)/∂y, and of ∂(hu)/∂x + ∂(hv)/∂y. */
function spreads(ensemble: Float64Array): { readonly rotation: number; readonly divergence: number } {
  const members = ensemble.length / (3 * CELLS);
  const mean = new Float64Array(3 * CELLS);
  ensemble.forEach((value, i) => (mean[i % (3 * CELLS)] += value / members));
  let [rotation, divergence, count] = [0, 0, 0];
  for (let member = 0; member < members; member++) {
    const anomaly = (variable: number, cell: number): number =>
      ensemble[(3 * member + variable) * CELLS + cell] - mean[variable * CELLS + cell];
    for (let j = 1; j < N - 1; j++) {
      for (let i = 1; i < N - 1; i++) {
        const cell = j * N + i;
        const along = (variable: number, stride: number): number =>
          (anomaly(variable, cell + stride) - anomaly(variable, cell - stride)) / 2;
        rotation += (along(2, 1) - along(1, N)) ** 2;
        divergence += (along(1, 1) + along(2, N)) ** 2;
        count += 1;
      }
    }
  }
  return { rotation: Math.sqrt(rotation / count), divergence: Math.sqrt(divergence / count) };
}

describe('the spread of currents that no gauge sees', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await createWasmBackend({ threads: 1, startThread: startKernelThread });
  });
  afterAll(() => backend.dispose());

  /** Spreads of the LETKF in the middle and at the end of a run. */
  async function spreadsOf(filter: object, linear = 0) {
    const { scenario } = parseScenario(scenarioText(filter, linear), 'trap.json');
    const experiment = await createExperiment(backend, scenario, { files: NO_FILES, listener: () => undefined });
    const [, letkf] = experiment.methods;
    const read = async () => spreads(Float64Array.from(await backend.read(letkf.state)));
    while (experiment.nextCycle < CYCLES / 2) await experiment.step();
    const middle = await read();
    while (experiment.nextCycle < CYCLES) await experiment.step();
    const end = await read();
    experiment.dispose();
    return { middle, end, growth: end.rotation / middle.rotation };
  }

  it('grows with inflation and outgrows that of the waves', async () => {
    const { middle, end, growth } = await spreadsOf({ inflation: 1.1 });
    // Within 30 cycles the one grows by 1.1^15 = 4.2, less what nonlinearity and chance correlations let the gauges see of it.
    expect(growth).toBeGreaterThan(2);
    expect(end.divergence / middle.divergence).toBeLessThan(1.2);
    expect(end.rotation).toBeGreaterThan(end.divergence);
  });

  it('does not grow with relaxation to prior spread in its place', async () => {
    const { growth } = await spreadsOf({ relaxation: { kind: 'spread', factor: 0.3 } });
    expect(growth).toBeLessThan(1);
  });

  it('does not grow with inflation where drag is stronger than it: r > ½ ln ρ a cycle', async () => {
    const { growth } = await spreadsOf({ inflation: 1.1 }, 0.1);
    expect(growth).toBeLessThan(1);
  });
});

/** @returns the warnings of a mode that nothing damps */
function trapOf(filter: object, linear: number, cycles: number): readonly string[] {
  return parseScenario(scenarioText(filter, linear, cycles), 'trap.json')
    .warnings.map(describeProblem)
    .filter((text) => text.includes('steady currents'));
}

describe('a warning', () => {
  it('is given of an inflation that meets what nothing damps, in a long run', () => {
    expect(trapOf({ inflation: 1.02 }, 0, 2500)).toEqual([
      expect.stringMatching(
        /^methods\[1\]: inflation 1\.02 multiplies .* more than a million in 2500 cycles; use relaxation/,
      ),
    ]);
  });

  it.each([
    ['in a short run', { inflation: 1.02 }, 0, 30],
    ['with drag', { inflation: 1.02 }, 0.01, 2500],
    ['with relaxation', { relaxation: { kind: 'spread', factor: 0.3 } }, 0, 2500],
    ['without inflation', { adaptation: { kind: 'innovations' } }, 0, 2500],
  ] as const)('is not given %s', (_, filter, linear, cycles) => {
    expect(trapOf(filter, linear, cycles)).toEqual([]);
  });
});
