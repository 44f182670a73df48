/** A film of the stage, while it plays. */
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, smallScenario, withBrowser } from './laboratory.ts';
import { saved } from './saving.ts';

describe.runIf(hasHost)('a film', () => {
  withBrowser();

  it('is taken of the stage', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('saving', 40) });
    const { page } = laboratory;
    await laboratory.reach(3);
    await laboratory.pause();
    await laboratory.command('Film the stage');
    await page.getByRole('button', { name: 'One cycle forward' }).last().click();
    await laboratory.water();
    const film = await saved(laboratory, () => laboratory.command('Film the stage'));
    expect(film.name).toMatch(/^saving-cycle-\d+\.webm$/);
    // EBML, the first four bytes of every WebM, and the document type that it names.
    expect([...film.bytes.subarray(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
    expect(new TextDecoder('latin1').decode(film.bytes.subarray(0, 64))).toContain('webm');
    expect(film.bytes.length).toBeGreaterThan(4000);
  });
});
