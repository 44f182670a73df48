/** Files that people hand on, changed by chance or by somebody: read as they are, or refused by name. */
import { readdirSync, readFileSync } from 'node:fs';
import { zlibSync } from 'fflate';
import { expect, it } from 'vitest';
import {
  assembleResults,
  CaseError,
  createBundle,
  createMemoryStorage,
  createReferenceBackend,
  extentOf,
  formatCaseRecord,
  formatNpy,
  formatSweepRecord,
  MAXIMUM_SCENARIO_BYTES,
  openFields,
  parseNpy,
  parseScenario,
  planSweep,
  readCaseRecord,
  readHdf5Here,
  readScenarioFiles,
  readStoredSnapshot,
  readSweepDefinition,
  readSweepRecord,
  recordSweep,
  runCase,
  TRUTH,
  validateScenario,
  validateSweepDefinition,
} from '../../../../engine/index.ts';
import { packBundle, unpackBundle } from '../../../../app/bundle/bundle-file.ts';
import { packFiles, unpackFolder } from '../../../../app/files/zip.ts';
import { readResults, ResultsError } from '../../../../app/features/benchmarks/benchmarks-state.ts';
import { packLink, readLink } from '../../../../app/features/links/link.ts';
import { readSweep } from '../../../../app/features/reading/sweep-table.ts';
import { FIELDS_FILE } from '../../../../engine/output/fields/fields-file.ts';
import { benchmarkDocument } from '../../../setup/benchmark-document.ts';
import { BYTES, JSON_TEXT, MUTANTS, readMutants, TEXT } from '../../../setup/mutants.ts';
import type { Parser } from '../../../setup/mutants.ts';
import { storedRun } from '../../../setup/stored-run.ts';
import { GAUGES, runScenario, stoppedRun } from '../../../setup/whole-run.ts';
import { planSmall, REFERENCE, SMALL_SCENARIO } from '../../sweep/small-sweep.ts';

const ROOT = new URL('../../../../', import.meta.url);
const fileOf = (path: string): Uint8Array => new Uint8Array(readFileSync(new URL(path, ROOT)));
const ORACLE = 'test/oracle/letkf/8x8-k6-p3-a/';
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const written = (value: unknown): Uint8Array => encode(JSON.stringify(value, null, 1));

/** Refused by errors of their own kinds: said as those of files are. */
async function as(Kind: new (message: string) => Error, work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Kind && error.constructor === Kind ? new CaseError(error.message) : error;
  }
}

const SWEEP = {
  grid: { 'methods[letkf].inflation': [1, 1.2], 'grid.nx': [16, 20] },
  seeds: [1, 2],
  measures: ['skill'],
};
const NAMED = validateScenario(
  {
    ...(JSON.parse(JSON.stringify(runScenario)) as object),
    truth: { initial: { kind: 'file', file: 'truth.npy' } },
  },
  'named.json',
).scenario;

async function sweepDocuments() {
  const definition = validateSweepDefinition({ version: 1, scenario: 'small', ...SWEEP }, 'sweep.json');
  const plan = await planSmall(SWEEP);
  const methods = plan.methods.map((method) => ({
    method,
    state: 'complete' as const,
    divergedAt: null,
    values: [0.5],
  }));
  const results = assembleResults(plan, () => ({ state: 'complete', reason: null, methods }));
  const planned = plan.caseAt(0);
  const summary = { hash: planned.hash, state: 'complete' as const, reason: null, methods: [] };
  const times = { start: new Date(0), end: new Date(1) };
  return {
    results: written(results),
    record: encode(formatSweepRecord(recordSweep(definition, SMALL_SCENARIO, plan))),
    caseRecord: encode(formatCaseRecord(planned, summary, ['a', 'b'], REFERENCE, times)),
    hash: planned.hash,
  };
}

async function readAllFields(run: Awaited<ReturnType<typeof storedRun>>, bytes: Uint8Array) {
  const storage = createMemoryStorage();
  for (const [path, content] of run.files) await storage.writeWhole(path, path === FIELDS_FILE ? bytes : content);
  const fields = await openFields(storage, readHdf5Here);
  for (const cycle of fields?.cycles ?? []) {
    if (!fields) continue;
    await readStoredSnapshot(fields, cycle, new Map([['größe', 5]]));
    for (const member of fields.members) await fields.readPlane({ cycle, of: 'größe', variable: 'eta', member });
    await fields.readPlane({ cycle, of: TRUTH, variable: 'hu' });
  }
}

