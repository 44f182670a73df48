/** The tuning at first use, on the backend of the processor, and what is said about it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTerminal } from '../../../../app/cli/context.ts';
import { tuneOnFirstUse, formatTuning, gainOf, tuningDocument } from '../../../../app/cli/tuning/report.ts';

import { createTuningFiles } from '../../../../app/cli/open-backend.ts';
import {
  createReferenceBackend,
  createWasmBackend,
  kernelsVersion,
  readTuningRecord,
  tuningTasks,
} from '../../../../engine/index.ts';
import type { Backend, TuningFinding } from '../../../../engine/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-first-use-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function listeningTerminal() {
  const said: string[] = [];
  const output = { write: (text: string) => said.push(text) };
  return { said, terminal: createTerminal({}, output, output) };
}

describe('tuning at first use', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await createWasmBackend();
  });
  afterAll(() => backend.dispose());

  const tasks = tuningTasks('wasm', 'runs').slice(-2);
  const device = (): string => backend.tuning?.device ?? '';

  it('measures what is not known, keeps it, and does nothing the next time', async () => {
    const files = createTuningFiles(join(folder, 'once'));
    const first = listeningTerminal();
    await tuneOnFirstUse(backend, tasks.slice(0, 1), first.terminal, files);
    expect(first.said.join('')).toMatch(/kernels tuned, once, in \d+\.\d s.*\nkept: /);
    const again = listeningTerminal();
    await tuneOnFirstUse(backend, tasks.slice(0, 1), again.terminal, files);
    expect(again.said).toEqual([]);
    await tuneOnFirstUse(backend, tasks, again.terminal, files);
    const kept = readTuningRecord(await files.find(device()), device());
    expect(kept?.choices.map(({ sizeClass }) => sizeClass)).toEqual(tasks.map(({ sizeClass }) => sizeClass));
    for (const { kernel, sizeClass, variant } of kept?.choices ?? []) {
      expect(backend.tuning?.choices.of(kernel, sizeClass)).toBe(variant);
    }
  });

  it('says where it cannot keep them, and the choices hold all the same', async () => {
    const { said, terminal } = listeningTerminal();
    writeFileSync(join(folder, 'a-file'), '');
    await tuneOnFirstUse(backend, tasks, terminal, createTuningFiles(join(folder, 'a-file')));
    expect(said.join('')).toMatch(/the choices are not kept: .*a-file/);
  });

  it('leaves the reference backend alone', async () => {
    const { said, terminal } = listeningTerminal();
    await tuneOnFirstUse(createReferenceBackend(), tasks, terminal, createTuningFiles(join(folder, 'none')));
    expect(said).toEqual([]);
  });

  it('leaves a device alone that is simulated', async () => {
    const { said, terminal } = listeningTerminal();
    const { tuning } = backend;
    const simulated = { ...backend, tuning: tuning && { ...tuning, isSoftware: true } };
    await tuneOnFirstUse(simulated, tasks, terminal, createTuningFiles(join(folder, 'none')));
    expect(said).toEqual([]);
  });
});

describe('the report of a tuning', () => {
  const finding: TuningFinding = {
    kernel: 'a.b',
    sizeClass: '64',
    size: '60 × 60',
    candidates: [
      { variant: 'plain', milliseconds: 3 },
      { variant: 'wide', milliseconds: 1.5 },
      { variant: 'wider', milliseconds: null, problem: 'too wide' },
      { variant: 'widest', milliseconds: null },
    ],
    chosen: 'wide',
    isSettled: true,
  };
  const record = { device: 'a machine', version: kernelsVersion(), choices: [] };
  const tuned = { backend: 'wasm', findings: { record, kernels: [finding], milliseconds: 512 } } as const;

  it('shows kernel, size, candidates with their times, what was chosen and its gain', () => {
    const text = formatTuning(tuned).join('\n');
    expect(text).toMatch(/^wasm \(a machine\): kernels .* tuned in 0\.5 s/);
    expect(text).toMatch(/a\.b +│ 60 × 60 +│ plain +│ +3 │/);
    expect(text).toMatch(/wide +│ +1\.5 │ chosen │ +2\.00 × │/);
    expect(text).toMatch(/wider +│ +refused │/);
    expect(text).toMatch(/widest +│ +no time left │/);
    expect(text).toContain('  a.b, wider: too wide');
  });

  it('has no gain where the default was not measured', () => {
    expect(gainOf(finding)).toBe(2);
    expect(gainOf({ ...finding, candidates: [{ variant: 'plain', milliseconds: null }] })).toBeNull();
  });

  it('is a document of devices', () => {
    const machine = { system: 's', processor: 'p', cores: 2, memoryBytes: 1, versions: {} };
    expect(tuningDocument(machine, [tuned])).toEqual({
      machine,
      devices: [{ ...record, backend: 'wasm', milliseconds: 512, kernels: [finding] }],
    });
  });
});
