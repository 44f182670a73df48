/**
 * The main process whole, with a stand-in for Electron alone: what it does before it is ready, and every way of opening a
 * scenario from the system's event to the page's one loader, which validates it.
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createElectronHost } from '../../../app/host/electron.ts';
import type { Host } from '../../../app/host/host.ts';
import { createSettings } from '../../../app/host/browser.ts';
import type { MenuItem } from '../../../app/main/menu.ts';
import { createBridge } from '../../../app/preload/bridge.ts';
import { createRunView } from '../../../app/document/run-view.ts';
import { fakeClock, fakeRuns } from '../document/run/fake-run.ts';
import { laboratoryOf } from '../page/laboratory.ts';
import { electronStandIn } from './electron-stand-in.ts';
import type { StandIn, StandInOptions } from './electron-stand-in.ts';
import { soon } from '../../setup/soon.ts';
import { openingOf } from '../../../app/features/opening/open-scenario.ts';

const DEVELOPMENT = 'http://127.0.0.1:5173';
const { argv } = process;
let folder = '';
/** Ends the page that was shown last: it is gone with its process, or with being loaded again. */
let endPage: () => void = () => undefined;
const laboratory = laboratoryOf();
const { notices } = laboratory.notices;
let opening = openingOf(createRunView(laboratory, fakeRuns().open));
let running: ReturnType<typeof fakeRuns>['opened'] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-window-'));
  const fake = fakeRuns();
  running = fake.opened;
  opening = openingOf(createRunView(laboratory, fake.open, { clock: fakeClock() }));
  notices.value = [];
});
afterEach(() => {
  process.argv = argv;
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function scenario(name: string, text = JSON.stringify({ version: 3, name, methods: [{ kind: 'letkf' }] })): string {
  const path = join(folder, `${name}.shoal.json`);
  writeFileSync(path, text);
  return path;
}

/** Starts the main process. @param words of the command line after the executable */
async function begin(words: readonly string[] = [], options: Partial<StandInOptions> = {}): Promise<StandIn> {
  const electron = electronStandIn({ userData: join(folder, 'data'), ...options });
  process.argv = [argv[0], '.', ...words];
  // Electron has it in every process.
  Object.assign(process, { resourcesPath: folder });
  vi.resetModules();
  vi.doMock('electron', () => electron.module);
  await import('../../../app/main/index.ts');
  return electron;
}

async function start(words: readonly string[] = [], options: Partial<StandInOptions> = {}): Promise<StandIn> {
  const electron = await begin(words, options);
  await electron.becomeReady();
  return electron;
}

/** The page of the newest window: what `start.tsx` does with what comes from outside. */
function showPage({ windows, handlers }: StandIn, url = 'app://shoal/'): Host {
  const contents = windows[windows.length - 1].webContents;
  const host = createElectronHost(createBridge(contents.rendererIpc(handlers, url)), {
    page: { title: '' },
    view: Object.assign(new EventTarget(), { location: { hash: '' } }),
    settings: createSettings(undefined),
  });
  endPage();
  endPage = host.onOpen(
    (file) => void opening.openFile(file),
    (error) => {
      throw error;
    },
  );
  return host;
}

const opened = (): string[] => running.map(({ scenario }) => scenario.name);
const shows = (...names: readonly string[]) => soon(() => expect(opened()).toEqual(names));

function itemOf(menu: readonly MenuItem[], label: string): MenuItem | undefined {
  for (const item of menu) {
    const found = item.label === label ? item : itemOf(item.submenu ?? [], label);
    if (found) return found;
  }
  return undefined;
}

describe('the start', () => {
  it('makes app:// privileged and the sandbox general before Electron is ready, and the rest after', async () => {
    const { calls, windows } = await start();
    const ready = calls.indexOf('ready');
    expect(ready).toBeGreaterThan(0);
    expect(calls.slice(0, ready)).toEqual(expect.arrayContaining(['crash reports kept', 'privileged app', 'sandbox']));
    expect(calls.slice(ready + 1)).toEqual(
      expect.arrayContaining(['handle app', 'permission requests', 'permission checks', 'devices', 'screens']),
    );
    expect(windows.map(({ loaded }) => loaded)).toEqual([['app://shoal/']]);
    expect(windows[0].done).toEqual([]);
    windows[0].emit('ready-to-show');
    expect(windows[0].done).toEqual(['show']);
  });

  it.runIf(process.platform === 'linux')(
    'asks Chromium for WebGPU where the person has said so, not by itself',
    async () => {
      const first = await start([], { response: 1 });
      expect(first.calls).not.toContain('--enable-unsafe-webgpu');
      showPage(first).tellGraphics(false);
      await soon(() => expect(first.calls).toContain('relaunch'));
      expect(first.told).toEqual(['Start again and ask Chromium for the GPU?']);
      const second = await begin();
      expect(second.calls.indexOf('--enable-unsafe-webgpu')).toBeGreaterThanOrEqual(0);
      await second.becomeReady();
      expect(second.calls.indexOf('--enable-unsafe-webgpu')).toBeLessThan(second.calls.indexOf('ready'));
    },
  );

  it('loads the preload script that is built beside it', async () => {
    const { windows } = await start();
    expect(windows[0].options.webPreferences['preload']).toMatch(/preload[/\\]index\.cjs$/);
  });

  it('leaves the window to the instance that is open already', async () => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const { calls, windows } = await start([], { isFirst: false });
    expect(calls).toEqual(['quit', 'has quit', 'ready']);
    expect(windows).toEqual([]);
    expect(said).toHaveBeenCalledWith(expect.stringContaining('open already'));
  });

  it('makes one window, however many events come while it starts', async () => {
    const electron = await begin();
    electron.app.emit('activate');
    electron.app.emit('open-file', { preventDefault: () => undefined }, scenario('early'));
    expect(electron.windows).toHaveLength(0);
    await electron.becomeReady();
    electron.app.emit('activate');
    electron.app.emit('second-instance', {}, ['shoal-app'], folder);
    expect(electron.windows).toHaveLength(1);
    showPage(electron);
    await shows('early');
  });

  it('says so when the page cannot be loaded, but not when another one took its place', async () => {
    const { windows, app, told } = await start();
    const [window] = windows;
    window.failure = Object.assign(new Error('ERR_FAILED (-2)'), { code: 'ERR_FAILED' });
    const gone = { reason: 'crashed', exitCode: 1 };
    window.webContents.emit('render-process-gone', {}, gone);
    await soon(() => expect(told).toContain('The page cannot be loaded: ERR_FAILED (-2)'));
    window.failure = Object.assign(new Error('ERR_ABORTED (-3)'), { code: 'ERR_ABORTED' });
    window.webContents.emit('render-process-gone', {}, gone);
    await soon(() => expect(window.loaded).toHaveLength(3));
    expect(told.filter((text) => text.startsWith('The page'))).toHaveLength(1);
    expect(app.listenerCount('child-process-gone')).toBe(1);
  });
});

describe('a scenario is opened', () => {
  it('by the command line, which waits for the page', async () => {
    const electron = await start([scenario('argument')]);
    expect(opened()).toEqual([]);
    showPage(electron);
    await shows('argument');
  });

  it('by a file manager of Linux that hands over an address', async () => {
    const path = join(folder, 'with a space.json');
    renameSync(scenario('address'), path);
    const { href } = pathToFileURL(path);
    expect(href).toContain('%20');
    showPage(await start([href]));
    await shows('address');
  });

  it('by a second start, from its own folder, into a window that comes to the front', async () => {
    const electron = await start();
    showPage(electron);
    const [window] = electron.windows;
    window.minimised = true;
    scenario('second');
    // Chromium puts its own switches among the words.
    const words = ['/opt/Shoal/shoal-app', '--allow-file-access-from-files', process.cwd(), 'second.shoal.json'];
    electron.app.emit('second-instance', {}, words, folder);
    await shows('second');
    expect(window.minimised).toBe(false);
    expect(window.done).toContain('focus');
  });

  it('by the file manager of macOS, before and after the window', async () => {
    const electron = await begin();
    const event = { preventDefault: vi.fn<() => void>() };
    electron.app.emit('open-file', event, scenario('before'));
    await electron.becomeReady();
    showPage(electron);
    await shows('before');
    electron.app.emit('open-file', event, scenario('after'));
    await shows('before', 'after');
    expect(event.preventDefault).toHaveBeenCalledTimes(2);
  });

  it('by the dialog', async () => {
    const host = showPage(await start([], { chosen: scenario('chosen') }));
    const file = await host.openScenario();
    await expect(file && opening.openFile(file)).resolves.toBe(true);
    expect(opened()).toEqual(['chosen']);
  });

  it('whatever its name; what is none is reported', async () => {
    const path = join(folder, 'scenario.txt');
    renameSync(scenario('renamed'), path);
    const electron = await start([path, join(folder, 'missing.txt'), folder]);
    showPage(electron);
    await shows('renamed');
    await soon(() => expect(electron.told).toHaveLength(2));
    expect(electron.told.join('\n')).toContain('missing.txt: ENOENT');
    expect(electron.told.join('\n')).toContain(`${folder}: is a folder, a file is needed`);
  });

  it('from the menu of recent files, also when no window is open any more', async () => {
    const electron = await start([scenario('lately')]);
    showPage(electron);
    await shows('lately');
    expect(electron.calls).toContain(`recent ${join(folder, 'lately.shoal.json')}`);
    await soon(() => expect(itemOf(electron.menu(), 'lately.shoal.json')).toBeDefined());
    electron.windows[0].close();
    itemOf(electron.menu(), 'lately.shoal.json')?.click?.();
    await soon(() => expect(electron.windows).toHaveLength(2));
    showPage(electron);
    await shows('lately', 'lately');
  });

  it('from the list of recent files of the page', async () => {
    const host = showPage(await start([scenario('first'), scenario('second')]));
    await soon(() => expect(opened()).toHaveLength(2));
    const recent = await host.recent();
    expect(recent.map(({ name }) => name).toSorted()).toEqual(['first.shoal.json', 'second.shoal.json']);
    const file = await host.openRecent(recent[1].id);
    expect(file?.name).toBe(recent[1].name);
  });

  it('with the arrays beside it', async () => {
    const bathymetry = { kind: 'file', file: 'bed.npy' };
    const path = scenario('deep', JSON.stringify({ version: 3, name: 'deep', model: { bathymetry } }));
    showPage(await start([path]));
    await soon(() => expect(notices.value[0]?.lines[0]).toContain('bed.npy is not beside deep.shoal.json'));
  });
});

describe('a file that is none', () => {
  it('is reported by the page with its line, and nothing is opened', async () => {
    showPage(await start([scenario('wrong', '{\n  "version": 3,\n  "sed": 3\n}')]));
    await soon(() => expect(notices.value).toHaveLength(1));
    expect(notices.value[0].lines.join('\n')).toMatch(/wrong\.shoal\.json:3.*sed/);
    expect(opened()).toEqual([]);
  });

  it('is reported by the system when it cannot be read, and is no longer offered', async () => {
    const path = scenario('gone');
    const electron = await start([path]);
    showPage(electron);
    await shows('gone');
    await soon(() => expect(itemOf(electron.menu(), 'gone.shoal.json')).toBeDefined());
    rmSync(path);
    itemOf(electron.menu(), 'gone.shoal.json')?.click?.();
    await soon(() => expect(electron.told.join()).toMatch(/cannot be opened: .*gone\.shoal\.json: ENOENT/));
    await soon(() => expect(itemOf(electron.menu(), 'gone.shoal.json')).toBeUndefined());
  });
});

describe('a page that is gone', () => {
  it('is loaded again after the event, and is notified of files again only when it listens', async () => {
    const electron = await start();
    showPage(electron);
    const [window] = electron.windows;
    window.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
    // Inside the event Electron would go down with it.
    expect(window.loaded).toEqual(['app://shoal/']);
    electron.app.emit('second-instance', {}, ['shoal-app', scenario('meanwhile')], folder);
    await soon(() => expect(window.loaded).toEqual(['app://shoal/', 'app://shoal/?recovered']));
    expect(opened()).toEqual([]);
    showPage(electron);
    await shows('meanwhile');
    expect(electron.told).toEqual(['The run was interrupted']);
  });
});

describe('a page that does not answer', () => {
  it('is waited for, or loaded again from its last checkpoint, as the person says', async () => {
    const patient = await start([], { response: 0 });
    showPage(patient);
    patient.windows[0].emit('unresponsive');
    await soon(() => expect(patient.told).toEqual(['Shoal does not answer']));
    await Promise.resolve();
    expect(patient.windows[0].loaded).toEqual(['app://shoal/']);

    const impatient = await start([], { response: 1 });
    showPage(impatient);
    impatient.windows[0].emit('unresponsive');
    await soon(() => expect(impatient.windows[0].loaded).toEqual(['app://shoal/', 'app://shoal/?recovered']));
    expect(impatient.windows[0].webContents.crashed).toBe(1);
  });
});

describe('closing', () => {
  it('with unsaved changes asks, and a quit that was stopped by the question continues after it', async () => {
    const electron = await start([], { response: 1 });
    const host = showPage(electron);
    host.setUnsaved(true);
    (electron.app as unknown as { quit(): void }).quit();
    expect(electron.calls).not.toContain('has quit');
    await soon(() => expect(electron.calls).toContain('has quit'));
    expect(electron.told).toEqual(['Close and lose the changes?']);
    expect(electron.windows[0].done).toContain('destroy');
  });

  it('stays when the person says so', async () => {
    const electron = await start([], { response: 0 });
    showPage(electron).setUnsaved(true);
    expect(electron.windows[0].close()).toBe(false);
    await soon(() => expect(electron.told).toHaveLength(1));
    expect(electron.windows[0].done).not.toContain('destroy');
  });

  it('on macOS leaves the menu, whose commands open the window again', async () => {
    const electron = await start();
    electron.windows[0].close();
    await soon(() => expect(itemOf(electron.menu(), 'Open Scenario…')).toBeDefined());
    itemOf(electron.menu(), 'Open Scenario…')?.click?.();
    expect(electron.windows).toHaveLength(2);
  });
});

describe('while it is developed', () => {
  it('shows the development server’s page, which may call and load itself again', async () => {
    vi.stubEnv('ELECTRON_RENDERER_URL', DEVELOPMENT);
    const electron = await start([scenario('developed')], { isFirst: false });
    const [window] = electron.windows;
    expect(window.loaded).toEqual([`${DEVELOPMENT}/`]);
    showPage(electron, `${DEVELOPMENT}/`);
    await shows('developed');
    let prevented = 0;
    const event = (url: string) => ({ url, preventDefault: () => (prevented += 1) });
    window.webContents.emit('will-navigate', event(`${DEVELOPMENT}/`));
    window.webContents.emit('will-frame-navigate', event(`${DEVELOPMENT}/`));
    expect(prevented).toBe(0);
    window.webContents.emit('will-navigate', event('http://127.0.0.1:5174/'));
    expect(prevented).toBe(1);
    window.webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
    electron.app.emit('second-instance', {}, ['electron', scenario('reloaded')], folder);
    expect(opened()).toEqual(['developed']);
    showPage(electron, `${DEVELOPMENT}/`);
    await shows('developed', 'reloaded');
  });

  it('is closed with a change of the main process, without a question', async () => {
    vi.stubEnv('ELECTRON_RENDERER_URL', DEVELOPMENT);
    const electron = await start();
    showPage(electron, `${DEVELOPMENT}/`).setUnsaved(true);
    expect(electron.windows[0].close()).toBe(true);
  });

  it.each([
    ['in a package', DEVELOPMENT, true],
    ['from another machine', 'http://example.org:5173', false],
    ['that is no address', 'nonsense', false],
  ])('knows no server %s', async (_where, address, isPackaged) => {
    vi.stubEnv('ELECTRON_RENDERER_URL', address);
    const { windows } = await start([], { isPackaged });
    expect(windows[0].loaded).toEqual(['app://shoal/']);
  });
});

it('gives the page by app:// as it is built', async () => {
  const { answer } = await start();
  expect((await answer({ url: 'app://shoal/..%2findex.js', method: 'GET' })).status).toBe(404);
});
