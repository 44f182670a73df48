/** Runs beside each other: what is paired with what, and when nothing is. */
import { describe, expect, it } from 'vitest';
import {
  compareRuns,
  gatherSummary,
  parseScenario,
  summaryTerms,
  versionDifferences,
  winnerAmong,
} from '../../../engine/index.ts';
import type { ComparedRun } from '../../../engine/index.ts';
import { randomStream } from '../../../engine/random/stream.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';

const CYCLES = 40;

const SCENARIO = {
  version: 3,
  name: 'small',
  methods: [{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf' }],
  experiment: { cycles: CYCLES },
};

interface Given {
  readonly seed?: number;
  /** Changed settings of the scenario. */
  readonly set?: object;
  readonly record?: Partial<ComparedRun>;
  /** Factor on the LETKF's error. */
  readonly letkf?: number;
  readonly cycles?: number;
}

/** A run whose methods' errors are their factor of what a seed finds hard, with noise of their own. */
function run(name: string, { seed = 1, set = {}, record = {}, letkf = 0.5, cycles = CYCLES }: Given = {}): ComparedRun {
  const { scenario } = parseScenario(JSON.stringify({ ...SCENARIO, seed, ...set }), 'small.json');
  const methods = scenario.methods.map(({ label, kind }) => ({ label, kind, members: 4 }));
  const hard = randomStream(seed, 'test.hard');
  const factors = new Map([
    ['free-run', 1],
    ['3dvar', 0.6],
    ['letkf', letkf],
  ]);
  const own = randomStream(seed, `test.own.${name}`);
  const rows = Array.from({ length: cycles }, (_, cycle) => {
    const level = Math.exp(0.2 * hard.normal());
    return methods.map(({ label }) => {
      const h = (factors.get(label) ?? 1) * level * Math.exp(0.05 * own.normal());
      return diagnosticsRow(label, cycle, { h, hu: 1 });
    });
  }).flat();
  return {
    name,
    scenario,
    seed,
    backend: { name: 'wasm', adapter: 'any' },
    versions: { shoal: '1' },
    state: 'complete',
    cycles: scenario.experiment.cycles,
    completedCycles: cycles,
    methods,
    diverged: [],
    files: {},
    summary: gatherSummary(rows, summaryTerms(scenario)),
    ...record,
  };
}

const INFLATED = { methods: [{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf', inflation: 1.5 }] };
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

function ratios(found: ReturnType<typeof compareRuns>): Record<string, number> {
  return Object.fromEntries(
    found.comparisons.pairs.map(({ method, reference, comparison }) => [
      `${method} ${reference}`,
      1 + (comparison?.change.estimate ?? Number.NaN),
    ]),
  );
}

describe('compareRuns', () => {
  it('pairs runs of one seed cycle by cycle where methods alone differ', () => {
    const found = compareRuns([run('a'), run('b', { set: INFLATED, letkf: 0.3 })]);
    expect(found).toMatchObject({ over: 'cycles', seeds: [1], leftOut: [] });
    expect(found.why).toMatch(/truth and observations are the same \(seed 1\)/);
    expect(found.groups.map(({ number, differences }) => [number, differences.map(({ path }) => path)])).toEqual([
      [1, []],
      [2, ['methods[letkf].inflation']],
    ]);
    expect(found.comparisons.least).toBe('letkf [2]');
    for (const { comparison } of found.comparisons.pairs) expect(comparison).not.toHaveProperty('verdict');
    expect(ratios(found)).toMatchObject({
      'letkf [1] least': expect.closeTo(5 / 3, 1),
      'letkf [2] first': expect.closeTo(0.6, 1),
      'letkf [2] free-run': expect.closeTo(0.3, 1),
      '3dvar [2] first': expect.closeTo(1, 1),
    });
  });

  it('pairs runs that differ by their seed seed by seed', () => {
    const found = compareRuns(SEEDS.map((seed) => run(`s${seed}`, { seed })));
    expect(found).toMatchObject({ over: 'seeds', seeds: SEEDS });
    expect(found.groups).toHaveLength(1);
    const pair = found.comparisons.pairs.find(({ method, reference }) => method === '3dvar' && reference === 'least');
    expect(pair).toMatchObject({ against: 'letkf', comparison: { pairs: 11, wins: 0, verdict: 'b' } });
  });

  it('pairs several settings over the seeds that all have, and says which runs have no part', () => {
    const first = SEEDS.map((seed) => run(`a${seed}`, { seed }));
    const second = SEEDS.slice(1).map((seed) => run(`b${seed}`, { seed, set: INFLATED, letkf: 0.3 }));
    const found = compareRuns([...first, ...second]);
    expect(found).toMatchObject({ over: 'seeds', seeds: SEEDS.slice(1) });
    expect(found.leftOut).toEqual(['a1 has no part in it: seed 1 is not in all of them.']);
    expect(found.over === 'seeds' && winnerAmong(found.comparisons)).toBe('letkf [2]');
    const pairs = found.comparisons.pairs.filter(({ method }) => method === 'letkf [2]');
    expect(pairs).toMatchObject([
      { reference: 'free-run', comparison: { verdict: 'a', wins: 10 } },
      { reference: 'first', comparison: { verdict: 'a', wins: 10 } },
    ]);
  });

  it('lets a method lose the seeds in which it diverged, and omits it of the cycles', () => {
    const diverged = [{ method: 'letkf', cycle: 9 }];
    const lost = SEEDS.map((seed) => run(`s${seed}`, { seed, ...(seed > 2 && { record: { diverged } }) }));
    const pair = compareRuns(lost).comparisons.pairs.find(({ method }) => method === 'letkf');
    expect(pair).toMatchObject({ against: '3dvar', comparison: { wins: 2, absent: { a: 9, b: 0 } } });
    const once = compareRuns([run('a', { record: { diverged } }), run('b', { set: INFLATED })]);
    expect(once.comparisons.pairs.map(({ method }) => method)).not.toContain('letkf [1]');
    expect(once.leftOut).toEqual(['letkf of a has no part in it: it diverged in cycle 9.']);
  });

  it('compares nothing where truth or observations are others', () => {
    for (const set of [{ grid: { nx: 20, ny: 20 } }, { observations: [] }, { experiment: { cycles: 40, window: 2 } }]) {
      const found = compareRuns([run('a'), run('b', { set })]);
      expect(found.over).toBeUndefined();
      expect(found.why).toMatch(/^not compared: truth or observations of \[2\] are not those of \[1\]/);
      expect(found.comparisons.pairs).toEqual([]);
      expect(found.groups[1].differences.length).toBeGreaterThan(0);
    }
    const [one, other] = ['a', 'b'].map((sha256) => run(sha256, { record: { files: { 'bed.npy': sha256 } } }));
    expect(compareRuns([one, other]).over).toBeUndefined();
  });

  it('compares nothing where no seed is in common, and nothing with itself', () => {
    const apart = compareRuns([run('a'), run('b', { seed: 2, set: INFLATED })]);
    expect(apart).toMatchObject({ over: undefined, why: expect.stringContaining('no seed') });
    const twice = compareRuns([run('a'), run('b')]);
    expect(twice).toMatchObject({ over: undefined, why: 'not compared: there is one run only' });
    expect(twice.leftOut).toEqual(['b is omitted: its settings, seed and backend are those of a.']);
  });

  it('takes the cycles that an unfinished run has, and omits it of the seeds', () => {
    const stopped = { record: { state: 'stopped' }, cycles: 30 } as const;
    const found = compareRuns([run('a'), run('b', { ...stopped, set: INFLATED })]);
    expect(found.over).toBe('cycles');
    const pair = found.comparisons.pairs.find(({ reference }) => reference === 'first');
    expect(pair?.comparison).toMatchObject({ cycles: 30 });
    const seeds = compareRuns([
      ...SEEDS.map((seed) => run(`s${seed}`, { seed })),
      run('late', { ...stopped, seed: 18 }),
    ]);
    expect(seeds).toMatchObject({ over: 'seeds', seeds: SEEDS });
    expect(seeds.leftOut).toEqual(['late has no part in it: it is not at its end (stopped).']);
    expect(compareRuns([run('a'), run('b', { ...stopped, seed: 2 })]).why).toMatch(/fewer than two runs/);
  });

  it('leaves aside what has no complete cycle', () => {
    const empty = run('none', { seed: 19, cycles: 0, record: { state: 'failed', methods: [] } });
    const found = compareRuns([...SEEDS.map((seed) => run(`s${seed}`, { seed })), empty]);
    expect(found).toMatchObject({ over: 'seeds', seeds: SEEDS, empty: [{ name: 'none' }] });
    expect(compareRuns([empty, empty])).toMatchObject({
      over: undefined,
      groups: [],
      why: expect.stringMatching(/none of them/),
    });
  });

  it('takes runs of other backends and of fewer methods for others, and says so', () => {
    const other = compareRuns([run('a'), run('b', { record: { backend: { name: 'reference', adapter: 'any' } } })]);
    expect(other.groups[1].differences.map(({ words }) => words)).toEqual(['backend wasm → reference']);
    expect(other.why).toMatch(/but for the rounding of their backends/);
    const methods = run('x').methods.slice(0, 2);
    const fewer = compareRuns([run('a'), run('b', { record: { methods } })]);
    expect(fewer.groups[1].differences[0].words).toBe('methods that were run free-run, 3dvar, letkf → free-run, 3dvar');
  });

  it('compares no means over other cycles', () => {
    const shorter = SEEDS.map((seed) => run(`b${seed}`, { seed, set: { experiment: { cycles: 30 } }, cycles: 30 }));
    const found = compareRuns([...SEEDS.map((seed) => run(`a${seed}`, { seed })), ...shorter]);
    expect(found.why).toMatch(/means of \[2\] are over other cycles/);
  });

  it('reports what methods one has and another does not have', () => {
    const set = { methods: [...SCENARIO.methods, { kind: 'enkf' }] };
    expect(compareRuns([run('a'), run('b', { set })]).groups[1].differences.map(({ words }) => words)).toContain(
      'enkf: not there → there',
    );
  });
});

it('distinguishes versions', () => {
  expect(
    versionDifferences([{ versions: { shoal: '1', node: '22' } }, { versions: { shoal: '2', node: '22' } }]),
  ).toEqual(['shoal 1, 2']);
  expect(versionDifferences([{ versions: { shoal: '1' } }, { versions: { shoal: '1' } }])).toEqual([]);
});
