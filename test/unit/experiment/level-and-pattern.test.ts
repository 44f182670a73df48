/** The error of each cycle in its two parts, on each backend: the basin's mean level, and the pattern about it. */
import { describe, expect, it } from 'vitest';
import { createExperiment, NO_FILES, validateScenario } from '../../../engine/index.ts';
import type { CycleDiagnostics } from '../../../engine/index.ts';
import { allBackends } from '../../setup/backends.ts';

/** One drop falls into the truth alone, and raises its level by the drop's volume over the basin. */
const SCENARIO = {
  version: 2,
  name: 'level',
  seed: 3,
  grid: { nx: 20, ny: 20 },
  model: { scheme: 'lax-wendroff', timeStep: 0.05 },
  truth: { initial: { kind: 'rest' } },
  background: { initial: { kind: 'rest' }, perturbation: { length: 4, standardDeviation: 0.01 }, members: 4 },
  observations: [{ variable: 'h', network: { kind: 'regular', stride: [4, 4], offset: [2, 2] } }],
  methods: [{ kind: 'free-run' }, { kind: '3dvar' }],
  interventions: [{ kind: 'drop', cycle: 1, x: 9, y: 9, radius: 4, height: 0.5 }],
  experiment: { cycles: 3, window: 0.5 },
};

describe.each(allBackends)('level and pattern on $name', ({ open, precision }) => {
  const epsilon = precision === 'float64' ? 1e-12 : 2e-6;

  it('make up the error, the level being that of the volume', async () => {
    const backend = await open();
    const { scenario } = validateScenario(SCENARIO, 'level.json');
    const rows: CycleDiagnostics[] = [];
    const experiment = await createExperiment(backend, scenario, {
      files: NO_FILES,
      listener: (event) => event.type === 'diagnostics' && rows.push(event.diagnostics),
    });
    while (experiment.nextCycle < experiment.cycles) await experiment.step();
    experiment.dispose();
    backend.dispose();
    const own = rows.filter(({ method }) => method === 'free-run');
    for (const { rmse, meanError, rmsePattern, consistency } of own) {
      for (const stage of ['forecast', 'analysis'] as const) {
        const [level, pattern, total] = [meanError, rmsePattern, rmse].map((each) => each?.[stage]['h'] ?? Number.NaN);
        expect(Math.hypot(level, pattern)).toBeClose(total, { relative: 10 * epsilon });
        const { truth, [stage]: state } = consistency?.budgets ?? {};
        // Masses are about 400 m³ over 400 m².
        expect(level).toBeClose(((state?.mass ?? 0) - (truth?.mass ?? 0)) / 400, { absolute: epsilon });
      }
    }
    expect(Math.abs(own[0].meanError?.analysis['h'] ?? 1)).toBeLessThan(0.01);
    expect(own[2].meanError?.analysis['h']).toBeLessThan(-0.01);
    const single = rows.find(({ method }) => method === '3dvar');
    expect(single?.spread).toEqual({ forecast: {}, analysis: {} });
    expect(single?.consistency?.spectra?.forecastSpread).toEqual([]);
    expect(own[0].spread.analysis['h']).toBeGreaterThan(0);
  });
});
