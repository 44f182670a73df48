/** What is shown in place of a field: its range, its words, its views, and which observations are prominent. */
import { describe, expect, test, it } from 'vitest';
import {
  fieldOfShown,
  measuredShown,
  planeOfShown,
  rangeOfShown,
  wordsOfField,
  viewScore,
  barTexts,
  barTitle,
  sharedExponent,
} from '../../../../app/document/views/shown-planes.ts';
import { layViews, SINGLE } from '../../../../app/stage/view-grid.ts';
import { fieldOf, fieldIn } from '../../../../app/fields/fields.ts';
import { TRUTH } from '../../../../app/document/views/method-style.ts';
import { shownOf } from '../../stage/shown-of.ts';
import { diagnosticsOf } from '../run/fake-run.ts';

const small = Float32Array.of(0, -0.25, 0.125, 0);
const large = Float32Array.of(0, 0.75, 0, -0.5);

describe('the range', () => {
  test('is one for all methods, centred where the scale diverges, and rounded', () => {
    const planes = new Map([
      ['a', small],
      ['b', large],
    ]);
    expect(measuredShown({ planes })).toEqual({ from: -0.5, to: 0.75 });
    expect(rangeOfShown(shownOf(planes))).toEqual({ from: -1, to: 1 });
    expect(rangeOfShown(shownOf(planes, { scale: 'sequential' }))).toEqual({ from: 0, to: 1 });
    expect(rangeOfShown(shownOf(new Map([['a', small]])))).toEqual({ from: -0.5, to: 0.5 });
  });

  test('is what is asked for', () => {
    expect(rangeOfShown(shownOf(new Map([['a', large]]), { range: [-3, 3] }))).toEqual({ from: -3, to: 3 });
  });

  test('of nothing but zeros is made up', () => {
    const zeros = new Map([['a', new Float32Array(4)]]);
    expect(measuredShown({ planes: zeros })).toBeUndefined();
    expect(rangeOfShown(shownOf(zeros))).toEqual({ from: -1, to: 1 });
  });
});

test('the same numbers are the same plane, so that nothing is uploaded twice', () => {
  const shown = shownOf(new Map([['a', small]]));
  expect(planeOfShown(shown, 'a')).toBe(planeOfShown({ ...shown, title: 'Other' }, 'a'));
  expect(planeOfShown(shown, 'a')).toEqual({ kind: 'host', values: small });
  expect(planeOfShown(shown, TRUTH)).toBeUndefined();
  expect(planeOfShown(undefined, 'a')).toBeUndefined();
});

test('words are those that came with the planes; a field has its own', () => {
  const shown = shownOf(new Map([['a', small]]), { title: 'Covariance', symbol: 'cov', unit: 'm·m' });
  expect(wordsOfField('shown', shown, undefined)).toMatchObject({ title: 'Covariance', symbol: 'cov', unit: 'm·m' });
  expect(wordsOfField('shown', { ...shown, scale: 'sequential' }, undefined).colourMap).toBe('viridis');
  expect(wordsOfField('surface', shown, undefined)).toBe(fieldOf('surface'));
});

test('views of methods that have a plane turn in the first row, the others keep their fields', () => {
  const shown = shownOf(
    new Map([
      ['a', small],
      ['b', large],
    ]),
    { lift: 'value' },
  );
  const views = layViews(['surface', 'error'], [TRUTH, 'a', 'free', 'b'], () => SINGLE, 900, 600, shown);
  expect(views.filter(({ row }) => row === 0).map(({ field }) => field)).toEqual([
    'surface',
    'shown-lifted',
    'surface',
    'shown-lifted',
  ]);
  expect(new Set(views.filter(({ row }) => row === 1).map(({ field }) => field))).toEqual(new Set(['error']));
  // Cameras that were moved by themselves are known by the view's key.
  expect(views.map(({ key }) => key)).toEqual(
    layViews(['surface', 'error'], [TRUTH, 'a', 'free', 'b'], () => SINGLE, 900, 600).map(({ key }) => key),
  );
  expect(fieldOfShown({ ...shown, lift: 'surface' })).toBe('shown');
});

test('a method that has not the field of the row has a view while it shows planes', () => {
  const row = [['spread'], [TRUTH, 'a', 'b'], () => SINGLE, 900, 600] as const;
  expect(layViews(...row)).toEqual([]);
  expect(layViews(...row, shownOf(new Map([['a', small]]))).map(({ subject }) => subject)).toEqual(['a']);
});

it('is called RMSE alone only beside charts of the same variable', () => {
  const row = diagnosticsOf('letkf', 3);
  expect(viewScore(row, 'surface', 'analysis')?.title).toBe('RMSE');
  expect(viewScore(row, 'surface', 'analysis', ['hu', 'hv'])?.title).toBe('RMSE of h');
});

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
