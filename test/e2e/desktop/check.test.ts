/** The self-check in the window, and a run that leaves it as a bundle and comes back. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import { saved, textOf } from './saving.ts';

describe.skipIf(!hasHost)('what can be trusted', () => {
  withBrowser();

  it('is checked here, with its evidence, as a page to keep; and a run is handed on as a bundle', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('check', 3) });
    const { page } = laboratory;
    await laboratory.reach(2);
    await laboratory.pause();
    await laboratory.command('Check this installation…');
    const dialog = page.getByRole('dialog', { name: 'Check this installation' });
    await dialog.getByRole('button', { name: /^Check \w+$/ }).click();
    await expect
      .poll(() => dialog.locator('.check-verdict').textContent(), { timeout: PATIENCE })
      .toContain('All checks passed on');
    expect(await dialog.locator('.check-result').count()).toBe(11);
    await dialog.getByText('Lorenz-96 benchmark').click();
    expect(await dialog.getByRole('table').first().textContent()).toContain('RMSE of the analysis');
    for (const [width, height] of [
      [1440, 900],
      [1024, 700],
    ] as const) {
      await page.setViewportSize({ width, height });
      const found = await new AxeBuilder({ page }).setLegacyMode(true).include('dialog').analyze();
      expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)).toEqual([]);
    }
    const kept = await saved(laboratory, () => dialog.getByRole('button', { name: 'Save page…' }).click());
    expect(kept.name).toMatch(/^shoal-check-\w+\.html$/);
    expect(textOf(kept)).toContain('Where the bars come from');
    await page.keyboard.press('Escape');

    const bundle = await saved(laboratory, () => laboratory.command('Save run as bundle'));
    expect(bundle.name).toMatch(/^check-\d+\.shoal$/);
    const open = async (name: string, content: string | Uint8Array): Promise<void> => {
      const chooser = page.waitForEvent('filechooser');
      await page.keyboard.press('Control+o');
      await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
    };
    await open('other.json', JSON.stringify(smallScenario('other', 3)));
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe('Small basin other');
    await open('given.shoal', bundle.bytes);
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe('Small basin check');
    await laboratory.reach(1);
  });
});
