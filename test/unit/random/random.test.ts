import { describe, expect, it } from 'vitest';
import { philox4x32, randomStream } from '../../../engine/random/stream.ts';

describe('philox4x32', () => {
  // The known answers of Random123 (kat_vectors, philox4x32, 10 rounds).
  it.each([
    [
      [0, 0, 0, 0],
      [0, 0],
      [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
    ],
    [
      [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
      [0xffffffff, 0xffffffff],
      [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
    ],
    [
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      [0xa4093822, 0x299f31d0],
      [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
    ],
  ])('gives the published block for counter %j', (counter, [key0, key1], expected) => {
    const block = Uint32Array.from(counter);
    philox4x32(block, key0, key1);
    expect([...block]).toEqual(expected);
  });
});

/** The first `count` normals of a stream. */
function draws(count: number, ...parameters: Parameters<typeof randomStream>): number[] {
  const stream = randomStream(...parameters);
  return Array.from({ length: count }, () => stream.normal());
}

describe('randomStream', () => {
  it('repeats itself, and differs by seed, purpose and index', () => {
    const first = draws(8, 1, 'noise', 3, 2);
    expect(draws(8, 1, 'noise', 3, 2)).toEqual(first);
    for (const other of [
      draws(8, 2, 'noise', 3, 2),
      draws(8, 2 ** 40 + 1, 'noise', 3, 2),
      draws(8, 1, 'truth', 3, 2),
      draws(8, 1, 'noise', 4, 2),
      draws(8, 1, 'noise', 3, 3),
    ]) {
      expect(other.some((value, i) => value === first[i])).toBe(false);
    }
  });

  it('draws normals with the right moments', () => {
    const n = 40_000;
    const values = draws(n, 7, 'moments');
    const moment = (power: number): number => values.reduce((sum, value) => sum + value ** power, 0) / n;
    // Standard errors of the first four moments of n normals are 1, √2, √15 and √96, over √n; five of them are allowed.
    expect(Math.abs(moment(1))).toBeLessThan(5 / Math.sqrt(n));
    expect(Math.abs(moment(2) - 1)).toBeLessThan((5 * Math.sqrt(2)) / Math.sqrt(n));
    expect(Math.abs(moment(3))).toBeLessThan((5 * Math.sqrt(15)) / Math.sqrt(n));
    expect(Math.abs(moment(4) - 3)).toBeLessThan((5 * Math.sqrt(96)) / Math.sqrt(n));
  });

  it('draws integers and intervals within their bounds, all of them', () => {
    const stream = randomStream(3, 'integers');
    const seen = new Set(Array.from({ length: 500 }, () => stream.integer(7)));
    expect([...seen].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    for (let i = 0; i < 500; i++) {
      const value = stream.between(-2, 3);
      expect(value).toBeGreaterThanOrEqual(-2);
      expect(value).toBeLessThan(3);
    }
  });
});
