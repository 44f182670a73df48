import { describe, expect, test } from 'vitest';
import { GAP, SINGLE, hasField, layViews, viewAt } from '../../../app/stage/view-grid.ts';
import type { ViewPlace } from '../../../app/stage/view-grid.ts';
import { TRUTH } from '../../../app/document/views/method-style.ts';
import { shownOf } from './shown-of.ts';

const subjects = [TRUTH, 'free-run', '3dvar', 'letkf'];
const kindOf = (label: string) => ({ members: label === 'letkf' ? 32 : 1, isFreeRun: label === 'free-run' });

describe('which subject has which field', () => {
  test('the truth has no error, a single state no spread, a free run no increment', () => {
    expect(hasField('surface', TRUTH, SINGLE)).toBe(true);
    expect(hasField('error', TRUTH, SINGLE)).toBe(false);
    expect(hasField('error', '3dvar', SINGLE)).toBe(true);
    expect(hasField('spread', '3dvar', SINGLE)).toBe(false);
    expect(hasField('spread', 'letkf', kindOf('letkf'))).toBe(true);
    expect(hasField('local-weight', 'letkf', { ...kindOf('letkf'), isLocal: true })).toBe(true);
    expect(hasField('local-weight', 'enkf', { ...SINGLE, members: 8, isInflated: true })).toBe(false);
    expect(hasField('inflation', 'enkf', { ...SINGLE, members: 8, isInflated: true })).toBe(true);
    expect(hasField('inflation', '3dvar', SINGLE)).toBe(false);
    expect(hasField('local-observations', TRUTH, SINGLE)).toBe(false);
    expect(hasField('increment', 'letkf', kindOf('letkf'))).toBe(true);
    expect(hasField('increment', 'free-run', kindOf('free-run'))).toBe(false);
  });
});

/** So many views of the surface height, the first of the truth unless that is omitted. */
function place(count: number, width: number, height: number, ofTruth = true): ViewPlace[] {
  const names = Array.from({ length: count }, (_, n) => (ofTruth && n === 0 ? TRUTH : `method ${String(n)}`));
  return layViews(['surface'], names, () => SINGLE, width, height);
}

function area({ rect }: ViewPlace): number {
  return rect.width * rect.height;
}

