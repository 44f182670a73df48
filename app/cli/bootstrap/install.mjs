/**
 * Keeps node_modules in step with package-lock.json. The hash of the lock file is recorded in node_modules after a complete
 * install, so an interrupted one is done again; a lock makes two starts at once install once.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withLock } from './lock.mjs';

/** Lines that are shown of npm's output if it fails. */
const SHOWN_LINES = 12;

/** What is installed depends on the lock file and on the machine it was installed for. */
function wantedStamp(lockText) {
  const hash = createHash('sha256').update(lockText).digest('hex');
  return `${hash} ${process.platform}-${process.arch}\n`;
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** True when npm's own record in node_modules has every package of the lock file, as after `npm install` by hand. */
function npmHasInstalled(root, lockText) {
  const recordText = readText(join(root, 'node_modules', '.package-lock.json'));
  if (recordText === undefined) return false;
  try {
    const installed = JSON.parse(recordText).packages;
    return Object.entries(JSON.parse(lockText).packages).every(([path, wanted]) => {
      if (path === '') return true;
      const found = installed[path];
      if (!found) return wanted.optional === true || wanted.peer === true;
      const present = wanted.optional === true || existsSync(join(root, path, 'package.json'));
      return present && found.version === wanted.version && found.integrity === wanted.integrity;
    });
  } catch {
    return false;
  }
}

function recordStamp(path, stamp) {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, stamp);
  renameSync(fresh, path);
}

/** npm as it was started by, or as the system finds it. */
function npmCommand() {
  const script = process.env.npm_execpath;
  if (script && basename(script) === 'npm-cli.js') return { command: process.execPath, first: [script], shell: false };
  return { command: 'npm', first: [], shell: process.platform === 'win32' };
}

/** The reason comes first; npm prints its manual after it. */
function firstLines(text) {
  return text.trim().split('\n').slice(0, SHOWN_LINES).join('\n');
}

function npmCi(root) {
  const { command, first, shell } = npmCommand();
  const flags = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...flags], { cwd: root, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const keep = (chunk) => {
      said += chunk;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) =>
      reject(new Error(`npm could not be started (${error.message}); install Node with npm`)),
    );
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`npm ci failed with exit code ${code}:\n${firstLines(said)}`));
    });
  });
}

/** @param root folder of package-lock.json; without one (an installed package) there is nothing to do */
export async function installWhenStale(root) {
  const lockText = readText(join(root, 'package-lock.json'));
  if (lockText === undefined) return;
  const stampPath = join(root, 'node_modules', '.shoal-installed');
  const stamp = wantedStamp(lockText);
  if (readText(stampPath) === stamp) return;
  await withLock(join(root, 'out', 'install.lock'), 'another start is installing the packages', async () => {
    if (readText(stampPath) === stamp) return;
    if (!npmHasInstalled(root, lockText)) {
      const why = existsSync(join(root, 'node_modules')) ? 'package-lock.json has changed' : 'first start';
      process.stderr.write(`shoal: installing packages (${why}; npm ci, about half a minute) …\n`);
      await npmCi(root);
    }
    recordStamp(stampPath, stamp);
  });
}
