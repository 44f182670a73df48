/** Where cells, lines and small multiples are. */
import { describe, expect, it } from 'vitest';
import type { SweepResults } from '../../../../engine/index.ts';
import { readSweep } from '../../../../app/features/reading/sweep-table.ts';
import { arrange, firstAxes, spotOf, cellsOf, combinationsOf } from '../../../../app/features/sweeps/arrangement.ts';
import {
  facetBoxes,
  cellBox,
  layoutHeat,
  spotAt,
  cellText,
  divergedShare,
  heatShapes,
} from '../../../../app/features/sweeps/heat-layout.ts';
import { isByRatios, layoutLines, pointAt } from '../../../../app/features/sweeps/lines-layout.ts';
import { sweepResults } from '../../../setup/sweep-results.ts';

const tableOf = (results: SweepResults) =>
  readSweep({ name: 's.json', bytes: new TextEncoder().encode(JSON.stringify(results)) });
const table = tableOf(sweepResults());
const combinations = combinationsOf(table);
const cells = cellsOf(table, combinations, { measure: 0, method: 2 });
const arranged = arrange(table, combinations, firstAxes(table));
const SIZES = [
  [1040, 600],
  [650, 400],
  [360, 300],
] as const;

/** Heights of the rectangles of a path. */
function heights(path: string): number[] {
  return [...path.matchAll(/v([\d.]+)/g)].map(([, height]) => Number(height));
}

describe('small multiples', () => {
  const room = {
    left: 30,
    bottom: 40,
    head: 20,
    gap: 12,
    least: { width: 80, height: 60 },
    most: { width: 500, height: 400 },
  };

  it.each([1, 2, 3, 7, 24, 200])('of %i do not overlap, and stay inside their width', (count) => {
    for (const [width, height] of SIZES) {
      const { boxes, height: needed } = facetBoxes({ ...room, count, width, height });
      expect(boxes).toHaveLength(count);
      expect(Math.max(...boxes.map(({ left, width: wide }) => left + wide))).toBeLessThanOrEqual(width + 1e-9);
      expect(Math.max(...boxes.map(({ top, height: high }) => top + high)) + room.bottom).toBeCloseTo(needed, 9);
      expect(Math.min(...boxes.map(({ height: high }) => high))).toBeGreaterThanOrEqual(60);
      const overlapping = boxes.filter((a, n) =>
        boxes
          .slice(n + 1)
          .some((b) => a.left + a.width > b.left && b.left + b.width > a.left && a.top + a.height > b.top),
      );
      expect(overlapping).toEqual([]);
      expect(boxes.filter(({ isLowest }) => isLowest).length).toBeGreaterThan(0);
    }
  });
});

