/** What is measured of a method: means over the cycles after the spin-up, and nothing of what does not apply. */
import { describe, expect, it } from 'vitest';
import { MEASURES, measureNamed, usualMeasures, validateScenario } from '../../../engine/index.ts';
import type { CycleDiagnostics, MethodSummary } from '../../../engine/index.ts';
import { measureMethods } from '../../../engine/sweep/measures.ts';
import { diagnosticColumns } from '../../../engine/output/diagnostic-columns.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';
import { SMALL_SCENARIO } from './small-sweep.ts';

const { scenario } = validateScenario(SMALL_SCENARIO, 'small.json');

const METHODS: readonly MethodSummary[] = [
  { label: 'free-run', kind: 'free-run', members: 6 },
  { label: 'letkf', kind: 'letkf', members: 6 },
  { label: '3dvar', kind: '3dvar', members: 1 },
];

/** Numbers that are sums of powers of two, so that means are exact; cycle 0 is the spin-up, and far away. */
function rowsOf(label: string, error: number, chiSquare?: number): CycleDiagnostics[] {
  return [0, 1, 2, 3].map((cycle) => {
    const h = cycle === 0 ? 1000 : error * [0, 0.5, 1, 1.5][cycle];
    const row = diagnosticsRow(label, cycle, { h, hu: 2 * h });
    const innovation = { count: 4, rejected: 0, mean: 0, standardDeviation: 1, normalisedSquares: 1, chiSquare };
    const spread = { h: h / 2, hu: h };
    const fairCrps = { forecast: { h: 0.125 }, analysis: { h: 0.0625 } };
    // In cycle 2 nothing is observed.
    return {
      ...row,
      fairCrps,
      spread: { forecast: spread, analysis: spread },
      innovation: cycle === 2 ? undefined : innovation,
    };
  });
}

const rows = [...rowsOf('free-run', 2), ...rowsOf('letkf', 1, 0.75), ...rowsOf('3dvar', 0.5)];

describe('measures', () => {
  const measured = measureMethods(scenario, METHODS, rows, new Set());

  it('are means after the spin-up', () => {
    expect(measured.get('letkf')).toMatchObject({
      rmse_forecast_h: 1,
      rmse_analysis_hu: 2,
      spread_analysis_h: 0.5,
      spread_error_analysis_h: 0.5,
      crps_forecast_h: 0.25,
      fair_crps_analysis_h: 0.0625,
      chi_square: 0.75,
      skill: 0.5,
      skill_hu: 0.5,
      milliseconds_forecast: 1,
      milliseconds_analysis: 2,
    });
  });

  it('are null where they do not apply', () => {
    expect(measured.get('3dvar')).toMatchObject({ spread_analysis_h: null, spread_error_forecast_h: null });
    expect(measured.get('free-run')).toMatchObject({ chi_square: null, skill: 0, rmse_analysis_hv: null });
  });

  it('of a method that diverged are none, and none is compared with a free run that did', () => {
    const lost = measureMethods(scenario, METHODS, rows, new Set(['free-run']));
    expect([...lost.keys()]).toEqual(['letkf', '3dvar']);
    expect(lost.get('letkf')).toMatchObject({ skill: null, skill_h: null, rmse_analysis_h: 1 });
  });

  it('have names of their own, a unit, and what good looks like', () => {
    expect(new Set(MEASURES.map(({ name }) => name)).size).toBe(MEASURES.length);
    expect(measureNamed('rmse_analysis_hu')).toEqual({
      name: 'rmse_analysis_hu',
      title: 'RMSE of the analysis, hu',
      unit: 'm²/s',
      best: 'least',
    });
    expect(measureNamed('chi_square')).toMatchObject({ best: { near: 1 } });
    expect(measureNamed('rmse')).toBeUndefined();
    expect(usualMeasures(scenario).map(measureNamed)).not.toContain(undefined);
    expect(usualMeasures(scenario)[0]).toBe('rmse_analysis_h');
  });
});

describe('names', () => {
  it('are those of the columns of diagnostics.csv, if it has one', () => {
    const columns = new Set(diagnosticColumns(['h', 'hu', 'hv']).map(({ name }) => name));
    const quantities = MEASURES.filter(({ name }) => /^(?:rmse|spread|crps|fair_crps)_/.test(name));
    const others = quantities.filter(({ name }) => !name.endsWith('_x') && !columns.has(name));
    expect(others.map(({ name }) => name).filter((name) => !name.startsWith('spread_error_'))).toEqual([]);
    for (const { name } of MEASURES) expect(name).toMatch(/^[a-z_]+$/);
  });

  it.each([
    ['rmse.analysis.h', 'rmse_analysis_h'],
    ['spread-error.forecast.hu', 'spread_error_forecast_hu'],
    ['fair-crps.analysis.h', 'fair_crps_analysis_h'],
    ['chi-square', 'chi_square'],
    ['skill.h', 'skill_h'],
    ['milliseconds.forecast', 'milliseconds_forecast'],
  ])('%s of an earlier version is %s', (before, now) => {
    expect(measureNamed(before)?.name).toBe(now);
  });
});
