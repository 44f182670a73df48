/** Which folder a run gets: one of its own, which nobody else writes into. */
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../app/cli/context.ts';
import { isLock, isLocked, lockFolder, ownIdentity } from '../../../app/cli/run/folder-lock.ts';
import type { ProcessIdentity } from '../../../app/cli/run/folder-lock.ts';
import { claimFolder, findFolder } from '../../../app/cli/run/folder.ts';
import type { RunClaim } from '../../../app/cli/run/folder.ts';
import { createRunFolder } from '../../../engine/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

const scenario = tinyScenario();
const claim: RunClaim = {
  identity: { scenario, seed: 3, backend: { name: 'reference', adapter: 'JavaScript' } },
  versions: { shoal: '1' },
  now: new Date(0),
};
const LEFT_OVER = 'run.json.0123456789ab.partial';
const TOKEN = '00000000-0000-4000-8000-000000000000';

let folder = '';
const before = process.cwd();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-claim-'));
  process.chdir(folder);
});

afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

/** A folder with a lock as another process would have left it. */
async function lockedBy(changes: Partial<ProcessIdentity>, ageSeconds = 0): Promise<string> {
  const path = join(folder, 'run');
  mkdirSync(path);
  const lock = join(path, `writer-${TOKEN}.lock`);
  writeFileSync(lock, JSON.stringify({ ...(await ownIdentity()), token: TOKEN, ...changes }));
  const time = Date.now() / 1000 - ageSeconds;
  utimesSync(lock, time, time);
  return path;
}

/** The number of a process that has ended. */
async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version']);
  await new Promise((resolve) => child.on('close', resolve));
  return child.pid ?? 0;
}

/** Begins a run in a folder and leaves it, as at a kill, without a word. */
async function leaveRun(path: string): Promise<void> {
  const claimed = await claimFolder(await findFolder(scenario, { out: path }), claim);
  await createRunFolder(claimed.storage, { ...claim, now: () => claim.now }).begin();
  await claimed.lock.release();
}

describe('a folder of its own', () => {
  it('is made for each of many runs that start in the same second', async () => {
    const found = await findFolder(scenario, {});
    const claims = await Promise.all(Array.from({ length: 24 }, () => claimFolder(found, claim)));
    expect(new Set(claims.map(({ path }) => path)).size).toBe(24);
    expect(claims.map(({ path }) => path)).toContain(join('runs', 'tiny-3-19700101T000000-24'));
    expect(readdirSync('runs')).toHaveLength(24);
  });

  it('is refused without a name, and where something else is', async () => {
    await expect(findFolder(scenario, { out: '' })).rejects.toThrow('--out: the folder’s name is empty');
    writeFileSync('notes.txt', 'mine');
    await expect(findFolder(scenario, { out: '.' })).rejects.toThrow(/is not empty/);
  });

  it('stays where it is when the process goes elsewhere, or the place it was in is no more', async () => {
    mkdirSync('elsewhere');
    const claimed = await claimFolder(await findFolder(scenario, { out: 'run' }), claim);
    process.chdir('elsewhere');
    rmSync(join(folder, 'elsewhere'), { recursive: true });
    await claimed.storage.writeWhole('checkpoint/1/0.npy', 'content');
    expect(readFileSync(join(folder, 'run/checkpoint/1/0.npy'), 'utf8')).toBe('content');
    process.chdir(folder);
  });

  it('is not made again where somebody has removed it: that is an error, and comes at once', async () => {
    const { storage, lock } = await claimFolder(await findFolder(scenario, { out: 'run' }), claim);
    rmSync('run', { recursive: true });
    await expect(storage.writeWhole('checkpoint/1/0.npy', 'content')).rejects.toThrow(
      /cannot be written: its folder is gone/,
    );
    expect(await lock.isHeld()).toBe(false);
    expect(existsSync('run')).toBe(false);
  });

  it('is an error where no folder can be made', async () => {
    for (const out of ['/proc/shoal/run', '/dev/null/run']) {
      await expect(claimFolder({ path: out, record: undefined }, claim)).rejects.toThrow(/cannot be written/);
    }
  });
});

describe('a run that ended before it wrote its record', () => {
  it.each([false, true])('is begun in its folder, resume %s, and what was left is swept', async (resume) => {
    const path = await lockedBy({ pid: await deadProcess() });
    writeFileSync(join(path, LEFT_OVER), '{"half');
    const claimed = await claimFolder(await findFolder(scenario, { out: path, resume }), claim);
    expect(claimed.kept).toBeUndefined();
    expect(readdirSync(path).filter((name) => !isLock(name))).toEqual([]);
    expect(readdirSync(path)).toHaveLength(1);
    await claimed.lock.release();
    expect(readdirSync(path)).toEqual([]);
  });

  it('is found as the latest that is unfinished', async () => {
    const claimed = await claimFolder(await findFolder(scenario, {}), claim);
    await expect(findFolder(scenario, { resume: true })).rejects.toThrow(/is running, and there is no other/);
    await claimed.lock.release();
    await expect(findFolder(scenario, { resume: true })).resolves.toEqual({ path: claimed.path, record: undefined });
  });
});

