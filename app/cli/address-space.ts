/**
 * How many addresses this process may reserve, which `ulimit -v` limits, and how many a backend needs. JavaScript engines reserve
 * far more than they use, and end the process if a thread's code finds no room, so that this is looked at before.
 */
import { readFile } from 'node:fs/promises';
import type { BackendName } from '../../engine/index.ts';

export interface AddressSpace {
  /** Bytes that may be reserved, and those that are. */
  readonly limit: number;
  readonly reserved: number;
}

const GIBIBYTE = 2 ** 30;
/** Address space of a thread that runs JavaScript: heap, code and stack. */
const EACH_THREAD = 0.5 * GIBIBYTE;
/** A memory of WebAssembly: 8 GiB that 32-bit addresses with an offset reach, and 2 GiB before them. */
const EACH_MEMORY = 10 * GIBIBYTE;
/** Threads that a run has beside those of kernels: for the run itself, for writing and for files. */
const OTHER_THREADS = 3;
/** One here, which is asked what it is, and one in the thread that computes. */
const MEMORIES = 2;

/** @returns undefined if there is no limit, or the system does not say */
export async function addressSpace(): Promise<AddressSpace | undefined> {
  try {
    const [limits, status] = await Promise.all(
      ['limits', 'status'].map((name) => readFile(`/proc/self/${name}`, 'latin1')),
    );
    const limit = Number(/^Max address space +(\d+)/m.exec(limits)?.[1]);
    const reserved = 1024 * Number(/^VmSize:\s+(\d+) kB/m.exec(status)?.[1]);
    return Number.isFinite(limit) && Number.isFinite(reserved) ? { limit, reserved } : undefined;
  } catch {
    return undefined;
  }
}

function gibibytes(bytes: number): string {
  return `${(bytes / GIBIBYTE).toFixed(1)} GiB`;
}

/**
 * @param threads that compute
 * @returns why a backend cannot run within the limit, with the next step; undefined if it can
 */
export function addressProblem(
  name: BackendName,
  space: AddressSpace | undefined,
  threads: number,
): string | undefined {
  if (!space) return undefined;
  const kernels = name === 'wasm' ? threads * EACH_THREAD + MEMORIES * EACH_MEMORY : 0;
  const needed = space.reserved + OTHER_THREADS * EACH_THREAD + kernels;
  if (needed <= space.limit) return undefined;
  const other = name === 'reference' ? '' : ', or use --backend reference';
  return (
    `addresses of this process are limited to ${gibibytes(space.limit)} (ulimit -v), ` +
    `the ${name} backend needs ${gibibytes(needed)}: raise the limit (ulimit -v unlimited)${other}`
  );
}
