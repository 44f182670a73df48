/** `shoal run` as a process: its document, its folder, Ctrl-C, and what diverges. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { commandLine, small } from './command-line.ts';

const { at, start, shoal, write, existing, withoutTimes } = commandLine();

/** Cycles that take more than a second. */
const LONG = 60;

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
    const pair = result.comparisons.pairs.find(({ reference }: { reference: string }) => reference === 'free-run');
    expect(pair).toMatchObject({ method: 'local', against: 'free-run', cycles: expect.any(Number) });
    expect(pair).not.toHaveProperty('verdict');
    expect(pair.words).toMatch(/^error [\d.]+ times that of free-run; (better|worse) in \d of \d cycles/);
    const record = JSON.parse(readFileSync(at(result.folder, 'run.json'), 'utf8'));
    expect(record).toMatchObject({
      state: 'complete',
      seed: 9,
      completedCycles: 3,
      scenario: { experiment: { cycles: 3 } },
    });
    const lines = readFileSync(at(result.folder, 'diagnostics.csv'), 'utf8').trim().split('\n');
    expect(lines).toHaveLength(1 + 2 * 3);
    expect(readFileSync(at(result.folder, 'kernels.ndjson'), 'utf8')).toContain('"name":"letkf"');
    const totals = JSON.parse(readFileSync(at(result.folder, 'kernel-totals.json'), 'utf8'));
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
      'shoal: chosen/kernel-totals.json:1:25: cycles: found "all", allowed: a whole number of at least 0',
    );
  });

  it('stops at Ctrl-C before its end, and continues bit for bit', async () => {
    const long = ['run', 'small.json', '--backend', 'reference', '--set', `experiment.cycles=${LONG}`];
    const started = start(...long, '--out', 'parts');
    await expect.poll(() => existing('parts/run.json'), { timeout: 30_000, interval: 20 }).toBe(true);
    await sleep(100);
    started.interrupt();
    const stopped = await started.ended;
    expect(stopped.code).toBe(130);
    expect(stopped.errors.at(-1)).toContain('--resume --out parts');
    const record = JSON.parse(readFileSync(at('parts/run.json'), 'utf8'));
    expect(record.state).toBe('stopped');
    expect(record.completedCycles).toBeLessThan(LONG);
    const [rest, whole] = await Promise.all([
      shoal(...long, '--out', 'parts', '--resume', '--quiet'),
      shoal(...long, '--out', 'whole', '--quiet'),
    ]);
    expect([rest.code, whole.code]).toEqual([0, 0]);
    expect(withoutTimes('parts/diagnostics.csv')).toEqual(withoutTimes('whole/diagnostics.csv'));
  });

  it('ends within two seconds at Ctrl-C while it is being prepared', async () => {
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
    const record = JSON.parse(readFileSync(at('prepared/run.json'), 'utf8'));
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
    const { completedCycles } = JSON.parse(readFileSync(at('wild/run.json'), 'utf8'));
    expect(completedCycles).toBeGreaterThan(0);
    expect(withoutTimes('wild/diagnostics.csv')).toHaveLength(2 * completedCycles);
  });

  it('continues without a method that diverges after a change, says why, marks it and exits with 1', async () => {
    const edits = [{ cycle: 2, kind: 'setting', path: 'methods[1].inflation', value: 100 }];
    const changes = [
      '--set',
      `interventions=${JSON.stringify(edits)}`,
      '--set',
      'experiment.cycles=40',
      '--set',
      'model.scheme=richtmyer',
    ];
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
    const record = JSON.parse(readFileSync(at('left/run.json'), 'utf8'));
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
