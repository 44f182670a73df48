import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../engine/random/stream.ts';
import { comparePaired, exchange } from '../../../engine/statistics/index.ts';
import type { PairedComparison } from '../../../engine/statistics/index.ts';

const TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** @returns a comparison that there is. */
function compared(...given: Parameters<typeof comparePaired>): PairedComparison {
  const found = comparePaired(...given);
  if (!found) throw new Error('there was nothing to compare');
  return found;
}

describe('comparePaired', () => {
  it('gives the median of the ratios, its interval, wins and the winner', () => {
    const ratios = [0.8, 0.82, 0.84, 0.86, 0.88, 0.9, 0.92, 0.94, 0.96, 1.1];
    const found = compared(
      TEN.map((value, index) => value * ratios[index]),
      TEN,
    );
    expect(found).toMatchObject({ pairs: 10, wins: 9, ties: 0, absent: { a: 0, b: 0 }, verdict: 'a' });
    expect(found.change.scale).toBe('relative');
    expect(found.change.low).toBeCloseTo(0.82 - 1, 12);
    expect(found.change.high).toBeCloseTo(0.96 - 1, 12);
    // Of the logarithms, so that the exchange of the two says the same.
    expect(found.change.estimate).toBeCloseTo(Math.sqrt(0.88 * 0.9) - 1, 12);
  });

  it('names no winner where eight of ten are won, and the interval holds zero', () => {
    const found = compared(
      TEN.map((value, index) => value * (index < 8 ? 0.7 : 1.2)),
      TEN,
    );
    expect(found).toMatchObject({ wins: 8, verdict: 'undecided' });
    expect(found.change.high).toBeGreaterThan(0);
  });

  it('has too few seeds with five, however clear they are', () => {
    const found = compared([1, 1, 1, 1, 1], [9, 9, 9, 9, 9]);
    expect(found).toMatchObject({ pairs: 5, wins: 5, verdict: 'too-few' });
    expect(compared([1, 1, 1, 1, 1, 1], [9, 9, 9, 9, 9, 9]).verdict).toBe('a');
  });

  it('says the same with the two exchanged', () => {
    const a = TEN.map((value, index) => value * (index === 3 ? 1.3 : 0.5 + 0.03 * index));
    const [found, turned] = [compared(a, TEN), compared(TEN, a)];
    expect(turned).toMatchObject({ wins: 1, verdict: 'b' });
    const again = exchange(turned).change;
    for (const key of ['estimate', 'low', 'high'] as const) expect(again[key]).toBeCloseTo(found.change[key], 12);
    expect(exchange(turned)).toMatchObject({ wins: 9, verdict: 'a' });
  });

  it('counts equal values as neither won nor lost', () => {
    expect(compared(TEN, TEN)).toMatchObject({ wins: 0, ties: 10, verdict: 'undecided' });
  });

  it('lets the larger win where the most is best, in differences', () => {
    const found = compared(
      TEN.map((value) => value + 0.5),
      TEN,
      { goal: 'most' },
    );
    expect(found).toMatchObject({ wins: 10, verdict: 'a' });
    expect(found.change).toMatchObject({ scale: 'absolute', estimate: 0.5, low: 0.5, high: 0.5 });
  });

  it('lets the nearer win where a value is best', () => {
    const [near, far] = [
      [0.9, 1.1, 0.9, 1.1, 0.9, 1.1],
      [2, 0.1, 1.5, 0.2, 3, 2],
    ];
    expect(compared(far, near, { goal: { near: 1 } })).toMatchObject({ wins: 0, verdict: 'b' });
  });

  it('compares in differences what is not above zero everywhere', () => {
    expect(compared([0, 1, 2], [1, 2, 3]).change).toMatchObject({ scale: 'absolute', estimate: -1 });
  });

  it('lets a method lose where it diverged, and drops the seeds in which both did', () => {
    const lost = [null, null, ...TEN.slice(2).map((value) => 0.5 * value)];
    const found = compared(lost, [null, ...TEN.slice(1)]);
    expect(found).toMatchObject({ pairs: 9, wins: 8, absent: { a: 1, b: 0 }, verdict: 'a' });
    expect(found.change.high).toBeCloseTo(-0.5, 12);
    const often = compared(
      TEN.map((value, index) => (index < 5 ? null : 0.5 * value)),
      TEN,
    );
    expect(often).toMatchObject({ wins: 5, verdict: 'undecided', absent: { a: 5 } });
    expect(often.change.high).toBe(Infinity);
    expect(compared(TEN, [Number.NaN, ...TEN.slice(1).map(() => null)])).toMatchObject({ wins: 10, verdict: 'a' });
  });

  it('finds no difference where each diverged on half of the seeds', () => {
    const [first, second] = [
      TEN.map((value) => (value > 5 ? value : null)),
      TEN.map((value) => (value > 5 ? null : value)),
    ];
    expect(compared(first, second)).toMatchObject({ wins: 5, verdict: 'undecided', change: { estimate: 0 } });
  });

  it('has nothing to say of no pairs, and refuses what is not paired', () => {
    expect(comparePaired([], [])).toBeUndefined();
    expect(comparePaired([null], [Number.NaN])).toBeUndefined();
    expect(() => comparePaired([1, 2], [1])).toThrow(RangeError);
  });

  it('names a winner between equals no more often than its level allows', () => {
    const trials = 2000;
    const stream = randomStream(2, 'test.equals');
    let named = 0;
    for (let trial = 0; trial < trials; trial++) {
      const difficulty = TEN.map(() => stream.normal());
      const draw = (): number[] => difficulty.map((hard) => Math.exp(hard + 0.3 * stream.normal()));
      if (compared(draw(), draw()).verdict !== 'undecided') named += 1;
    }
    const chance = 22 / 1024;
    expect(Math.abs(named - trials * chance)).toBeLessThan(4 * Math.sqrt(trials * chance * (1 - chance)));
  });
});
