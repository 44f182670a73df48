import { describe, expect, test } from 'vitest';
import type { Motion, Plane } from '../../../engine/index.ts';
import { momentOf, planesOnTheWay, surfaceAt } from '../../../app/stage/passage.ts';
import { TRUTH } from '../../../app/document/views/method-style.ts';
import { transitBetween, type Transit } from '../../../app/document/run/history.ts';
import { snapshotOf } from '../document/run/fake-run.ts';

function plane(value: number): Plane {
  return { kind: 'host', values: Float32Array.of(value) };
}

const motion: Motion = {
  cycle: 5,
  surfaces: [
    { method: undefined, frames: [{ share: 0.5, eta: plane(1) }] },
    { method: 'letkf', frames: [{ share: 0.5, eta: plane(2) }] },
  ],
};

function way(duration: number): Transit {
  const found = transitBetween(snapshotOf(4), snapshotOf(5), motion, duration, 1000);
  if (!found) throw new Error('there is no way');
  return found;
}

function first(from: Plane): number {
  return from.kind === 'host' ? from.values[0] : Number.NaN;
}

/** The number that a plane or a blend of planes has at its first cell. */
function valueOf(content: ReturnType<typeof surfaceAt> | undefined): number {
  if (!content) return Number.NaN;
  if (!('weightA' in content)) return first(content);
  return content.weightA * first(content.a) + content.weightB * first(content.b);
}

describe('the way between two cycles', () => {
  test('is there only from one cycle to the very next, where its motion is kept', () => {
    expect(transitBetween(snapshotOf(3), snapshotOf(5), motion, 500, 0)).toBeUndefined();
    expect(transitBetween(snapshotOf(4), snapshotOf(5), undefined, 500, 0)).toBeUndefined();
    expect(transitBetween(snapshotOf(5), snapshotOf(6), motion, 500, 0)).toBeUndefined();
    expect(transitBetween(undefined, snapshotOf(5), motion, 500, 0)).toBeUndefined();
    expect(transitBetween(snapshotOf(4), snapshotOf(5), motion, 500, 0)).toBeDefined();
  });

  test('gives the analysis 0.7 s if there is time, less at higher speeds, and never flashes more than thrice a second', () => {
    expect(way(2000).analysis).toBe(700);
    expect(way(4000).analysis).toBe(700);
    expect(way(500).analysis).toBeCloseTo(175, 9);
    expect([2000, 400, 333, 125].map((duration) => way(duration).flashes)).toEqual([true, true, false, false]);
  });
});

describe('a moment on the way', () => {
  test('goes through the window, then from forecast to analysis under the light, and ends there', () => {
    const moments = [0, 650, 1300, 1454, 1590, 1999, 2000, 9000].map((passed) => momentOf(way(2000), 1000 + passed));
    expect(moments.map(({ leg }) => leg)).toEqual([
      'forecast',
      'forecast',
      'increment',
      'increment',
      'increment',
      'increment',
      'analysis',
      'analysis',
    ]);
    expect(moments.map(({ share }) => share)).toEqual([0, 0.5, 1, 1, 1, 1, 1, 1]);
    expect(moments[3].weight).toBeCloseTo(0, 9);
    expect(moments[3].glow).toBeCloseTo(1, 9);
    expect(moments[4].weight).toBeGreaterThan(0.4);
    expect([moments[5].weight, moments[6].glow]).toEqual([1, 0]);
    expect(moments[5].glow).toBeLessThan(0.001);
  });

  test('at high speeds has no light', () => {
    const times = Array.from({ length: 50 }, (_, n) => 1000 + 2.5 * n);
    expect(Math.max(...times.map((now) => momentOf(way(125), now).glow))).toBe(0);
  });
});

describe('the surface inside a window', () => {
  test('lies between the two frames beside it', () => {
    const frames = [
      { share: 0.25, eta: plane(1) },
      { share: 0.5, eta: plane(5) },
    ];
    const at = (share: number): number => valueOf(surfaceAt(plane(0), frames, plane(7), share));
    expect([0, 0.125, 0.25, 0.375, 0.5, 0.75, 1].map(at)).toEqual([0, 0.5, 1, 3, 5, 6, 7]);
  });

  test('without frames goes straight', () => {
    expect(valueOf(surfaceAt(plane(2), [], plane(4), 0.5))).toBe(3);
  });
});

describe('what a view shows on the way', () => {
  test('the truth moves through its frames and is not corrected', () => {
    const at = momentOf(way(2000), 1650);
    expect(planesOnTheWay(way(2000), TRUTH, 'surface', at)?.eta).toBe(motion.surfaces[0].frames[0].eta);
  });

  test('a method is compared with the truth of the same moment', () => {
    const found = planesOnTheWay(way(2000), 'letkf', 'error', momentOf(way(2000), 1650));
    expect([valueOf(found?.eta), valueOf(found?.truthEta)]).toEqual([2, 1]);
  });

  test('only water is lit, and only while the analysis is made', () => {
    const [inWindow, inAnalysis] = [momentOf(way(2000), 1650), momentOf(way(2000), 2500)];
    const increment = (field: 'surface' | 'error', at: typeof inWindow) =>
      planesOnTheWay(way(2000), 'letkf', field, at)?.increment;
    expect(increment('surface', inWindow)).toBeUndefined();
    expect(increment('surface', inAnalysis)).toMatchObject({ weightA: 1, weightB: -1 });
    expect(increment('error', inAnalysis)).toBeUndefined();
  });

  test('an increment stays that of the last analysis until the next', () => {
    const transit = way(2000);
    const found = planesOnTheWay(transit, 'letkf', 'increment', momentOf(transit, 1650));
    expect(found?.forecastEta).toBe(transit.from.methods[0].forecast.eta);
    expect(found?.eta).toBe(transit.from.methods[0].analysis.eta);
  });

  test('what is known of an analysis stays until the next one is made', () => {
    const [from, to] = [4, 5].map((cycle) => {
      const { methods, ...rest } = snapshotOf(cycle);
      return { ...rest, methods: methods.map((method) => ({ ...method, inflation: cycle })) };
    });
    const transit = transitBetween(from, to, motion, 2000, 1000);
    if (!transit) throw new Error('there is no way');
    const inflationAt = (now: number) =>
      valueOf(planesOnTheWay(transit, 'letkf', 'inflation', momentOf(transit, now))?.local);
    expect([1650, 2500].map(inflationAt)).toEqual([4, 5]);
    expect(planesOnTheWay(transit, 'letkf', 'surface', momentOf(transit, 1650))?.local).toBeUndefined();
  });

  test('a method that is not at both ends has nothing', () => {
    expect(planesOnTheWay(way(2000), 'enkf', 'surface', momentOf(way(2000), 1650))).toBeUndefined();
  });
});
