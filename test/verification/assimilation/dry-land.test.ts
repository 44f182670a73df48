/** What no method may do: put water on land that is dry in all that it knows. */
import { describe, expect, it } from 'vitest';
import { createExperiment, NO_FILES, validateScenario } from '../../../engine/index.ts';
import type { CycleDiagnostics, ScenarioInput } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { ISLAND, islandScenario } from '../../setup/island.ts';

const { nx: NX, ny: NY } = ISLAND;
const CELLS = NX * NY;

/** Gauges everywhere, also where the island is. */
const island: ScenarioInput = {
  ...islandScenario(6),
  observations: [
    { name: 'gauges', variable: 'eta', network: { kind: 'regular', stride: [3, 3] }, errorStandardDeviation: 0.005 },
  ],
  methods: [
    {
      kind: '3dvar',
      covariance: { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.1, hu: 0.1, hv: 0.1 } },
      minimisation: { maxIterations: 200, tolerance: 1e-5 },
    },
    { kind: 'letkf', localisation: { halfWidth: 8 }, inflation: 1.1 },
    { kind: 'enkf', localisation: { halfWidth: 8 }, inflation: 1.1 },
    { kind: 'denkf', localisation: { halfWidth: 8 }, inflation: 1.1 },
    { kind: 'eakf', localisation: { halfWidth: 8 }, inflation: 1.1 },
  ],
  experiment: { cycles: 1, window: 0.5 },
};

describe.each(backends)('an analysis on $name', ({ open }) => {
  it('leaves land dry and changes the water round it', async () => {
    const backend = await open();
    const rows: CycleDiagnostics[] = [];
    const forecasts = new Map<string, Float64Array>();
    const analyses = new Map<string, Float64Array>();
    const experiment = await createExperiment(backend, validateScenario(island, 'island').scenario, {
      files: NO_FILES,
      listener: (event) => {
        if (event.type === 'diagnostics') rows.push(event.diagnostics);
      },
      observer: {
        forecast: async ({ label, state }) => void forecasts.set(label, await backend.read(state)),
        analysis: async ({ label, state }) => void analyses.set(label, await backend.read(state)),
      },
    });
    const { bed = new Float64Array(CELLS), dryDepth = Number.NaN } = experiment.model;
    await experiment.step();
    experiment.dispose();
    backend.dispose();

    const state = 3 * CELLS;
    expect([...forecasts.keys()].toSorted()).toEqual(['3dvar', 'denkf', 'eakf', 'enkf', 'letkf']);
    for (const [label, before] of forecasts) {
      const after = analyses.get(label) ?? new Float64Array(0);
      const members = before.length / state;
      const isWet = (cell: number): boolean =>
        Array.from({ length: members }, (_, l) => before[l * state + cell]).some((eta) => eta - bed[cell] > dryDepth);
      const changes = (cell: number): number =>
        Math.max(
          ...Array.from({ length: 3 * members }, (_, v) =>
            Math.abs(after[v * CELLS + cell] - before[v * CELLS + cell]),
          ),
        );
      const cells = Array.from({ length: CELLS }, (_, cell) => cell);
      const dry = cells.filter((cell) => !isWet(cell));
      expect(dry.length).toBeGreaterThan(10);
      expect(dry.filter((cell) => changes(cell) > 0)).toEqual([]);
      expect(cells.filter((cell) => isWet(cell) && changes(cell) > 1e-4).length).toBeGreaterThan(CELLS / 2);
    }
    // Conjugate gradients would not get there with a projection that the adjoint does not have.
    const minimisation = rows.find(({ method }) => method === '3dvar')?.minimisation;
    expect(minimisation).toMatchObject({ converged: true });
  });
});
