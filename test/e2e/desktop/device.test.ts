/** The GPU: computing and drawing on one device, and losing it. */
import { describe, expect, it } from 'vitest';
import { onHardware } from './chromium.ts';
import { asHardware, destroyLastDevice, keepDevices } from './hardware.ts';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import { countColours, shareOfDifference } from './picture.ts';

describe.runIf(hasHost)('the GPU', () => {
  withBrowser();

  it('computes and draws on one device, and continues when it is lost', async () => {
    const laboratory = await openLaboratory({
      scenario: smallScenario('device', 60),
      before: onHardware ? [keepDevices] : [asHardware, keepDevices],
      expectedErrors: /device|lost|destroyed/i,
    });
    const { page } = laboratory;
    await laboratory.reach(2);
    expect(await page.locator('.backend').innerText()).toContain('WebGPU');
    const water = await laboratory.pause().then(() => laboratory.water());
    expect(Math.min(...[...water.values()].map(countColours))).toBeGreaterThan(12);
    const [truth, free] = [water.get('Truth'), water.get('Free run')];
    expect(truth && free && shareOfDifference(truth, free)).toBeGreaterThan(0.05);

    const before = await laboratory.cycle();
    await page.evaluate(destroyLastDevice);
    await expect
      .poll(() => page.locator('.notice').allInnerTexts(), { timeout: PATIENCE })
      .toContainEqual(expect.stringContaining('The computation was lost; the run continues'));
    const play = page.getByRole('button', { name: 'Play', exact: true }).last();
    await expect.poll(() => play.isEnabled(), { timeout: PATIENCE }).toBe(true);
    await play.click();
    await laboratory.reach(before + 2);
    await laboratory.pause();
    const again = await laboratory.water();
    expect([...again.keys()]).toEqual(['Truth', 'Free run', '3D-Var', 'LETKF']);
    expect(Math.min(...[...again.values()].map(countColours))).toBeGreaterThan(12);
  });
});
