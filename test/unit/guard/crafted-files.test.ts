/** What mutants of files have brought to light, one by one: each is refused in words that name its place. */
import { zipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createBundle,
  createMemoryStorage,
  openFields,
  parseNpy,
  readHdf5Here,
  readRun,
  readRunCheckpoint,
  readRunSummary,
} from '../../../engine/index.ts';
import type { Storage } from '../../../engine/index.ts';
import { unpackFolder } from '../../../app/files/zip.ts';
import { createFieldsFile, FIELDS_FILE } from '../../../engine/output/fields/fields-file.ts';
import { writeRunRecord } from '../../../engine/output/run-record.ts';
import { sealed, stoppedRun } from '../../setup/whole-run.ts';
import type { RunFiles } from '../../setup/whole-run.ts';
import { snapshot, storedRun } from '../../setup/stored-run.ts';

let whole: RunFiles;
beforeAll(async () => {
  whole = await stoppedRun();
});

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The run's folder with a file in which a text replaces another. */
async function folderWith(path: string, from: string | RegExp, to: string): Promise<Storage> {
  const before = new TextDecoder().decode(whole[path]);
  const after = before.replace(from, () => to);
  expect(after).not.toBe(before);
  const changed = { ...whole, [path]: encode(after) };
  const files = path.endsWith('.csv') ? await sealed(changed) : changed;
  const storage = createMemoryStorage();
  for (const [name, bytes] of Object.entries(files)) await storage.writeWhole(name, bytes);
  return storage;
}

const refusalOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'nothing was refused', String);

describe('run.json', () => {
  it.each([
    ['a network of no kind', '"kind": "regular"', '"kind": "regulär"', /^ScenarioError: run\.json: observations\[0\]/],
    ['no observations', '"observations": [', '"observed": [', /^ScenarioError: run\.json: /],
    ['lists without end', '"warnings": []', `"warnings": ${'['.repeat(5000)}${']'.repeat(5000)}`, /nested deeper/],
    [
      'a method that the scenario does not have',
      /"kind": "letkf",\s*"members"/,
      '"kind": "?", "members"',
      /methods\[2\]/,
    ],
    ['more cycles than its scenario', '"cycles": 4,\n  "completed', '"cycles": 9,\n  "completed', /cycles: found 9/],
    ['versions that are no texts', '"shoal": "1"', '"shoal": {}', /versions\.shoal: found an object, allowed: text/],
  ])('with %s is refused before it is bundled or compared', async (_what, from, to, message) => {
    for (const use of [createBundle, readRunSummary]) {
      expect(await refusalOf(use(await folderWith('run.json', from, to)))).toMatch(message);
    }
  });
});

describe('diagnostics.csv', () => {
  it.each([
    ['a cycle that the run does not have', 'letkf,2,', 'letkf,4294967296,', 'cycle: found 4294967296, allowed: 0 to 3'],
    [
      'a method that the run does not have',
      'letkf,2,',
      '__proto__,2,',
      'method: found "__proto__", allowed: the methods',
    ],
  ])('with %s is refused with its line', async (_what, from, to, message) => {
    const told = await refusalOf(readRun(await folderWith('diagnostics.csv', from, to)));
    expect(told).toMatch(/^ScenarioError: diagnostics\.csv: line \d+: /);
    expect(told).toContain(message);
  });
});

it('checkpoint.json that is no JSON is reported with its place, and nothing in it reaches a terminal', async () => {
  const told = await refusalOf(
    readRunCheckpoint(await folderWith('checkpoint.json', '"cycle": 3', '"cycle": \u001B[2J')),
  );
  expect(told).toMatch(/^ScenarioError: checkpoint\.json:3:\d+: not JSON: [^\p{Cc}]+$/u);
});

describe('an archive', () => {
  it('that is damaged inside is said to be', () => {
    const bytes = zipSync({ 'a.txt': encode('water '.repeat(500)) });
    bytes[45] ^= 0xff;
    expect(() => unpackFolder(bytes)).toThrow(/^the archive is damaged: /);
  });

  it('has names that are cut in what is said of them', () => {
    const bytes = zipSync({ [`../${'x'.repeat(5000)}`]: encode('a') });
    expect(() => unpackFolder(bytes)).toThrow(/^the archive holds a file named "\.\.\/x+….*, which leads out of it$/);
    expect(String(refused(() => unpackFolder(bytes))).length).toBeLessThan(400);
  });
});

function refused(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

it('an array of more axes than NumPy has is refused: each would cost a step for every element', () => {
  const shape = `(${'1,'.repeat(65)})`;
  const header = `{'descr': '<f8', 'fortran_order': True, 'shape': ${shape}, }`.padEnd(245);
  const bytes = new Uint8Array(10 + header.length + 8);
  bytes.set([0x93, ...encode('NUMPY'), 1, 0, header.length & 255, header.length >> 8]);
  bytes.set(encode(header), 10);
  expect(() => parseNpy(bytes, 'a.npy')).toThrow('a.npy: found 65 axes, allowed: 64');
});

async function opened(cycles: readonly number[], label: string) {
  const run = await storedRun('records');
  const storage = createMemoryStorage();
  const file = createFieldsFile(storage, undefined);
  for (const cycle of cycles) {
    const { methods, ...rest } = snapshot(cycle);
    await file.add({
      ...rest,
      methods: methods.map((each, index) => (index === 1 ? { ...each, method: label } : each)),
    });
  }
  await file.mark()();
  await writeRunRecord(storage, { ...run.record, files: { [FIELDS_FILE]: file.extent } });
  return openFields(storage, readHdf5Here);
}

describe('fields.bin', () => {
  it.each([
    ['cycles out of their turn', [3, 1], 'größe', 'found cycle 1 after cycle 3, allowed: ascending cycles, up to 5'],
    ['a cycle that the run does not have', [6], 'größe', 'found cycle 6, allowed: ascending cycles, up to 5'],
    ['a method of another run', [1], 'enkf', 'found the method "enkf" in the record of cycle 1, run.json has'],
  ] as const)('with %s is refused', async (_what, cycles, label, message) => {
    expect(await refusalOf(opened(cycles, label))).toContain(`ScenarioError: ${FIELDS_FILE}: ${message}`);
  });
});
