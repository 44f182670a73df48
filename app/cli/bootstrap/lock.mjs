/** A lock between processes on one machine: a file that names its owner, taken over when the owner is gone. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MILLISECONDS = 100;
/** Longer than the few file operations that a takeover needs. */
const TAKEOVER_MILLISECONDS = 10_000;

function create(path) {
  try {
    writeFileSync(path, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function ageMilliseconds(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

/** True when the lock exists and its owner does not. A file that is still empty is about to be written. */
function isAbandoned(path) {
  try {
    const owner = Number(readFileSync(path, 'utf8'));
    return owner > 0 ? !isAlive(owner) : ageMilliseconds(path) > TAKEOVER_MILLISECONDS;
  } catch {
    return false;
  }
}

/** Removes an abandoned lock; one process at a time may judge, or two could each remove the other's new lock. */
function removeAbandoned(path) {
  const judge = `${path}.judge`;
  if (ageMilliseconds(judge) > TAKEOVER_MILLISECONDS) rmSync(judge, { force: true });
  if (!create(judge)) return;
  try {
    if (isAbandoned(path)) rmSync(path, { force: true });
  } finally {
    rmSync(judge, { force: true });
  }
}

/** Runs `work` while holding the lock file at `path`; says `waitingFor` once on stderr when it has to wait. */
export async function withLock(path, waitingFor, work) {
  mkdirSync(dirname(path), { recursive: true });
  let said = false;
  while (!create(path)) {
    if (isAbandoned(path)) {
      removeAbandoned(path);
      continue;
    }
    if (!said) process.stderr.write(`shoal: ${waitingFor}; waiting …\n`);
    said = true;
    await sleep(POLL_MILLISECONDS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}
