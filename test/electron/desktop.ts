/** Starts the built desktop application in Electron, and drives it by Playwright. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron as electron } from 'playwright-core';
import type { ElectronApplication, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { buildApplication } from '../e2e/desktop/chromium.ts';
import { laboratoryOf, PATIENCE } from '../e2e/desktop/laboratory.ts';
import type { Laboratory } from '../e2e/desktop/laboratory.ts';
import {
  asUser,
  environmentOf,
  hand,
  makeFolder,
  makeOwnFolder,
  reachableRuntime,
  removeFolder,
  removeScreen,
  ROOT,
} from './host.ts';

export interface StartOptions {
  /** Words of the command line. */
  readonly words?: readonly string[];
  /** Home of an earlier start, whose settings it has; default: a new one. */
  readonly home?: string;
}

export interface Desktop {
  readonly application: ElectronApplication;
  readonly page: Page;
  readonly laboratory: Laboratory;
  readonly home: string;
  /** Where the application keeps its data. */
  readonly data: string;
  /** What the page printed as errors. */
  readonly errors: readonly string[];
  /** Quits as its menu does, and waits for its end. */
  quit(): Promise<void>;
  /** Ends its process, as a crash does. */
  kill(): Promise<void>;
}

/** What a process printed, and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly printed: string;
}

let folder = '';
let homes = 0;
let program = '';

/** For a file of tests: the application, where the user that it runs as can read it. */
export function withDesktop(): void {
  beforeAll(() => {
    const out = join(buildApplication(), '..');
    folder = makeFolder();
    for (const part of ['main', 'preload', 'renderer']) {
      cpSync(join(out, part), join(folder, 'application', 'out', part), { recursive: true });
    }
    cpSync(join(ROOT, 'package.json'), join(folder, 'application', 'package.json'));
    makeOwnFolder(join(folder, 'files'));
    program = asUser(reachableRuntime(folder), folder);
  });
  afterAll(async () => {
    await removeScreen();
    removeFolder(folder);
  });
}

/** Writes a file that the application may change. @returns its path */
export function writeFile(name: string, text: string): string {
  const path = pathOf(name);
  writeFileSync(path, text);
  return hand(path);
}

/** Where a file is, or will be. */
export function pathOf(name: string): string {
  return join(folder, 'files', name);
}

/** A home with settings of its own, in which the question for the GPU was answered. */
function makeHome(): string {
  homes += 1;
  const home = makeOwnFolder(join(folder, `home-${homes}`));
  const data = dataOf(home);
  mkdirSync(join(home, 'config'));
  mkdirSync(data);
  writeFileSync(join(data, 'graphics.json'), '{"webgpu":"decline"}\n');
  for (const path of [join(home, 'config'), data, join(data, 'graphics.json')]) hand(path);
  return home;
}

function dataOf(home: string): string {
  return join(home, 'config', 'shoal');
}

/** Does what ends the application, unless it has ended, and waits until its process has. */
async function ended(child: ChildProcess, end: () => unknown): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  end();
  await exited;
}

/** Starts the application with Playwright attached to it. */
export async function startDesktop({ words = [], home = makeHome() }: StartOptions = {}): Promise<Desktop> {
  const application = await electron.launch({
    executablePath: program,
    // With all controls.
    args: [join(folder, 'application'), '--researcher', ...words],
    env: await environmentOf(home),
    chromiumSandbox: true,
    colorScheme: 'dark',
    timeout: PATIENCE,
  });
  const child = application.process();
  const page = await application.firstWindow({ timeout: PATIENCE });
  page.setDefaultTimeout(PATIENCE);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1024, 700));
  return {
    application,
    page,
    laboratory: laboratoryOf(page),
    home,
    data: dataOf(home),
    errors,
    // The answer may be lost with the process.
    quit: () => ended(child, () => void application.evaluate(({ app }) => app.quit()).catch(() => undefined)),
    kill: () => ended(child, () => child.kill('SIGKILL')),
  };
}

/** The answers of dialogs, which no user is there to give. */
export interface Answers {
  /** The path that is chosen in a dialog for opening, and in one for saving; without one the dialog is cancelled. */
  readonly open?: string;
  readonly save?: string;
  /** Index of the button that is pressed. */
  readonly button?: number;
}

/** Has the dialogs answered from now on. What the main process does with an answer is the application's own. */
export async function answerDialogs({ application }: Desktop, answers: Answers): Promise<void> {
  await application.evaluate(({ dialog }, { open, save, button }) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    const note = (words: readonly unknown[]): void => {
      const { message, title, defaultPath } = words.at(-1) as Record<string, string | undefined>;
      asked.push(message ?? title ?? defaultPath ?? '');
    };
    Object.assign(dialog, {
      async showOpenDialog(...words: unknown[]) {
        note(words);
        return { canceled: open === undefined, filePaths: open === undefined ? [] : [open] };
      },
      async showSaveDialog(...words: unknown[]) {
        note(words);
        return { canceled: save === undefined, filePath: save ?? '' };
      },
      async showMessageBox(...words: unknown[]) {
        note(words);
        return { response: button ?? 0, checkboxChecked: false };
      },
      showErrorBox: (title: string, content: string) => asked.push(`${title}: ${content}`),
    });
  }, answers);
}

/** What dialogs have asked or said since `answerDialogs`. */
export function askedBy({ application }: Desktop): Promise<readonly string[]> {
  return application.evaluate(() => (globalThis as unknown as { readonly asked: readonly string[] }).asked);
}

/** Chooses an item of the menu by the id of its command, or by its label. */
export async function chooseInMenu({ application }: Desktop, name: string): Promise<void> {
  await application.evaluate(({ Menu }, name) => {
    const menu = Menu.getApplicationMenu();
    const recent = menu?.items[0].submenu?.items.find(({ label }) => label === 'Open Recent');
    const item = menu?.getMenuItemById(name) ?? recent?.submenu?.items.find(({ label }) => label === name);
    if (!item) throw new Error(`the menu has no ${name}`);
    item.click();
  }, name);
}

/** Starts the application a second time, and waits until that process ends. */
export async function startAgain(home: string, words: readonly string[]): Promise<Ended> {
  const child = spawn(program, [join(folder, 'application'), ...words], { env: await environmentOf(home) });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, printed };
}
