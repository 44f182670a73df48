import { describe, expect, it } from 'vitest';
import { summariseRanks } from '../../../engine/index.ts';
import { rankPlot } from '../../../app/figures/rank-plot.ts';

const SIZE = { width: 380, height: 120, em: 11 };
const own = [10, 10, 10, 10];

/** Corners of a path of steps: where each begins and how high it is, pixels. */
function stepsOf(path: string): number[][] {
  return [...path.matchAll(/[ML]([\d.]+),([\d.]+)H([\d.]+)/g)].map((step) => step.slice(1).map(Number));
}

describe('a rank histogram with another run', () => {
  const others = [
    [30, 0],
    [3, 0, 0, 0, 0, 0, 0, 3],
  ].map((counts) => ({
    ranks: counts.length,
    summary: summariseRanks(counts),
  }));
  const { layout, outlines, level } = rankPlot(own.length, summariseRanks(own), SIZE, others);

  it('has the outline over the same axis, whatever the number of members', () => {
    for (const [n, { ranks }] of others.entries()) {
      const steps = stepsOf(outlines[n]);
      expect(steps).toHaveLength(ranks);
      expect(steps[0][0]).toBeCloseTo(layout.left, 0);
      expect(steps.at(-1)?.[2]).toBeCloseTo(layout.right, 0);
    }
  });

  it('has counts as multiples of what is expected of them, all within the axis', () => {
    // All ranks in one of two are twice what is expected of it; the ends of eight have four times as much each.
    expect(stepsOf(outlines[0])[0][1]).toBeCloseTo(layout.y.at(2 * 10), 0);
    expect(stepsOf(outlines[1])[7][1]).toBeCloseTo(layout.y.at(4 * 10), 0);
    expect(layout.y.at(10)).toBe(level);
    expect(layout.y.at(4 * 10)).toBeGreaterThanOrEqual(layout.top - 1);
  });
});
