import { describe, expect, it } from 'vitest';
import { againstBaseline } from '../../../../app/features/runs/baseline-comparison.tsx';
import { runsAsCsv, runsAsJson } from '../../../../app/features/runs/run-commands.ts';
import type { KeptRun } from '../../../../app/features/runs/kept-run.ts';
import { scenarioOf } from '../../document/run/fake-run.ts';
import { keptRun, rowsOf } from './kept.ts';

const CYCLES = 60;

/** A run with an inflation of its own, the error of its LETKF, and a seed. */
function runWith(number: number, inflation: number, error: number, seed = 1, more: Partial<KeptRun> = {}): KeptRun {
  const methods = [{ kind: 'free-run' }, { kind: 'letkf', inflation }];
  const rows = new Map([
    ['free-run', rowsOf('free-run', CYCLES, 2)],
    ['letkf', rowsOf('letkf', CYCLES, error)],
  ]);
  const scenario = scenarioOf(CYCLES, { methods, seed });
  return keptRun(number, { scenario, rows, cycles: CYCLES, completed: CYCLES, ...more });
}

function file(byte: number): Partial<KeptRun> {
  return { files: { 'bed.npy': new Uint8Array([byte]) } };
}

describe('the run on screen against the baseline', () => {
  it('is compared cycle by cycle, each method with its like, where truth and observations are the same', () => {
    const [baseline, onScreen] = [runWith(1, 1.1, 0.5), runWith(2, 1.3, 0.4)];
    const found = againstBaseline(baseline, onScreen, [baseline, onScreen]);
    expect(found?.methods.map(({ label }) => label)).toEqual(['free-run', 'letkf']);
    expect(found?.methods[0].words).toBe('the same');
    // The errors of both are one series times 0.5 and 0.4: the change is −20 % in each cycle.
    const { change, words, isBetter } = found?.methods[1] ?? {};
    expect(change?.estimate).toBeCloseTo(-0.2, 12);
    expect(isBetter).toBe(false);
    expect(words).toMatch(/^0\.80* times \(.*\), better in 60 of 60 cycles$/);
    expect(found?.why).toContain('over the cycles in common');
  });

  it('is compared over seeds where the list has finished runs of both on the same ones', () => {
    const seeds = [1, 2, 3, 4, 5, 6, 7];
    const before = seeds.map((seed) => runWith(seed, 1.1, 0.5 + 0.01 * seed, seed));
    const after = seeds.map((seed) => runWith(10 + seed, 1.3, 0.4 + 0.01 * seed, seed));
    const found = againstBaseline(before[2], after[0], [...before, ...after]);
    expect(found?.why).toContain('over 7 seeds');
    expect(found?.methods[1].words).toMatch(/^better on 7 of 7 seeds/);
    expect(found?.methods[1].isBetter).toBe(true);
  });

  it('is not compared across worlds, seeds, or with itself, and says why', () => {
    const baseline = runWith(1, 1.1, 0.5);
    const otherSeed = runWith(2, 1.3, 0.4, 2);
    expect(againstBaseline(baseline, otherSeed, [baseline, otherSeed])).toEqual({
      methods: [],
      why: 'Not compared: its seed is 1, that of the run on screen 2. Two finished runs of each on the same seeds can be.',
    });
    const elsewhere = keptRun(3, { scenario: scenarioOf(CYCLES, { grid: { nx: 8, ny: 4, dx: 10, dy: 10 } }) });
    expect(againstBaseline(baseline, elsewhere, [])?.why).toMatch(
      /^Not compared: truth or observations of the run on screen/,
    );
    const again = runWith(4, 1.1, 0.5, 7);
    expect(againstBaseline(baseline, again, [])?.why).toContain('another seed');
    expect(againstBaseline(baseline, baseline, [baseline])).toBeUndefined();
    expect(againstBaseline(undefined, baseline, [baseline])).toBeUndefined();
    // Of another bed under the same name.
    const beds = [runWith(5, 1.1, 0.5, 1, file(1)), runWith(6, 1.3, 0.4, 1, file(2))];
    expect(againstBaseline(beds[0], beds[1], beds)?.why).toMatch(/^Not compared: truth or observations/);
    const same = [runWith(5, 1.1, 0.5, 1, file(1)), runWith(6, 1.3, 0.4, 1, file(1))];
    expect(againstBaseline(same[0], same[1], same)?.methods.length).toBe(2);
  });

  it('omits a method that diverged', () => {
    const baseline = runWith(1, 1.1, 0.5);
    const onScreen = runWith(2, 1.3, 0.4, 1, { diverged: [{ method: 'letkf', cycle: 40 }] });
    expect(againstBaseline(baseline, onScreen, [])?.methods.map(({ label }) => label)).toEqual(['free-run']);
  });
});

describe('the list as a file', () => {
  const runs = [runWith(1, 1.1, 0.5), runWith(2, 1.3, 0.4, 1, { note: 'a note, "quoted"\nof two lines' })];
  const list = { runs, baselineRun: runs[0] };

  it('holds scenarios, notes, differences and results as JSON', () => {
    const document = JSON.parse(runsAsJson(list)) as { runs: Record<string, unknown>[] };
    expect(document.runs.map(({ number, baseline, differences }) => [number, baseline, differences])).toEqual([
      [1, true, []],
      [2, false, ['LETKF › Inflation 1.1 → 1.3']],
    ]);
    expect(document.runs[1]).toMatchObject({
      note: 'a note, "quoted"\nof two lines',
      scenario: { name: 'small' },
      state: 'complete',
      results: [{ method: 'free-run' }, { method: 'letkf' }],
    });
  });

  it('has a line a method of each run as CSV', () => {
    const [head, ...lines] = runsAsCsv(list).split('\r\n');
    expect(head).toContain(
      'run,title,note,baseline,scenario,seed,backend,state,cycles,method,"RMSE of h, forecast (m)"',
    );
    expect(lines.filter((line) => line.startsWith('1,Small,,yes,small,1,wasm,complete,60,'))).toHaveLength(2);
    expect(runsAsCsv(list)).toContain('"a note, ""quoted""\nof two lines"');
  });
});
