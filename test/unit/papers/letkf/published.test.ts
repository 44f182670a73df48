/** The published figures in the code, held to the tables of [letkf-gpu] as the paper prints them: times one core of a Q6600. */
import { describe, expect, it } from 'vitest';
import { benchmarksOf } from '../../../../engine/papers/index.ts';
import { benchmarksOn } from '../../../../engine/benchmarks/index.ts';
import { publishedBeyond, publishedForms, publishedPart } from '../../../../engine/papers/letkf/published.ts';

/** GTX 260, GTX 460, and the second over the first; by cells a side, and by what is computed. */
const TABLES = `
256 c-naive      15.0   93.7  6.2
256 c-workgroup  54.0   77.5  1.4
256 c-members   225.8  181.1  0.8
256 p            52.5   80.8  1.5
256 c-p          70.7   99.6  1.4
192 c-members   211.4  175.4  0.8
192 p            54.3   75.1  1.4
192 c-p          72.1   92.7  1.3`;

const PARTS = ['c-naive', 'c-workgroup', 'c-members', 'p', 'c-p'] as const;

const ROWS = TABLES.trim()
  .split('\n')
  .map((row) => {
    const [n, part, ...figures] = row.split(/\s+/);
    return { n: Number(n), part: PARTS.find((each) => each === part) ?? 'p', figures: figures.map(Number) };
  });

describe('published figures of the LETKF', () => {
  it('are those of the tables, and no others', () => {
    for (const n of [192, 256]) {
      for (const part of PARTS) {
        const row = ROWS.find((each) => each.n === n && each.part === part);
        const values = publishedPart(n, part).map(({ value, hardware }) => `${hardware}: ${value}`);
        const expected = row
          ? [
              `GTX 460 over one core of a Q6600: ${row.figures[1]}`,
              `GTX 260 over one core of a Q6600: ${row.figures[0]}`,
            ]
          : [];
        expect([n, part, values]).toEqual([n, part, expected]);
      }
    }
    expect(PARTS.flatMap((part) => publishedPart(128, part))).toEqual([]);
  });

  it('have the ratio of the cards that the paper prints, of rounded figures', () => {
    for (const { n, part, figures } of ROWS) {
      const [second, first] = publishedPart(n, part);
      expect(second.value / first.value).toBeCloseTo(figures[2], 1);
    }
  });

  it('are beside the rows that they are of', () => {
    const names = {
      'c-naive': 'c-full-naive',
      'c-workgroup': 'c-full-workgroup',
      'c-members': 'c-full-members',
      p: 'product',
      'c-p': 'c-full-product',
    };
    const benchmarks = benchmarksOf(['letkf'], 'papers');
    const of = (name: string) => benchmarks.find((each) => each.name === `letkf-${name}-k32-l9`)?.published;
    for (const { n, part, figures } of ROWS) {
      expect(of(`${names[part]}-${n}`)?.map(({ value }) => value)).toEqual([figures[1], figures[0]]);
    }
    expect(of('c-full-naive-192')).toEqual([]);
    expect(of('inverse-256')).toEqual([]);
  });

  it('are all beside the one kernel of C of a processor, each with its form', () => {
    const benchmarks = benchmarksOf(['letkf'], 'papers');
    const rowsOf = (backend: 'wasm' | 'webgpu') =>
      benchmarksOn(benchmarks, backend)
        .map(({ name }) => name)
        .filter((name) => /^letkf-c-full-(?:naive-|workgroup-|members-)?256/.test(name));
    expect(rowsOf('wasm')).toEqual(['letkf-c-full-256-k32-l9']);
    expect(rowsOf('webgpu')).toEqual(
      ['naive', 'workgroup', 'members'].map((form) => `letkf-c-full-${form}-256-k32-l9`),
    );
    expect(publishedForms(256).map(({ value, includes }) => [value, includes])).toEqual([
      [181.1, 'decomposed by members, from shared memory'],
      [225.8, 'decomposed by members, from shared memory'],
      [77.5, 'from shared memory'],
      [54, 'from shared memory'],
      [93.7, 'naive, from global memory'],
      [15, 'naive, from global memory'],
    ]);
  });

  it('say beside the whole analysis that they are not of it', () => {
    for (const [n, value] of [
      [192, 92.7],
      [256, 99.6],
    ]) {
      expect(publishedBeyond(n, 'not the whole analysis')).toMatchObject([
        { value, includes: expect.stringContaining('not the whole') },
      ]);
    }
  });
});
