/** The first minute: the page loads, and a comparison runs that nobody had to ask for. */
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, PATIENCE, withBrowser } from './laboratory.ts';
import { countColours, shareOfDifference } from './picture.ts';

describe.runIf(hasHost)('the first launch', () => {
  withBrowser();

  it('runs a comparison of truth, free run, 3D-Var and LETKF', async () => {
    const laboratory = await openLaboratory();
    const { page } = laboratory;
    await laboratory.reach(1);
    const before = await laboratory.cycle();
    await laboratory.reach(before + 2);
    await laboratory.pause();

    const views = await laboratory.views();
    expect(views.map(({ name }) => name)).toEqual(['Truth', 'Free run', '3D-Var', 'LETKF']);
    const water = await laboratory.water();
    // A blank canvas has one colour; the free run's calm water, lit, has the fewest of the four.
    const colours = [...water.values()].map(countColours);
    expect(Math.min(...colours)).toBeGreaterThan(12);
    const [truth, free] = [water.get('Truth'), water.get('Free run')];
    expect(truth && free && shareOfDifference(truth, free)).toBeGreaterThan(0.05);

    const table = page.locator('[data-figure=methods] tbody tr');
    await expect.poll(() => table.count(), { timeout: PATIENCE }).toBe(3);
    const analysis = await table.evaluateAll((rows) =>
      rows.map((row) => Number(row.querySelectorAll('td')[1].textContent)),
    );
    for (const rmse of analysis) expect(rmse).toBeGreaterThan(0);
    // The free run learns of nothing; either method is better by far.
    expect(Math.max(analysis[1], analysis[2])).toBeLessThan(analysis[0] / 2);

    expect(await page.evaluate(() => [globalThis.crossOriginIsolated, globalThis.document.title])).toEqual([
      true,
      'First light – Shoal',
    ]);
  });
});
