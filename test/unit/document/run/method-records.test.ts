/** The rows of a run in bounded memory: nothing is lost, and what is at hand does not grow with the run. */
import { describe, expect, it } from 'vitest';
import type { CycleDiagnostics } from '../../../../engine/index.ts';
import {
  BLOCK_CYCLES,
  COMPLETE_CYCLES,
  evenly,
  MOST_CYCLES,
  thinnedTo,
  createMethodRecords,
} from '../../../../app/document/run/method-records.ts';
import { diagnosticsRow } from '../../../setup/diagnostics-row.ts';

const METHODS = ['free-run', 'letkf'];

/** A row with lists, whose numbers depend on the cycle. */
function rowOf(method: string, cycle: number): CycleDiagnostics {
  const row = diagnosticsRow(method, cycle, { h: 1, hu: 1 });
  const octaves = [cycle, cycle / 2, 1 / (cycle + 1)];
  return {
    ...row,
    rmse: { forecast: { h: cycle + 0.5 }, analysis: { h: cycle + 0.25 } },
    consistency: {
      departures: {},
      sampled: {},
      spectra: { forecastError: octaves, analysisError: octaves, increment: octaves, forecastSpread: octaves },
      budgets: undefined,
    },
  };
}

function rowsOf(from: number, to: number): CycleDiagnostics[] {
  const found: CycleDiagnostics[] = [];
  for (let cycle = from; cycle < to; cycle++) for (const method of METHODS) found.push(rowOf(method, cycle));
  return found;
}

function atHand(records: ReturnType<typeof createMethodRecords>): CycleDiagnostics[] {
  return [...records.diagnostics.value.values()].flat();
}

describe('the rows of a long run', () => {
  it('stay within their bound, evenly over the run, with the newest complete', () => {
    const records = createMethodRecords();
    let most = 0;
    for (let cycle = 0; cycle < 10_000; cycle += 100) {
      records.addDiagnostics(rowsOf(cycle, cycle + 100));
      const rows = atHand(records);
      most = Math.max(most, rows.length);
      const withLists = rows.filter(({ consistency }) => consistency?.spectra !== undefined);
      expect(withLists.length).toBeLessThanOrEqual(COMPLETE_CYCLES * METHODS.length);
    }
    expect(most).toBeLessThanOrEqual((COMPLETE_CYCLES + MOST_CYCLES + 1) * METHODS.length);
    expect(records.rowStride.value).toBe(8);
    const cycles = records.diagnostics.value.get('letkf')?.map(({ cycle }) => cycle) ?? [];
    expect(cycles.slice(0, 3)).toEqual([0, 8, 16]);
    const even = evenly(records.diagnostics.value, 8).get('letkf') ?? [];
    expect(even.map(({ cycle }) => cycle)).toEqual(Array.from({ length: 1250 }, (_, k) => k));
    expect(even[100].rmse).toEqual(rowOf('letkf', 800).rmse);
    expect(thinnedTo(records.diagnostics.value, 8).get('letkf')?.[100].cycle).toBe(800);
    expect(cycles.slice(-COMPLETE_CYCLES)).toEqual(Array.from({ length: COMPLETE_CYCLES }, (_, k) => 9744 + k));
  });

  it('are all there when the run is saved', async () => {
    const records = createMethodRecords();
    const cycles = 6 * BLOCK_CYCLES + 7;
    for (let cycle = 0; cycle < cycles; cycle++) records.addDiagnostics(rowsOf(cycle, cycle + 1));
    const all = await records.allRows();
    for (const method of METHODS) {
      const rows = all.get(method) ?? [];
      expect(rows.map(({ cycle }) => cycle)).toEqual(Array.from({ length: cycles }, (_, cycle) => cycle));
      for (const cycle of [0, 1, 333, cycles - 1]) {
        expect(rows[cycle].rmse).toEqual(rowOf(method, cycle).rmse);
        expect(rows[cycle].consistency?.spectra).toEqual(rowOf(method, cycle).consistency?.spectra);
      }
    }
  });

  it('are read again, complete, where an old cycle is looked at', async () => {
    const records = createMethodRecords();
    records.addDiagnostics(rowsOf(0, 2600));
    expect(records.rowsAt(301).size).toBe(0);
    await records.bring(301);
    expect(records.rowsAt(301).get('letkf')?.consistency?.spectra).toEqual(rowOf('letkf', 301).consistency?.spectra);
    await records.bring(2599);
    expect(records.rowsAt(301).size).toBe(0);
  });

  it('of cycles that are computed again take the place of those before', async () => {
    const records = createMethodRecords();
    records.addDiagnostics(rowsOf(0, 400));
    const changed = rowsOf(130, 140).map((row) => ({ ...row, rmse: { forecast: { h: 7 }, analysis: { h: 8 } } }));
    records.addDiagnostics(changed);
    const rows = (await records.allRows()).get('letkf') ?? [];
    expect(rows).toHaveLength(140);
    expect(rows.slice(129, 132).map(({ rmse }) => rmse.analysis['h'])).toEqual([129.25, 8, 8]);
    records.dropFrom(129);
    expect((await records.allRows()).get('letkf')).toHaveLength(129);
    expect(records.diagnostics.value.get('letkf')).toHaveLength(129);
    records.clear();
    expect((await records.allRows()).size).toBe(0);
  });
});
