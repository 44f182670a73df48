/**
 * `npm start`: the first thing that a user sees. Opens the desktop application: in Electron where its runtime is on this
 * machine, otherwise the same application in the system's browser, served by this process. `--headless` runs the first
 * scenario in the terminal instead.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeProblem } from '../../../engine/index.ts';
import { hasDisplay, openBrowser, thisSystem, findElectron } from '../../server/browser.ts';
import { PREFERRED_PORT, serveApplication } from '../../server/server.ts';
import { isBundleName } from '../../bundle/bundle-name.ts';
import { runInItsPlace } from '../bootstrap/in-its-place.mjs';
import { readSource } from '../run/folder.ts';
import { EXIT, type Context, type ExitCode, UsageError } from '../context.ts';
import { hdf5In } from '../thread.ts';
import { loadScenario, readScenarioFiles, shippedPath, shippedScenarios } from '../scenario-source.ts';
import { run } from './run.ts';
import type { RunOptions } from '../run/options.ts';

const FIRST_SCENARIO = 'one-stone';

export interface StartOptions extends RunOptions {
  readonly headless?: boolean;
  /** Whether the basins fill the screen from the start. */
  readonly stage?: boolean;
  /** Whether the lessons are played without end. */
  readonly demo?: boolean;
  /** Whether to open a window; `--no-open` prints the address alone. */
  readonly open?: boolean;
}

/** What the window shows first, as the page and Electron name it. */
type FirstView = 'stage' | 'demo';

/** @throws UsageError for options that exclude each other */
function firstView(
  { stage = false, demo = false, headless = false }: StartOptions,
  name: string | undefined,
): FirstView | undefined {
  if (headless && (stage || demo)) throw new UsageError('--headless opens no window: omit --stage and --demo');
  if (demo && name !== undefined)
    throw new UsageError(`${name}: --demo plays the scenarios that ship; omit one of the two`);
  return demo ? 'demo' : stage ? 'stage' : undefined;
}

/** The scenario file that was named, as a path. @throws UsageError when there is none */
async function givenFile({ installation }: Context, name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  if (existsSync(name)) return resolve(name);
  if (!/[/\\.]/.test(name)) return shippedPath(installation.root, name);
  const names = await shippedScenarios(installation.root);
  throw new UsageError(`${name}: there is no such file; those that ship are opened by name: ${names.join(', ')}`);
}

/** What is wrong with a scenario is reported before anything is opened. @throws ScenarioError */
async function checkedFile(context: Context, name: string | undefined): Promise<string | undefined> {
  const path = await givenFile(context, name);
  if (path === undefined) return undefined;
  if (isBundleName(path)) {
    await readSource(path);
    return path;
  }
  const { scenario, warnings } = await loadScenario(path);
  await readScenarioFiles(scenario, path, hdf5In(context.installation.bundleFolder));
  for (const warning of warnings) context.terminal.note(`${path}: warning: ${describeProblem(warning)}`);
  return path;
}

/** An application that ends with an error so soon has shown no window. */
const STARTS_WITHIN_MILLISECONDS = 5000;

interface Ending {
  readonly code: ExitCode;
  /** For people, where it could not start: no right to its sandbox, a missing library, no display. */
  readonly failure?: string;
}

/** Runs Electron to its end. */
async function launchElectron(
  executable: string,
  root: string,
  given: string | undefined,
  view: FirstView | undefined,
): Promise<Ending> {
  const begun = performance.now();
  try {
    const { code, signal, interrupted } = await runInItsPlace(executable, [
      root,
      ...(given === undefined ? [] : [given]),
      ...(view === undefined ? [] : [`--${view}`]),
    ]);
    const soon = performance.now() - begun < STARTS_WITHIN_MILLISECONDS;
    const failed = code !== EXIT.done && soon && !interrupted;
    return { code: code as ExitCode, ...(failed && { failure: signal ?? `exit code ${code}` }) };
  } catch (error) {
    return { code: EXIT.failed, failure: (error as Error).message };
  }
}

function untilInterrupted(): Promise<void> {
  return new Promise((settle) => {
    process.once('SIGINT', () => settle()).once('SIGTERM', () => settle());
  });
}

async function serve(
  context: Context,
  given: string | undefined,
  view: FirstView | undefined,
  wantsWindow: boolean,
): Promise<ExitCode> {
  const { terminal, installation } = context;
  // Before the address is printed: whoever reads it may press Ctrl-C at once.
  const interrupted = untilInterrupted();
  const folder = join(installation.root, 'out', installation.isPackage ? 'page' : 'renderer');
  const served = await serveApplication(folder, { ...(given !== undefined && { given }), view });
  if (Number(new URL(served.url).port) !== PREFERRED_PORT) {
    terminal.note(
      `port ${PREFERRED_PORT} is in use, by another start perhaps; at another one the browser keeps settings and recent files of its own`,
    );
  }
  terminal.print(served.url);
  terminal.printJson({ url: served.url });
  const opened = wantsWindow && hasDisplay(thisSystem) && (await openBrowser(served.invitation));
  terminal.note(`${opened ? 'opened in the browser' : 'open this address in a browser'}; Ctrl-C stops the server`);
  await interrupted;
  await served.close();
  return EXIT.done;
}

export default async function start(
  context: Context,
  [name]: readonly string[],
  options: StartOptions,
): Promise<ExitCode> {
  const { terminal, installation } = context;
  const { root, isPackage = false } = installation;
  const view = firstView(options, name);
  if (options.headless) {
    return run(context, (await givenFile(context, name)) ?? (await shippedPath(root, FIRST_SCENARIO)), options);
  }
  const given = await checkedFile(context, name);
  // The window of its own comes with the installers.
  if (isPackage) return serve(context, given, view, options.open !== false);
  const electron = findElectron(root);
  if (electron !== undefined && hasDisplay(thisSystem) && options.open !== false) {
    const { code, failure } = await launchElectron(electron, root, given, view);
    if (failure === undefined) return code;
    terminal.note(`Electron could not start here (${failure}); the application runs in the browser instead:`);
  } else if (electron === undefined) {
    terminal.note(
      'the desktop runtime, Electron, is not on this machine (npx install-electron adds it); the application runs in the browser:',
    );
  } else if (!hasDisplay(thisSystem)) {
    terminal.note('there is no display here for a window; the application is served instead:');
  }
  return serve(context, given, view, options.open !== false);
}
