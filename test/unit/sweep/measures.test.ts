/** What is measured of a method: means over the cycles after the spin-up, and nothing of what does not apply. */
import { describe, expect, it } from 'vitest';
import { MEASURES, measureNamed, usualMeasures, validateScenario } from '../../../engine/index.ts';
import type { CycleDiagnostics, MethodSummary } from '../../../engine/index.ts';
import { measureMethods } from '../../../engine/sweep/measures.ts';
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
      'rmse.forecast.h': 1,
      'rmse.analysis.hu': 2,
      'spread.analysis.h': 0.5,
      'spread-error.analysis.h': 0.5,
      'crps.forecast.h': 0.25,
      'fair-crps.analysis.h': 0.0625,
      'chi-square': 0.75,
      skill: 0.5,
      'skill.hu': 0.5,
      'milliseconds.forecast': 1,
      'milliseconds.analysis': 2,
    });
  });

  it('are null where they do not apply', () => {
    expect(measured.get('3dvar')).toMatchObject({ 'spread.analysis.h': null, 'spread-error.forecast.h': null });
    expect(measured.get('free-run')).toMatchObject({ 'chi-square': null, skill: 0, 'rmse.analysis.hv': null });
  });

  it('of a method that diverged are none, and none is compared with a free run that did', () => {
    const lost = measureMethods(scenario, METHODS, rows, new Set(['free-run']));
    expect([...lost.keys()]).toEqual(['letkf', '3dvar']);
    expect(lost.get('letkf')).toMatchObject({ skill: null, 'skill.h': null, 'rmse.analysis.h': 1 });
  });

  it('have names of their own, a unit, and what good looks like', () => {
    expect(new Set(MEASURES.map(({ name }) => name)).size).toBe(MEASURES.length);
    expect(measureNamed('rmse.analysis.hu')).toEqual({
      name: 'rmse.analysis.hu',
      title: 'RMSE of the analysis, hu',
      unit: 'm²/s',
      best: 'least',
    });
    expect(measureNamed('chi-square')).toMatchObject({ best: { near: 1 } });
    expect(measureNamed('rmse')).toBeUndefined();
    expect(usualMeasures(scenario).map(measureNamed)).not.toContain(undefined);
    expect(usualMeasures(scenario)[0]).toBe('rmse.analysis.h');
  });
});
