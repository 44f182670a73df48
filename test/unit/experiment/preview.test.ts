/** The small picture of a scenario's truth. */
import { describe, expect, it } from 'vitest';
import { previewScenario } from '../../../engine/index.ts';
import type { BasinPreview, Scenario } from '../../../engine/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

async function basinOf(scenario: Scenario): Promise<BasinPreview> {
  const preview = await previewScenario(scenario);
  if (preview?.kind !== 'basin') throw new Error('no picture of a basin');
  return preview;
}

describe('a preview', () => {
  it('has the cells of a small basin', async () => {
    expect(await previewScenario(tinyScenario())).toMatchObject({ nx: 12, ny: 10 });
  });

  it('has fewer cells than a large basin, in its proportions', async () => {
    const preview = await previewScenario(tinyScenario({ grid: { nx: 288, ny: 144 } }));
    expect(preview).toMatchObject({ nx: 72, ny: 36 });
  });

  it('has a depth and a bed in each of its cells', async () => {
    const { depth, bed } = await basinOf(tinyScenario());
    expect([depth.length, bed.length]).toEqual([120, 120]);
  });

  it('keeps the water that the truth begins with', async () => {
    const flat = { kind: 'flat', depth: 2 };
    const model = { scheme: 'central-upwind', bathymetry: flat };
    const still = await basinOf(tinyScenario({ model, experiment: { cycles: 1, window: 0.01 } }));
    const later = await basinOf(tinyScenario({ model, experiment: { cycles: 1, window: 5 } }));
    // The scheme moves water from cell to cell: what is lost is the rounding of 120 sums of numbers near 2, at each of its steps.
    expect(sum(later.depth) / sum(still.depth)).toBeClose(1, { absolute: 1e-13 });
  });

  it('shows the waves after a moment, not the drop that began them', async () => {
    const still = await basinOf(tinyScenario({ truth: { ...tinyScenario().truth, spinup: 0 } }));
    const later = await basinOf(tinyScenario({ truth: { ...tinyScenario().truth, spinup: 2 } }));
    expect(Math.max(...later.depth)).toBeLessThan(Math.max(...still.depth));
  });

  it('is none of a scenario that needs files beside it', async () => {
    const bathymetry = { kind: 'file', file: 'bed.npy' };
    const scenario = tinyScenario({ model: { scheme: 'central-upwind', bathymetry } });
    expect(await previewScenario(scenario)).toBeUndefined();
  });
});
