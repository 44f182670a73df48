import { describe, expect, it, afterAll, beforeEach } from 'vitest';
import { cacheFolder, createTuningFiles } from '../../../app/cli/open-backend.ts';
import { addressProblem, selectBackend, type Surroundings } from '../../../app/cli/select-backend.ts';
import {
  BackendError,
  createWasmBackend,
  kernelsVersion,
  readTuningRecord,
  type TuningRecord,
} from '../../../engine/index.ts';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const adapter = (description: string, software: boolean) => ({
  description,
  vendor: '',
  software,
  features: [],
  limits: {},
});
const hardware = adapter('a real GPU', false);
const software = adapter('SwiftShader', true);

/** A machine: its own adapter, and the one that appears with SwiftShader's environment. */
function machine(own: typeof hardware | undefined, standIn: boolean): Surroundings {
  return {
    findAdapter: (environment) => Promise.resolve(environment ? software : own),
    findSoftwareDriver: () => Promise.resolve(standIn ? { VK_ICD_FILENAMES: 'icd.json' } : undefined),
    limitOf: () => Promise.resolve(undefined),
  };
}

describe('the choice of a backend', () => {
  it('is WebGPU on a real GPU', async () => {
    expect(await selectBackend('auto', machine(hardware, true))).toMatchObject({ name: 'webgpu', why: 'a real GPU' });
    expect(await selectBackend('webgpu', machine(hardware, true))).toMatchObject({ name: 'webgpu', why: 'a real GPU' });
  });

  it('is never software by itself', async () => {
    for (const own of [undefined, software]) {
      expect(await selectBackend('auto', machine(own, true))).toMatchObject({ kind: 'here', name: 'wasm' });
    }
  });

  it('starts again with SwiftShader where WebGPU is asked for without a GPU', async () => {
    expect(await selectBackend('webgpu', machine(undefined, true))).toMatchObject({
      kind: 'restart',
      environment: { VK_ICD_FILENAMES: 'icd.json' },
    });
    expect(await selectBackend('webgpu', machine(software, false))).toMatchObject({ kind: 'here', name: 'webgpu' });
  });

  it('refuses WebGPU if there is none, with the next step', async () => {
    await expect(selectBackend('webgpu', machine(undefined, false))).rejects.toThrow(BackendError);
    await expect(selectBackend('webgpu', machine(undefined, false))).rejects.toThrow('--backend wasm');
  });
});

describe('without the package that carries WebGPU', () => {
  const webGpuRemedy = 'npm install webgpu@1.2.3';
  const without: Surroundings = { ...machine(hardware, true), webGpuRemedy };

  it('computes on the processor by itself, and says how a GPU is used', async () => {
    expect(await selectBackend('auto', without)).toMatchObject({ name: 'wasm', why: `to use a GPU: ${webGpuRemedy}` });
    expect(await selectBackend('wasm', without)).not.toMatchObject({ why: expect.stringContaining(webGpuRemedy) });
  });

  it('refuses WebGPU with the command that adds it', async () => {
    await expect(selectBackend('webgpu', without)).rejects.toThrow(`which is not installed: ${webGpuRemedy}`);
  });
});

describe('a limit of addresses', () => {
  const GIBIBYTE = 2 ** 30;
  /** As `ulimit -v` with so many GiB. */
  const limited = (gibibytes: number): Surroundings => ({
    ...machine(undefined, false),
    limitOf: (name) =>
      Promise.resolve(addressProblem(name, { limit: gibibytes * GIBIBYTE, reserved: 1.2 * GIBIBYTE }, 2)),
  });

  it('within which wasm does not fit leaves the reference backend, and says why', async () => {
    for (const gibibytes of [4, 12, 16, 20]) {
      const found = await selectBackend('auto', limited(gibibytes));
      expect(found).toMatchObject({ kind: 'here', name: 'reference' });
      expect(found.why).toBe(
        `slow; addresses of this process are limited to ${gibibytes}.0 GiB (ulimit -v), ` +
          'the wasm backend needs 23.7 GiB: raise the limit (ulimit -v unlimited), or use --backend reference',
      );
    }
    expect(await selectBackend('auto', limited(24))).toMatchObject({ name: 'wasm', why: 'no GPU was found' });
  });

  it('refuses what was asked for and does not fit, with the next step', async () => {
    await expect(selectBackend('wasm', limited(16))).rejects.toThrow(BackendError);
    await expect(selectBackend('wasm', limited(16))).rejects.toThrow('or use --backend reference');
    expect(await selectBackend('reference', limited(4))).toMatchObject({ name: 'reference', why: 'as asked for' });
    for (const asked of ['auto', 'reference'] as const) {
      await expect(selectBackend(asked, limited(1.5))).rejects.toThrow('the reference backend needs 2.7 GiB');
    }
  });
});