describe('a run that continues', () => {
  it('continues in its folder, which is swept, and is refused as another run', async () => {
    await leaveRun('run');
    mkdirSync('run/checkpoint/9', { recursive: true });
    writeFileSync(`run/checkpoint/9/${LEFT_OVER}`, 'half');
    const { kept, lock } = await claimFolder(await findFolder(scenario, { out: 'run', resume: true }), claim);
    expect(kept?.record.state).toBe('running');
    expect(readdirSync('run/checkpoint/9')).toEqual([]);
    await lock.release();
    const found = await findFolder(scenario, { out: 'run', resume: true });
    const other = { ...claim, versions: { shoal: '2' } };
    await expect(claimFolder(found, other)).rejects.toThrow(
      /^run: cannot be resumed: begun by Shoal 1, this is Shoal 2/,
    );
    expect(readdirSync('run').filter(isLock)).toEqual([]);
  });

  it('refuses a pipe in the place of a file, and does not wait for it', async () => {
    await leaveRun('run');
    rmSync('run/run.json');
    await new Promise((resolve) => spawn('mkfifo', ['run/run.json']).on('close', resolve));
    await expect(findFolder(scenario, { out: 'run', resume: true })).rejects.toThrow(/named pipe/);
  });
});

describe('a lock', () => {
  it('keeps a second writer out while the first lives', async () => {
    const path = await lockedBy({});
    const wanted = lockFolder(path);
    await expect(wanted).rejects.toBeInstanceOf(UsageError);
    await expect(wanted).rejects.toThrow(`process ${process.pid} of`);
    expect(readdirSync(path)).toEqual([`writer-${TOKEN}.lock`]);
  });

  it.runIf(process.platform !== 'win32')('that is a named pipe is not waited for', async () => {
    mkdirSync('run');
    const pipe = join('run', `writer-${TOKEN}.lock`);
    execFileSync('mkfifo', [pipe]);
    expect(await isLocked('run')).toBe(false);
    // Nobody can be asked whether its writer lives: it is while the file is young.
    await expect(lockFolder('run')).rejects.toThrow('another process is writing into it');
    const minutesAgo = Date.now() / 1000 - 300;
    utimesSync(pipe, minutesAgo, minutesAgo);
    await (await lockFolder('run')).release();
    expect(readdirSync('run')).toEqual([]);
  });

  it('is taken over from a process that is gone, or whose number another one has now', async () => {
    const gone = await lockedBy({ pid: await deadProcess() });
    await (await lockFolder(gone)).release();
    expect(readdirSync(gone)).toEqual([]);
    rmSync(gone, { recursive: true });
    if (process.platform !== 'linux') return;
    const reused = await lockedBy({ started: '1' });
    await (await lockFolder(reused)).release();
    expect(readdirSync(reused)).toEqual([]);
  });

  it.each([
    ['refused while it is touched', 5, false],
    ['taken over when it was not touched for long', 120, true],
  ])('of another machine is %s', async (_what, ageSeconds, free) => {
    const path = await lockedBy({ machine: 'elsewhere' }, ageSeconds);
    const lock = await lockFolder(path).catch(() => undefined);
    expect(lock !== undefined).toBe(free);
    await lock?.release();
  });

  it.each([
    ['pid', 'pid:\\[\\d+\\]'],
    ['time', 'time:\\[\\d+\\]'],
  ])('of another namespace of %s is that of a process that nobody can ask for', async (_what, pattern) => {
    if (process.platform !== 'linux') return;
    const { machine } = await ownIdentity();
    const other = machine.replace(new RegExp(pattern), 'pid:[1]');
    expect(other).not.toBe(machine);
    // There is no process of that number here, and it may live where it is counted.
    const path = await lockedBy({ pid: await deadProcess(), machine: other });
    await expect(lockFolder(path)).rejects.toThrow('is writing into it');
    const minutesAgo = Date.now() / 1000 - 120;
    utimesSync(join(path, `writer-${TOKEN}.lock`), minutesAgo, minutesAgo);
    await (await lockFolder(path)).release();
    expect(readdirSync(path)).toEqual([]);
  });

  it('is never held by two of many that come at once', async () => {
    const path = join(folder, 'run');
    mkdirSync(path);
    const locks = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(path)));
    expect(locks.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });
});
