/**
 * The command line as the package ships it, in a project of its own that has the declared dependencies and nothing else: it
 * builds nothing. `packed-install.test.ts` proves the same nightly with npm.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const description = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

let project = '';

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'shoal-packed-'));
  const packages = join(project, 'node_modules');
  const installed = join(packages, 'shoal');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{}');
  for (const name of Object.keys(description.dependencies)) {
    mkdirSync(dirname(join(packages, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(packages, name), 'junction');
  }
  for (const path of ['package.json', 'app/cli/bootstrap.mjs', 'scenarios']) {
    cpSync(join(ROOT, path), join(installed, path), { recursive: true });
  }
  const builder = join(ROOT, 'app', 'cli', 'bootstrap', 'builder.mjs');
  const folder = join(installed, 'out', 'command-line');
  const { status, stderr } = spawnSync(process.execPath, [builder, 'pack.mjs', 'buildPackedBundle', ROOT, folder], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function shoal(...words: readonly string[]) {
  return shoalOn('', ...words);
}

function shoalOn(input: string, ...words: readonly string[]) {
  const { npm_lifecycle_event: _script, INIT_CWD: _folder, ...env } = process.env;
  const launcher = join(project, 'node_modules', 'shoal', 'app', 'cli', 'bootstrap.mjs');
  return spawnSync(process.execPath, [launcher, ...words], { cwd: project, encoding: 'utf8', env, input });
}

describe('the packed command line', () => {
  it('runs a scenario that ships, and says how WebGPU is added', () => {
    const set = ['--set', 'experiment.cycles=2', '--set', 'experiment.spinup=0'];
    const { status, stdout, stderr } = shoal(
      'run',
      'one-stone',
      ...set,
      '--method',
      'letkf',
      '--fields',
      'mean',
      '--json',
    );
    expect(stderr).toContain(`backend: wasm (to use a GPU: npm install webgpu@`);
    expect(status).toBe(0);
    const { folder } = JSON.parse(stdout) as { readonly folder: string };
    expect(readdirSync(join(project, folder))).toContain('fields.nc');
    const report = shoal('report', folder);
    expect(report.stderr).toBe('');
    expect(readFileSync(join(project, 'report.html'), 'utf8')).toContain('font/woff2');
  });

  it('takes a scenario from standard input, with comments', () => {
    const text = readFileSync(join(project, 'node_modules', 'shoal', 'scenarios', 'one-stone.json'), 'utf8');
    const { stdout, stderr } = shoalOn(`// mine\n${text}`, 'validate', '-');
    expect([stdout, stderr]).toEqual(['-: valid\n', '']);
    expect(shoalOn('{', 'validate', '-').stderr).toBe(
      'shoal: standard input:1:2: not JSON: the file ends before a closing }\n',
    );
  });

  it('asks for the package webgpu in one line if it is wanted, before any warning', () => {
    const warned = ['--set', 'experiment.cycles=2'];
    expect(shoal('run', 'one-stone', '--backend', 'wasm', ...warned).stderr).toMatch(/^backend: wasm .*\nwarning: /);
    const { status, stderr } = shoal('run', 'one-stone', '--backend', 'webgpu', ...warned);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^shoal: --backend webgpu needs the package webgpu, which is not installed: npm install webgpu@\d+\.\d+\.\d+\n$/,
    );
  });

  it('has no source maps, and builds nothing', () => {
    const installed = join(project, 'node_modules', 'shoal');
    const names = readdirSync(join(installed, 'out', 'command-line'));
    const licences = readFileSync(join(installed, 'out', 'command-line', 'licenses.md'), 'utf8');
    for (const name of ['three', 'preact']) expect(licences).toMatch(new RegExp(`^## ${name} - .*MIT`, 'm'));
    expect(names.filter((name) => name.endsWith('.map'))).toEqual([]);
    expect(readdirSync(join(installed, 'out'))).toEqual(['command-line']);
    expect(existsSync(join(installed, 'node_modules'))).toBe(false);
  });
});

it('installs nothing that only the page needs', () => {
  const names = Object.keys(description.dependencies);
  expect(names.filter((name) => /three|d3$|preact|fontsource|webgpu|electron/.test(name))).toEqual([]);
  expect(description.peerDependenciesMeta).toEqual({ webgpu: { optional: true } });
});
