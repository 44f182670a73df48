import { describe, it } from 'vitest';
import { sweepResults } from '../../setup/sweep-results.ts';
import { openLaboratory, smallScenario, withBrowser } from './laboratory.ts';

const OUT = '/tmp/map-shots';
describe('shots', () => {
  withBrowser();
  it('are taken', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('sweeps', 3), width: 1440, height: 900 });
    const { page } = laboratory;
    await laboratory.reach(0);
    await laboratory.pause();
    for (const theme of ['Dark', 'Light']) {
      await laboratory.command(`${theme} theme`);
      for (const [width, height] of [
        [1440, 900],
        [1024, 700],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.keyboard.press('Shift+S');
        await page.getByRole('dialog', { name: 'Sweeps' }).waitFor();
        const tag = `${theme.toLowerCase()}-${width}`;
        const shot = (name: string) => page.screenshot({ path: `${OUT}/${tag}-${name}.png`, animations: 'disabled' });
        const back = page.getByRole('button', { name: 'Scans that ship…' });
        if (await back.count()) await back.click();
        await shot('start');
        await page
          .getByRole('button', { name: /LETKF halfWidth/ })
          .first()
          .click();
        await page.locator('svg.sweep-map').waitFor();
        await shot('scan');
        await page.getByLabel("The sweep.json of a sweep's folder").setInputFiles({
          name: 'sweep.json',
          mimeType: 'application/json',
          buffer: Buffer.from(JSON.stringify(sweepResults())),
        });
        await page.getByText('letkf-tuning').or(page.getByText('320 cases')).first().waitFor();
        await page.getByRole('dialog').getByLabel('Method', { exact: true }).selectOption('letkf');
        await page.getByRole('gridcell').focus();
        await page.keyboard.press('ArrowRight');
        await shot('map');
        await page.getByLabel('Measure').selectOption({ label: 'Spread over error of the analysis, h' });
        await shot('near');
        await page.getByLabel('Measure').selectOption({ label: 'RMSE of the analysis, h' });
        for (const view of ['Lines', 'Methods']) {
          const button = page.getByRole('button', { name: view, exact: true });
          if (await button.count()) {
            await button.click();
            await page.waitForTimeout(200);
            await shot(view.toLowerCase());
          }
        }
        await page.getByRole('button', { name: 'Heat map', exact: true }).click();
        await page.keyboard.press('Escape');
      }
    }
  });
});
