/** The documents of a sweep's folder: made, read, refused; and what they say of which settings are the best. */
import { describe, expect, it } from 'vitest';
import {
  ScenarioError,
  assembleResults,
  createReferenceBackend,
  describeSweepDifference,
  formatCaseRecord,
  formatResultsTable,
  formatSweepRecord,
  keepCase,
  readCaseRecord,
  readSweepRecord,
  readSweepResults,
  recordSweep,
  runCases,
  sweepRows,
  validateSweepDefinition,
} from '../../../engine/index.ts';
import type { KeptCase, SweepPlan, SweepResults } from '../../../engine/index.ts';
import { REFERENCE, SMALL_SCENARIO, planSmall } from './small-sweep.ts';

const SWEEP = {
  grid: { 'methods[letkf].inflation': [1, 1.2], 'grid.nx': [16, 20] },
  seeds: [1, 2, 3, 4, 5, 6],
  methods: ['free-run', 'letkf'],
  measures: ['rmse_analysis_h', 'skill'],
};

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const noFile = (): Promise<Uint8Array> => Promise.reject(new Error('there is none'));

/** Results as if each case had come out so. */
function resultsOf(plan: SweepPlan, errorOf: (inflation: number, nx: number, seed: number) => number | null) {
  const kept = new Map<string, KeptCase>(
    plan.hashes.map((hash, index) => {
      const [inflation, nx] = plan.valuesAt(index) as [number, number];
      const error = errorOf(inflation, nx, plan.seedAt(index));
      const free = { method: 'free-run', state: 'complete', divergedAt: null, values: [nx, 0] } as const;
      const letkf =
        error === null
          ? ({ method: 'letkf', state: 'diverged', divergedAt: 3, values: [null, null] } as const)
          : ({ method: 'letkf', state: 'complete', divergedAt: null, values: [error, 1 - error] } as const);
      return [hash, { state: 'complete', reason: null, methods: [free, letkf] }];
    }),
  );
  return assembleResults(plan, (hash) => kept.get(hash));
}

function roundTrip(results: SweepResults): SweepResults {
  return readSweepResults(encode(JSON.stringify(results)), 'sweep.json');
}

describe('sweep.json', () => {
  it('has every case, those that wait and those that failed among them', async () => {
    const plan = await planSmall(SWEEP);
    const failed: KeptCase = { state: 'failed', reason: 'no room', methods: [] };
    const results = assembleResults(plan, (hash) => (hash === plan.hashes[1] ? failed : undefined));
    expect(roundTrip(results)).toEqual(results);
    expect(results.axes).toEqual([
      { path: 'methods[2].inflation', title: 'letkf: Inflation', values: [1, 1.2] },
      { path: 'grid.nx', title: 'Grid: Cells along x (cells)', values: [16, 20] },
    ]);
    expect(results.cases).toHaveLength(24);
    expect(results.cases.slice(0, 2)).toEqual([
      { hash: plan.hashes[0], values: [1, 16], seed: 1, state: 'waiting', reason: null, methods: [] },
      { hash: plan.hashes[1], values: [1, 16], seed: 2, state: 'failed', reason: 'no room', methods: [] },
    ]);
  });

  it.each([
    ['{"format": 1', /^sweep\.json:1:\d+: /],
    ['{"format": 2}', /^sweep\.json: format: found 2/],
    ['[]', /^sweep\.json: found \[\]/],
  ])('that says %s is refused', (text, message) => {
    expect(() => readSweepResults(encode(text), 'sweep.json')).toThrow(message);
    expect(() => readSweepResults(encode(text), 'sweep.json')).toThrow(ScenarioError);
  });

  it('whose cases do not fit its axes, seeds, methods or measures is refused', async () => {
    const results = resultsOf(await planSmall(SWEEP), () => 0.5);
    const [first, ...rest] = results.cases;
    const withFirst = (changed: object): SweepResults => ({ ...results, cases: [{ ...first, ...changed }, ...rest] });
    const [outcome] = first.methods;
    expect(() => roundTrip(withFirst({ values: [1] }))).toThrow(
      'cases[0].values: found 1 values, the sweep has 2 axes',
    );
    expect(() => roundTrip(withFirst({ seed: 9 }))).toThrow('cases[0].seed: found 9, which is not among the seeds');
    expect(() => roundTrip(withFirst({ methods: [{ ...outcome, method: 'x' }] }))).toThrow('found "x", which is not');
    expect(() => roundTrip(withFirst({ methods: [{ ...outcome, values: [1] }] }))).toThrow('the sweep has 2 measures');
  });
});

describe('sweep.csv', () => {
  it('has a row for each case and method, with empty cells for what there is not', async () => {
    const plan = await planSmall({ ...SWEEP, grid: { 'methods[letkf].inflation': [1, 1.2] }, seeds: [1, 2] });
    const results = resultsOf(plan, (inflation, _nx, seed) => (seed === 2 ? null : inflation));
    const [waiting] = plan.hashes;
    const lines = formatResultsTable({
      ...results,
      cases: results.cases.map((each) =>
        each.hash === waiting ? { ...each, state: 'failed', reason: 'a, "b"', methods: [] } : each,
      ),
    }).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'hash,methods[2].inflation,seed,method,state,diverged_at,reason,rmse_analysis_h,skill',
      `${waiting},1,1,,failed,,"a, ""b""",,`,
      `${plan.hashes[1]},1,2,free-run,complete,,,,0`,
      `${plan.hashes[1]},1,2,letkf,diverged,3,,,`,
    ]);
    expect(lines).toHaveLength(9);
  });
});

