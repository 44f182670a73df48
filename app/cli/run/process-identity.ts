/**
 * Which process somebody is, so that another process can find out whether it still lives: its number alone is used again. On
 * Linux the kernel says when a process was started; elsewhere its number is all there is.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  readonly pid: number;
  /** When the process was started, in ticks since the machine was; empty where the system does not say. */
  readonly started: string;
  /** Of the machine since it was started, where the system has one; the machine's name otherwise. */
  readonly machine: string;
  /** Another one each time, also where all else is the same. */
  readonly token: string;
}

/** @returns the start of a process in ticks, or undefined where there is none of that number, or the system does not say */
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

async function machineName(): Promise<string> {
  try {
    return `${hostname()} ${(await readFile('/proc/sys/kernel/random/boot_id', 'latin1')).trim()}`;
  } catch {
    return hostname();
  }
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  const { pid } = process;
  return { pid, started: (await startOf(pid)) ?? '', machine: await machineName(), token: randomUUID() };
}

/**
 * @returns whether a process lives; undefined where this one cannot know: it is of another machine, or this one does not say
 *   when a process was started
 */
export async function isAlive({ pid, started, machine }: ProcessIdentity): Promise<boolean | undefined> {
  if (machine !== (await machineName())) return undefined;
  if (started !== '') return (await startOf(pid)) === started;
  try {
    process.kill(pid, 0);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? false : undefined;
  }
}
