import { describe, expect, it } from 'vitest';
import { formatIndexedPng, formatPng } from '../../../app/files/png.ts';
import { colourBar, mapSvg } from '../../../app/report/figures/map.ts';
import { colourMap } from '../../../app/fields/colours.ts';
import { readPng } from '../../e2e/desktop/picture.ts';
import type { Picture } from '../../e2e/desktop/picture.ts';

function pictureOf(svg: string): Picture {
  const [, base64 = ''] = /href="data:image\/png;base64,([^"]+)"/.exec(svg) ?? [];
  return readPng(Buffer.from(base64, 'base64'));
}

function colourAt({ width, rgb }: Picture, x: number, y: number): number[] {
  return [...rgb.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)];
}

const grid = { nx: 3, ny: 2, dx: 2, dy: 1 };
const parts = { grid, range: { from: -1, to: 1 }, map: 'diverging', summary: 'η', isWater: () => true } as const;
const isNotFour = (cell: number): boolean => cell !== 4;
const LOWEST = [...colourMap('diverging').subarray(0, 3)];
const HIGHEST = [...colourMap('diverging').subarray(4 * 255, 4 * 255 + 3)];

describe('a PNG file', () => {
  it('is read as it was written', () => {
    const rgb = Uint8Array.from({ length: 3 * 7 * 5 }, (_, n) => (n * 37) % 256);
    expect(readPng(formatPng(7, 5, rgb))).toEqual({ width: 7, height: 5, rgb });
  });

  it('may have a palette', () => {
    const palette = Uint8Array.of(1, 2, 3, 200, 100, 50);
    const { rgb } = readPng(formatIndexedPng(2, 2, palette, Uint8Array.of(0, 1, 1, 0)));
    expect([...rgb]).toEqual([1, 2, 3, 200, 100, 50, 200, 100, 50, 1, 2, 3]);
  });

  it('is not made of a picture of another size, or without colours', () => {
    expect(() => formatPng(4, 4, new Uint8Array(47))).toThrow('found 47 bytes, a picture of 4 × 4 has 48');
    expect(() => formatIndexedPng(4, 4, new Uint8Array(3), new Uint8Array(15))).toThrow('found 15 bytes');
    expect(() => formatIndexedPng(1, 1, new Uint8Array(0), new Uint8Array(1))).toThrow('found a palette of 0 bytes');
  });
});

describe('a map', () => {
  it('has a pixel a cell, y upwards, in the colours of its range', () => {
    const picture = pictureOf(mapSvg({ ...parts, values: [-1, 0, 1, 5, 0, -5] }).text);
    expect([picture.width, picture.height]).toEqual([3, 2]);
    expect(colourAt(picture, 0, 1)).toEqual(LOWEST);
    expect(colourAt(picture, 2, 1)).toEqual(HIGHEST);
    // Beyond the range the ends' colours are used.
    expect(colourAt(picture, 0, 0)).toEqual(HIGHEST);
    expect(colourAt(picture, 2, 0)).toEqual(LOWEST);
  });

  it('shows land, and what has no value, in a colour that no value has', () => {
    const picture = pictureOf(mapSvg({ ...parts, isWater: isNotFour, values: [0, 0, Number.NaN, 0, 1, 0] }).text);
    const land = colourAt(picture, 1, 0);
    expect(colourAt(picture, 2, 1)).toEqual(land);
    const colours = Array.from({ length: 256 }, (_, n) => [...colourMap('diverging').subarray(4 * n, 4 * n + 3)]);
    expect(colours).not.toContainEqual(land);
  });

  it('is as wide for its height as the basin, and averages cells where they are many', () => {
    const wide = { nx: 700, ny: 2, dx: 1, dy: 70 };
    const values = Float32Array.from({ length: 1400 }, (_, cell) => (cell % 3) - 1);
    const svg = mapSvg({ ...parts, grid: wide, values }).text;
    expect(svg).toContain('viewBox="0 0 200 40"');
    const picture = pictureOf(svg);
    expect([picture.width, picture.height]).toEqual([234, 1]);
    // Blocks of three cells hold −1, 0 and 1 alike.
    const middle = colourAt(picture, 10, 0);
    expect(Math.max(...middle) - Math.min(...middle)).toBeLessThan(6);
  });

  it('marks the places that were observed at the middles of their cells', () => {
    const svg = mapSvg({ ...parts, values: new Float32Array(6), marks: { x: [0, 0], y: [1, 1] } }).text;
    expect(svg).toMatch(/<circle cx="33.3" cy="16.7"/);
    expect(svg.match(/<circle/g)).toHaveLength(1);
  });

  it('says in its bar which numbers the colours represent', () => {
    const bar = colourBar('magma', { from: 0, to: 0.05 }, 'Spread (m)').text;
    expect(bar).toContain('aria-label="Colours of Spread (m), from 0 to 0.05"');
    expect(bar).toMatch(/>0\.02<\/text/);
  });
});
