/** Seeds as they are typed: a count, a range, a list; and what is refused. */
import { describe, expect, it } from 'vitest';
import { formatRanges, parseSeeds } from '../../../engine/index.ts';

describe('seeds', () => {
  it.each([
    ['3', [1, 2, 3]],
    [' 2 ', [1, 2]],
    ['3-5', [3, 4, 5]],
    ['9,1,5', [1, 5, 9]],
    ['0,7-8, 20', [0, 7, 8, 20]],
    ['4,4,2-4', [2, 3, 4]],
    ['9007199254740990-9007199254740991', [9007199254740990, 9007199254740991]],
  ])('%j are %j', (text, seeds) => {
    expect(parseSeeds(text)).toEqual(seeds);
  });

  it.each([
    ['0', 'found 0 seeds, two or more are needed'],
    ['1', 'found 1 seed, two or more are needed'],
    ['5-5', 'found 1 seed, two or more are needed'],
    ['1001', 'found 1001 seeds, allowed: at most 1000'],
    ['1-600,700-1300', 'found 1201 seeds, allowed: at most 1000'],
    ['9-3', 'found 9-3, a range is from the smaller to the larger seed'],
    ['9007199254740992,1', 'found 9007199254740992, the largest seed is 9007199254740991'],
    ['', 'found "", allowed: a count (10: seeds 1 to 10), a range (3-12) or a list (1,5,9)'],
    ['ten', 'found "ten", allowed: a count'],
    ['1.5', 'found "1.5", allowed: a count'],
    ['-3', 'found "-3", allowed: a count'],
  ])('%j is refused', (text, message) => {
    expect(parseSeeds(text)).toEqual(expect.stringContaining(message));
  });

  it('are written as short as they can be given', () => {
    expect(formatRanges([1, 2, 3, 7, 9, 10])).toBe('1-3,7,9-10');
  });
});
