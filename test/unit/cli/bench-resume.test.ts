import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { keptBefore, readBenchDocument } from '../../../app/cli/commands/bench.ts';
import { papersMarkdown } from '../../../app/cli/bench/papers-report.ts';
import type { BenchRequest } from '../../../engine/index.ts';
import { benchmarkDocument, benchmarkRow } from '../../setup/benchmark-document.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-resume-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const asked: BenchRequest = { suites: ['letkf'], extent: 'papers', backends: ['wasm'], threads: null };
const document = { ...benchmarkDocument(), asked };
const { machine } = document;
const path = join(folder, 'results.json');
const stopped = join(folder, 'results.stopped.json');
const put = (text: string): void => writeFileSync(stopped, text);

it('continues with what was kept on the same machine with the same version and options, and from nothing', async () => {
  await expect(keptBefore(path, machine, asked)).resolves.toBeUndefined();
  put(JSON.stringify(document));
  expect((await keptBefore(path, machine, asked))?.rows).toEqual(document.rows);
});

it.each([
  ['machine', { ...machine, processor: 'another' }, asked, 'another, '],
  ['version', { ...machine, versions: { shoal: '9.9.9' } }, asked, 'shoal 9.9.9'],
  ['set of options', machine, { ...asked, extent: 'papers, quick' }, 'letkf; papers, quick; wasm'],
  ['set of options', machine, { ...asked, suites: ['letkf', 'cycle'] }, 'letkf cycle; papers; wasm'],
  ['set of options', machine, { ...asked, backends: ['webgpu'] }, 'letkf; papers; webgpu'],
  ['set of options', machine, { ...asked, threads: 1 }, 'letkf; papers; wasm, 1 threads'],
] as const)('refuses another %s and says which', async (what, here, wanted, allowed) => {
  put(JSON.stringify(document));
  const refusal = keptBefore(path, here, wanted);
  await expect(refusal).rejects.toThrow(`${stopped} has another ${what}: found `);
  await expect(refusal).rejects.toThrow(`allowed: ${allowed}`);
});

it('says what is wrong in a file that is no result', async () => {
  put('{');
  await expect(readBenchDocument(stopped)).rejects.toThrow(stopped);
  put(JSON.stringify({ ...document, rows: 3 }));
  await expect(readBenchDocument(stopped)).rejects.toThrow(`${stopped} holds no results of shoal bench: rows: `);
});

it('lays results of several machines side by side', () => {
  const published = {
    value: 9,
    unit: 's',
    hardware: 'GPU, optimised',
    source: 'a paper',
    includes: 'files',
    measured: 0.05,
    ratio: 180,
  };
  const row = { ...benchmarkRow, suite: 'gain-covariance' as const, name: 'gain-covariance-16384x64-m129' };
  const of = (processor: string, milliseconds: number, ratio: number) => ({
    ...document,
    machine: { ...machine, processor },
    asked: { ...asked, backends: [document.backends[0].name] },
    rows: [
      {
        ...row,
        backend: document.backends[0].name,
        threads: document.backends[0].threads,
        milliseconds,
        published: { ...published, ratio },
        otherPublished: [{ ...published, value: 20, hardware: 'GPU, basic', ratio: null }],
      },
    ],
  });
  const text = papersMarkdown([of('one', 50, 180), of('other', 0.5, 18_000)], 'shoal bench');
  expect(text).toMatch(/^- A: .*one, /m);
  expect(text).toMatch(/^- B: .*other, /m);
  const [, gain] = text.split(/^## The gain of the EnKF$/m);
  expect(gain).toContain('| ms on A | ms on B | published | A better by | B better by |');
  expect(gain).toContain(
    '| 50 | 0.5 | 9 s, GPU, optimised; files<br>20 s, GPU, basic; files | 180 ×<br>– | 18000 ×<br>– |',
  );
});
