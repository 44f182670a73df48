/** Where words go in a picture of the stage. */
import { describe, expect, it } from 'vitest';
import { wrapText } from '../../../../app/plot/labels.ts';
import { fitted, layFoot } from '../../../../app/stage/picture/draw-words.ts';

describe('the foot of a picture', () => {
  it('has one line where words and bars have room side by side', () => {
    const { height, bars, wordsWidth } = layFoot(900, { words: 300, bars: [200, 200] }, 1);
    expect(height).toBe(30);
    expect(bars.map(({ x }) => x)).toEqual([464, 688]);
    expect(wordsWidth).toBeGreaterThanOrEqual(300);
  });

  it.each([1, 1.5])('takes further lines for many bars, none over another, at type × %d', (scale) => {
    for (const width of [320, 640, 1024]) {
      const parts = { words: 300, bars: [220, 220, 220, 220, 220] };
      const { height, bars } = layFoot(width, parts, scale);
      expect(bars.every(({ x, y }) => x >= 0 && y > 0 && y < height)).toBe(true);
      for (const [n, bar] of bars.entries()) {
        const others = bars.filter((other, m) => m > n && other.y === bar.y);
        expect(others.every((other) => Math.abs(other.x - bar.x) >= 220 * scale)).toBe(true);
      }
    }
  });

  it('makes words smaller where they do not fit, and never too small', () => {
    expect([fitted(100, 200), fitted(200, 100), fitted(300, 250), fitted(900, 10)]).toEqual([1, 0.5, 250 / 300, 0.5]);
  });
});

/** As if every letter were one wide. */
function measure(text: string): number {
  return text.length;
}

it('breaks words at spaces, and keeps numbers with their units', () => {
  expect(wrapText('LETKF half-width 24, inflation 1.2', 14, measure)).toEqual([
    'LETKF',
    'half-width 24,',
    'inflation 1.2',
  ]);
  expect(wrapText('Speed, RMSE 0.5\u00a0m²/s', 10, measure)).toEqual(['Speed,', 'RMSE', '0.5\u00a0m²/s']);
  expect(wrapText('', 10, measure)).toEqual([]);
});
