/** `shoal run --seeds` as a process: what it says of the methods, its folder, and that what is done is not run again. */
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSweepResults } from '../../engine/index.ts';
import { commandLine } from './command-line.ts';

const { at, shoal } = commandLine();
const RUN = ['run', 'small.json', '--backend', 'reference', '--set', 'experiment.cycles=3'];

function casesIn(folder: string): readonly string[] {
  return readdirSync(at(folder, 'cases')).toSorted();
}

describe('run --seeds', () => {
  it('is a sweep of one point that compares the methods over seeds, and continues with more', async () => {
    const { code, stdout, errors } = await shoal(...RUN, '--seeds', '6', '--json');
    expect([code, errors.at(-1)]).toEqual([0, expect.stringMatching(/^small: 6 seeds, \d+ processe?s?; /)]);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ scenario: 'small', seeds: [1, 2, 3, 4, 5, 6], state: 'complete', failures: [] });
    expect(found.folder).toMatch(/^sweeps\/small-6-seeds-[0-9a-f]{8}$/);
    expect(found.comparisons).toMatchObject({ over: 'seeds' });
    expect(found.comparisons.pairs.map(({ words }: { words: string }) => words)).toEqual([
      expect.stringMatching(/ of 6 seeds/),
      expect.stringMatching(/ of 6 seeds/),
    ]);
    expect(casesIn(found.folder)).toHaveLength(6);
    const results = readSweepResults(readFileSync(at(found.folder, 'sweep.json')), 'sweep.json');
    expect(results.cases.map(({ seed, state }) => [seed, state])).toEqual(
      [1, 2, 3, 4, 5, 6].map((seed) => [seed, 'complete']),
    );

    // The numbers of a seed are those of a run of its own.
    const single = JSON.parse((await shoal(...RUN, '--seed', '4', '--json')).stdout);
    const [, local] = found.methods;
    expect(local.measures['rmse_analysis_h'].bySeed[3]).toBe(single.methods[1].rmse.analysis.h);

    const more = await shoal(...RUN, '--seeds', '1-7', '--out', found.folder, '--resume');
    expect(more.code).toBe(0);
    expect(more.errors.at(-1)).toBe(`${found.folder}: 6 of 7 cases are done already`);
    expect(more.stdout).toContain('Medians over 7 seeds (1-7)');
    expect(more.stdout).toContain('over 7 seeds, with its exact interval.');
    expect(casesIn(found.folder)).toHaveLength(7);
  });
});
