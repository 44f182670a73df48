import { expect, test } from 'vitest';
import { barTexts, barTitle, sharedExponent } from '../../../../app/document/views/bar-words.ts';
import { fieldIn, fieldOf } from '../../../../app/fields/fields.ts';

test('numbers of a colour bar share one power of ten where they would be long', () => {
  expect(sharedExponent({ from: -0.4, to: 0.4 })).toBe(0);
  expect(sharedExponent({ from: -1.5e-5, to: 1.5e-5 })).toBe(-5);
  expect(sharedExponent({ from: 0, to: 20_000 })).toBe(4);
  expect(barTexts({ from: -1.5e-5, to: 1.5e-5 }, true)).toEqual(['−1.5', '0', '1.5']);
  expect(barTexts({ from: 0.8, to: 1.3 }, true)).toEqual(['0.8', '1.05', '1.3']);
});

test('a range that was made up has no ends', () => {
  expect(barTexts({ from: 0, to: 1 }, false)).toEqual(['–', '–', '–']);
});

test('the unit says which power', () => {
  expect(barTitle(fieldOf('surface'), { from: -0.4, to: 0.4 })).toBe('η (m)');
  expect(barTitle(fieldOf('vorticity'), { from: -1.5e-5, to: 1.5e-5 })).toBe('ζ (1e−5 1/s)');
  expect(barTitle(fieldIn({ isRing: true }, 'surface'), { from: -8, to: 12 })).toBe('x');
  expect(barTitle(fieldIn({ isRing: true }, 'error'), { from: -1e-3, to: 1e-3 })).toBe('x − xᵗ (1e−3)');
});