const parent = mkdtempSync(join(tmpdir(), 'shoal-tuning-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

describe('the cache folder', () => {
  const home = join('/', 'home', 'ada');

  it('is where the system keeps caches', () => {
    expect(cacheFolder({ platform: 'linux', environment: {}, home })).toBe(join(home, '.cache', 'shoal'));
    expect(cacheFolder({ platform: 'darwin', environment: {}, home })).toBe(join(home, 'Library', 'Caches', 'shoal'));
    expect(cacheFolder({ platform: 'win32', environment: {}, home })).toBe(
      join(home, 'AppData', 'Local', 'shoal', 'Cache'),
    );
  });

  it('is where the environment says, if that is an absolute path', () => {
    const elsewhere = join('/', 'var', 'ada');
    const XDG_CACHE_HOME = elsewhere;
    expect(cacheFolder({ platform: 'linux', environment: { XDG_CACHE_HOME }, home })).toBe(join(elsewhere, 'shoal'));
    for (const relative of ['', 'cache', './cache']) {
      const environment = { XDG_CACHE_HOME: relative };
      expect(cacheFolder({ platform: 'linux', environment, home })).toBe(join(home, '.cache', 'shoal'));
    }
    expect(cacheFolder({ platform: 'win32', environment: { LOCALAPPDATA: elsewhere }, home })).toBe(
      join(elsewhere, 'shoal', 'Cache'),
    );
  });
});

function recordOf(device: string): TuningRecord {
  return {
    device,
    version: kernelsVersion(),
    choices: [{ kernel: 'a.b', sizeClass: '64', variant: 'wide', milliseconds: 0.5 }],
  };
}

describe('the files of choices', () => {
  const device = 'A GPU (TM) / driver ../../1.2';
  let folder = '';
  let count = 0;
  beforeEach(() => {
    folder = join(parent, String((count += 1)), 'made', 'when needed');
  });

  it('give back what was kept, a device each', async () => {
    const files = createTuningFiles(folder);
    expect(await files.find(device)).toBeUndefined();
    await files.keep(recordOf(device));
    await files.keep(recordOf('another'));
    await files.keep({ ...recordOf('another'), choices: [] });
    expect(readTuningRecord(await files.find(device), device)).toEqual(recordOf(device));
    expect(readTuningRecord(await files.find('another'), 'another')?.choices).toEqual([]);
    const names = readdirSync(folder);
    expect(names).toHaveLength(2);
    for (const name of names) expect(name).toMatch(/^tuning-[a-z0-9-]+-[0-9a-f]{12}\.json$/);
  });

  it.each(['', 'no JSON', '[1, 2', '{"device": 7}', 'x'.repeat(2 ** 21)])(
    'that were spoilt are as if they were not there: %#',
    async (content) => {
      const files = createTuningFiles(folder);
      const path = await files.keep(recordOf(device));
      writeFileSync(path, content);
      expect(readTuningRecord(await files.find(device), device)).toBeUndefined();
    },
  );

  it('of other kernels are not taken', async () => {
    const files = createTuningFiles(folder);
    const path = await files.keep(recordOf(device));
    writeFileSync(path, readFileSync(path, 'utf8').replace(kernelsVersion(), 'of another day'));
    expect(readTuningRecord(await files.find(device), device)).toBeUndefined();
  });

  it('choose for a backend that is opened with them', async () => {
    const files = createTuningFiles(folder);
    const open = () => createWasmBackend({ processor: 'a processor', findTuning: files.find });
    const before = await open();
    const { device: name, choices } = before.tuning ?? {};
    expect(name).toMatch(/^a processor, WebAssembly SIMD.*, 1 thread$/);
    expect(choices?.of('a.b', '64')).toBeUndefined();
    await files.keep(recordOf(name ?? ''));
    const after = await open();
    expect(after.tuning?.choices.of('a.b', '64')).toBe('wide');
    for (const backend of [before, after]) backend.dispose();
  });
});
