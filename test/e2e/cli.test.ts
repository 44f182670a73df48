/** The command line as a user meets it: its words, its help, and what it does at once. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { findElectron } from '../../app/server/browser.ts';
import { parseNpy } from '../../engine/index.ts';
import { commandLine, ROOT, small } from './command-line.ts';

const ORACLE = join(ROOT, 'test/oracle');
const { at, start, shoal, write } = commandLine();

describe('bad usage and bad input', () => {
  it('end with exit code 2, one line and nothing on stdout', async () => {
    const usage = await shoal('rnu', 'small.json');
    expect(usage).toEqual({ code: 2, stdout: '', errors: ["shoal: unknown command 'rnu' (did you mean run?)"] });
    const input = await shoal('run', 'nope.json');
    expect(input).toEqual({ code: 2, stdout: '', errors: ['shoal: nope.json: there is no such file or folder'] });
  });

  it('show where they arose when asked to', async () => {
    const { code, errors } = await shoal('run', 'nope.json', '--verbose');
    expect(code).toBe(2);
    expect(errors.join('\n')).toMatch(/^\s+at .*scenario-source\.ts/m);
  });
});

describe('help and information', () => {
  it('lists the commands on stdout', async () => {
    const { code, stdout, errors } = await shoal('--help');
    expect(code).toBe(0);
    expect(errors).toEqual([]);
    for (const command of ['run', 'validate', 'schema', 'new', 'apply', 'bench', 'doctor'])
      expect(stdout).toContain(`  ${command} `);
    expect((await shoal('run', '--help')).stdout).toContain('--resume');
  });

  it('prints the schema, and doctor what there is, as one JSON document', async () => {
    const schema = JSON.parse((await shoal('schema')).stdout);
    expect(schema.properties.grid).toBeDefined();
    const found = JSON.parse((await shoal('doctor', '--json')).stdout);
    expect(found).toMatchObject({ webAssembly: { simd: true }, versions: { node: process.versions.node } });
    expect(found.machine.cores).toBeGreaterThan(0);
  });

  it('finds the desktop runtime where npm start finds it', async () => {
    write('electron', '');
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', at());
    const runtime = findElectron(ROOT);
    const { desktopRuntime, missing } = JSON.parse((await shoal('doctor', '--json')).stdout);
    vi.unstubAllEnvs();
    expect(desktopRuntime).toBe(runtime);
    const isMissing = missing.some(({ what }: { what: string }) => what === 'the Electron runtime');
    expect(isMissing).toBe(runtime === undefined);
    expect(process.platform !== 'linux' || runtime !== undefined).toBe(true);
  });

  it('ends quietly when nobody reads on', async () => {
    const started = start('schema');
    started.closeStdout();
    const { errors } = await started.ended;
    expect(errors).toEqual([]);
  });

  it('validates several files, one of them wrong', async () => {
    const { code, stdout, errors } = await shoal(
      'validate',
      'small.json',
      write('bad.json', { ...small, seed: -1 }),
      '--json',
    );
    expect(code).toBe(2);
    expect(JSON.parse(stdout).map(({ valid }: { valid: boolean }) => valid)).toEqual([true, false]);
    expect(errors).toEqual([expect.stringContaining('bad.json')]);
  });

  it('writes a scenario that is valid', async () => {
    expect((await shoal('new', 'mine/My Case.json')).code).toBe(0);
    expect(JSON.parse(readFileSync(at('mine/My Case.json'), 'utf8'))).toMatchObject({ name: 'my-case' });
    expect((await shoal('validate', 'mine/My Case.json')).stdout).toBe('mine/My Case.json: valid\n');
  });
});

describe('apply', () => {
  it('compares cases with what they expect and writes the outputs', async () => {
    const names = ['recursive-filter/1d-n5-s3-k4-a', 'gain-covariance/16x16-L12-m20-a'];
    const folders = names.map((name) => join(ORACLE, name));
    const { code, stdout } = await shoal('apply', ...folders, '--backend', 'reference', '--out', 'applied', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).cases.map(({ passed }: { passed: boolean }) => passed)).toEqual([true, true]);
    const written = parseNpy(readFileSync(at('applied/16x16-L12-m20-a/pht.npy')), 'pht.npy');
    expect(written.shape).toEqual([256, 20]);
    await shoal('apply', folders[1], '--backend', 'reference', '--out', 'applied', '--format', 'csv');
    const lines = readFileSync(at('applied/16x16-L12-m20-a/pht.csv'), 'utf8').trimEnd().split('\n');
    expect(lines.flatMap((line) => line.split(',').map(Number))).toEqual([...written.data]);
  });

  it('fails past the tolerance, and continues after a case that is none', async () => {
    const source = join(ORACLE, 'recursive-filter/1d-n5-s3-k4-a');
    const described = JSON.parse(readFileSync(join(source, 'case.json'), 'utf8'));
    const wrong = mkdtempSync(at('wrong-'));
    writeFileSync(join(wrong, 'case.json'), JSON.stringify({ ...described, outputs: { signal: 'signal.npy' } }));
    writeFileSync(join(wrong, 'signal.npy'), readFileSync(join(source, 'signal.npy')));
    const failing = await shoal('apply', wrong, source, '--quiet');
    expect(failing.code).toBe(1);
    expect(failing.stdout.split('\n').map((line) => line.slice(0, 4))).toEqual(['FAIL', 'pass', '']);
    const mixed = await shoal('apply', 'no-such-case', source);
    expect(mixed.code).toBe(2);
    expect(mixed.stdout).toMatch(/^pass /);
  });
});
