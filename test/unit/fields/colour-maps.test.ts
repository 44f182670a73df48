import { describe, expect, test } from 'vitest';
import {
  COLOUR_MAP_NAMES,
  COLOUR_MAP_SIZE,
  colourMap,
  cssColour,
  linearOfSrgb,
  oklabOfSrgb,
  srgbOfLinear,
  srgbOfOklab,
} from '../../../app/fields/colours.ts';
import type { ColourMapName } from '../../../app/fields/field.ts';

type Triple = readonly [number, number, number];

function colours(name: ColourMapName): Triple[] {
  const bytes = colourMap(name);
  return Array.from({ length: COLOUR_MAP_SIZE }, (_, n) => [
    bytes[4 * n] / 255,
    bytes[4 * n + 1] / 255,
    bytes[4 * n + 2] / 255,
  ]);
}

function distance(a: Triple, b: Triple): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** What a deuteranope and a protanope see, in linear light: G. M. Machado et al. (2009), severity 1. */
const SIMULATIONS = {
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
} as const;

function simulate(kind: keyof typeof SIMULATIONS, colour: Triple): Triple {
  const light = colour.map(linearOfSrgb);
  const seen = SIMULATIONS[kind].map((row) => srgbOfLinear(row[0] * light[0] + row[1] * light[1] + row[2] * light[2]));
  return [seen[0], seen[1], seen[2]];
}

test('OKLab of known colours', () => {
  // Ottosson's published pairs: white is (1, 0, 0); red is (0.628, 0.225, 0.126).
  const white = oklabOfSrgb([1, 1, 1]);
  const red = oklabOfSrgb([1, 0, 0]);
  expect(distance(white, [1, 0, 0])).toBeLessThan(1e-6);
  expect(distance(red, [0.628, 0.2249, 0.1258])).toBeLessThan(1e-3);
  // There and back; the two matrices are inverse to about 1e-7.
  const colour: Triple = [0.2, 0.55, 0.7];
  expect(distance(srgbOfOklab(oklabOfSrgb(colour)), colour)).toBeLessThan(1e-5);
});

describe.each(COLOUR_MAP_NAMES)('%s', (name) => {
  const path = colours(name).map(oklabOfSrgb);

  test('is uniform in OKLab', () => {
    // Over 8 steps of the table, so that rounding to 8 bits (about 0.002 a step) weighs little.
    const stride = 8;
    const steps: number[] = [];
    for (let n = 0; n + stride < path.length; n += stride) steps.push(distance(path[n], path[n + stride]));
    const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
    for (const step of steps) expect(Math.abs(step / mean - 1)).toBeLessThan(0.15);
  });

  test('distinguishes neighbouring eighths for colour-blind eyes', () => {
    for (const kind of ['deuteranopia', 'protanopia'] as const) {
      const seen = colours(name).map((colour) => oklabOfSrgb(simulate(kind, colour)));
      for (let n = 0; n + 32 < seen.length; n += 32) expect(distance(seen[n], seen[n + 32])).toBeGreaterThan(0.04);
    }
  });
});

test.each(['cividis', 'viridis', 'magma'] as const)('%s grows lighter all the way', (name) => {
  const lightness = colours(name).map((colour) => oklabOfSrgb(colour)[0]);
  for (let n = 8; n < lightness.length; n += 8) expect(lightness[n]).toBeGreaterThan(lightness[n - 8]);
  expect(lightness[COLOUR_MAP_SIZE - 1] - lightness[0]).toBeGreaterThan(0.45);
});

describe('the diverging map', () => {
  const path = colours('diverging').map(oklabOfSrgb);
  const last = COLOUR_MAP_SIZE - 1;

  test('is lightest and colourless in the middle', () => {
    const middle = path[Math.round(last / 2)];
    expect(middle[0]).toBeGreaterThan(0.95);
    expect(Math.hypot(middle[1], middle[2])).toBeLessThan(0.01);
  });

  test('weighs +x and −x alike: equal lightness on both arms', () => {
    // 8-bit rounding moves lightness by less than 0.004.
    for (let n = 0; n < last / 2; n++) expect(Math.abs(path[n][0] - path[last - n][0])).toBeLessThan(0.008);
  });

  test('shows its signs apart to colour-blind eyes', () => {
    for (const kind of ['deuteranopia', 'protanopia'] as const) {
      const [low, high] = [colours('diverging')[0], colours('diverging')[last]];
      expect(distance(oklabOfSrgb(simulate(kind, low)), oklabOfSrgb(simulate(kind, high)))).toBeGreaterThan(0.12);
    }
  });
});

test('colours beyond the ends are those of the ends', () => {
  expect(cssColour('viridis', -3)).toBe(cssColour('viridis', 0));
  expect(cssColour('viridis', 7)).toBe(cssColour('viridis', 1));
  expect(cssColour('viridis', Number.NaN)).toBe(cssColour('viridis', 0));
});

/** The diverging map's colour over level water. */
function overWater(share: number, strength = 1): Triple {
  const [red, green, blue] = (cssColour('diverging', share, strength).match(/\d+/g) ?? []).map(Number);
  return [red / 255, green / 255, blue / 255];
}

describe('the diverging map over water', () => {
  const water = overWater(0.5, 0);

  test('leaves water clear where a value is zero, and covers it the more the larger the value', () => {
    expect(distance(overWater(0.5), water)).toBeLessThan(0.02);
    for (const sign of [-0.5, 0.5]) {
      const covered = [0.2, 0.4, 0.6, 0.8, 1].map((value) =>
        distance(oklabOfSrgb(overWater(0.5 + sign * value)), oklabOfSrgb(water)),
      );
      for (const [n, each] of covered.slice(1).entries()) expect(each).toBeGreaterThan(covered[n]);
    }
  });

  test('shows its signs apart to colour-blind eyes', () => {
    for (const kind of ['deuteranopia', 'protanopia'] as const) {
      const [low, high] = [simulate(kind, overWater(0)), simulate(kind, overWater(1))];
      expect(distance(oklabOfSrgb(low), oklabOfSrgb(high))).toBeGreaterThan(0.12);
    }
  });
});
