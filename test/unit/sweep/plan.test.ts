/** The cases of a sweep: which they are, what they are called by, and what is wrong with values. */
import { describe, expect, it } from 'vitest';
import { groupCases } from '../../../engine/index.ts';
import { REFERENCE, SMALL_SCENARIO, planSmall } from './small-sweep.ts';

const LETKF = 'methods[letkf].inflation';

async function messageOf(definition: object, raw?: object): Promise<string> {
  return planSmall(definition, raw).then(
    () => 'nothing was wrong',
    (error: Error) => error.message,
  );
}

async function hashesOf(definition: object, raw?: object, origin = REFERENCE): Promise<readonly string[]> {
  return (await planSmall(definition, raw, origin)).hashes;
}

describe('a plan', () => {
  it('has the cases of a grid, the last setting faster than the others and the seed fastest of all', async () => {
    const plan = await planSmall({ grid: { [LETKF]: [1, 1.5], 'grid.nx': [16, 32] }, seeds: [3, 4] });
    expect(plan.axes.map(({ path }) => path)).toEqual(['methods[2].inflation', 'grid.nx']);
    expect(plan.axes.map(({ title }) => title)).toEqual(['letkf: Inflation', 'Grid: Cells along x (cells)']);
    expect(plan.count).toBe(8);
    expect(Array.from({ length: 8 }, (_, index) => [...plan.valuesAt(index), plan.seedAt(index)])).toEqual([
      [1, 16, 3],
      [1, 16, 4],
      [1, 32, 3],
      [1, 32, 4],
      [1.5, 16, 3],
      [1.5, 16, 4],
      [1.5, 32, 3],
      [1.5, 32, 4],
    ]);
    const { scenario } = plan.caseAt(7);
    expect(scenario).toMatchObject({ seed: 4, grid: { nx: 32 } });
    expect(scenario.methods[2]).toMatchObject({ label: 'letkf', inflation: 1.5 });
  });

  it('reports each combination that it has checked, whatever the number of seeds', async () => {
    const reported: (readonly [number, number])[] = [];
    await planSmall({ grid: { [LETKF]: [1, 1.2, 1.5] }, seeds: [3, 4] }, SMALL_SCENARIO, REFERENCE, (...counts) => {
      reported.push(counts);
    });
    expect(reported).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  it('has the cases of a list, with the scenario’s values where one leaves a setting out', async () => {
    const plan = await planSmall({ cases: [{ [LETKF]: 1.5 }, { 'grid.nx': 32 }] });
    expect([plan.valuesAt(0), plan.valuesAt(1)]).toEqual([
      [1.5, 16],
      [1.1, 32],
    ]);
    expect(plan.seeds).toEqual([1]);
  });

  it('has one case if nothing varies, and values that all cases have', async () => {
    const plan = await planSmall({ set: { 'methods[enkf].inflation': 1.3 } });
    expect(plan.count).toBe(1);
    expect(plan.caseAt(0).scenario.methods[3]).toMatchObject({ inflation: 1.3 });
    expect(plan.scenario).toMatchObject({
      methods: expect.arrayContaining([expect.objectContaining({ inflation: 1.3 })]),
    });
  });

  it.each([
    [
      { grid: { 'methods[letfk].inflation': [1] } },
      'no method has the label "letfk", allowed: "free-run", "3dvar", "letkf", "enkf" or "nudging", or an index; did you mean methods[letkf]?',
    ],
    [
      { grid: { 'methods[letkf].inflaton': [1] } },
      'sweep.json: grid["methods[letkf].inflaton"][0]: methods[2].inflaton: unknown key "inflaton"; did you mean "inflation"?',
    ],
    [
      { grid: { [LETKF]: [1, -1] } },
      'sweep.json: grid["methods[letkf].inflation"][1]: methods[2].inflation: found -1, allowed: a number from 1',
    ],
    [{ cases: [{}, { 'grid.nx': 'wide' }] }, 'sweep.json: cases[1]["grid.nx"]: found "wide", allowed: a whole number'],
    [{ set: { 'grid.nx': 1 } }, 'sweep.json: set["grid.nx"]: found 1, allowed: a whole number'],
    [{ grid: { seed: [1, 2] } }, 'grid.seed: found the seed among the settings, allowed: "seeds": [1, 2, 3]'],
    [{ grid: { title: ['a', 'b'] } }, 'grid.title: found a setting that changes no number of a run'],
    [{ grid: { [LETKF]: [1], 'methods[2].inflation': [1] } }, 'found the same setting as "methods[letkf].inflation"'],
    [
      { grid: { 'background.members': [1, 6] } },
      'grid["background.members"][0]: found 1, allowed: at least 2 with the methods "letkf", "enkf"',
    ],
    [
      { methods: ['letkf', 'enfk'] },
      'methods[1]: found "enfk", allowed: "free-run", "3dvar", "letkf", "enkf" or "nudging"; did you mean "enkf"?',
    ],
    [
      { methods: ['enkf'], grid: { [LETKF]: [1, 1.1] } },
      'combinations 0 and 1 give the same numbers: what differs between them has no part in the methods that run',
    ],
  ])('of %j is refused', async (definition, message) => {
    expect(await messageOf(definition)).toContain(message);
  });
});

describe('the hash of a case', () => {
  const sweep = { grid: { [LETKF]: [1, 1.5] }, seeds: [1, 2] };

  it('is the same for the same numbers, whatever they are called', async () => {
    const renamed = { ...SMALL_SCENARIO, name: 'other', title: 'Other', description: 'Of the same.', seed: 9 };
    expect(await hashesOf(sweep, renamed)).toEqual(await hashesOf(sweep));
    const byIndex = { cases: [{ 'methods[2].inflation': 1 }, { 'methods[2].inflation': 1.5 }], seeds: [1, 2] };
    expect(await hashesOf(byIndex)).toEqual(await hashesOf(sweep));
  });

  it('is that of the defaults where they are written out', async () => {
    const written = { ...SMALL_SCENARIO, experiment: { ...SMALL_SCENARIO.experiment, spinup: 1 } };
    expect(await hashesOf(sweep, written)).toEqual(await hashesOf(sweep));
  });

  it.each([
    ['another setting', { ...SMALL_SCENARIO, grid: { ...SMALL_SCENARIO.grid, nx: 20 } }, {}],
    ['other methods', SMALL_SCENARIO, { methods: ['free-run', 'letkf'] }],
  ])('is another with %s', async (_what, raw, more) => {
    const other = await hashesOf({ ...sweep, ...more }, raw);
    expect(other.filter((hash) => !new Set(other).has(hash))).toEqual([]);
    const ours = new Set(await hashesOf(sweep));
    expect(other.some((hash) => ours.has(hash))).toBe(false);
  });

  it('is another elsewhere, and in another version', async () => {
    const ours = await hashesOf(sweep);
    const wasm = { ...REFERENCE, backend: { name: 'wasm', adapter: 'WebAssembly SIMD' } } as const;
    const later = { ...REFERENCE, versions: { shoal: '2.0.0' } };
    const node = { ...REFERENCE, versions: { ...REFERENCE.versions, node: '99' } };
    expect(await hashesOf(sweep, SMALL_SCENARIO, wasm)).not.toEqual(ours);
    expect(await hashesOf(sweep, SMALL_SCENARIO, later)).not.toEqual(ours);
    expect(await hashesOf(sweep, SMALL_SCENARIO, node)).toEqual(ours);
  });
});

describe('groups', () => {
  it('hold cases of one world and seed, few enough to be lost together', async () => {
    const inflations = Array.from({ length: 10 }, (_, n) => 1 + n / 10);
    const plan = await planSmall({ grid: { [LETKF]: inflations, 'grid.nx': [16, 20] }, seeds: [1, 2] });
    const groups = groupCases(plan, plan.hashes.keys());
    const sizes = groups.map(({ length }) => length);
    expect(sizes.toSorted((a, b) => a - b)).toEqual([2, 2, 2, 2, 8, 8, 8, 8]);
    for (const group of groups) {
      expect(new Set(group.map((index) => JSON.stringify([plan.valuesAt(index)[1], plan.seedAt(index)]))).size).toBe(1);
    }
    expect(groups.flat().toSorted((a, b) => a - b)).toEqual([...plan.hashes.keys()]);
  });

  it('hold one case if there is no memory for two, and where interventions name methods by their index', async () => {
    const grid = { [LETKF]: [1, 1.1, 1.2] };
    const plan = await planSmall({ grid });
    expect(groupCases(plan, plan.hashes.keys(), { bytes: 1 })).toEqual([[0], [1], [2]]);
    const interventions = [{ kind: 'setting', cycle: 2, path: 'methods[3].inflation', value: 1.2 }];
    const steered = await planSmall({ grid }, { ...SMALL_SCENARIO, interventions });
    expect(groupCases(steered, steered.hashes.keys())).toEqual([[0], [1], [2]]);
  });
});
