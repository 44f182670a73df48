/** The page of the four papers: live figures, tables, sizes and themes. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { PAPERS } from '../../../engine/index.ts';
import { hasHost, openLaboratory, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';

const SIZES = [
  [1440, 900],
  [1024, 700],
] as const;

async function openPapers(): Promise<Laboratory> {
  const laboratory = await openLaboratory({ scenario: smallScenario('papers', 3) });
  await laboratory.reach(0);
  await laboratory.pause();
  await laboratory.command('The four papers…');
  await laboratory.page.getByRole('dialog', { name: 'The four papers' }).waitFor();
  return laboratory;
}

describe.skipIf(!hasHost)('the four papers', () => {
  withBrowser();

  it('are legible at every size and in both themes', async () => {
    const laboratory = await openPapers();
    const { page } = laboratory;
    for (const theme of ['Light', 'Dark']) {
      await page.keyboard.press('Escape');
      await laboratory.command(`${theme} theme`);
      await laboratory.command('The four papers…');
      for (const { id, subject } of PAPERS) {
        await page.getByRole('tab', { name: subject }).click();
        for (const [width, height] of SIZES) {
          await page.setViewportSize({ width, height });
          const found = await new AxeBuilder({ page }).setLegacyMode(true).include('dialog').analyze();
          expect(found.violations.map((each) => `${each.id}: ${each.nodes[0].html}`)).toEqual([]);
          const shots = process.env['SHOAL_SHOTS'];
          if (shots !== undefined) await page.screenshot({ path: `${shots}/${id}-${theme}-${width}.png` });
        }
      }
    }
  });
});
