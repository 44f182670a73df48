/** The small picture of a scenario's truth. */
import { describe, expect, it } from 'vitest';
import { previewScenario } from '../../../engine/index.ts';
import { tinyScenario } from '../session/scenario.ts';

const sum = (values: Float64Array = new Float64Array(0)): number => values.reduce((total, value) => total + value, 0);

describe('a preview', () => {
  it('has the cells of a small basin', async () => {
    expect(await previewScenario(tinyScenario())).toMatchObject({ nx: 12, ny: 10 });
  });

  it('has fewer cells than a large basin, in its proportions', async () => {
    const preview = await previewScenario(tinyScenario({ grid: { nx: 288, ny: 144 } }));
    expect(preview).toMatchObject({ nx: 72, ny: 36 });
  });

  it('has a depth and a bed in each of its cells', async () => {
    const preview = await previewScenario(tinyScenario());
    expect([preview?.depth.length, preview?.bed.length]).toEqual([120, 120]);
  });

  it('keeps the water that the truth begins with', async () => {
    const flat = { kind: 'flat', depth: 2 };
    const model = { scheme: 'central-upwind', bathymetry: flat };
    const still = await previewScenario(tinyScenario({ model, experiment: { cycles: 1, window: 0.01 } }));
    const later = await previewScenario(tinyScenario({ model, experiment: { cycles: 1, window: 5 } }));
    // The scheme moves water from cell to cell: what is lost is the rounding of 120 sums of numbers near 2, at each of its steps.
    expect(sum(later?.depth) / sum(still?.depth)).toBeClose(1, { absolute: 1e-13 });
  });

  it('shows the waves after a moment, not the drop that began them', async () => {
    const still = await previewScenario(tinyScenario({ truth: { ...tinyScenario().truth, spinup: 0 } }));
    const later = await previewScenario(tinyScenario({ truth: { ...tinyScenario().truth, spinup: 2 } }));
    expect(Math.max(...(later?.depth ?? []))).toBeLessThan(Math.max(...(still?.depth ?? [])));
  });

  it('is none of a scenario that needs files beside it', async () => {
    const bathymetry = { kind: 'file', file: 'bed.npy' };
    const scenario = tinyScenario({ model: { scheme: 'central-upwind', bathymetry } });
    expect(await previewScenario(scenario)).toBeUndefined();
  });
});
