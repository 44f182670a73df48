/** The command line as a person meets it: started as a process, judged by exit code, stdout and stderr. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TuningDocument } from '../../app/cli/tuning/report.ts';
import { findElectron } from '../../app/server/electron.ts';
import { benchDocumentSchema, parseNpy } from '../../engine/index.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const BOOTSTRAP = join(ROOT, 'app/cli/bootstrap.mjs');
const ORACLE = join(ROOT, 'test/oracle');

interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  /** Lines, without those of a driver that talks on stderr. */
  readonly errors: readonly string[];
}

interface Started {
  readonly ended: Promise<Ending>;
  /** What it has said on stderr so far. */
  readonly heard: () => string;
  readonly interrupt: () => void;
  readonly closeStdout: () => void;
}

let folder = '';

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

const small = {
  version: 3,
  name: 'small',
  seed: 5,
  grid: { nx: 12, ny: 10 },
  truth: { initial: { kind: 'drops', count: 1, width: 4 }, spinup: 1 },
  background: { initial: { kind: 'drops', count: 1, width: 4 }, members: 4 },
  observations: [
    { name: 'gauges', variable: 'h', network: { kind: 'regular', stride: [3, 3] }, errorStandardDeviation: 0.02 },
  ],
  methods: [{ kind: 'free-run' }, { kind: 'letkf', label: 'local', localisation: { halfWidth: 2 }, inflation: 1.1 }],
  experiment: { cycles: 4, window: 0.5, spinup: 1 },
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-cli-'));
  write('small.json', small);
  // The first start may have to build the bundle; the tests that follow are about what comes after.
  await shoal('--version');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', folder);
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
    expect(JSON.parse(readFileSync(join(folder, 'mine/My Case.json'), 'utf8'))).toMatchObject({ name: 'my-case' });
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
    const written = parseNpy(readFileSync(join(folder, 'applied/16x16-L12-m20-a/pht.npy')), 'pht.npy');
    expect(written.shape).toEqual([256, 20]);
  });

  it('fails past the tolerance, and goes on after a case that is none', async () => {
    const source = join(ORACLE, 'recursive-filter/1d-n5-s3-k4-a');
    const described = JSON.parse(readFileSync(join(source, 'case.json'), 'utf8'));
    const wrong = mkdtempSync(join(folder, 'wrong-'));
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

describe('bench', () => {
  it('prints one JSON document, of both backends', async () => {
    const backends = ['--backend', 'reference', '--backend', 'webgpu'];
    const { code, stdout } = await shoal('bench', '--quick', 'convolution', ...backends, '--json', '-');
    expect(code).toBe(0);
    const document = benchDocumentSchema.parse(JSON.parse(stdout));
    expect(document.backends.map(({ name }) => name)).toEqual(['reference', 'webgpu']);
    const names = ['20x24x28', '20x24x28-inverse', '1d-20x24x28', '1d-20x24x28-inverse'];
    expect(document.rows.map(({ name, backend }) => [name, backend])).toEqual(
      names.flatMap((name) => ['reference', 'webgpu'].map((backend) => [`convolution-${name}`, backend])),
    );
    const [reference, gpu] = document.rows;
    expect(reference).toMatchObject({ threads: 1, clock: 'wall', errorAgainstReference: null });
    expect(reference.runs).toBeGreaterThanOrEqual(7);
    // 96 operations a point of float32, each off by 6e-8 of a value below 1 at most.
    expect(gpu.errorAgainstReference).toBeLessThan(6e-6);
    expect(gpu.errorAgainstReference).toBeGreaterThan(0);
  });

  it('prints a table and writes the document and Markdown beside it', async () => {
    const files = ['--json', 'results/bench.json', '--markdown', 'results/bench.md'];
    const { code, stdout, errors } = await shoal(
      'bench',
      'gain-covariance',
      '--quick',
      '--backend',
      'reference',
      ...files,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/│ {3}gain-covariance-256x8-m9 +│ reference │/);
    const written = ['written: results/bench.json', 'written: results/bench.md'];
    expect(errors).toEqual(['backend: reference (as asked for)', ...written]);
    const document = JSON.parse(readFileSync(join(folder, 'results/bench.json'), 'utf8'));
    expect(benchDocumentSchema.parse(document).rows).toHaveLength(1);
    expect(readFileSync(join(folder, 'results/bench.md'), 'utf8')).toMatch(/^\| gain-covariance-256x8-m9 \|/m);
  });

  it('tunes, keeps the choices in the cache folder and prints every candidate', async () => {
    const { code, stdout, errors } = await shoal(
      'bench',
      '--tune',
      '--backend',
      'wasm',
      '--threads',
      '1',
      '--json',
      '-',
    );
    expect(code).toBe(0);
    const { devices } = JSON.parse(stdout) as TuningDocument;
    expect(devices).toHaveLength(1);
    const [{ device, backend, version, choices, kernels }] = devices;
    expect(backend).toBe('wasm');
    expect(kernels.map(({ kernel }) => kernel)).toContain('convolution.volume');
    const path = /^kept: (.*)$/.exec(errors.at(-1) ?? '')?.[1] ?? '';
    expect(dirname(path)).toBe(join(folder, 'cache', 'shoal'));
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ device, version, choices });

    const table = await shoal('bench', '--tune', '--backend', 'wasm', '--backend', 'reference', '--threads', '1');
    expect(table.stdout).toMatch(/convolution\.volume +│ 124 × 132 × 130, 16 taps +│ [a-z]+-\d+ +│/);
    expect(table.errors).toContain('reference: each kernel has one form, there is nothing to tune');
    const mixed = await shoal('bench', 'letkf', '--tune');
    expect(mixed.code).toBe(2);
    expect(mixed.errors).toEqual([
      expect.stringMatching(/^shoal: bench --tune runs no benchmark: leave out the suites, /),
    ]);
  });

  it('refuses what it does not know before anything runs', async () => {
    const suite = await shoal('bench', 'letfk');
    expect(suite).toMatchObject({ code: 2, stdout: '' });
    expect(suite.errors).toEqual([expect.stringMatching(/^shoal: unknown suite 'letfk' \(did you mean letkf\?\)/)]);
    const backend = await shoal('bench', '--backend', 'cuda');
    expect(backend).toMatchObject({ code: 2, errors: [expect.stringContaining('Allowed choices are auto, webgpu')] });
    expect((await shoal('bench', '--json', 'letkf')).errors).toEqual([expect.stringContaining('the name of a suite')]);
    expect((await shoal('bench', '--json', '.')).errors).toEqual(['shoal: --json .: is a folder, a file is needed']);
    expect((await shoal('bench', 'stage', 'letkf')).errors).toEqual([
      'shoal: stage is timed by itself: shoal bench stage',
    ]);
    expect((await shoal('bench', '--png', 'a.png')).errors).toEqual(['shoal: --png is of shoal bench stage']);
    expect((await shoal('bench', 'stage', '--png', '.')).errors).toEqual([
      'shoal: --png .: is a folder, a file is needed',
    ]);
  });

  it('stops at Ctrl-C, keeps what is complete beside the file that was asked for', async () => {
    const started = start('bench', '--quick', '--backend', 'reference', '--json', 'results.json');
    await expect.poll(started.heard, { timeout: 30_000, interval: 20 }).toContain('backend: reference');
    await sleep(3000);
    started.interrupt();
    const { code, stdout, errors } = await started.ended;
    expect(code).toBe(130);
    const last = errors.at(-1) ?? '';
    const [, complete, wanted] =
      /^stopped after (\d+) of (\d+) benchmarks, which are in .*results\.stopped\.json$/.exec(last) ?? [];
    expect(stdout.match(/│ reference │/g) ?? []).toHaveLength(Number(complete));
    expect(existing('results.json')).toBe(false);
    const { rows, failures } = benchDocumentSchema.parse(
      JSON.parse(readFileSync(join(folder, 'results.stopped.json'), 'utf8')),
    );
    expect(rows).toHaveLength(Number(complete));
    expect(failures).toHaveLength(Number(wanted) - Number(complete));
    expect(new Set(failures.map(({ reason }) => reason))).toEqual(new Set(['stopped before its turn']));
  });
});

