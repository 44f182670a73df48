import { describe, expect, it } from 'vitest';
import type { MethodResult } from '../../../engine/index.ts';
import { gatherSummary } from '../../../engine/index.ts';
import {
  describeRunDifferences,
  describeSeedVerdicts,
  resultRows,
  resultTable,
  sortResults,
} from '../../../app/figures/results.ts';
import { compareBySeeds } from '../../../engine/output/cycle-series.ts';
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

/** @param errors of each method by seed */
function overSeeds(errors: Readonly<Record<string, readonly number[]>>): string {
  const contenders = Object.entries(errors).map(([name, values]) => ({ name, freeRun: 'free', values }));
  return describeSeedVerdicts(compareBySeeds(contenders), upper);
}

function upper(label: string): string {
  return label.toUpperCase();
}

describe('how methods compare', () => {
  const noise = randomStream(3, 'test.standing');
  const hard = Array.from({ length: 40 }, () => Math.exp(0.1 * noise.normal()));

  /** @param errors by label, a factor of what is hard for all, and how much of its own each has. */
  function inRun(errors: Readonly<Record<string, number>>): string {
    const methods = Object.keys(errors).map((label) => ({
      label,
      kind: label === 'free' ? 'free-run' : 'letkf',
      members: 4,
    }));
    const rows = methods.flatMap(({ label }) =>
      hard.map((value, cycle) => {
        const h = errors[label] * value * Math.exp(0.05 * noise.normal());
        return diagnosticsRow(label, cycle, { h, hu: 1 });
      }),
    );
    const summary = gatherSummary(rows, { compared: ['h'], spinup: 0 });
    return describeRunDifferences(summary.comparisons(methods), upper);
  }

  it('is described in one run, without a winner', () => {
    expect(inRun({ free: 3, var: 1.4, letkf: 1 })).toMatch(
      /^Compared with LETKF, which has the least error in this run, the error of FREE is [23]\.\d+ times \(.* to .*\), worse in 40 of 40 cycles; that of VAR is 1\.4\d* times \(1\.\d+ to 1\.\d+\), worse in (39|40) of 40 cycles\.$/,
    );
    expect(inRun({ letkf: 1 })).toBe('');
  });

  it('is judged over seeds', () => {
    const eight = hard.slice(0, 8);
    const [var14, free] = [1.4, 3].map((factor) => eight.map((value, seed) => (factor + 0.02 * seed) * value));
    const close = eight.map((value, seed) => value * (seed % 2 === 0 ? 1.05 : 0.97));
    expect(overSeeds({ free, var: var14, letkf: eight })).toMatch(
      /^LETKF is better than VAR \(−3\d(\.\d)? %, 95 % −3\d(\.\d)? to −2\d(\.\d)? %\) and than FREE\.$/,
    );
    expect(overSeeds({ free, var: close, letkf: eight })).toMatch(
      /^LETKF is better than FREE .*; undecided against VAR/,
    );
    expect(overSeeds({ free: free.slice(0, 4), letkf: eight.slice(0, 4) })).toBe(
      'Too few seeds to compare LETKF with FREE.',
    );
    expect(overSeeds({ letkf: eight })).toBe('');
  });
});
