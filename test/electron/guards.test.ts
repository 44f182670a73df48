/** What the page may not do in Electron, and what becomes of it when its process ends. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, smallScenario } from '../e2e/desktop/laboratory.ts';
import { answerDialogs, askedBy, startDesktop, withDesktop, writeFile } from './desktop.ts';
import type { Desktop } from './desktop.ts';
import { hasElectron, isOwnUser } from './host.ts';

describe.runIf(hasElectron)('the guards in Electron', () => {
  withDesktop();
  let desktop: Desktop;
  beforeAll(async () => {
    desktop = await startDesktop({ words: [writeFile('guarded.json', JSON.stringify(smallScenario('guarded', 500)))] });
  });
  afterAll(async () => {
    await desktop.kill();
  });

  it.runIf(isOwnUser)('has the page in Chromium’s sandbox, and no process as root', async () => {
    const pids = await desktop.application.evaluate(({ app, BrowserWindow }) => ({
      all: app.getAppMetrics().map(({ pid }) => pid),
      page: BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
    }));
    const status = (pid: number, name: string): readonly string[] => {
      const line = new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
      return line?.[1].split(/\s+/) ?? [];
    };
    for (const pid of pids.all) expect(status(pid, 'Uid')).not.toContain('0');
    // System calls are filtered, and the process is in a namespace of its own, where it has another number.
    expect(status(pids.page ?? 0, 'Seccomp')).toEqual(['2']);
    expect(status(pids.page ?? 0, 'NSpid').length).toBeGreaterThan(1);
    const words = readFileSync(`/proc/${pids.page}/cmdline`, 'latin1').split('\0');
    expect(words).not.toContain('--no-sandbox');
  });

  it('answers app:// from its folder alone', async () => {
    const answers = await desktop.page.evaluate(async () => {
      const ask = (address: string, method = 'GET') =>
        fetch(address, { method }).then(
          ({ status }) => status,
          () => 'refused',
        );
      return {
        page: await ask('app://shoal/'),
        above: await ask('app://shoal/../preload/index.cjs'),
        encoded: await ask('app://shoal/..%2fpreload%2findex.cjs'),
        twice: await ask('app://shoal/%252e%252e/package.json'),
        absolute: await ask('app://shoal//etc/passwd'),
        hidden: await ask('app://shoal/.htaccess'),
        written: await ask('app://shoal/', 'POST'),
        other: await ask('app://other/'),
        file: await ask('file:///etc/passwd'),
        web: await ask('https://shoal.example/'),
      };
    });
    expect(answers).toEqual({
      page: 200,
      above: 404,
      encoded: 404,
      twice: 404,
      absolute: 404,
      hidden: 404,
      written: 405,
      other: 'refused',
      file: 'refused',
      web: 'refused',
    });
  });

  it('goes nowhere else, opens no other window and has no Node', async () => {
    const { application, page } = desktop;
    const opened = await page.evaluate(() => {
      for (const address of ['https://shoal.example/', 'file:///etc/passwd', 'app://shoal/elsewhere']) {
        const link = document.createElement('a');
        link.href = address;
        document.body.append(link);
        link.click();
        link.remove();
      }
      globalThis.location.href = 'data:text/html,elsewhere';
      return globalThis.open('https://shoal.example/') === null;
    });
    expect(opened).toBe(true);
    await page.waitForTimeout(500);
    expect(page.url()).toBe('app://shoal/');
    expect(await application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
    expect(
      await page.evaluate(() => ['require', 'process', 'module', 'ipcRenderer'].filter((name) => name in globalThis)),
    ).toEqual([]);
  });

  it('grants no permission', async () => {
    const answers = await desktop.page.evaluate(async () => {
      const nameOf = (error: unknown): string => (error instanceof Error ? error.name : String(error));
      return {
        notifications: await Notification.requestPermission(),
        camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'granted', nameOf),
        screen: await navigator.mediaDevices.getDisplayMedia().then(() => 'granted', nameOf),
        clipboard: await navigator.clipboard.readText().then(() => 'granted', nameOf),
        place: await new Promise((resolve) => {
          navigator.geolocation.getCurrentPosition(
            () => resolve('granted'),
            ({ code }) => resolve(code),
          );
        }),
      };
    });
    expect(answers).toEqual({
      notifications: 'denied',
      camera: expect.stringMatching(/NotAllowedError|NotFoundError/),
      screen: expect.stringMatching(/Error$/),
      clipboard: 'NotAllowedError',
      place: 1,
    });
  });

  it('answers no call of another page, of another frame, or of another form', async () => {
    const refusals = await desktop.application.evaluate(async ({ BrowserWindow, app }) => {
      const preload = `${app.getAppPath()}/out/preload/index.cjs`;
      const other = new BrowserWindow({
        show: false,
        webPreferences: { preload, sandbox: true, contextIsolation: true, nodeIntegrationInSubFrames: true },
      });
      await other.loadURL('data:text/html,<iframe srcdoc="a frame"></iframe>');
      const { mainFrame } = other.webContents;
      const call = 'shoal.recent().then(() => "answered", ({ message }) => message)';
      const said = await Promise.all([mainFrame, ...mainFrame.frames].map((frame) => frame.executeJavaScript(call)));
      other.destroy();
      return said as string[];
    });
    expect(refusals).toHaveLength(2);
    for (const refusal of refusals) expect(refusal).toMatch(/shoal:recent is refused: it does not come from the page$/);
    const ofForm = await desktop.page.evaluate(() => {
      const { shoal } = globalThis as unknown as { readonly shoal: import('../../app/preload/bridge.ts').ShoalBridge };
      return shoal.save('../outside', 'text/plain', new Uint8Array(1)).then(
        () => 'answered',
        ({ message }: Error) => message,
      );
    });
    expect(ofForm).toMatch(/shoal:save is refused/);
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