describe('layout', () => {
  test('the truth is large and the methods beside it are alike', () => {
    for (const count of [3, 4, 5]) {
      const [truth, ...methods] = place(count, 1100, 760);
      expect(truth.rect).toMatchObject({ x: 0, y: 0, height: 760 });
      for (const method of methods) {
        expect(method.rect.x).toBeGreaterThan(truth.rect.width);
        expect(area(truth)).toBeGreaterThan(1.4 * area(method));
        expect(Math.abs(method.rect.width - methods[0].rect.width)).toBeLessThanOrEqual(1);
        expect(Math.abs(method.rect.height - methods[0].rect.height)).toBeLessThanOrEqual(1);
      }
    }
  });

  test('what is shown of the methods in place of a field changes no place', () => {
    const instead = shownOf(new Map([['letkf', new Float32Array(1)]]));
    const found = layViews(['surface'], subjects, kindOf, 1100, 760, instead);
    const usual = layViews(['surface'], subjects, kindOf, 1100, 760);
    expect(found.map(({ rect }) => rect)).toEqual(usual.map(({ rect }) => rect));
    expect(found.map(({ field }) => field)).toEqual(['surface', 'surface', 'surface', 'shown']);
  });

  test('where that leaves the methods too little, all are alike', () => {
    const narrow = place(4, 604, 514);
    for (const { rect } of narrow) expect(Math.abs(rect.width - narrow[0].rect.width)).toBeLessThanOrEqual(1);
    expect(place(4, 2400, 300).every(({ rect }) => rect.y === 0)).toBe(true);
  });

  test('five methods make three, and two that are larger', () => {
    const found = place(5, 1100, 760, false);
    expect(found.map(({ rect }) => rect.y).filter((y) => y === 0)).toHaveLength(2);
    const [large, small] = [found[0].rect, found[4].rect];
    expect(large.width).toBeGreaterThan(1.4 * small.width);
    expect(large.height).toBeGreaterThan(1.4 * small.height);
  });

  test.each([1, 2, 3, 4, 5, 6, 7])('%s views leave no place empty, at any size, and overlap nowhere', (count) => {
    for (const [width, height] of [
      [1100, 760],
      [604, 514],
      [1440, 700],
      [700, 1100],
      [1023, 699],
    ]) {
      for (const ofTruth of [true, false]) {
        const found = place(count, width, height, ofTruth);
        expect(found).toHaveLength(count);
        // With the gap that follows each of them the views take the whole canvas.
        const taken = found.reduce((sum, { rect }) => sum + (rect.width + GAP) * (rect.height + GAP), 0);
        expect(taken / ((width + GAP) * (height + GAP))).toBeCloseTo(1, 2);
        for (const [n, { rect }] of found.entries()) {
          expect(rect.x + rect.width).toBeLessThanOrEqual(width);
          expect(rect.y + rect.height).toBeLessThanOrEqual(height);
          const over = found
            .slice(n + 1)
            .filter(
              (other) =>
                rect.x < other.rect.x + other.rect.width &&
                other.rect.x < rect.x + rect.width &&
                rect.y < other.rect.y + other.rect.height &&
                other.rect.y < rect.y + rect.height,
            );
          expect(over).toEqual([]);
        }
      }
    }
  });

  test('several fields take a row each, with the same column for a subject in each', () => {
    const views = layViews(['surface', 'error', 'spread'], subjects, kindOf, 1000, 900);
    expect(views).toHaveLength(4 + 3 + 1);
    for (const row of [0, 1, 2]) {
      const inRow = views.filter((view) => view.row === row);
      for (const { subject, column, rect } of inRow) {
        expect(column).toBe(subjects.indexOf(subject));
        expect(rect).toMatchObject({ x: views[column].rect.x, width: views[column].rect.width });
      }
    }
  });

  test.each([1, 2, 3, 4, 5, 6])(
    'over a row of errors the truth is large, and each of %d methods has its own under it',
    (count) => {
      const names = [TRUTH, ...Array.from({ length: count }, (_, n) => `method ${String(n)}`)];
      const views = layViews(['surface', 'error'], names, () => SINGLE, 1280, 640);
      const truth = views[0].rect;
      expect(truth).toMatchObject({ x: 0, y: 0, height: 640 });
      expect(truth.width * truth.height).toBeGreaterThan(views[1].rect.width * views[1].rect.height);
      const columns = new Set<number>();
      for (const name of names.slice(1)) {
        const [state, error] = views.filter(({ subject }) => subject === name).map(({ rect }) => rect);
        expect(error).toMatchObject({ x: state.x, y: state.y + state.height + GAP, width: state.width });
        expect(Math.abs(error.height - state.height)).toBeLessThanOrEqual(1);
        expect(state.x).toBeGreaterThanOrEqual(truth.width + GAP);
        columns.add(state.x);
      }
      // Aligned in all bands: no more columns than a full band has.
      const bands = new Set(views.slice(1, count + 1).map(({ rect }) => rect.y)).size;
      expect(columns.size).toBe(Math.ceil(count / bands));
    },
  );

  test.each([
    [1100, 760],
    [1023, 699],
    [333, 217],
  ])('views fill %s × %s without overlapping', (width, height) => {
    const views = layViews(['surface', 'depth'], subjects, kindOf, width, height);
    for (const { rect, column, row } of views) {
      expect(rect.width).toBeGreaterThan(0);
      expect(rect.x + rect.width).toBeLessThanOrEqual(width);
      const east = views.find((other) => other.row === row && other.column === column + 1);
      const south = views.find((other) => other.row === row + 1 && other.column === column);
      expect(rect.x + rect.width).toBe(east ? east.rect.x - GAP : width);
      expect(rect.y + rect.height).toBe(south ? south.rect.y - GAP : height);
    }
  });

  test.each([
    [1398, 740],
    [1020, 740],
  ])(
    'errors and increments on %s × %s are as large for each method, and the free run takes no place from increments',
    (width, height) => {
      const errors = layViews(['error'], subjects, kindOf, width, height);
      expect(errors.map(({ subject }) => subject)).toEqual(subjects.slice(1));
      const increments = layViews(['increment'], subjects, kindOf, width, height);
      expect(increments.map(({ subject }) => subject)).toEqual(['3dvar', 'letkf']);
      for (const views of [errors, increments]) {
        const areas = views.map(area);
        expect(Math.max(...areas)).toBeLessThan(1.02 * Math.min(...areas));
      }
      expect(area(increments[0])).toBeGreaterThan(1.3 * area(errors[0]));
    },
  );

  test('nothing to show gives no views', () => {
    expect(layViews(['surface'], [], kindOf, 800, 600)).toEqual([]);
    expect(layViews(['spread'], [TRUTH], kindOf, 800, 600)).toEqual([]);
  });

  test('a point finds its view', () => {
    const views = layViews(['surface'], subjects, kindOf, 1100, 760);
    expect(viewAt(views, 10, 10)?.subject).toBe(TRUTH);
    expect(viewAt(views, 1090, 750)?.subject).toBe('letkf');
    expect(viewAt(views, -1, 10)).toBeUndefined();
  });
});
