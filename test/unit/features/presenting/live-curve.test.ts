/** The headline of the stage, from numbers of a run. */
import { describe, expect, it } from 'vitest';
import { headlineOf } from '../../../../app/features/presenting/live-curve.tsx';
import type { CycleDiagnostics } from '../../../../engine/index.ts';

function rows(...errors: readonly number[]): readonly CycleDiagnostics[] {
  return errors.map((h, cycle) => ({ cycle, rmse: { forecast: {}, analysis: { h } } }) as unknown as CycleDiagnostics);
}

function withMomenta(h: number, hu: number, hv: number): readonly CycleDiagnostics[] {
  return rows(h).map((row) => ({ ...row, rmse: { ...row.rmse, analysis: { h, hu, hv } } }));
}

const free = { title: 'Free run', isFreeRun: true, rows: rows(0.06, 0.06) };

describe('the headline', () => {
  it.each([
    [0.01, 'LETKF: about a sixth of the free run’s error'],
    [0.0305, 'LETKF: about half of the free run’s error'],
    [0.04, 'LETKF: about two thirds of the free run’s error'],
    [0.045, 'LETKF: about three quarters of the free run’s error'],
    [0.006, 'LETKF: about a tenth of the free run’s error'],
    [0.0012, 'LETKF: 2 % of the free run’s error'],
    [0.0516, 'LETKF: 86 % of the free run’s error'],
    [0.0599, 'No method is better than the free run yet'],
    [0.09, 'No method is better than the free run yet'],
  ])('of an error of %d beside 0.06 is “%s”', (error, sentence) => {
    const methods = [free, { title: 'LETKF', isFreeRun: false, rows: rows(error, error) }];
    expect(headlineOf(methods, 'h')?.sentence).toBe(sentence);
  });

  it('names the method with the least mean, and the cycles', () => {
    const methods = [
      free,
      { title: '3D-Var', isFreeRun: false, rows: rows(0.01, 0.05) },
      { title: 'LETKF', isFreeRun: false, rows: rows(0.02, 0.02) },
    ];
    expect(headlineOf(methods, 'h')).toStrictEqual({
      sentence: 'LETKF: about a third of the free run’s error',
      basis: 'Mean error of h in this run, cycles 0 to 1',
    });
  });

  it('says in which variables the method that it names is worse than the free run, observed or not', () => {
    const methods = [
      { ...free, rows: withMomenta(0.06, 0.2, 0.1) },
      { title: 'LETKF', isFreeRun: false, rows: withMomenta(0.01, 0.2, 0.102) },
      { title: '3D-Var', isFreeRun: false, rows: withMomenta(0.02, 0.4, 0.4) },
    ];
    expect(headlineOf(methods, 'h')?.basis).toBe('Mean error of h in this run, cycle 0; worse than the free run in hv');
  });

  it('is missing without a free run, without other methods, and before the first cycle', () => {
    const letkf = { title: 'LETKF', isFreeRun: false, rows: rows(0.01) };
    expect(headlineOf([letkf], 'h')).toBeUndefined();
    expect(headlineOf([free], 'h')).toBeUndefined();
    expect(
      headlineOf(
        [
          { ...free, rows: [] },
          { ...letkf, rows: [] },
        ],
        'h',
      ),
    ).toBeUndefined();
    expect(headlineOf([free, { ...letkf, rows: rows(Number.NaN) }], 'h')).toBeUndefined();
  });
});
