/** The regions of basin and ring, and how wrong a method is in each. */
import { describe, expect, it } from 'vitest';
import { createExperiment, NO_FILES, regionNames, regionOf, REGIONS, validateScenario } from '../../../engine/index.ts';
import type { CycleDiagnostics } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { islandScenario } from '../../setup/island.ts';

it.each([
  [0, 0, 'south-west'],
  [9, 0, 'south-east'],
  [4.9, 5, 'north-west'],
  [5, 9, 'north-east'],
  // Drifters may be beyond a wall for a while.
  [-0.5, 10.5, 'north-west'],
])('a place at %d, %d is in a quadrant', (x, y, region) => {
  expect(regionOf(x, y, { nx: 10, ny: 10 })).toBe(region);
});

it('a place of a ring is in a quarter', () => {
  expect([0, 9, 10, 39].map((x) => regionOf(x, 0, { nx: 40, ny: 1 }))).toEqual([
    'places 0 to 9',
    'places 0 to 9',
    'places 10 to 19',
    'places 30 to 39',
  ]);
  expect(regionNames({ nx: 10, ny: 1 })).toEqual(['places 0 to 2', 'places 3 to 4', 'places 5 to 7', 'places 8 to 9']);
});

describe.each(backends)('errors by region on $name', ({ open, precision }) => {
  it('are those of the wet cells in it, and together make up the error', async () => {
    const backend = await open();
    const rows: CycleDiagnostics[] = [];
    const { scenario } = validateScenario(
      { ...islandScenario(4), methods: [{ kind: 'letkf' }, { kind: '3dvar' }], experiment: { cycles: 1, window: 0.5 } },
      'island',
    );
    const experiment = await createExperiment(backend, scenario, {
      files: NO_FILES,
      listener: (event) => event.type === 'diagnostics' && rows.push(event.diagnostics),
    });
    await experiment.step();
    const { nx, ny } = scenario.grid;
    const cells = nx * ny;
    const { bed = new Float64Array(cells), dryDepth = Number.NaN } = experiment.model;
    const truth = await backend.read(experiment.truth);
    const members = await backend.read(experiment.methods[0].state);
    experiment.dispose();
    backend.dispose();

    const sums = Array.from({ length: REGIONS }, () => ({ wet: 0, squares: 0, variances: 0 }));
    for (let cell = 0; cell < cells; cell++) {
      const values = [0, 1, 2, 3].map((l) => members[l * 3 * cells + cell]);
      if (![truth[cell], ...values].some((eta) => eta - bed[cell] > dryDepth)) continue;
      const name = regionOf(cell % nx, Math.floor(cell / nx), { nx, ny });
      const sum = sums[regionNames({ nx, ny }).indexOf(name)];
      const mean = values.reduce((a, b) => a + b, 0) / 4;
      sum.wet += 1;
      sum.squares += (mean - truth[cell]) ** 2;
      sum.variances += values.reduce((total, value) => total + (value - mean) ** 2, 0) / 3;
    }
    const [letkf, variational] = rows;
    // Sums of some hundred terms; in float32 of differences of elevations near 1 m.
    const tolerance = { absolute: precision === 'float64' ? 1e-12 : 1e-4 };
    const ones = [1, 1, 1, 1];
    const { rmse = {}, spread = {} } = letkf.regions ?? {};
    const errors = sums.map(({ squares, wet }, region) => rmse['h'][region] / Math.sqrt(squares / wet));
    expect(errors).toBeClose(ones, tolerance);
    const spreads = sums.map(({ variances, wet }, region) => spread['h'][region] / Math.sqrt(variances / wet));
    expect(spreads).toBeClose(ones, tolerance);
    const wet = sums.reduce((total, sum) => total + sum.wet, 0);
    for (const { rmse: whole, regions } of rows) {
      for (const variable of ['h', 'hu', 'hv']) {
        const parts = regions?.rmse[variable].map((error, region) => (sums[region].wet / wet) * error ** 2) ?? [];
        const all = Math.sqrt(parts.reduce((total, part) => total + part, 0));
        expect([all / whole.analysis[variable]]).toBeClose([1], tolerance);
      }
    }
    expect(variational.regions?.spread).toEqual({});
  });
});
