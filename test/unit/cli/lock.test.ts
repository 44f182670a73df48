/** The lock of a build: one at a time, and no start waits for an owner that is gone. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

type WithLock = <Result>(
  path: string,
  waitingFor: string,
  work: () => Promise<Result>,
  rhythm?: { readonly renewMilliseconds: number; readonly silentMilliseconds: number },
) => Promise<Result>;

const { withLock } = (await import(new URL('../../../app/cli/bootstrap/lock.mjs', import.meta.url).href)) as {
  readonly withLock: WithLock;
};
/** Somebody else who is alive. */
const OTHER = String(process.ppid);

let folder = '';
let path = '';
let said = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-lock-'));
  path = join(folder, 'out', 'desktop.lock');
  said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function leave(owner: string, ageSeconds: number): void {
  path = join(folder, 'desktop.lock');
  writeFileSync(path, owner);
  const time = Date.now() / 1000 - ageSeconds;
  utimesSync(path, time, time);
}

it('is held while the work lasts, and gone after it, also when it fails', async () => {
  await withLock(path, 'waiting', async () => expect(readFileSync(path, 'utf8')).toBe(String(process.pid)));
  expect(existsSync(path)).toBe(false);
  await expect(withLock(path, 'waiting', () => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  expect(existsSync(path)).toBe(false);
  expect(said).toBe('');
});

it('is waited for while its owner is at work', async () => {
  leave(OTHER, 0);
  let isReleased = false;
  const working = withLock(path, 'another start is building', async () => isReleased);
  await sleep(300);
  isReleased = true;
  rmSync(path);
  expect(await working).toBe(true);
  expect(said).toBe('shoal: another start is building; waiting …\n');
});

it('that was left behind is taken over at once, although its owner’s number belongs to another process by now', async () => {
  leave(OTHER, 3600);
  expect(await withLock(path, 'waiting', async () => 'done')).toBe('done');
  expect(said).toBe('');
});

it('whose owner is gone is taken over at once', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  leave(String(pid), 0);
  expect(await withLock(path, 'waiting', async () => 'done')).toBe('done');
});

it('is renewed by long work, and nobody takes it over meanwhile', async () => {
  const rhythm = { renewMilliseconds: 50, silentMilliseconds: 1500 };
  const order: string[] = [];
  const first = withLock(path, 'waiting', () => sleep(2500).then(() => order.push('first')), rhythm);
  const second = withLock(path, 'waiting', async () => order.push('second'), rhythm);
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
});

it('that was taken over is left to who has it now', async () => {
  await withLock(path, 'waiting', async () => writeFileSync(path, OTHER));
  expect(readFileSync(path, 'utf8')).toBe(OTHER);
});
