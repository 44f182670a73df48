import { describe, expect, it } from 'vitest';
import type { MethodResult } from '../../../engine/index.ts';
import { gatherSummary } from '../../../engine/index.ts';
import { resultRows, resultTable, sortResults, standingOf } from '../../../app/renderer/charts/results.ts';
import { randomStream } from '../../../engine/random/stream.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';

function result(method: string, analysis: number): MethodResult {
  return {
    method,
    cycles: 3,
    rmse: { forecast: { h: analysis * 2, hu: 4 * analysis }, analysis: { h: analysis, hu: 3 * analysis } },
    rmseLevel: { forecast: {}, analysis: {} },
    rmsePattern: { forecast: {}, analysis: {} },
    spread: { forecast: { h: 0, hu: 0.5 }, analysis: { h: 0, hu: 0.25 } },
    skill: null,
    skillByVariable: { h: 1 - analysis / 0.3 },
    skillPattern: null,
    skillPatternByVariable: {},
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

describe('standingOf', () => {
  const noise = randomStream(3, 'test.standing');
  const hard = Array.from({ length: 40 }, () => Math.exp(0.1 * noise.normal()));

  /** @param errors by label, a factor of what is hard for all, and how much of its own each has. */
  function standing(errors: Readonly<Record<string, number>>, cycles = 40): ReturnType<typeof standingOf> {
    const methods = Object.keys(errors).map((label) => ({
      label,
      kind: label === 'free' ? 'free-run' : 'letkf',
      members: 4,
    }));
    const rows = methods.flatMap(({ label }) =>
      hard.slice(0, cycles).map((value, cycle) => {
        const h = errors[label] * value * Math.exp(0.05 * noise.normal());
        return diagnosticsRow(label, cycle, { h, hu: 1 });
      }),
    );
    const summary = gatherSummary(rows, { compared: ['h'], spinup: 0 });
    return standingOf(summary.comparisons(methods), (label) => label.toUpperCase());
  }

  it('names the one that is better than each other by more than chance, and by how much than the next', () => {
    const { winner, sentence } = standing({ free: 3, var: 1.4, letkf: 1 });
    expect(winner).toBe('letkf');
    expect(sentence).toMatch(
      /^LETKF is better than VAR \(−(2[6-9]|3[01])(\.\d)? %, 95 % −\d+(\.\d)? to −\d+(\.\d)? %\) and than FREE\.$/,
    );
  });

  it('names none where one other may be as good', () => {
    const { winner, sentence } = standing({ free: 3, var: 1, letkf: 1 });
    expect(winner).toBeUndefined();
    expect(sentence).toMatch(
      /^(VAR|LETKF) is better than FREE \(−6.*\); undecided against (VAR|LETKF) \((VAR|LETKF) .* 95 % −.* to \+.* %\)\.$/,
    );
  });

  it('names none after a few cycles, and has nothing to say of one method', () => {
    expect(standing({ free: 3, letkf: 1 }, 10)).toEqual({
      winner: undefined,
      sentence: 'Too few independent cycles to say which method is better.',
    });
    expect(standing({ letkf: 1, var: 1 }).sentence).toMatch(
      /^Undecided between (VAR and LETKF \(VAR|LETKF and VAR \(LETKF) /,
    );
    expect(standing({ letkf: 1 })).toEqual({ winner: undefined, sentence: '' });
  });
});
