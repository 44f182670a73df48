/** From results of a sweep, and from the scans that ship, to the table that the map draws. */
import { describe, expect, it } from 'vitest';
import { parseScenario, ScenarioError } from '../../../../engine/index.ts';
import {
  MOST_SWEEP_BYTES,
  readSweep,
  tableOfResults,
  axisTexts,
  columnsOf,
  shortName,
  valueText,
  valueWithUnit,
} from '../../../../app/features/reading/sweep-table.ts';
import { BUNDLED_SCENARIOS } from '../../../../app/document/scenario/bundled-scenarios.ts';
import { cellsOf, combinationsOf } from '../../../../app/features/sweeps/arrangement.ts';
import { findingsOf } from '../../../../app/features/sweeps/words.ts';
import { caseFile } from '../../../../app/features/sweeps/page/index.tsx';
import { scansOf, scanTitle, tableOfScan } from '../../../../app/features/sweeps/sweeps-state.ts';
import { HALF_WIDTHS, INFLATIONS, sweepResults } from '../../../setup/sweep-results.ts';

const results = sweepResults();
const bytesOf = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const read = (value: unknown) => readSweep({ name: 'sweep.json', bytes: bytesOf(value) });

const SCANS = BUNDLED_SCENARIOS.flatMap(({ name, text }) => {
  const { scenario } = parseScenario(text, `${name}.json`);
  return scansOf(scenario).map((scan) => ({ title: `${name}: ${scan.method}, ${scanTitle(scan)}`, scenario, scan }));
});

describe('the results of a sweep', () => {
  const table = read(results);

  it('become columns, row by row', () => {
    expect(table).toMatchObject({
      name: 'letkf-tuning',
      source: 'sweep.json',
      kind: 'runs',
      rows: results.cases.length,
    });
    expect(table.backend).toBe('wasm, WebAssembly SIMD');
    for (const row of [0, 37, results.cases.length - 1]) {
      const { values, seed, methods } = results.cases[row];
      const places = [...table.places.subarray(3 * row, 3 * row + 3)];
      expect(places.map((place, axis) => table.axes[axis].values[place])).toEqual(values);
      expect(table.rowSeeds[row]).toBe(seed);
      for (const [measure] of table.measures.entries()) {
        const found = table.values[(measure * 3 + 2) * table.rows + row];
        expect(found).toBe(methods[2].values[measure] ?? Number.NaN);
      }
    }
    expect([...table.states.subarray(0, 4)]).toEqual([0, 1, 2, 0]);
    expect(table.reasons).toEqual(new Map([[1, 'the disk is full']]));
    expect(new Set(columnsOf(table).map(({ buffer }) => buffer)).size).toBe(6);
  });

  it.each<[string, unknown, string]>([
    ['no JSON', '{', 'sweep.json:1'],
    ['another document', { version: 1 }, 'sweep.json: format'],
    ['a case with too few values', { ...results, cases: [{ ...results.cases[0], values: [1] }] }, 'cases[0].values'],
    [
      'a value that no axis has',
      { ...results, cases: [{ ...results.cases[0], values: [1, 2, 11] }] },
      'cases[0].values[2]: found 11, which is not among axes[2].values',
    ],
  ])('are refused with the place: %s', (_, value, message) => {
    expect(() => read(value)).toThrow(ScenarioError);
    expect(() => read(value)).toThrow(message);
  });

  it('are refused where they are too large, by name', () => {
    const file = { name: 'large.json', bytes: new Uint8Array(MOST_SWEEP_BYTES + 1) };
    expect(() => readSweep(file)).toThrow('large.json: found more than 67108864 bytes, allowed: 67108864 (64 MiB)');
  });
});

describe('an axis', () => {
  it('is named by its owner only where another has its name', () => {
    const [a, b] = [{ title: 'letkf: Inflation' }, { title: 'enkf: Inflation' }];
    expect([shortName([a, b], 0), shortName([a], 0)]).toEqual(['letkf: Inflation', 'Inflation']);
  });

  it('writes its values with their unit, sections by their kind, and distinguishes those of one kind', () => {
    const axis = { path: 'a', title: 'letkf: Half-width (m)', values: [2.5, 'auto', { kind: 'rest' }] };
    expect([0, 1, 2].map((n) => valueWithUnit(axis, n))).toEqual(['2.5\u00a0m', 'auto', 'rest']);
    expect(valueText(1.1400000000000001)).toBe('1.14');
    const texts = axisTexts({ values: [{ kind: 'drops', count: 1 }, { kind: 'drops', count: 2 }, { kind: 'rest' }] });
    expect(new Set(texts).size).toBe(3);
    expect(texts[2]).toBe('rest');
  });
});

describe('a case', () => {
  it('is the scenario with its values and its seed, and says so', () => {
    const table = tableOfResults(results, 'sweep.json');
    const row = results.cases.findIndex(
      ({ values, seed }) =>
        values[0] === INFLATIONS[3] && values[1] === HALF_WIDTHS[2] && values[2] === 20 && seed === 4,
    );
    const { name, text } = caseFile(table, row);
    const { scenario } = parseScenario(text, name);
    expect(scenario).toMatchObject({ seed: 4, background: { members: 20 } });
    expect(scenario.methods[2]).toMatchObject({ kind: 'letkf', inflation: 1.1, localisation: { halfWidth: 5 } });
    expect(scenario.title).toBe('A swept basin, Inflation 1.1, Half-width 5\u00a0m, Members 20, seed 4');
    expect(name).toMatch(/^swept-.*seed-4\.shoal\.json$/);
  });

  it('leaves alone what a list of cases omitted and the scenario does not have', () => {
    const table = tableOfResults(
      {
        ...results,
        axes: [{ path: 'title', title: 'Title', values: [null] }],
        cases: [{ ...results.cases[0], values: [null] }],
      },
      'sweep.json',
    );
    expect(parseScenario(caseFile(table, 0).text, 'case').scenario.title).toBe('A swept basin, seed 1');
  });
});

describe.each(SCANS)('the scan $title', ({ scenario, scan }) => {
  const table = tableOfScan(scenario, scan);

  it('has every median that was kept, and diverged if there is none', () => {
    const combinations = combinationsOf(table);
    const cells = cellsOf(table, combinations, { measure: 0, method: 0 });
    expect(cells.map(({ median }) => median)).toEqual(scan.table.map(({ median }) => median));
    expect(cells.map(({ diverged }) => diverged > 0)).toEqual(scan.table.map(({ median }) => median === null));
    expect(cells.every(({ interval, range }) => interval === null && range === null)).toBe(true);
    expect(table.taken === undefined ? [] : scan.table[table.taken].values).toEqual(scan.best);
    const { best } = findingsOf(table.measures[0], cells);
    const medians = scan.table.map(({ median }) => median ?? -Infinity);
    expect(best).toBe(medians.indexOf(Math.max(...medians)));
  });

  it('opens what was taken, and its last case, as scenarios that can be run', () => {
    for (const row of new Set([table.taken ?? 0, scan.table.length - 1])) {
      const { values } = scan.table[row];
      const { text, name } = caseFile(table, row, scan.seeds[0]);
      const opened = parseScenario(text, name).scenario;
      expect(opened.seed).toBe(scan.seeds[0]);
      const written = JSON.stringify(opened);
      for (const value of values) expect(written).toContain(String(value));
    }
  });
});
