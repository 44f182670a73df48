/** The programs of test/bench/native: what a machine can do, in C for its processor. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export interface Native {
  /** Holds a program of each name. */
  readonly folder: string;
  /** Undefined if they could not be built, which `missing` has the reason for. */
  readonly compiler: string | undefined;
  readonly missing: string | undefined;
}

/**
 * @param sources test/bench/native
 * @param folder is there, and gets the programs
 * @param compiler a command that takes gcc's options
 */
export async function buildNative(sources: string, folder: string, compiler = 'gcc'): Promise<Native> {
  try {
    const { stdout } = await execute(compiler, ['-dumpfullversion']);
    await execute('bash', [join(sources, 'build.sh'), folder], { env: { ...process.env, CC: compiler } });
    return { folder, compiler: `${compiler} ${stdout.trim()}`, missing: undefined };
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    const said = stderr?.split('\n').find((line) => line.includes('error'));
    const missing =
      code === 'ENOENT'
        ? `missing: ${compiler} (apt-get install gcc libc6-dev); nothing native was timed`
        : `missing: the native programs, which ${compiler} does not build here: ${said ?? String(error)}`;
    return { folder, compiler: undefined, missing };
  }
}
