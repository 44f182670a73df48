/** Run folders that somebody has changed, or that rotted: refused by name, and never continued as if nothing had happened. */
import { describe, expect, it } from 'vitest';
import {
  createExperiment,
  createMemoryStorage,
  createReferenceBackend,
  createRunFolder,
  describeDifference,
  extentOf,
  formatNpy,
  judgeVersions,
  NO_FILES,
  parseNpy,
  readRunRecord,
  readRunToContinue,
  ScenarioError,
} from '../../../engine/index.ts';
import type { Checkpoint, RunIdentity, Scenario, Storage } from '../../../engine/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

const DONE = 3;
const scenario = tinyScenario();

/** The reference backend's identity is the same wherever it is made. */
function identityOf(of: Scenario): RunIdentity {
  const { name, adapter } = createReferenceBackend();
  return { scenario: of, seed: of.seed, backend: { name, adapter } };
}

/** A run that was stopped after three cycles, by the engine itself. */
async function stoppedRun(): Promise<ReturnType<typeof createMemoryStorage>> {
  const storage = createMemoryStorage();
  const backend = createReferenceBackend();
  const folder = createRunFolder(storage, {
    identity: identityOf(scenario),
    versions: { shoal: '1' },
    now: () => new Date(0),
  });
  await folder.begin();
  const experiment = await createExperiment(backend, scenario, {
    files: NO_FILES,
    listener: (event) => folder.listen(event),
  });
  for (let cycle = 0; cycle < DONE; cycle++) await experiment.step();
  await folder.save(await experiment.checkpoint());
  await folder.finish('stopped');
  experiment.dispose();
  backend.dispose();
  return storage;
}

async function copyOf(files: ReadonlyMap<string, Uint8Array>): Promise<Storage> {
  const storage = createMemoryStorage();
  for (const [path, bytes] of files) await storage.writeWhole(path, bytes);
  return storage;
}

/** What continues is decided by these; the rest of a folder is words. */
interface Ground {
  readonly checkpoint: Checkpoint | undefined;
  readonly rows: unknown;
  readonly diagnostics: unknown;
}

/** As `shoal run --resume` reads it. @throws ScenarioError where it is refused */
async function groundOf(storage: Storage): Promise<Ground | undefined> {
  const record = await readRunRecord(storage);
  if (!record) return undefined;
  const difference =
    describeDifference(record, identityOf(scenario)) ?? judgeVersions(record.versions, { shoal: '1' }).refusal;
  if (difference !== undefined) throw new ScenarioError([{ path: [], message: difference }]);
  const kept = await readRunToContinue(storage, scenario);
  return kept && { checkpoint: kept.checkpoint, rows: kept.rows, diagnostics: kept.diagnostics.extent };
}

