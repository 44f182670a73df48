/** Surfaces as maps: how wide cells are, and which one a key moves to. */
import { describe, expect, it } from 'vitest';
import { cellFrom, edgesOf, type MapCell } from '../../../../app/features/papers/page/cell-map.tsx';

describe('cells of a map', () => {
  it('are equally wide on a linear axis, whatever their values', () => {
    expect(edgesOf([1, 2, 10, 12], 'linear')).toEqual([0, 0.25, 0.5, 0.75, 1]);
  });

  it('reach halfway to their neighbours on a logarithmic axis, upwards and downwards', () => {
    // From 10^½ to 10^3.5, halfway at 10^1.5 and 10^2.5.
    const third = [0, 1 / 3, 2 / 3, 1];
    expect(edgesOf([10, 100, 1000], 'log')).toBeClose(third, { absolute: 1e-15 });
    expect(edgesOf([1000, 100, 10], 'log')).toBeClose(third, { absolute: 1e-15 });
    // Logarithms 0, 1 and 3: from −½ to 4, halfway at ½ and 2.
    expect(edgesOf([1, 2, 8], 'log')).toBeClose([0, 1 / 4.5, 2.5 / 4.5, 1], { absolute: 1e-15 });
  });

  it('have one that fills the axis if there is one', () => {
    expect(edgesOf([7], 'log')).toEqual([0, 1]);
  });
});

const axis = (values: readonly number[]) => ({ title: '', values });

describe('a key on a map', () => {
  const cells = [
    [1, 1],
    [1, 2],
    [1, 4],
    [2, 1],
    [2, 4],
  ].map(([row, column]): MapCell => ({ row, column, value: null }));
  const map = { cells, rows: axis([1, 2]), columns: axis([1, 2, 4]) };
  const from = (at: number, step: Parameters<typeof cellFrom>[2]): number =>
    cells.indexOf(cellFrom(map, cells[at], step));

  it('moves to the next cell, over places that have none, and stays at the edge', () => {
    expect(from(0, { down: 0, along: 1 })).toBe(1);
    expect(from(3, { down: 0, along: 1 })).toBe(4);
    expect(from(1, { down: 1, along: 0 })).toBe(1);
    expect(from(0, { down: -1, along: 0 })).toBe(0);
    expect(from(4, { down: -1, along: 0 })).toBe(2);
  });

  it('moves to the end of a row', () => {
    expect(from(0, { down: 0, along: 1, whole: true })).toBe(2);
    expect(from(4, { down: 0, along: -1, whole: true })).toBe(3);
  });
});
