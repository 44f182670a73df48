import { describe, expect, it } from 'vitest';
import type { MethodResult } from '../../../engine/index.ts';
import { bestOf, resultRows, resultTable, sortResults } from '../../../app/renderer/charts/results.ts';

function result(method: string, analysis: number): MethodResult {
  return {
    method,
    cycles: 3,
    rmse: { forecast: { h: analysis * 2, hu: 4 * analysis }, analysis: { h: analysis, hu: 3 * analysis } },
    spread: { forecast: { h: 0, hu: 0.5 }, analysis: { h: 0, hu: 0.25 } },
    skill: null,
    skillByVariable: { h: 1 - analysis / 0.3 },
    milliseconds: { forecast: 1, analysis: 2 },
  };
}

describe('results', () => {
  const results = [result('free', 0.3), result('3dvar', 0.1), result('letkf', 0.2)];
  const rows = resultRows(results, 'h');

  function order(column: 'analysis' | 'skill' | 'method', descending: boolean): string[] {
    return sortResults(rows, { column, descending }).map(({ label }) => label);
  }

  it('sorts either way with what is missing last', () => {
    expect(order('analysis', false)).toEqual(['3dvar', 'letkf', 'free']);
    expect(order('skill', true)).toEqual(['3dvar', 'letkf', 'free']);
    const gone = [{ ...rows[0], skill: Number.NaN }, ...rows.slice(1)];
    expect(sortResults(gone, { column: 'skill', descending: false }).map(({ label }) => label)).toEqual([
      'letkf',
      '3dvar',
      'free',
    ]);
    expect(order('method', true)).toEqual(['letkf', '3dvar', 'free']);
  });

  it('knows the best, and none among one or equals', () => {
    expect(bestOf(rows)).toBe('3dvar');
    expect(bestOf(rows.slice(0, 1))).toBeUndefined();
    expect(bestOf([rows[0], { ...rows[0], label: 'twin' }])).toBeUndefined();
  });

  it('has the skill of its variable, and none that is not there', () => {
    expect(rows.map(({ skill }) => skill)).toEqual([0, 1 - 0.1 / 0.3, 1 - 0.2 / 0.3]);
    // Means of a part of the run say nothing against those of the whole.
    expect(resultRows(results, 'h', new Map([['letkf', 4]])).map(({ skill }) => skill)).toEqual([
      0,
      1 - 0.1 / 0.3,
      Number.NaN,
    ]);
    expect(resultRows(results, 'hu')[1].skill).toBeNaN();
    expect(resultRows(results, 'none')[1].analysis).toBeNaN();
  });

  it('makes a table of all variables with titles, units and empty cells', () => {
    const both = ['h', 'hu'].map((variable) => ({ variable, rows: resultRows(results, variable) }));
    const { columns, rows: cells } = resultTable(both, (label) => label.toUpperCase());
    expect(columns).toContain('RMSE of hu, analysis (m²/s)');
    expect(new Set(cells.map(({ length }) => length))).toEqual(new Set([columns.length]));
    expect(cells[2].slice(0, 5)).toEqual(['LETKF', 0.4, 0.2, null, 1 - 0.2 / 0.3]);
    expect(cells[2].slice(7)).toEqual([0.25, null, 3]);
  });
});
