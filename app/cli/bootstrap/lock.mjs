/**
 * A lock between processes on one machine: a file that names its owner, who renews its time as long as it works. It is taken
 * over when the owner is gone, or has long been silent: its number may belong to another process by now.
 */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MILLISECONDS = 100;
/** Longer than the few file operations that a takeover needs. */
const TAKEOVER_MILLISECONDS = 10_000;
/** How often an owner renews the time of its lock, and how long it may be silent: many times as long, on a busy machine. */
const RHYTHM = { renewMilliseconds: 2000, silentMilliseconds: 60_000 };

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

function ownerOf(path) {
  return Number(readFileSync(path, 'utf8'));
}

/** True when the lock exists and its owner does not, or is silent. A file that is still empty is about to be written. */
function isAbandoned(path, silentMilliseconds) {
  try {
    const owner = ownerOf(path);
    const age = ageMilliseconds(path);
    return owner > 0 ? !isAlive(owner) || age > silentMilliseconds : age > TAKEOVER_MILLISECONDS;
  } catch {
    return false;
  }
}

/** Removes an abandoned lock; one process at a time may judge, or two could each remove the other's new lock. */
function removeAbandoned(path, silentMilliseconds) {
  const judge = `${path}.judge`;
  if (ageMilliseconds(judge) > TAKEOVER_MILLISECONDS) rmSync(judge, { force: true });
  if (!create(judge)) return;
  try {
    if (isAbandoned(path, silentMilliseconds)) rmSync(path, { force: true });
  } finally {
    rmSync(judge, { force: true });
  }
}

/** Says that the owner still works; whoever took the lock over has it now. */
function renew(path) {
  try {
    const now = new Date();
    if (ownerOf(path) === process.pid) utimesSync(path, now, now);
  } catch {
    // The lock is gone with its folder; the work continues.
  }
}

function release(path) {
  try {
    if (ownerOf(path) === process.pid) rmSync(path, { force: true });
  } catch {
    // It is gone already.
  }
}

/** Runs `work` while holding the lock file at `path`; says `waitingFor` once on stderr when it has to wait. */
export async function withLock(path, waitingFor, work, { renewMilliseconds, silentMilliseconds } = RHYTHM) {
  mkdirSync(dirname(path), { recursive: true });
  let said = false;
  while (!create(path)) {
    if (isAbandoned(path, silentMilliseconds)) {
      removeAbandoned(path, silentMilliseconds);
      continue;
    }
    if (!said) process.stderr.write(`shoal: ${waitingFor}; waiting …\n`);
    said = true;
    await sleep(POLL_MILLISECONDS);
  }
  const renewing = setInterval(renew, renewMilliseconds, path);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    release(path);
  }
}
