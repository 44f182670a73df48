import { describe, expect, test } from 'vitest';
import { GAP, hasField, layViews, viewAt } from '../../../../app/renderer/stage/view-grid.ts';
import { TRUTH } from '../../../../app/renderer/state/method-style.ts';

const subjects = [TRUTH, 'free-run', '3dvar', 'letkf'];
const members = (label: string): number => (label === 'letkf' ? 32 : 1);

describe('which subject has which field', () => {
  test('the truth has no error, a single state no spread', () => {
    expect(hasField('surface', TRUTH, 1)).toBe(true);
    expect(hasField('error', TRUTH, 1)).toBe(false);
    expect(hasField('error', '3dvar', 1)).toBe(true);
    expect(hasField('spread', '3dvar', 1)).toBe(false);
    expect(hasField('spread', 'letkf', 32)).toBe(true);
  });
});

describe('layout', () => {
  test('four views of one field make two by two in a common window, one row in a wide one', () => {
    const common = layViews(['surface'], subjects, members, 1100, 760);
    expect(common.map(({ row, column }) => [row, column])).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]);
    expect(layViews(['surface'], subjects, members, 2400, 500).every(({ row }) => row === 0)).toBe(true);
  });

  test('several fields take a row each, columns stay with their subject', () => {
    const views = layViews(['surface', 'error', 'spread'], subjects, members, 1000, 900);
    expect(views).toHaveLength(4 + 3 + 1);
    expect(views.filter(({ subject }) => subject === 'letkf').map(({ row, column }) => [row, column])).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
    ]);
  });

  test.each([
    [1100, 760],
    [1023, 699],
    [333, 217],
  ])('views fill %s × %s without overlapping', (width, height) => {
    const views = layViews(['surface', 'depth'], subjects, members, width, height);
    for (const { rect, column, row } of views) {
      expect(rect.width).toBeGreaterThan(0);
      expect(rect.x + rect.width).toBeLessThanOrEqual(width);
      const east = views.find((other) => other.row === row && other.column === column + 1);
      const south = views.find((other) => other.row === row + 1 && other.column === column);
      expect(rect.x + rect.width).toBe(east ? east.rect.x - GAP : width);
      expect(rect.y + rect.height).toBe(south ? south.rect.y - GAP : height);
    }
  });

  test('nothing to show gives no views', () => {
    expect(layViews(['surface'], [], members, 800, 600)).toEqual([]);
    expect(layViews(['spread'], [TRUTH], members, 800, 600)).toEqual([]);
  });

  test('a point finds its view', () => {
    const views = layViews(['surface'], subjects, members, 1100, 760);
    expect(viewAt(views, 10, 10)?.subject).toBe(TRUTH);
    expect(viewAt(views, 1090, 750)?.subject).toBe('letkf');
    expect(viewAt(views, -1, 10)).toBeUndefined();
  });
});