describe('rows over the seeds', () => {
  it('are of the settings that a method follows, world by world, the best first with what is not significantly different', async () => {
    const plan = await planSmall({
      ...SWEEP,
      grid: { 'methods[letkf].inflation': [1, 1.1, 1.2], 'grid.nx': [16, 20] },
    });
    // Of 16 columns the least inflation is better in every seed than the largest, and than the middle one by a coin.
    const results = resultsOf(plan, (inflation, nx, seed) => {
      if (nx === 20) return 0.0625 * seed;
      return 0.125 * seed * (inflation === 1.1 ? 1 + (seed % 2 === 0 ? 1 : -1) / 64 : inflation);
    });
    const rows = sweepRows(results);
    expect(rows.filter(({ method }) => method === 'free-run').map(({ values }) => values)).toEqual([
      [undefined, 16],
      [undefined, 20],
    ]);
    const letkf = rows.filter(({ method }) => method === 'letkf');
    expect(letkf.map(({ values, isBest }) => [values, isBest])).toEqual([
      [[1, 16], true],
      [[1.1, 16], true],
      [[1.2, 16], false],
      [[1, 20], undefined],
      [[1.1, 20], undefined],
      [[1.2, 20], undefined],
    ]);
    expect(letkf[0].median).toMatchObject({ estimate: 0.4375 });
  });

  it('put what diverges behind what does not, however well the rest of it does', async () => {
    const plan = await planSmall({ ...SWEEP, grid: { 'methods[letkf].inflation': [1, 1.2] } });
    const rows = sweepRows(
      resultsOf(plan, (inflation, _nx, seed) => (inflation === 1 ? (seed > 2 ? null : 0.01) : 0.5)),
    );
    const letkf = rows.filter(({ method }) => method === 'letkf');
    expect(letkf.map(({ values, seeds, diverged }) => [values, seeds, diverged])).toEqual([
      [[1.2], 6, 0],
      [[1], 6, 4],
    ]);
  });

  it('mark nothing where seeds are too few', async () => {
    const plan = await planSmall({ ...SWEEP, seeds: [1, 2, 3, 4, 5] });
    const rows = sweepRows(resultsOf(plan, (inflation) => inflation));
    expect(new Set(rows.map(({ isBest }) => isBest))).toEqual(new Set([undefined]));
  });
});

describe('case.json', () => {
  it('has all measures, whatever the sweep asks for', async () => {
    const plan = await planSmall({ ...SWEEP, measures: ['skill'] });
    const planned = plan.caseAt(0);
    const backend = createReferenceBackend();
    const [{ rows: _rows, variables: _variables, ...outcome }] = await runCases(backend, [planned]);
    backend.dispose();
    const times = { start: new Date(0), end: new Date(1000) };
    const text = formatCaseRecord(planned, outcome, ['methods[2].inflation', 'grid.nx'], REFERENCE, times);
    const record = readCaseRecord(encode(text), 'case.json', planned.hash);
    expect(record).toMatchObject({ hash: planned.hash, seed: 1, values: { 'methods[2].inflation': 1, 'grid.nx': 16 } });
    expect(record.methods).toEqual(outcome.methods);
    expect(Object.keys(record.methods[1].measures)).toContain('rmse_forecast_hv');
    expect(keepCase(plan, record)).toEqual(keepCase(plan, outcome));
    expect(() => readCaseRecord(encode(text), 'case.json', '0'.repeat(32))).toThrow('case.json: hash: found');
    expect(() => readCaseRecord(encode(text.slice(0, 200)), 'case.json', planned.hash)).toThrow(
      /^case\.json:\d+:\d+: /,
    );
  });
});

const reading = { file: 'definition.json', readFile: noFile };

async function recordOf(definition: object, raw: object = SMALL_SCENARIO) {
  const sweep = validateSweepDefinition({ version: 1, scenario: 'small', ...definition }, 'sweep.json');
  const plan = await planSmall(definition, raw);
  return { plan, record: readSweepRecord(encode(formatSweepRecord(recordSweep(sweep, raw, plan))), 'definition.json') };
}

/** Between the sweep of a folder, which is `SWEEP`, and another. */
async function differenceOf(definition: object, raw?: object): Promise<string | undefined> {
  const [stored, wanted] = [await recordOf(SWEEP), await recordOf(definition, raw)];
  return describeSweepDifference(stored.record, wanted.record, wanted.plan, reading);
}

describe('definition.json', () => {
  it('is continued by the same, by another name or measure, and by what has more cases', async () => {
    expect(await differenceOf(SWEEP)).toBeUndefined();
    expect(await differenceOf({ ...SWEEP, name: 'other', measures: ['chi_square'] })).toBeUndefined();
    expect(await differenceOf({ ...SWEEP, seeds: { from: 0, count: 9 } })).toBeUndefined();
    expect(await differenceOf(SWEEP, { ...SMALL_SCENARIO, title: 'New' })).toBeUndefined();
  });

  it('is not continued by what has other cases, and the first difference is named', async () => {
    expect(await differenceOf({ ...SWEEP, seeds: [1, 2] })).toBe('definition.seeds.2 is 3 in the folder, absent now');
    const raw = { ...SMALL_SCENARIO, experiment: { ...SMALL_SCENARIO.experiment, cycles: 5 } };
    expect(await differenceOf(SWEEP, raw)).toBe('scenario.experiment.cycles is 4 in the folder, 5 now');
  });
});
