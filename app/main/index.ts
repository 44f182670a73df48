/**
 * Electron's main process: puts the parts together and gives them the real Electron. What decides anything is in the parts,
 * which are tested without it.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import { app, BrowserWindow, clipboard, crashReporter, dialog, ipcMain, Menu, protocol, session } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';
import { NEWS, type OpenedPayload } from '../preload/bridge.ts';
import { FileError } from '../files/regular-file.ts';
import { createClosing, createQuitting } from './closing.ts';
import { CRASH_REPORTER, createCrashReports, createRecovery, createUnresponsive } from './recovery.ts';
import { chooseScenario, saveFile, saveFolder, createPartialFolders, type Dialogs } from './dialogs.ts';
import { createGraphics, OFFER_WEBGPU } from './graphics.ts';
import { registerCalls, type Calls } from './ipc.ts';
import { createKnownFiles, createOpening, filesOf } from './known-files.ts';
import { createNewFolders, createOpenedFolders } from './folders.ts';
import { menuTemplate, type MenuParts } from './menu.ts';
import { developmentOrigin, allowOwnWindows, guardContents, refusePermissions, windowOptions } from './window.ts';
import { createProtocolHandler, ORIGIN, PRIVILEGES, SCHEME } from './protocol.ts';
import { createUpdates } from './updates.ts';

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, '..');

/** `npm run dev`: the page comes from its sources. A package knows no such thing. */
const development = app.isPackaged ? undefined : developmentOrigin(process.env['ELECTRON_RENDERER_URL']);

let window: BrowserWindow | undefined;
/** From when on there may be a window. */
let ready = false;

function send(channel: string, value: unknown): void {
  window?.webContents.send(channel, value);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const folders = createOpenedFolders();
const partials = createPartialFolders(app.getPath('userData'));
const newFolders = createNewFolders(partials);
const files = createKnownFiles(app.getPath('userData'), (path) => {
  app.addRecentDocument(path);
  void showMenu();
});
/** A file that cannot be read may have been one of the menu. */
function refuse(path: string, error: unknown): undefined {
  void showMenu();
  const reason = error instanceof FileError ? error.reason : reasonOf(error);
  dialog.showErrorBox('The file cannot be opened', `${path}: ${reason}`);
}

const opening = createOpening<OpenedPayload>(
  (path) => files.open(path),
  (opened) => send(NEWS.opened, opened),
  refuse,
);

/** Every way from outside leads here: command line, second start, file manager, recent files of the menu. */
function openPaths(paths: readonly string[]): void {
  for (const path of paths) opening.add(path);
  if (ready) focusWindow();
}

function runCommand(command: string): void {
  // On macOS the menu outlives the window.
  if (window) send(NEWS.command, command);
  else focusWindow();
}

async function showMenu(): Promise<void> {
  const recent = (await files.recent()).map(({ id, name }) => ({
    name,
    open: () => void files.pathOf(id).then((path) => openPaths(path === undefined ? [] : [path])),
  }));
  const developing = development !== undefined;
  const template = menuTemplate({ platform: process.platform, run: runCommand, recent, help: helpItems(), developing });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template as MenuItemConstructorOptions[]));
}

const dialogs: Dialogs = {
  open: (options) => (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options)),
  save: (options) => (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options)),
};

function ask(options: Electron.MessageBoxOptions): Promise<Electron.MessageBoxReturnValue> {
  return window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options);
}

async function choose(message: string, detail: string, buttons: readonly string[]): Promise<number> {
  const { response } = await ask({ type: 'info', message, detail, buttons: [...buttons], defaultId: 0, cancelId: 0 });
  return response;
}

const showCrashReports = createCrashReports({
  folder: app.getPath('crashDumps'),
  ask: choose,
  copy: (text) => clipboard.writeText(text),
});

const update = createUpdates({ ask: choose, load: async () => (await import('electron-updater')).default.autoUpdater });

/** Updates are offered where the installer was made with the address of a feed. */
function helpItems(): NonNullable<MenuParts['help']> {
  const canUpdate = app.isPackaged && existsSync(join(process.resourcesPath, 'app-update.yml'));
  return [
    ...(canUpdate ? [{ label: 'Check for Updates…', click: () => void update() }] : []),
    { label: 'Crash Reports…', click: () => void showCrashReports() },
  ];
}

const closing = createClosing({
  async ask() {
    const { response } = await ask({
      type: 'question',
      message: 'Close and lose the changes?',
      detail: 'The scenario was changed and not saved.',
      buttons: ['Keep Editing', 'Close'],
      defaultId: 0,
      cancelId: 0,
    });
    return response === 1;
  },
  destroy: () => window?.destroy(),
  quit: () => app.quit(),
});

const recovery = createRecovery({
  async tell(message, detail) {
    await ask({ type: 'warning', message, detail });
  },
  load: (url) => load(new URL(url).search),
  quit: () => app.quit(),
  now: () => performance.now(),
});

const unresponsive = createUnresponsive({
  async ask(signal) {
    const { response } = await ask({
      type: 'warning',
      message: 'Shoal does not answer',
      detail: 'It may be busy. Loaded again, the run continues from its last checkpoint; other changes are lost.',
      buttons: ['Wait', 'Reload'],
      defaultId: 0,
      cancelId: 0,
      signal,
    });
    return response === 1 ? 'reload' : 'wait';
  },
  end: () => window?.webContents.forcefullyCrashRenderer(),
});