describe('a heat map', () => {
  it.each(SIZES)('of %i by %i pixels has each cell where it is found again', (width, height) => {
    const layout = layoutHeat(arranged, { width, height, em: 11, top: 60 });
    for (const number of combinations.keys()) {
      const spot = spotOf(arranged, number);
      if (!spot) throw new Error('a combination has no spot');
      const box = cellBox(layout, spot);
      expect(spotAt(layout, box.left + box.width / 2, box.top + box.height / 2)).toEqual(spot);
      expect(box.left + box.width).toBeLessThanOrEqual(width + 1e-9);
    }
    expect(spotAt(layout, 2, 2)).toBeUndefined();
  });

  it('has larger values of the upward axis above', () => {
    const layout = layoutHeat(arranged, { width: 900, height: 500, em: 11, top: 60 });
    const [low, high] = [0, 3].map((row) => cellBox(layout, { facet: 0, row, column: 0 }).top);
    expect(high).toBeLessThan(low);
  });

  it('writes the values of its axes so that none meets the next', () => {
    const axis = { path: 'a', title: 'A', values: Array.from({ length: 100 }, (_, n) => 1000 + n) };
    const many = Array.from({ length: 100 }, (_, n) => ({ at: [n], rows: [n] }));
    const layout = layoutHeat(arrange({ axes: [axis] }, many, { x: 0, y: undefined }), {
      width: 600,
      height: 300,
      em: 11,
      top: 0,
    });
    const ticks = layout.facets[0].x;
    expect(ticks.length).toBeGreaterThan(3);
    const steps = ticks.slice(1).map(({ at }, n) => at - ticks[n].at);
    expect(Math.min(...steps)).toBeGreaterThan(4 * 0.6 * 11);
  });

  it('draws cells of one colour as one path, hatched as high as the share that diverged', () => {
    const layout = layoutHeat(arranged, { width: 900, height: 500, em: 11, top: 60 });
    const ink = { colour: 'rgb(1 2 3)', dark: false };
    const paints = cells.map((cell) => ({
      ink: cell.median === null ? undefined : ink,
      text: cellText(cell),
      hatched: divergedShare(cell),
    }));
    const { fills, empty, hatches, texts, untried } = heatShapes(layout, arranged, paints);
    expect(fills).toHaveLength(1);
    expect(heights(fills[0].path)).toHaveLength(38);
    expect(heights(empty)).toHaveLength(2);
    expect(untried).toBe('');
    expect(heights(hatches.whole)).toEqual(heights(empty));
    // Two of eight seeds, in six cells; paths are written to a tenth of a pixel.
    expect(heights(hatches.light)).toHaveLength(6);
    for (const height of heights(hatches.light)) expect(Math.abs(height - heights(empty)[0] / 4)).toBeLessThan(0.1);
    expect(texts).toHaveLength(38);
  });
});

describe('lines', () => {
  const room = { width: 900, height: 500, em: 11, top: 40, near: undefined };
  const layout = layoutLines(arranged, cells, room);

  it('are one a value of the other axis, with a gap if nothing is left', () => {
    expect(layout.facets.map(({ lines }) => lines.length)).toEqual([4, 4]);
    const [, , , widest] = layout.facets[0].lines;
    expect(widest.points.map(({ kind }) => kind)).toEqual(['whole', 'whole', 'whole', 'whole', 'lost']);
    expect(widest.path.match(/[ML]/g)).toHaveLength(4);
    expect(layout.facets[0].lines[1].points.at(-1)?.kind).toBe('partial');
  });

  it('have their points at distances of their values, and their names at their ends', () => {
    const [{ points, label }] = layout.facets[0].lines;
    const [a, b, , , e] = points.map(({ x }) => x);
    expect((b - a) / (e - a)).toBeCloseTo(0.02 / 0.2, 6);
    expect(label?.text).toBe('2');
    expect(label?.x).toBeGreaterThan(e);
  });

  it('have a key where their names have no room near their ends', () => {
    expect(layout.needsKey).toBe(false);
    const many = tableOf(sweepResults({ halfWidths: Array.from({ length: 40 }, (_, n) => 2 + n), seeds: [1] }));
    const all = combinationsOf(many);
    const manyCells = cellsOf(many, all, { measure: 0, method: 2 });
    expect(layoutLines(arrange(many, all, firstAxes(many)), manyCells, room).needsKey).toBe(true);
    expect(layoutLines(arrange(table, combinations, { x: 0, y: undefined }), cells, room).needsKey).toBe(false);
  });

  it('are read at the nearest point of the plot that is pointed at', () => {
    for (const { lines } of layout.facets) {
      for (const { points } of lines) {
        for (const { x, y, combination } of points) expect(pointAt(layout, x, y)).toBe(combination);
      }
    }
    expect(pointAt(layout, 2, 2)).toBeUndefined();
  });

  it('go by ratios where values were tried so', () => {
    expect(isByRatios([2, 4, 8, 16])).toBe(true);
    expect(isByRatios([2, 4, 6, 8, 10])).toBe(false);
    expect(isByRatios([1, 1.02, 1.05, 1.1, 1.2])).toBe(false);
    expect(isByRatios([0, 1, 10])).toBe(false);
  });
});
