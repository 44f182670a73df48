/**
 * Electron's main process: puts the parts together and gives them the real Electron. What decides anything is in the parts,
 * which are tested without it.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, clipboard, dialog, ipcMain, Menu, protocol, session } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';
import { NEWS } from '../preload/bridge.ts';
import type { OpenedPayload } from '../preload/bridge.ts';
import { createClosing } from './closing.ts';
import { chooseScenario, openFolder, saveFile, saveFolder } from './dialogs.ts';
import type { Dialogs } from './dialogs.ts';
import { registerCalls } from './ipc.ts';
import { createKnownFiles } from './known-files.ts';
import { menuTemplate } from './menu.ts';
import { guardContents } from './navigation.ts';
import { createOpening, filesOf } from './opening.ts';
import { refusePermissions } from './permissions.ts';
import { createProtocolHandler, PAGE, PRIVILEGES, SCHEME } from './protocol.ts';
import { createRecovery } from './recovery.ts';
import { windowOptions } from './window.ts';

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, '..');

let window: BrowserWindow | undefined;

function send(channel: string, value: unknown): void {
  window?.webContents.send(channel, value);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const files = createKnownFiles(app.getPath('userData'), (path) => {
  app.addRecentDocument(path);
  void showMenu();
});
const deliver = (opened: OpenedPayload): void => send(NEWS.opened, opened);
const opening = createOpening(
  (path) => files.open(path),
  deliver,
  (path, error) => dialog.showErrorBox('The file cannot be opened', `${path}: ${reasonOf(error)}`),
);

async function showMenu(): Promise<void> {
  const recent = (await files.recent()).map(({ id, name }) => ({
    name,
    open: () => void files.openKnown(id).then((opened) => opened && deliver(opened)),
  }));
  const template = menuTemplate({ platform: process.platform, run: (command) => send(NEWS.command, command), recent });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template as MenuItemConstructorOptions[]));
}

const dialogs: Dialogs = {
  open: (options) => (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options)),
  save: (options) => (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options)),
};

function ask(options: Electron.MessageBoxOptions): Promise<Electron.MessageBoxReturnValue> {
  return window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options);
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
});

const recovery = createRecovery({
  async tell(message, detail) {
    await ask({ type: 'warning', message, detail });
  },
  load: (url) => void window?.loadURL(url),
  quit: () => app.quit(),
  now: () => performance.now(),
});

function createWindow(): void {
  const created = new BrowserWindow(windowOptions(join(out, 'preload', 'index.cjs')));
  window = created;
  created.once('ready-to-show', () => created.show());
  created.on('close', (event) => closing.onClose(event));
  created.on('closed', () => {
    window = undefined;
    opening.setListening(false);
    closing.setUnsaved(false);
  });
  created.webContents.on('did-start-loading', () => opening.setListening(false));
  created.webContents.on('render-process-gone', (_event, details) => {
    opening.setListening(false);
    closing.setUnsaved(false);
    void recovery.rendererGone(details);
  });
  void created.loadURL(PAGE);
}

function focusWindow(): void {
  if (!window) return createWindow();
  if (window.isMinimized()) window.restore();
  window.focus();
}

function registerPage(): void {
  protocol.handle(SCHEME, createProtocolHandler(join(out, 'renderer')));
  refusePermissions(session.defaultSession);
  registerCalls(ipcMain, {
    async openScenario() {
      const path = await chooseScenario(dialogs);
      return path === undefined ? undefined : files.open(path);
    },
    openRecent: (id) => files.openKnown(id),
    recent: () => files.recent(),
    sibling: (id, name) => files.sibling(id, name),
    save: (name, _type, bytes) => saveFile(dialogs, name, bytes),
    saveFolder: (name, folder) => saveFolder(dialogs, name, folder),
    openFolder: () => openFolder(dialogs),
    setTitle: (title) => window?.setTitle(title),
    setUnsaved: (unsaved) => closing.setUnsaved(unsaved),
    copyText: (text) => clipboard.writeText(text),
    listening: () => opening.setListening(true),
  });
}

function start(): void {
  protocol.registerSchemesAsPrivileged([PRIVILEGES]);
  app.enableSandbox();
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
  app.on('child-process-gone', (_event, details) => recovery.childGone(details));
  app.on('open-file', (event, path) => {
    event.preventDefault();
    opening.add(path);
    if (app.isReady()) focusWindow();
  });
  app.on('second-instance', (_event, words, folder) => {
    for (const path of filesOf(words.slice(1), folder)) opening.add(path);
    focusWindow();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('activate', focusWindow);
  for (const path of filesOf(process.argv.slice(1), process.cwd())) opening.add(path);
  void app.whenReady().then(async () => {
    registerPage();
    await showMenu();
    createWindow();
  });
}

if (app.requestSingleInstanceLock()) start();
else app.quit();
