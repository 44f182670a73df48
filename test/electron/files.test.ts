/** Files in Electron: opened and saved through dialogs, recent ones, those of a second start, and folders that are not finished. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, smallScenario } from '../e2e/desktop/laboratory.ts';
import {
  answerDialogs,
  askedBy,
  chooseInMenu,
  pathOf,
  startAgain,
  startDesktop,
  withDesktop,
  writeFile,
} from './desktop.ts';
import type { Desktop } from './desktop.ts';
import { hasElectron } from './host.ts';

function writeScenario(name: string): string {
  return writeFile(`${name}.json`, JSON.stringify(smallScenario(name, 60)));
}

/** The hidden folders in which folders are written. */
function partials(): readonly string[] {
  return readdirSync(pathOf('.')).filter((name) => name.endsWith('.partial'));
}

describe.runIf(hasElectron)('files in Electron', () => {
  withDesktop();
  let desktop: Desktop;
  beforeAll(async () => {
    desktop = await startDesktop({ words: [writeScenario('first')] });
  });
  afterAll(async () => {
    await desktop.kill();
  });

  const isShown = async (name: string): Promise<void> => {
    await expect.poll(() => desktop.laboratory.title(), { timeout: PATIENCE }).toBe(`Small basin ${name}`);
  };

  /** Has a folder named and begun in the page, as a run with its states is saved. */
  const beginFolder = async (name: string): Promise<void> => {
    await answerDialogs(desktop, { save: pathOf(name) });
    await desktop.page.evaluate(async (name) => {
      const { shoal } = globalThis as unknown as { readonly shoal: import('../../app/preload/bridge.ts').ShoalBridge };
      const folder = await shoal.nameFolder(name);
      if (!folder) throw new Error('no folder was named');
      await shoal.writePart({ id: folder.id, path: 'run.json', from: 0, bytes: new Uint8Array(8) });
    }, name);
    expect(partials()).toHaveLength(1);
    expect(existsSync(pathOf(name))).toBe(false);
  };

  it('opens the scenario that is chosen in a dialog, and says why one cannot be opened', async () => {
    await isShown('first');
    await answerDialogs(desktop, { open: writeScenario('chosen') });
    await chooseInMenu(desktop, 'file.open');
    await isShown('chosen');
    expect(await askedBy(desktop)).toEqual(['Open scenario']);
    await answerDialogs(desktop, { open: pathOf('missing.json') });
    await chooseInMenu(desktop, 'file.open');
    await expect
      .poll(() => askedBy(desktop))
      .toContainEqual(expect.stringMatching(/^The file cannot be opened: .*missing\.json/));
  });

  it('saves the scenario, and the run as a folder, where the dialog says', async () => {
    await desktop.laboratory.atSpeed(4);
    await desktop.laboratory.reach(2);
    await answerDialogs(desktop, { save: pathOf('saved.json') });
    await chooseInMenu(desktop, 'file.save');
    await expect.poll(() => existsSync(pathOf('saved.json'))).toBe(true);
    expect(JSON.parse(readFileSync(pathOf('saved.json'), 'utf8'))).toMatchObject({ name: 'chosen', version: 3 });
    await answerDialogs(desktop, { save: pathOf('run') });
    await chooseInMenu(desktop, 'file.save-run');
    await expect.poll(() => existsSync(pathOf('run')), { timeout: PATIENCE }).toBe(true);
    expect(readdirSync(pathOf('run'))).toEqual(
      expect.arrayContaining(['run.json', 'diagnostics.csv', 'checkpoint.json']),
    );
    expect(partials()).toEqual([]);
  });

  it('shows the file that a second start hands over, and that start ends', async () => {
    const { code, printed } = await startAgain(desktop.home, [writeScenario('handed')]);
    expect(code).toBe(0);
    expect(printed).toContain('shoal: its window is open already');
    await isShown('handed');
  });

  it('has the recent files in its menu, the newest first', async () => {
    const recent = (): Promise<readonly string[]> =>
      desktop.application.evaluate(({ Menu }) => {
        const [{ submenu }] = Menu.getApplicationMenu()?.items ?? [];
        const found = submenu?.items.find(({ label }) => label === 'Open Recent');
        return found?.submenu?.items.map(({ label }) => label) ?? [];
      });
    await expect.poll(recent).toEqual(['handed.json', 'chosen.json', 'first.json']);
    await chooseInMenu(desktop, 'first.json');
    await isShown('first');
    await expect.poll(recent).toEqual(['first.json', 'handed.json', 'chosen.json']);
  });

  it('removes at its start what a crash left of an unfinished folder, and knows the recent files', async () => {
    await beginFolder('lost');
    await desktop.kill();
    expect(partials()).toHaveLength(1);
    desktop = await startDesktop({ home: desktop.home });
    await expect.poll(partials).toEqual([]);
    await chooseInMenu(desktop, 'handed.json');
    await isShown('handed');
  });

  it('leaves nothing of a folder that is being saved when it quits', async () => {
    await beginFolder('half');
    await desktop.quit();
    expect(partials()).toEqual([]);
    expect(existsSync(pathOf('half'))).toBe(false);
  });
});