function text(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

/** The part of `checkpoint.json` that is changed here. */
interface StoredIndex {
  cycle: number;
  readonly rows: Record<string, object>;
  readonly arrays: Record<string, object>;
}

/** The index with a change, and a checksum that is right again: by somebody who knows how. */
async function resealed(files: ReadonlyMap<string, Uint8Array>, change: (index: StoredIndex) => void): Promise<string> {
  const { sha256: _old, ...index } = JSON.parse(text(files.get('checkpoint.json')));
  change(index);
  const { sha256 } = await extentOf(new TextEncoder().encode(JSON.stringify(index)));
  return JSON.stringify({ ...index, sha256 });
}

describe('a folder in which one bit has flipped', () => {
  it.each(['checkpoint.json', 'diagnostics.csv', 'kernels.ndjson', 'run.json', 'checkpoint/3/0.npy'])(
    'is refused, or what continues is the same: %s',
    async (name) => {
      const { files } = await stoppedRun();
      const whole = await groundOf(await copyOf(files));
      expect(whole?.checkpoint?.cycle).toBe(DONE);
      const original = files.get(name);
      if (!original) throw new Error(`the folder has no ${name}`);
      const refusals: unknown[] = [];
      const step = Math.max(1, Math.floor(original.length / 150));
      for (let at = 0; at < original.length; at += step) {
        const bytes = original.slice();
        bytes[at] ^= 1 << (at % 7);
        const found = await groundOf(await copyOf(new Map(files).set(name, bytes))).catch((error: unknown) => {
          refusals.push(error);
          return whole;
        });
        expect(found, `byte ${at}`).toEqual(whole);
      }
      expect(refusals.every((error) => error instanceof ScenarioError)).toBe(true);
      // All of these are under a checksum; of run.json some words are not what the run relies on.
      const all = Math.ceil(original.length / step);
      expect(refusals.length).toBeGreaterThanOrEqual(name === 'run.json' ? all / 2 : all);
    },
  );
});

describe('a folder that somebody has changed', () => {
  it.each<[string, (files: Map<string, Uint8Array>) => Promise<unknown> | void, RegExp]>([
    [
      'rows deleted',
      (files) =>
        void files.set(
          'diagnostics.csv',
          new TextEncoder().encode(text(files.get('diagnostics.csv')).replace(/\n[^\n]*\n$/, '\n')),
        ),
      /^diagnostics\.csv: found \d+ bytes, \d+ were written$/,
    ],
    ['all rows gone', (files) => void files.delete('diagnostics.csv'), /^diagnostics\.csv: found 0 bytes/],
    ['an array gone', (files) => void files.delete('checkpoint/3/0.npy'), /^checkpoint\/3\/0\.npy: .* missing$/],
    [
      'arrays swapped',
      (files) => {
        const [a, b] = ['checkpoint/3/3.npy', 'checkpoint/3/4.npy'].map((path) => files.get(path) ?? new Uint8Array(0));
        files.set('checkpoint/3/3.npy', b).set('checkpoint/3/4.npy', a);
      },
      /^checkpoint\/3\/\d\.npy: /,
    ],
    ...[2, 5, 6, 1e15].map((cycle): [string, (files: Map<string, Uint8Array>) => Promise<unknown>, RegExp] => [
      `its cycle made ${cycle}, with a checksum that fits`,
      async (files) =>
        files.set('checkpoint.json', new TextEncoder().encode(await resealed(files, (index) => (index.cycle = cycle)))),
      /^checkpoint\.json: its cycle is \d+, but its rows end before cycle 3$/,
    ]),
    [
      'its cycle beyond the end, without rows, with a checksum that fits',
      async (files) =>
        files.set(
          'checkpoint.json',
          new TextEncoder().encode(await resealed(files, (index) => Object.assign(index, { cycle: 1e15, rows: {} }))),
        ),
      /^checkpoint\.json: cycle: found 1000000000000000, the run has 4 cycles/,
    ],
    [
      'fewer rows counted, with a checksum that fits',
      async (files) =>
        files.set(
          'checkpoint.json',
          new TextEncoder().encode(await resealed(files, (index) => delete index.rows['free-run'])),
        ),
      /^diagnostics\.csv: found rows of free-run: 3 from cycle 0; the checkpoint has none$/,
    ],
    [
      'its version another',
      (files) =>
        void files.set(
          'run.json',
          new TextEncoder().encode(text(files.get('run.json')).replace('"shoal": "1"', '"shoal": "2"')),
        ),
      /^begun by Shoal 2, this is Shoal 1/,
    ],
    [
      'its format the one before',
      (files) =>
        void files.set(
          'run.json',
          new TextEncoder().encode(text(files.get('run.json')).replace('"format": 2', '"format": 1')),
        ),
      /^run\.json: format: found 1, allowed: 2/,
    ],
  ])('is refused by name: %s', async (_what, change, message) => {
    const files = new Map((await stoppedRun()).files);
    await change(files);
    const error = await groundOf(await copyOf(files)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ScenarioError);
    expect((error as Error).message).toMatch(message);
  });

  it.each([
    ['a depth below zero', -1, /a depth of -1 m in truth at 0, allowed: at least 0/],
    ['no number', Number.NaN, /the checkpoint has NaN in truth at 0, allowed: finite numbers/],
  ])('is refused by the engine where every checksum fits and the state has %s', async (_what, value, message) => {
    const { files } = await stoppedRun();
    const { data } = parseNpy(files.get('checkpoint/3/0.npy') ?? new Uint8Array(0), 'truth');
    const bytes = formatNpy([data.length], data.with(0, value));
    const extent = await extentOf(bytes);
    const index = await resealed(files, ({ arrays }) => Object.assign(arrays.truth, extent));
    const storage = await copyOf(files);
    await storage.writeWhole('checkpoint/3/0.npy', bytes);
    await storage.writeWhole('checkpoint.json', index);
    const kept = await readRunToContinue(storage, scenario);
    if (!kept?.checkpoint) throw new Error('there is no checkpoint');
    const backend = createReferenceBackend();
    const begun = createExperiment(backend, scenario, {
      files: NO_FILES,
      listener: () => undefined,
      checkpoint: kept.checkpoint,
    });
    await expect(begun).rejects.toThrow(message);
    backend.dispose();
  });
});

describe('versions', () => {
  it('refuse another Shoal, and warn of another Node', () => {
    expect(judgeVersions({ shoal: '1', node: '20' }, { shoal: '1', node: '20' })).toEqual({});
    expect(judgeVersions({ shoal: '1', node: '20' }, { shoal: '1', node: '22' }).warning).toBe(
      'continued where the last bits of the numbers may differ: begun with node 20, now 22',
    );
    expect(judgeVersions({}, { shoal: '1' }).refusal).toContain('begun by Shoal of no version');
  });
});
