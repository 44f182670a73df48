/** The first minute: the page loads, and a comparison runs that nobody had to ask for. */
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, PATIENCE, withBrowser } from './laboratory.ts';
import { countColours, readPng, shareOfDifference } from './picture.ts';

declare global {
  /** Most splashes that were on screen at once. */
  var splashes: number | undefined;
}

/** In the page: a splash leaves within two seconds. */
function countSplashes(): void {
  new MutationObserver(() => {
    const now = document.querySelectorAll('.splash').length;
    globalThis.splashes = Math.max(globalThis.splashes ?? 0, now);
  }).observe(document, { subtree: true, childList: true });
}

describe.runIf(hasHost)('the first launch', () => {
  withBrowser();

  it('runs a comparison of truth and methods, whose water moves between analyses', async () => {
    const laboratory = await openLaboratory({ moves: true, width: 1440, height: 900, before: [countSplashes] });
    const { page } = laboratory;
    // A stone falls into the truth, and into no other view.
    await expect.poll(() => page.evaluate(() => globalThis.splashes), { timeout: PATIENCE }).toBe(1);
    await laboratory.reach(0);
    // The water has the room, and one line says what is seen.
    await page.getByRole('button', { name: 'Show settings' }).waitFor();
    await page.getByRole('region', { name: 'Evidence' }).waitFor();
    expect(await page.locator('.hint').innerText()).toMatch(/^Drag to turn, click to pin a probe/);

    // Forecast, increment and analysis are seen one after the other, and between two cycles the picture never rests.
    const legs = new Set<string>();
    const part = page.locator('.leg[aria-current]');
    await expect
      .poll(
        async () => {
          legs.add(await part.innerText());
          return legs.size;
        },
        { timeout: PATIENCE, interval: 50 },
      )
      .toBeGreaterThanOrEqual(2);
    expect([...legs].every((leg) => ['Forecast', 'Increment', 'Analysis'].includes(leg))).toBe(true);
    // So slow that several pictures are taken of one window, also where the processor draws them.
    await laboratory.atSpeed(0.25);
    const truth = (await laboratory.views()).find(({ name }) => name === 'Truth');
    if (!truth) throw new Error('there is no view of the truth');
    await expect
      .poll(
        async () => {
          const [cycle, first] = [await laboratory.cycle(), await page.screenshot({ clip: truth.box })];
          // A quarter of the window: where the processor draws too, it has drawn another picture by then.
          await page.waitForTimeout(1000);
          const second = await page.screenshot({ clip: truth.box });
          return (await laboratory.cycle()) === cycle ? shareOfDifference(readPng(first), readPng(second)) : 0;
        },
        { timeout: PATIENCE, interval: 100 },
      )
      .toBeGreaterThan(0.002);
    await laboratory.atSpeed(4);

    const before = await laboratory.cycle();
    // The table of the methods begins behind the spin-up.
    await laboratory.reach(Math.max(before + 2, 6));
    await laboratory.pause();
    expect(await page.locator('.hint').count()).toBe(0);

    const views = await laboratory.views();
    expect(views.map(({ name }) => name)).toEqual(['Truth', 'Free run', '3D-Var', 'LETKF']);
    const [large, ...others] = views.map(({ box: { width, height } }) => width * height);
    expect(large).toBeGreaterThan(1.4 * Math.max(...others));
    const water = await laboratory.water();
    // A blank canvas has one colour; the free run's calm water, lit, has the fewest of the four.
    const colours = [...water.values()].map(countColours);
    expect(Math.min(...colours)).toBeGreaterThan(12);
    // Views of one size are compared pixel by pixel: the LETKF's ring is neither the free run's calm nor 3D-Var's blots.
    const [free, blots, ring] = ['Free run', '3D-Var', 'LETKF'].map((name) => water.get(name));
    expect(free && ring && shareOfDifference(free, ring)).toBeGreaterThan(0.05);
    expect(blots && ring && shareOfDifference(blots, ring)).toBeGreaterThan(0.03);

    const table = page.locator('[data-figure=methods] tbody tr');
    await expect.poll(() => table.count(), { timeout: PATIENCE }).toBe(3);
    const analysis = await table.evaluateAll((rows) =>
      rows.map((row) => Number(row.querySelectorAll('td')[1].textContent)),
    );
    for (const rmse of analysis) expect(rmse).toBeGreaterThan(0);
    // The free run learns of nothing, 3D-Var of the water round the gauges, the LETKF of the wave.
    const [unaware, variational, letkf] = analysis;
    expect(variational).toBeLessThan(unaware);
    expect(letkf).toBeLessThan(variational / 1.3);

    expect(await page.evaluate(() => [globalThis.crossOriginIsolated, globalThis.document.title])).toEqual([
      true,
      'One stone, nine gauges – Shoal',
    ]);
  });
});