/** A bundle in which a file is another, with its checksum. */
async function bundleWith(
  files: Readonly<Record<string, Uint8Array>>,
  path: string,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  if (path === 'bundle.json') return packBundle({ ...files, [path]: bytes });
  const record = JSON.parse(decode(files['bundle.json'])) as { files: Record<string, unknown> };
  record.files[path] = await extentOf(bytes);
  return packBundle({ ...files, [path]: bytes, 'bundle.json': written(record) });
}

/** Reads the files that a scenario names. */
const named = (npy: Uint8Array, csv: Uint8Array) =>
  readScenarioFiles(NAMED, async (name) => (name === GAUGES.name ? csv : npy), 'named.json', undefined);

async function parsers(): Promise<readonly Parser[]> {
  const lesson = fileOf('scenarios/what-is-an-analysis.json');
  const definition = fileOf('scenarios/sweeps/first-light-letkf.json');
  const sweep = await sweepDocuments();
  const run = await storedRun('records');
  const folder = await stoppedRun();
  const memory = createMemoryStorage();
  for (const [path, bytes] of Object.entries(folder)) await memory.writeWhole(path, bytes);
  const bundled = (await createBundle(memory)) ?? {};
  const truth = formatNpy([3, 10, 12], new Float64Array(360).fill(2, 0, 120));
  const link = packLink(`${JSON.stringify({ cycle: 3, lesson: { step: 1 } })}\n${decode(lesson)}`);
  const head = packLink(JSON.stringify({ ships: 'one-stone', cycle: 3, views: { fields: ['surface'] } }));
  const oracle = (name: string): Uint8Array => fileOf(ORACLE + name);
  const arrays = new Map(readdirSync(new URL(ORACLE, ROOT)).map((name) => [name, oracle(name)]));
  const inCase = (name: string) => (mutant: Uint8Array) =>
    runCase(createReferenceBackend(), 'case', async (file) => (file === name ? mutant : arrays.get(file)));
  const bundleParser = (path: string): Parser => ({
    name: `bundle: ${path}`,
    bytes: bundled[path],
    kinds: path.endsWith('.json') ? JSON_TEXT : { ...BYTES, ...TEXT },
    read: async (mutant) => unpackBundle(await bundleWith(bundled, path, mutant), 'a.shoal'),
    refusal: /^a\.shoal/,
  });
  return [
    {
      name: 'scenario',
      bytes: lesson,
      kinds: JSON_TEXT,
      read: (mutant) => parseScenario(mutant, 'a.json'),
      refusal: /^a\.json/,
    },
    {
      name: 'sweep definition',
      bytes: definition,
      kinds: JSON_TEXT,
      read: (mutant) => readSweepDefinition(mutant, 'a.json'),
      refusal: /^a\.json/,
    },
    {
      name: 'sweep plan',
      bytes: written({ version: 1, scenario: 'small', ...SWEEP }),
      kinds: JSON_TEXT,
      read: (mutant) =>
        planSweep(
          readSweepDefinition(mutant, 'a.json'),
          { raw: SMALL_SCENARIO, file: 'small.json', readFile: () => Promise.reject(new Error('none')) },
          REFERENCE,
        ),
      refusal: /^(?:a|small)\.json/,
    },
    {
      name: 'sweep results',
      bytes: sweep.results,
      kinds: JSON_TEXT,
      read: (bytes) => readSweep({ name: 'a.json', bytes }),
      refusal: /^a\.json/,
    },
    {
      name: 'sweep record',
      bytes: sweep.record,
      kinds: JSON_TEXT,
      read: (mutant) => readSweepRecord(mutant, 'a.json'),
      refusal: /^a\.json/,
    },
    {
      name: 'case record',
      bytes: sweep.caseRecord,
      kinds: JSON_TEXT,
      read: (mutant) => readCaseRecord(mutant, 'a.json', sweep.hash),
      refusal: /^a\.json/,
    },
    ...['bundle.json', 'scenario.json', 'expected.csv'].map(bundleParser),
    {
      name: 'bundle',
      bytes: packBundle(bundled),
      kinds: BYTES,
      read: (mutant) => unpackBundle(mutant, 'a.shoal'),
      refusal: /^a\.shoal/,
    },
    {
      name: 'archive',
      bytes: packFiles(folder),
      kinds: BYTES,
      read: (mutant) => as(Error, () => unpackFolder(mutant)),
      refusal: /^the archive|^this is not a zip/,
    },
    {
      name: 'npy',
      bytes: truth,
      kinds: { ...BYTES, ...TEXT },
      read: (mutant) => parseNpy(mutant, 'a.npy'),
      refusal: /^a\.npy/,
    },
    {
      name: 'named array',
      bytes: truth,
      kinds: BYTES,
      read: (mutant) => named(mutant, encode(GAUGES.text)),
      refusal: /^named\.json/,
    },
    {
      name: 'named table',
      bytes: encode(GAUGES.text),
      kinds: { ...BYTES, ...TEXT },
      read: (mutant) => named(truth, mutant),
      refusal: /^named\.json/,
    },
    {
      name: 'link',
      bytes: encode(link),
      kinds: { ...BYTES, ...TEXT },
      read: (mutant) => readLink(decode(mutant)),
      refusal: /^the link/,
    },
    {
      name: 'text of a link',
      bytes: encode(
        JSON.stringify({
          ships: 'one-stone',
          cycle: 3,
          views: { fields: ['surface'], probes: [{ id: 1, x: 1, y: 2 }] },
        }),
      ),
      kinds: JSON_TEXT,
      read(mutant) {
        const spelt = Buffer.from(zlibSync(mutant).subarray(2, -4)).toString('base64url');
        readLink(`${head.slice(0, head.indexOf('.') + 1)}${spelt}`).check(
          parseScenario(fileOf('scenarios/one-stone.json'), 'one-stone').scenario,
        );
      },
      refusal: /^the (?:scenario of the )?link/,
    },
    {
      name: 'states',
      bytes: run.files.get(FIELDS_FILE) ?? new Uint8Array(),
      kinds: BYTES,
      read: (mutant) => readAllFields(run, mutant),
      refusal: /^fields\.bin|^the stored states of cycle \d+ lack/,
    },
    {
      name: 'benchmarks',
      bytes: written(benchmarkDocument()),
      kinds: JSON_TEXT,
      read: (mutant) => as(ResultsError, () => readResults(mutant, 'a.json')),
      refusal: /^(?:no JSON: )?a\.json/,
    },
    {
      name: 'case',
      bytes: oracle('case.json'),
      kinds: JSON_TEXT,
      read: inCase('case.json'),
      refusal: /^case\/|is too large/,
    },
    {
      name: 'case array',
      bytes: oracle('ensemble.npy'),
      kinds: BYTES,
      read: inCase('ensemble.npy'),
      refusal: /^case\//,
    },
  ];
}

it('changed files are read, or refused by name', async () => {
  const wrong: string[] = [];
  for (const parser of await parsers()) {
    await parser.read(parser.bytes);
    const { faults, refused } = await readMutants(parser, 3 * MUTANTS);
    wrong.push(...faults, ...(refused > 0 ? [] : [`${parser.name}: no mutant was refused`]));
  }
  expect(wrong).toEqual([]);
});

const many = <Of>(count: number, of: Of): Of[] => Array.from({ length: count }, () => of);

it('results of a sweep that would fill all memory are refused', async () => {
  const { results } = await sweepDocuments();
  const document = JSON.parse(decode(results)) as { cases: object[]; methods: string[]; measures: object[] };
  const waiting = { ...document.cases[0], state: 'waiting', methods: [] };
  const bytes = written({
    ...document,
    cases: many(40_000, waiting),
    methods: many(64, 'letkf'),
    measures: many(64, document.measures[0]),
  });
  // More than a scenario may have is read all the same.
  expect(bytes.length).toBeGreaterThan(MAXIMUM_SCENARIO_BYTES);
  expect(() => readSweep({ name: 'a.json', bytes })).toThrow(
    'a.json: found 40000 cases of 64 methods with 64 measures, allowed: 67108864 numbers in all',
  );
});
