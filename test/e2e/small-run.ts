/** What commands are tried on that take a run: a folder with a small scenario in it, and the command line started there. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

const BOOTSTRAP = new URL('../../app/cli/bootstrap.mjs', import.meta.url).pathname;

/** Six cycles of 12 × 10 cells, without observations and methods. */
export const basin = {
  version: 3,
  name: 'small',
  seed: 5,
  grid: { nx: 12, ny: 10 },
  truth: { initial: { kind: 'drops', count: 1, width: 4 }, spinup: 1 },
  background: { initial: { kind: 'drops', count: 1, width: 4 }, members: 4 },
  experiment: { cycles: 6, window: 0.5 },
} as const;

/** One observation a cycle, of a place that is in the file `gauges.csv`. */
export const travellingGauge = {
  name: 'gauges',
  variable: 'h',
  network: { kind: 'file', file: 'gauges.csv' },
  errorStandardDeviation: 0.02,
} as const;

const gauges = Array.from({ length: 6 }, (_, cycle) => `${2 + cycle},4,${0.5 * (cycle + 1)}`);

interface Ending {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface SmallRun {
  /** Where the command line is; known once tests run. */
  readonly folder: string;
  readonly shoal: (...args: readonly string[]) => Promise<Ending>;
}

/**
 * Before the tests of a file, runs the scenario once for each list of options; the folder goes after them.
 *
 * @param runs what follows `shoal run small.json`
 */
export function smallRun(scenario: object, runs: readonly (readonly string[])[]): SmallRun {
  let folder = '';
  const shoal = (...args: readonly string[]): Promise<Ending> => {
    const { npm_lifecycle_event: _script, ...env } = process.env;
    return new Promise((resolve) => {
      execFile(process.execPath, [BOOTSTRAP, ...args, '--quiet'], { cwd: folder, env }, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      });
    });
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shoal-small-'));
    writeFileSync(join(folder, 'small.json'), JSON.stringify(scenario));
    writeFileSync(join(folder, 'gauges.csv'), `x,y,time\n${gauges.join('\n')}\n`);
    for (const options of runs) {
      const { code, stderr } = await shoal('run', 'small.json', ...options);
      if (code !== 0) throw new Error(stderr);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    get folder() {
      return folder;
    },
    shoal,
  };
}
