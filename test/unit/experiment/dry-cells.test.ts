/** Cells that are dry in the truth and in every member say nothing about a method: they are omitted from its scores and ranks. */
import { describe, expect, it } from 'vitest';
import { createExperiment, NO_FILES, validateScenario } from '../../../engine/index.ts';
import type { CycleDiagnostics, ScenarioInput } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { ISLAND, islandScenario } from '../../setup/island.ts';

const { nx: NX, ny: NY } = ISLAND;
const MEMBERS = 4;
const CELLS = NX * NY;

const island: ScenarioInput = {
  ...islandScenario(MEMBERS),
  observations: [],
  methods: [{ kind: 'free-run' }],
  experiment: { cycles: 2, window: 0.5 },
};

describe.each(backends)('dry cells on $name', ({ open, precision }) => {
  it('are in no mean over the basin, and have no rank', async () => {
    const backend = await open();
    const rows: CycleDiagnostics[] = [];
    const { scenario } = validateScenario(island, 'island');
    const experiment = await createExperiment(backend, scenario, {
      files: NO_FILES,
      listener: (event) => {
        if (event.type === 'diagnostics') rows.push(event.diagnostics);
      },
    });
    await experiment.step();
    const { model } = experiment;
    const truth = await backend.read(experiment.truth);
    const members = await backend.read(experiment.methods[0].state);
    const { bed = new Float64Array(CELLS), dryDepth = Number.NaN } = model;
    experiment.dispose();
    backend.dispose();

    const state = 3 * CELLS;
    const wet = Array.from({ length: CELLS }, (_, cell) => cell).filter((cell) =>
      [truth[cell], ...Array.from({ length: MEMBERS }, (_, l) => members[l * state + cell])].some(
        (eta) => eta - bed[cell] > dryDepth,
      ),
    );
    expect(wet.length).toBeGreaterThan(CELLS / 2);
    expect(wet.length).toBeLessThan(CELLS - 10);
    const squares = wet.map((cell) => {
      let mean = 0;
      for (let l = 0; l < MEMBERS; l++) mean += members[l * state + cell] / MEMBERS;
      return (mean - truth[cell]) ** 2;
    });
    const error = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / wet.length);
    const [{ rmse, rankHistogram, crps, fairCrps }] = rows;
    // Sums of some hundred terms; in float32 of differences of elevations near 1 m.
    expect(rmse.analysis['h'] / error).toBeClose(1, { absolute: precision === 'float64' ? 1e-12 : 1e-4 });
    const ranked = wet.filter((cell) => (cell % NX) % 8 === 0 && Math.floor(cell / NX) % 8 === 0);
    expect(rankHistogram['h'].reduce((sum, count) => sum + count, 0)).toBe(ranked.length);
    expect(fairCrps.analysis['h']).toBeLessThan(crps.analysis['h']);
    expect(Object.keys(crps.analysis)).toEqual(['h']);
  });
});
