/** Where choices are kept on disk, and that a file there is never trusted. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { cacheFolder, createTuningFiles } from '../../../../app/cli/tuning/store.ts';
import { createWasmBackend, kernelsVersion, readTuningRecord } from '../../../../engine/index.ts';
import type { TuningRecord } from '../../../../engine/index.ts';

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
