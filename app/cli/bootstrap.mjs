#!/usr/bin/env node
/**
 * Starts Shoal. In a checkout it needs nothing but Node and npm: it installs the packages when they are missing or stale, builds
 * the command line's bundle when a source has changed, and runs it in this process. `--task NAME` runs a developer's task
 * instead. In an installed package everything is built already, and it runs what is there. It imports nothing but Node's own
 * modules, so that it works before the first install.
 */
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NEEDED_NODE = [20, 19];
const launcher = fileURLToPath(import.meta.url);
const root = join(dirname(launcher), '..', '..');
/** npm packs no lock file: only a checkout has one. */
const isCheckout = existsSync(join(root, 'package-lock.json'));

function nodeIsNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1]);
}

/** `npm run` works in the package's folder; paths on the command line are relative to the user's working directory. */
function standWhereThePersonStands() {
  const { INIT_CWD: folder, npm_lifecycle_event: script } = process.env;
  if (folder && ['shoal', 'start', 'site'].includes(script)) process.chdir(folder);
}

/** Whether the page is needed, which takes a while to build. */
function opensTheApplication() {
  const words = process.argv.slice(2);
  // Options of every command may precede it; none of those takes a value.
  const command = words.find((word) => !word.startsWith('-'));
  return command === 'start' && !words.some((word) => word === '--headless' || word === '--help' || word === '-h');
}

async function runCommand(bundleFolder) {
  const { main } = await import(pathToFileURL(join(bundleFolder, 'main.js')).href);
  await main(process.argv.slice(2), { root, bundleFolder, launcher, isPackage: !isCheckout });
}

async function startFromCheckout() {
  const { installWhenStale } = await import('./bootstrap/install.mjs');
  await installWhenStale(root);
  const [first, name, ...rest] = process.argv.slice(2);
  if (first === '--task') {
    standWhereThePersonStands();
    const { runTask } = await import('./bootstrap/tasks.mjs');
    process.exitCode = await runTask(root, name, rest);
    return;
  }
  standWhereThePersonStands();
  const { freshBundle } = await import('./bootstrap/bundle.mjs');
  const folder = await freshBundle(root);
  if (opensTheApplication()) {
    const { freshDesktop } = await import('./bootstrap/desktop.mjs');
    await freshDesktop(root);
  }
  await runCommand(folder);
}

// From Node 22.1 on compiled code is kept for the next start.
nodeModule.enableCompileCache?.();

if (nodeIsNewEnough()) {
  try {
    await (isCheckout ? startFromCheckout() : runCommand(join(root, 'out', 'command-line')));
  } catch (error) {
    process.stderr.write(`shoal: ${process.argv.includes('--verbose') ? error.stack : error.message}\n`);
    process.exitCode = 1;
  }
} else {
  process.stderr.write(
    `shoal: Node ${NEEDED_NODE.join('.')} or later is needed, this is ${process.versions.node}; see https://nodejs.org\n`,
  );
  process.exitCode = 1;
}
