/** What is wrong with a sweep's file is reported by place, what was found, and what is allowed. */
import { describe, expect, it } from 'vitest';
import { ScenarioError, readSweepDefinition, seedsOf, sweepJsonSchema } from '../../../engine/index.ts';

const VALID = { version: 1, scenario: 'first-light' };

function read(value: unknown) {
  return readSweepDefinition(new TextEncoder().encode(JSON.stringify(value, null, 1)), 'sweep.json');
}

function messageOf(value: unknown): string {
  try {
    read(value);
  } catch (error) {
    if (error instanceof ScenarioError) return error.message;
    throw error;
  }
  throw new Error('nothing was wrong');
}

describe('a definition', () => {
  it('is read as it is', () => {
    const grid = { 'grid.nx': [16, 32] };
    expect(read({ ...VALID, grid }).definition).toEqual({ ...VALID, grid });
  });

  it.each([
    [[], 'found [], allowed: an object; a sweep is a JSON object'],
    [{ version: 2, scenario: 'x' }, 'version: found 2, allowed: 1; this program knows no other version'],
    [{ version: 1 }, 'scenario: missing, allowed: text of 1 to 1024 characters'],
    [{ ...VALID, gird: {} }, 'gird: unknown key "gird"; did you mean "grid"?'],
    [{ ...VALID, grid: { 'grid.nx': [] } }, 'grid["grid.nx"]: found [], allowed: a list of 1 to 1000'],
    [{ ...VALID, grid: { 'grid.nx': [4, 8, 4] } }, 'grid["grid.nx"][2]: found 4 again, which is at 0 already'],
    [{ ...VALID, grid: {}, cases: [{}] }, 'cases: found beside a grid, allowed: one of the two'],
    [{ ...VALID, seeds: [1, 2.5] }, 'seeds: found [1, 2.5], allowed: a list of 1 to 1000, each a whole number'],
    [{ ...VALID, seeds: [3, 3] }, 'seeds[1]: found 3 again'],
    [
      { ...VALID, seeds: { from: Number.MAX_SAFE_INTEGER, count: 2 } },
      'seeds.count: found 2, allowed: at most 1 from 9007199254740991',
    ],
    [{ ...VALID, measures: ['rmse_analysis_eta'] }, 'measures[0]: found "rmse_analysis_eta", allowed: rmse_forecast_h'],
    [{ ...VALID, measures: ['rsme.analysis.h'] }, '; did you mean "rmse_analysis_h"?'],
    [
      { ...VALID, grid: Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`methods[${n}].inflation`, [1]])) },
      'grid: found 9 settings, allowed: at most 8',
    ],
    [
      { ...VALID, grid: { a: [...Array(400).keys()], b: [...Array(400).keys()] } },
      'found 160000 cases (160000 combinations, 1 seeds), allowed: at most 100000',
    ],
  ])('%# is refused', (value, message) => {
    expect(messageOf(value)).toContain(message);
    expect(messageOf(value)).toMatch(/^sweep\.json:\d+:\d+: /);
  });

  it('may name its measures as an earlier version did', () => {
    const measures = ['rmse.analysis.h', 'spread-error.forecast.h', 'chi-square'];
    expect(read({ ...VALID, measures }).definition.measures).toEqual([
      'rmse_analysis_h',
      'spread_error_forecast_h',
      'chi_square',
    ]);
    expect(messageOf({ ...VALID, measures: ['skill.h', 'skill_h'] })).toContain('found "skill_h" again');
  });

  it('that is no JSON is refused by line and column', () => {
    const bytes = new TextEncoder().encode('{\n "version": 1,\n}');
    expect(() => readSweepDefinition(bytes, 'sweep.json')).toThrow(/^sweep\.json:3:1: not JSON/);
    expect(() => readSweepDefinition(new Uint8Array(0), 'sweep.json')).toThrow(
      'the file is empty; a sweep is a JSON object',
    );
    expect(() => readSweepDefinition(Uint8Array.of(0xff), 'sweep.json')).toThrow('not UTF-8 text');
  });

  it('gives seeds as a list or as a range', () => {
    expect(seedsOf(read({ ...VALID, seeds: [5, 1] }).definition)).toEqual([5, 1]);
    expect(seedsOf(read({ ...VALID, seeds: { from: 3, count: 3 } }).definition)).toEqual([3, 4, 5]);
    expect(seedsOf(read(VALID).definition)).toEqual([]);
  });

  it('has a JSON Schema', () => {
    expect(Object.keys(sweepJsonSchema().properties ?? {})).toEqual(
      expect.arrayContaining(['scenario', 'grid', 'seeds']),
    );
  });
});
