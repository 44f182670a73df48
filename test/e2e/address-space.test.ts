/** A run with few addresses (`ulimit -v`), as on shared machines: on another backend, or refused with the next step. */
import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { basin, smallRun } from './small-run.ts';

const run = smallRun({ ...basin, methods: [{ kind: 'free-run' }] }, []);
const BOOTSTRAP = new URL('../../app/cli/bootstrap.mjs', import.meta.url).pathname;

/** @param kibibytes as `ulimit -v` takes them */
function limited(kibibytes: number, backend: string): Promise<{ readonly code: unknown; readonly stderr: string }> {
  const { npm_lifecycle_event: _script, ...env } = process.env;
  const out = `limited-${backend}-${kibibytes}`;
  const command = `ulimit -v ${kibibytes} && exec "$0" "$1" run small.json --backend ${backend} --out ${out}`;
  return new Promise((resolve) => {
    execFile('bash', ['-c', command, process.execPath, BOOTSTRAP], { cwd: run.folder, env }, (error, _out, stderr) => {
      resolve({ code: error ? error.code : 0, stderr });
    });
  });
}

it.runIf(process.platform === 'linux')('takes the reference backend, or names the limit', async () => {
  const [few, middle, asked] = await Promise.all([limited(2e6, 'auto'), limited(12e6, 'auto'), limited(2e7, 'wasm')]);
  expect(few.code).toBe(1);
  expect(few.stderr).toMatch(
    /addresses of this process are limited to 1\.9 GiB \(ulimit -v\), the reference backend needs/,
  );
  expect(middle.stderr).toMatch(/backend: reference \(slow; addresses of this process are limited to 11\.4 GiB/);
  expect(middle.code).toBe(0);
  expect(asked.code).toBe(1);
  expect(asked.stderr).toMatch(
    /limited to 19\.1 GiB .*raise the limit \(ulimit -v unlimited\), or use --backend reference/,
  );
});
