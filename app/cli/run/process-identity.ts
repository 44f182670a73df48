/**
 * Which process somebody is, so that another process can find out whether it still lives: its number alone is used again, and in
 * another container it is that of another process. On Linux the kernel says when a process was started, and in which namespaces
 * numbers and times are counted; elsewhere its number is all there is.
 */
import { randomUUID } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';

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
export async function isAlive({ pid, started, machine }: ProcessIdentity): Promise<boolean | undefined> {
  if (machine !== (await machineName())) return undefined;
  if (started !== '') return (await hasOwnProc()) ? (await startOf(pid)) === started : undefined;
  try {
    process.kill(pid, 0);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? false : undefined;
  }
}
