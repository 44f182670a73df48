/** What the page may not do in Electron. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallScenario } from '../e2e/desktop/laboratory.ts';
import { startDesktop, withDesktop, writeFile } from './desktop.ts';
import type { Desktop } from './desktop.ts';
import { hasElectron, isOwnUser } from './host.ts';

/** @returns the words of a line of what Linux knows of a process */
function statusOf(pid: number, name: string): readonly string[] {
  const line = new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return line?.[1].split(/\s+/) ?? [];
}

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
    for (const pid of pids.all) expect(statusOf(pid, 'Uid')).not.toContain('0');
    // System calls are filtered, and the process is in a namespace of its own, where it has another number.
    expect(statusOf(pids.page ?? 0, 'Seccomp')).toEqual(['2']);
    expect(statusOf(pids.page ?? 0, 'NSpid').length).toBeGreaterThan(1);
    const words = readFileSync(`/proc/${pids.page}/cmdline`, 'latin1').split('\0');
    expect(words).not.toContain('--no-sandbox');
  });

  it('answers app:// from its folder alone', async () => {
    const expected = {
      'GET app://shoal/': 200,
      'GET app://shoal/../preload/index.cjs': 404,
      'GET app://shoal/..%2fpreload%2findex.cjs': 404,
      'GET app://shoal/%252e%252e/package.json': 404,
      'GET app://shoal//etc/passwd': 404,
      'GET app://shoal/.htaccess': 404,
      'POST app://shoal/': 405,
      'GET app://other/': 'refused',
      'GET file:///etc/passwd': 'refused',
      'GET https://shoal.example/': 'refused',
    };
    const answers = await desktop.page.evaluate(async (requests) => {
      const answered = requests.map(async (request) => {
        const [method, address] = request.split(' ');
        const status = await fetch(address, { method })
          .then((answer) => answer.status)
          .catch(() => 'refused');
        return [request, status] as const;
      });
      return Object.fromEntries(await Promise.all(answered));
    }, Object.keys(expected));
    expect(answers).toEqual(expected);
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
    expect(page.url()).toBe('app://shoal/?view=researcher');
    expect(await application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
    expect(
      await page.evaluate(() => ['require', 'process', 'module', 'ipcRenderer'].filter((name) => name in globalThis)),
    ).toEqual([]);
  });

  it('grants no permission', async () => {
    const answers = await desktop.page.evaluate(async () => {
      const { mediaDevices, clipboard, geolocation } = navigator;
      const errors = await Promise.allSettled([
        mediaDevices.getUserMedia({ video: true }),
        mediaDevices.getDisplayMedia(),
        clipboard.readText(),
      ]);
      const [camera, screen, text] = errors.map((answer) =>
        answer.status === 'fulfilled' ? 'granted' : (answer.reason as Error).name,
      );
      const place = await new Promise((resolve) => {
        geolocation.getCurrentPosition(
          () => resolve('granted'),
          ({ code }) => resolve(code),
        );
      });
      return { notifications: await Notification.requestPermission(), camera, screen, clipboard: text, place };
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
});
