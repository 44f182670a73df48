/**
 * One writer a run folder. Each that wants to write puts a file of its own there, `writer-<token>.lock`, and then looks for
 * those of others: it gives way to one that lives. Files of processes that are gone are removed; since no two have the same
 * name, nobody ever removes the file of one that lives. If a process cannot be asked for (another machine or container), its file
 * is touched every few seconds while it lives.
 */
import { readdir, rm, stat, writeFile, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { WriteError } from '../../files/disk.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { UsageError } from '../context.ts';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * Which process somebody is, so that another process can find out whether it still lives: its number alone is used again, and in
 * another container it is that of another process. On Linux the kernel says when a process was started, and in which namespaces
 * numbers and times are counted; elsewhere its number is all there is.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the process was started, in ticks since the machine was; empty where the system does not say. */
  readonly started: string;
  /**
   * The machine's name, and on Linux what it is since it was started and the namespaces of numbers and times: in another container,
   * as on another machine, numbers of processes are others.
   */
  readonly machine: string;
  /** Another one each time, also where all else is the same. */
  readonly token: string;
}

/** @returns the start of a process in ticks, or undefined if there is none of that number, or the system does not say */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The name comes second, in brackets, and may have any character; the state of a process that has ended is Z or X.
    const [state, ...fields] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : fields[18];
  } catch {
    return undefined;
  }
}

/** Files that say where numbers of processes and their times are counted. */
const NAMESPACES = ['/proc/self/ns/pid', '/proc/self/ns/time'] as const;

async function machineName(): Promise<string> {
  const parts = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'latin1').then((id) => id.trim()),
    // A kernel before 5.6 has no namespaces of time.
    ...NAMESPACES.map((path) => readlink(path).catch(() => 'none')),
  ]).catch(() => []);
  return [hostname(), ...parts].join(' ');
}

/** Whether `/proc` has the numbers of this process's namespace: a container may be given that of its host. */
async function hasOwnProc(): Promise<boolean> {
  return (await readlink('/proc/self').catch(() => undefined)) === String(process.pid);
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  const { pid } = process;
  const started = (await hasOwnProc()) ? await startOf(pid) : undefined;
  return { pid, started: started ?? '', machine: await machineName(), token: randomUUID() };
}

/**
 * @returns whether a process lives; undefined if this one cannot know: it is of another machine or container, or the system does
 *   not say when a process was started
 */
async function isAlive({ pid, started, machine }: ProcessIdentity): Promise<boolean | undefined> {
  if (machine !== (await machineName())) return undefined;
  if (started !== '') return (await hasOwnProc()) ? (await startOf(pid)) === started : undefined;
  try {
    process.kill(pid, 0);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? false : undefined;
  }
}

const TOUCH_MILLISECONDS = 10_000;
/** A file that was not touched for so long is of a process that is gone. */
const STALE_MILLISECONDS = 60_000;
/** Two that come within this time both give way, and try again after a while that is not the same. */
const SAME_MOMENT_MILLISECONDS = 1000;
const TRIES = 6;

/** A lock holds four short words. */
const MOST_LOCK_BYTES = 4096;

const LOCK_NAME = /^writer-[0-9a-f-]{36}\.lock$/;
const identitySchema = z.object({
  pid: z.number().int(),
  started: z.string(),
  machine: z.string(),
  token: z.string(),
});

export interface FolderLock {
  /** Whether it is still this process's: no other has taken the folder over, and it is there. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** Whether a name is that of a lock. */
export function isLock(name: string): boolean {
  return LOCK_NAME.test(name);
}

/** @returns whose it is; undefined where it is not known, as of what is no regular file */
async function readLock(path: string): Promise<ProcessIdentity | undefined> {
  try {
    return identitySchema.parse(JSON.parse(new TextDecoder().decode(await readRegularFile(path, MOST_LOCK_BYTES))));
  } catch {
    return undefined;
  }
}

/** Milliseconds from when a file was last touched to when another was, by the clock of their file system; undefined when it is gone. */
async function ageOf(path: string, own: string): Promise<number | undefined> {
  try {
    const [there, here] = await Promise.all([stat(path), stat(own)]);
    return here.mtimeMs - there.mtimeMs;
  } catch {
    return undefined;
  }
}

interface OtherWriter {
  readonly who: string;
  /** How much earlier than this one it came, milliseconds. */
  readonly age: number;
}

/** Whether a process that lives, and is known to, writes into a folder. */
export async function isLocked(folder: string): Promise<boolean> {
  for (const name of (await readdir(folder)).filter(isLock)) {
    const writer = await readLock(join(folder, name));
    if (writer && (await isAlive(writer))) return true;
  }
  return false;
}

/** @returns a writer that lives, other than one's own */
async function otherWriter(folder: string, ownName: string): Promise<OtherWriter | undefined> {
  const names = (await readdir(folder)).filter((name) => isLock(name) && name !== ownName);
  for (const name of names) {
    const path = join(folder, name);
    const writer = await readLock(path);
    const alive = writer && (await isAlive(writer));
    const age = await ageOf(path, join(folder, ownName));
    if (age === undefined) continue;
    if (alive === true || (alive === undefined && age < STALE_MILLISECONDS)) {
      const who = writer ? `process ${writer.pid} of ${writer.machine.split(' ')[0]}` : 'another process';
      return { who, age };
    }
    await rm(path, { force: true });
  }
  return undefined;
}

function hold(folder: string, name: string, content: string): FolderLock {
  const path = join(folder, name);
  const timer = setInterval(() => {
    // Written, so that the time is that of the clock of its file system; never made again.
    void writeFile(path, content, { flag: 'r+' }).catch(() => undefined);
  }, TOUCH_MILLISECONDS);
  timer.unref();
  return {
    isHeld: () =>
      stat(path).then(
        () => true,
        () => false,
      ),
    async release() {
      clearInterval(timer);
      await rm(path, { force: true });
    },
  };
}

/**
 * @param folder that is there
 * @throws UsageError when another process writes into it; WriteError when it cannot be written
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  let other: OtherWriter | undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) await sleep(20 + 180 * Math.random());
    const identity = await ownIdentity();
    const content = JSON.stringify(identity);
    const name = `writer-${identity.token}.lock`;
    const path = join(folder, name);
    try {
      await writeFile(path, content, { flag: 'wx' });
      other = await otherWriter(folder, name);
    } catch (error) {
      await rm(path, { force: true }).catch(() => undefined);
      throw new WriteError(path, error);
    }
    if (!other) return hold(folder, name, content);
    await rm(path, { force: true });
    if (other.age > SAME_MOMENT_MILLISECONDS) break;
  }
  throw new UsageError(
    `${folder}: ${other?.who ?? 'another process'} is writing into it; wait for its end, or stop it`,
  );
}
