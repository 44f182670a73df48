/** `shoal tune` as a user meets it: interrupted and started again, what it writes, and what it refuses. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseScenario, readSweepResults } from '../../engine/index.ts';
import { SMALL_SCENARIO } from '../unit/sweep/small-sweep.ts';

const BOOTSTRAP = new URL('../../app/cli/bootstrap.mjs', import.meta.url).pathname;
const TUNE =
  'tune small.json --method letkf --backend wasm --workers 2 --seeds 2 --levels 0 --parameter inflation=1.05,1.1,1.4,3 --json'.split(
    ' ',
  );

let folder = '';
const at = (...path: string[]): string => join(folder, ...path);

function start(...words: readonly string[]) {
  const { npm_lifecycle_event: _script, ...env } = process.env;
  const child = spawn(process.execPath, [BOOTSTRAP, ...words], { cwd: folder, env });
  let [stdout, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<{ readonly code: number | null; readonly stdout: string; readonly errors: string }>(
    (resolve) => {
      child.on('close', (code) => resolve({ code, stdout, errors }));
    },
  );
  return { interrupt: () => child.kill('SIGINT'), ended };
}

function cases(of: string): number {
  const path = at(of, 'cases');
  return existsSync(path) ? readdirSync(path).filter((name) => /^[0-9a-f]{32}$/.test(name)).length : 0;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-tune-'));
  writeFileSync(
    at('small.json'),
    JSON.stringify({ ...SMALL_SCENARIO, experiment: { cycles: 12, window: 1, spinup: 1 } }),
  );
  // The first start may have to build the bundle.
  await start('--version').ended;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('interrupted and started again gives what one left alone gives, in a scenario that runs', async () => {
  const interrupted = start(...TUNE, '--folder', 'twice', '--out', 'twice.json');
  await expect.poll(() => cases('twice'), { timeout: 30_000, interval: 5 }).toBeGreaterThan(0);
  interrupted.interrupt();
  const { code, errors } = await interrupted.ended;
  expect(code).toBe(130);
  expect(errors).toContain('stopped; the cases that are done are kept, continue with:');
  expect(existsSync(at('twice.json'))).toBe(false);

  const [again, whole] = [
    await start(...TUNE, '--folder', 'twice', '--out', 'twice.json').ended,
    await start(...TUNE, '--folder', 'whole', '--out', 'whole.json').ended,
  ];
  expect([again.code, whole.code]).toEqual([0, 0]);
  const { file: _file, folder: _folder, ...found } = JSON.parse(whole.stdout) as Record<string, unknown>;
  expect(JSON.parse(again.stdout)).toEqual({ ...found, file: 'twice.json', folder: 'twice' });
  expect(readFileSync(at('twice.json'), 'utf8')).toBe(readFileSync(at('whole.json'), 'utf8'));

  const best = (found['best'] as { readonly values: readonly number[] }).values;
  const { scenario } = parseScenario(readFileSync(at('whole.json')), 'whole.json');
  expect(scenario.methods[2]).toMatchObject({ inflation: best[0] });
  expect(scenario.expected?.scans?.[0]).toMatchObject({ method: 'letkf', best });
  const sweep = readSweepResults(readFileSync(at('whole', 'sweep.json')), 'sweep.json');
  expect(sweep.cases).toHaveLength((found['points'] as readonly unknown[]).length * 2);
  expect(sweep.cases.every(({ state }) => state === 'complete')).toBe(true);
});

it('writes over nothing, and says what is allowed', async () => {
  writeFileSync(at('there.json'), '{}');
  const refused = await start(...TUNE, '--out', 'there.json').ended;
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.errors).toContain(
    'there.json exists already; name another file by --out, or write over it with --overwrite',
  );
  expect(readFileSync(at('there.json'), 'utf8')).toBe('{}');
  const unknown = await start('tune', 'small.json', '--method', 'letfk').ended;
  expect(unknown.code).toBe(2);
  expect(unknown.errors).toContain('did you mean "letkf"?');
});