describe('run', () => {
  it('prints one JSON document and writes the run folder', async () => {
    const { code, stdout } = await shoal(
      'run',
      'small.json',
      '--json',
      '--backend',
      'reference',
      '--set',
      'experiment.cycles=3',
      '--seed',
      '9',
    );
    expect(code).toBe(0);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ scenario: 'small', seed: 9, backend: { name: 'reference' }, state: 'complete' });
    expect(result.folder).toMatch(/^runs\/small-9-\d{8}T\d{6}$/);
    expect(result.methods.map(({ method }: { method: string }) => method)).toEqual(['free-run', 'local']);
    expect(result.methods[1].cycles).toBe(3);
    expect(result.methods[1].rmse.analysis.h).toBeGreaterThan(0);
    expect(result.comparisons.over).toBe('cycles');
    expect(result.comparisons.pairs).toContainEqual({
      method: 'local',
      reference: 'free-run',
      against: 'free-run',
      verdict: 'too-few',
      words: 'too few independent cycles to say',
    });
    const record = JSON.parse(readFileSync(join(folder, result.folder, 'run.json'), 'utf8'));
    expect(record).toMatchObject({
      state: 'complete',
      seed: 9,
      completedCycles: 3,
      scenario: { experiment: { cycles: 3 } },
    });
    const lines = readFileSync(join(folder, result.folder, 'diagnostics.csv'), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(1 + 2 * 3);
    expect(readFileSync(join(folder, result.folder, 'kernels.ndjson'), 'utf8')).toContain('"name":"letkf"');
    const totals = JSON.parse(readFileSync(join(folder, result.folder, 'kernel-totals.json'), 'utf8'));
    expect(totals).toMatchObject({ format: 1, ceilings: { clock: 'wall' } });
    // The first is timed whatever it costs, the others where that is little.
    expect(totals.cycles).toBeGreaterThanOrEqual(1);
    expect(totals.cycles).toBeLessThanOrEqual(3);
    const analysis = totals.kernels.find(({ name }: { name: string }) => name === 'letkf');
    expect(analysis.totalMicroseconds).toBeGreaterThan(0);
    expect(analysis.fractionOfCeiling).toBeGreaterThan(0);
  });

  it('prints a table of the methods that were chosen', async () => {
    const { code, stdout, errors } = await shoal(
      'run',
      'small.json',
      '--method',
      'letkf',
      '--out',
      'chosen',
      '--backend',
      'reference',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/RMSE analysis.*\n.* h \(m\)/);
    expect(stdout).toContain('local');
    expect(stdout).not.toContain('free-run');
    expect(errors).toEqual([
      'backend: reference (as asked for)',
      expect.stringMatching(
        /^small: 12 × 10 cells, 4 members, 1 method, 4 cycles; about 1 MiB; \d+ model steps, less than a second$/,
      ),
    ]);
    const again = await shoal('run', 'small.json', '--method', 'letkf', '--out', 'chosen');
    expect(again.code).toBe(2);
    const other = await shoal('run', 'small.json', '--out', 'chosen', '--resume');
    expect(other.errors.at(-1)).toMatch(/chosen: cannot be resumed: selected/);
    write('chosen/kernel-totals.json', '{"format": 1, "cycles": "all", "ceilings": null, "kernels": []}');
    const broken = await shoal('run', 'small.json', '--method', 'letkf', '--out', 'chosen', '--resume');
    expect(broken.code).toBe(2);
    expect(broken.errors.at(-1)).toBe(
      'shoal: chosen/kernel-totals.json:1:25: cycles: found "all", allowed is a whole number of at least 0',
    );
  });

  it('stops at Ctrl-C before its end, and goes on bit for bit', async () => {
    const long = ['run', 'small.json', '--backend', 'reference', '--set', 'experiment.cycles=200'];
    const started = start(...long, '--out', 'parts');
    await expect.poll(() => existing('parts/run.json'), { timeout: 30_000, interval: 20 }).toBe(true);
    await sleep(500);
    started.interrupt();
    const stopped = await started.ended;
    expect(stopped.code).toBe(130);
    expect(stopped.errors.at(-1)).toContain('--resume --out parts');
    const record = JSON.parse(readFileSync(join(folder, 'parts/run.json'), 'utf8'));
    expect(record.state).toBe('stopped');
    expect(record.completedCycles).toBeLessThan(200);
    expect((await shoal(...long, '--out', 'parts', '--resume', '--quiet')).code).toBe(0);
    expect((await shoal(...long, '--out', 'whole', '--quiet')).code).toBe(0);
    expect(withoutTimes('parts/diagnostics.csv')).toEqual(withoutTimes('whole/diagnostics.csv'));
  });

  it('ends within a second at Ctrl-C while it is being prepared', async () => {
    // A spin-up of half a million steps: a minute before the first cycle.
    const preparing = ['run', 'small.json', '--backend', 'reference', '--out', 'prepared'];
    const started = start(...preparing, '--set', 'truth.spinup=50000', '--set', 'model.timeStep=0.1');
    await expect.poll(() => existing('prepared/run.json'), { timeout: 30_000, interval: 20 }).toBe(true);
    await sleep(1000);
    const asked = performance.now();
    started.interrupt();
    const stopped = await started.ended;
    expect(performance.now() - asked).toBeLessThan(2000);
    expect(stopped.code).toBe(130);
    expect(stopped.errors.at(-1)).toContain('--resume --out prepared');
    const record = JSON.parse(readFileSync(join(folder, 'prepared/run.json'), 'utf8'));
    expect(record).toMatchObject({ state: 'stopped', completedCycles: 0 });
  });

  it('keeps the good cycles of a run that diverges', async () => {
    // Every cycle a drop falls on the truth; one of them is too high for the time step.
    const forcing = { kind: 'drops', every: 1, count: 1, amplitude: [3, 14], width: 4, seenBy: 'truth' };
    const model = { scheme: 'lax-wendroff', timeStep: 0.1 };
    const wild = write('wild.json', { ...small, seed: 6, model, truth: { ...small.truth, spinup: 0, forcing } });
    const { code, errors, stdout } = await shoal('run', wild, '--out', 'wild', '--backend', 'reference', '--json');
    expect(code).toBe(1);
    expect(errors.at(-1)).toMatch(/^shoal: .*at step \d+, cell \(x \d+, y \d+\)/);
    expect(JSON.parse(stdout).state).toBe('diverged');
    const { completedCycles } = JSON.parse(readFileSync(join(folder, 'wild/run.json'), 'utf8'));
    expect(completedCycles).toBeGreaterThan(0);
    expect(withoutTimes('wild/diagnostics.csv')).toHaveLength(2 * completedCycles);
  });

  it('goes on without a method that diverges after a change, says why, marks it and exits with 1', async () => {
    const edits = [{ cycle: 2, kind: 'setting', path: 'methods[1].inflation', value: 100 }];
    const changes = ['--set', `interventions=${JSON.stringify(edits)}`, '--set', 'experiment.cycles=40'];
    const { code, errors, stdout } = await shoal(
      'run',
      'small.json',
      ...changes,
      '--out',
      'left',
      '--backend',
      'reference',
    );
    expect(code).toBe(1);
    const told = errors.find((line) => line.startsWith('local diverged in cycle')) ?? '';
    expect(told).toContain('(at cycle 2 local: inflation 1.1 → 100)');
    const [, cycle] = /diverged in cycle (\d+)/.exec(told) ?? [];
    expect(stdout).toContain(`diverged in cycle ${cycle}`);
    const record = JSON.parse(readFileSync(join(folder, 'left/run.json'), 'utf8'));
    expect(record).toMatchObject({
      state: 'complete',
      completedCycles: 40,
      diverged: [{ method: 'local', cycle: Number(cycle), cause: 'inflation', edits }],
      scenario: { interventions: edits, methods: [{}, { inflation: 1.1 }] },
    });
    expect(withoutTimes('left/diagnostics.csv')).toHaveLength(40 + Number(cycle));
    // It stays so when it is asked for again.
    expect((await shoal('run', 'small.json', ...changes, '--out', 'left', '--resume', '--quiet')).code).toBe(1);
  });
});

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
  return rows.map((row) => row.filter((_, column) => !head[column].endsWith('_ms')));
}
