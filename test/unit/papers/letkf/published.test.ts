/** The published figures in the code, held to the tables of [letkf-gpu] as the paper prints them: times one core of a Q6600. */
import { describe, expect, it } from 'vitest';
import { benchmarksOf } from '../../../../engine/papers/index.ts';
import { LETKF_PARTS, publishedAnalysis, publishedPart } from '../../../../engine/papers/letkf/published.ts';

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

const ROWS = TABLES.trim()
  .split('\n')
  .map((row) => {
    const [n, part, ...figures] = row.split(/\s+/);
    return { n: Number(n), part, figures: figures.map(Number) };
  });

describe('published figures of the LETKF', () => {
  it('are those of the tables, and no others', () => {
    for (const n of [192, 256]) {
      for (const part of LETKF_PARTS) {
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
    expect(LETKF_PARTS.flatMap((part) => publishedPart(128, part))).toEqual([]);
  });

  it('have the ratio of the cards that the paper prints, of rounded figures', () => {
    for (const { n, part, figures } of ROWS) {
      const [second, first] = publishedPart(n, LETKF_PARTS.find((each) => each === part) ?? 'p');
      expect(second.value / first.value).toBeCloseTo(figures[2], 1);
    }
  });

  it('are beside the rows that they are of', () => {
    const rows = benchmarksOf(['letkf'], 'papers').filter(({ name }) => /-(?:192|256)-k32-l9$/.test(name));
    const of = (name: string): number[] =>
      rows.find((each) => each.name === `letkf-${name}-k32-l9`)?.published.map(({ value }) => value) ?? [];
    for (const { n, part, figures } of ROWS) expect(of(`${part}-${n}`)).toEqual([figures[1], figures[0]]);
    expect(of('c-naive-192')).toEqual([]);
  });

  it('say beside the whole analysis that they are not of it', () => {
    for (const [n, value] of [
      [192, 92.7],
      [256, 99.6],
    ]) {
      expect(publishedAnalysis(n)).toMatchObject([{ value, includes: expect.stringContaining('not the whole') }]);
    }
  });
});
