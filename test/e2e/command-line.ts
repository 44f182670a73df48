/** The command line as a user meets it: started as a process in a folder of its own, judged by exit code, stdout and stderr. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { basin } from './small-run.ts';

export const ROOT = new URL('../..', import.meta.url).pathname;
const BOOTSTRAP = join(ROOT, 'app/cli/bootstrap.mjs');

export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  /** Lines, without those of a driver that talks on stderr. */
  readonly errors: readonly string[];
}

export interface Started {
  readonly ended: Promise<Ending>;
  /** What it has said on stderr so far. */
  readonly heard: () => string;
  readonly interrupt: () => void;
  readonly closeStdout: () => void;
}

/** A run of milliseconds, which is in the folder as `small.json`. */
export const small = {
  ...basin,
  observations: [
    { name: 'gauges', variable: 'h', network: { kind: 'regular', stride: [3, 3] }, errorStandardDeviation: 0.02 },
  ],
  methods: [{ kind: 'free-run' }, { kind: 'letkf', label: 'local', localisation: { halfWidth: 2 }, inflation: 1.1 }],
  experiment: { cycles: 4, window: 0.5, spinup: 1 },
};

/** For a file of tests: a folder that the commands are started in, and what is there. */
export function commandLine() {
  let folder = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shoal-cli-'));
    write('small.json', small);
    // The first start may have to build the bundle; the tests that follow are about what comes after.
    await shoal('--version');
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** @returns the path of what is in the folder */
  const at = (...path: readonly string[]): string => join(folder, ...path);

  function start(...args: readonly string[]): Started {
    const { VK_ICD_FILENAMES: _driver, npm_lifecycle_event: _script, ...environment } = process.env;
    const child = spawn(process.execPath, [BOOTSTRAP, ...args], {
      cwd: folder,
      env: { ...environment, XDG_CACHE_HOME: join(folder, 'cache') },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    return {
      ended: new Promise((resolve) => {
        child.on('close', (code) =>
          resolve({
            code,
            stdout,
            errors: stderr.split('\n').filter((line) => line !== '' && !line.startsWith('error: XDG')),
          }),
        );
      }),
      heard: () => stderr,
      interrupt: () => child.kill('SIGINT'),
      closeStdout: () => child.stdout.destroy(),
    };
  }

  function shoal(...args: readonly string[]): Promise<Ending> {
    return start(...args).ended;
  }

  function write(name: string, content: string | object): string {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
    return name;
  }

  function existing(name: string): boolean {
    try {
      return readFileSync(join(folder, name)).length > 0;
    } catch {
      return false;
    }
  }

  /** The rows of a diagnostics file without the columns of wall-clock times. */
  function withoutTimes(name: string): string[][] {
    const [head, ...rows] = readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    return rows.map((row) => row.filter((_, column) => !head[column].startsWith('milliseconds_')));
  }

  return { at, start, shoal, write, existing, withoutTimes };
}