const graphics = createGraphics({
  platform: process.platform,
  folder: app.getPath('userData'),
  isOffered: () => app.commandLine.hasSwitch(OFFER_WEBGPU),
  offer: () => app.commandLine.appendSwitch(OFFER_WEBGPU),
  async ask() {
    const { response } = await ask({
      type: 'question',
      message: 'Start again and ask Chromium for the GPU?',
      detail:
        'No GPU was found, so Shoal computes on the processor. On Linux Chromium offers WebGPU on few GPUs unless it is asked to. Drivers that it has not approved may fail.',
      buttons: ['Continue', 'Restart'],
      defaultId: 0,
      cancelId: 0,
    });
    return response === 1;
  },
  restart() {
    app.relaunch();
    app.quit();
  },
});

/** @returns the query of the page’s first address: `--stage`, `--demo` and `--researcher` of the command line */
function firstQuery(words: readonly string[]): string {
  const view = ['demo', 'stage', 'researcher'].find((each) => words.includes(`--${each}`));
  return view === undefined ? '' : `?view=${view}`;
}

/** Loads the page again; whatever it was sent before is gone. */
function load(query = ''): void {
  opening.setListening(false);
  void newFolders.abandonAll();
  window?.loadURL(`${development ?? ORIGIN}/${query}`).catch((error: unknown) => {
    // Another page was loaded meanwhile.
    if ((error as { readonly code?: string }).code === 'ERR_ABORTED') return;
    dialog.showErrorBox('The page cannot be loaded', reasonOf(error));
  });
}

function createWindow(): void {
  const created = new BrowserWindow(windowOptions(join(out, 'preload', 'index.cjs')));
  window = created;
  allowOwnWindows(created);
  created.once('ready-to-show', () => created.show());
  created.on('close', (event) => closing.onClose(event));
  created.on('unresponsive', () => unresponsive.onUnresponsive());
  created.on('responsive', () => unresponsive.onAnswer());
  created.on('closed', () => {
    unresponsive.onAnswer();
    window = undefined;
    opening.setListening(false);
    closing.setUnsaved(false);
    void newFolders.abandonAll();
  });
  created.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (development !== undefined && isMainFrame && !isSameDocument) opening.setListening(false);
  });
  created.webContents.on('render-process-gone', (_event, details) => {
    unresponsive.onAnswer();
    opening.setListening(false);
    closing.setUnsaved(false);
    // A page that never drew would leave its message on a window that nobody sees.
    created.show();
    void recovery.rendererGone(details);
  });
  load(firstQuery(process.argv));
}

function focusWindow(): void {
  if (!window) return createWindow();
  if (window.isMinimized()) window.restore();
  window.focus();
}

function registerPage(): void {
  protocol.handle(SCHEME, createProtocolHandler(join(out, 'renderer')));
  refusePermissions(session.defaultSession);
  const calls: Calls = {
    async openScenario() {
      const path = await chooseScenario(dialogs);
      if (path === undefined) return undefined;
      try {
        return await files.open(path);
      } catch (error) {
        return refuse(path, error);
      }
    },
    async openRecent(id) {
      const opened = await files.openKnown(id);
      // One that is gone leaves the menu too.
      if (!opened) void showMenu();
      return opened;
    },
    recent: () => files.recent(),
    sibling: (id, name) => files.sibling(id, name),
    save: (name, _type, bytes) => saveFile(dialogs, name, bytes),
    saveFolder: (name, folder) => saveFolder(dialogs, partials, name, folder),
    nameFolder: (name) => newFolders.name(dialogs, name),
    writePart: (part) => newFolders.write(part),
    finishFolder: (id) => newFolders.finish(id),
    abandonFolder: (id) => newFolders.abandon(id),
    openFolder: () => folders.open(dialogs),
    readPart: (part) => folders.readPart(part),
    // While it is developed the window is closed with every change of this process.
    setUnsaved: (unsaved) => closing.setUnsaved(unsaved && development === undefined),
    copyText: (text) => clipboard.writeText(text),
    graphics: (isHardware) => graphics.found(isHardware),
    listening: () => opening.setListening(true),
  };
  registerCalls(ipcMain, calls, development);
}

function start(): void {
  crashReporter.start(CRASH_REPORTER);
  protocol.registerSchemesAsPrivileged([PRIVILEGES]);
  app.enableSandbox();
  graphics.prepare();
  app.on('web-contents-created', (_event, contents) => guardContents(contents, development));
  app.on('child-process-gone', (_event, details) => recovery.childGone(details));
  app.on('open-file', (event, path) => {
    event.preventDefault();
    openPaths([path]);
  });
  app.on('second-instance', (_event, words, folder) => openPaths(filesOf(words.slice(1), folder, app.getAppPath())));
  app.on('before-quit', () => closing.onQuit());
  app.on('will-quit', createQuitting({ finish: () => newFolders.abandonAll(), quit: () => app.quit() }));
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('activate', () => openPaths([]));
  openPaths(filesOf(process.argv.slice(1), process.cwd(), app.getAppPath()));
  void app.whenReady().then(async () => {
    registerPage();
    void partials.sweep();
    ready = true;
    focusWindow();
    await showMenu();
  });
}

// A restart while it is developed begins before the last one has ended.
if (development !== undefined || app.requestSingleInstanceLock()) {
  start();
} else {
  process.stderr.write('shoal: its window is open already, and shows what was asked for\n');
  app.quit();
}
