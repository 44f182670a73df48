/** `shoal bench` as a process: documents, tables, tuning and refusals. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { TuningDocument } from '../../app/cli/tuning/report.ts';
import { benchDocumentSchema, benchmarksOf } from '../../engine/index.ts';
import { commandLine } from './command-line.ts';

const { at, start, shoal, existing } = commandLine();

describe('bench', () => {
  it('prints one JSON document, of both backends', async () => {
    const backends = ['--backend', 'reference', '--backend', 'webgpu'];
    const { code, stdout } = await shoal('bench', '--quick', 'convolution', ...backends, '--json', '-');
    expect(code).toBe(0);
    const document = benchDocumentSchema.parse(JSON.parse(stdout));
    expect(document.backends.map(({ name }) => name)).toEqual(['reference', 'webgpu']);
    const expected = benchmarksOf(['convolution'], 'quick').flatMap(({ name, backends = ['reference', 'webgpu'] }) =>
      ['reference', 'webgpu']
        .filter((backend) => backends.some((each) => each === backend))
        .map((backend) => [name, backend]),
    );
    expect(expected.length).toBeGreaterThan(10);
    expect(document.rows.map(({ name, backend }) => [name, backend])).toEqual(expected);
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
    const document = JSON.parse(readFileSync(at('results/bench.json'), 'utf8'));
    expect(benchDocumentSchema.parse(document).rows).toHaveLength(1);
    expect(readFileSync(at('results/bench.md'), 'utf8')).toMatch(/^\| gain-covariance-256x8-m9 \|/m);
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
    expect(dirname(path)).toBe(at('cache', 'shoal'));
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ device, version, choices });

    const table = await shoal('bench', '--tune', '--backend', 'wasm', '--backend', 'reference', '--threads', '1');
    expect(table.stdout).toMatch(/convolution\.volume +│ 124 × 132 × 130, 16 taps +│ [a-z]+-\d+ +│/);
    expect(table.errors).toContain('reference: each kernel has one form, there is nothing to tune');
    const mixed = await shoal('bench', 'letkf', '--tune');
    expect(mixed.code).toBe(2);
    expect(mixed.errors).toEqual([expect.stringMatching(/^shoal: bench --tune runs no benchmark: omit the suites, /)]);
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
    const { rows, failures } = benchDocumentSchema.parse(JSON.parse(readFileSync(at('results.stopped.json'), 'utf8')));
    expect(rows).toHaveLength(Number(complete));
    expect(failures).toHaveLength(Number(wanted) - Number(complete));
    expect(new Set(failures.map(({ reason }) => reason))).toEqual(new Set(['stopped before its turn']));

    const again = ['bench', '--quick', '--backend', 'reference', '--json', 'results.json', '--resume'];
    const other = await shoal(...again, 'convolution');
    expect(other.code).toBe(2);
    expect(other.errors.at(-1)).toMatch(
      /^shoal: --resume: .*results\.stopped\.json has another set of options: found /,
    );
    const resumed = await shoal(...again);
    expect(resumed.code).toBe(0);
    expect(resumed.errors).toContain(`${complete} rows are there already`);
    expect(existing('results.stopped.json')).toBe(false);
    const whole = benchDocumentSchema.parse(JSON.parse(readFileSync(at('results.json'), 'utf8')));
    expect(whole.rows).toHaveLength(Number(wanted));
    expect(whole.rows.filter(({ name }) => rows.some((row) => row.name === name))).toEqual(rows);
  });
});
