/** A page in Electron whose process ends. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, smallScenario } from '../e2e/desktop/laboratory.ts';
import { answerDialogs, askedBy, startDesktop, withDesktop, writeFile } from './desktop.ts';
import type { Desktop } from './desktop.ts';
import { hasElectron } from './host.ts';

describe.runIf(hasElectron)('a page in Electron', () => {
  withDesktop();
  let desktop: Desktop;
  beforeAll(async () => {
    desktop = await startDesktop({ words: [writeFile('guarded.json', JSON.stringify(smallScenario('guarded', 500)))] });
  });
  afterAll(async () => {
    await desktop.kill();
  });

  it('says that the page’s process has ended, and continues the run from its last checkpoint', async () => {
    const { application, laboratory } = desktop;
    await laboratory.reach(12);
    await answerDialogs(desktop, {});
    await application.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    );
    await expect.poll(() => askedBy(desktop)).toContain('The run was interrupted');
    // Playwright takes a page whose process has ended for lost, so the main process looks at it.
    const shown = (): Promise<unknown> =>
      application.evaluate(({ BrowserWindow }) => {
        const look = `[document.querySelector('.scenario-title')?.textContent,
          Number(document.querySelector('[aria-label="Cycle on screen"]')?.getAttribute('aria-valuenow') ?? NaN) > 2]`;
        // A page that is not there yet never answers.
        const later = new Promise((resolve) => setTimeout(resolve, 1000, 'no answer'));
        return Promise.race([BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(look), later]);
      });
    await expect.poll(shown, { timeout: PATIENCE }).toEqual(['Small basin guarded', true]);
  });
});
