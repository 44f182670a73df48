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

const OF_H = { variable: 'h', phase: 'analysis', isSettled: true } as const;
const free = { title: 'Free run', isFreeRun: true, rows: rows(0.06, 0.06) };

/** Rows of forecasts, with analyses that are worse. */
function forecasts(h: number): readonly CycleDiagnostics[] {
  return rows(h).map((row) => ({ ...row, rmse: { forecast: { h }, analysis: { h: 1 } } }));
}

describe('the headline', () => {
  it.each([
    [0.01, 'LETKF: about a sixth of the free run’s error'],
    [0.0305, 'LETKF: about half of the free run’s error'],
    [0.04, 'LETKF: about two thirds of the free run’s error'],
    [0.045, 'LETKF: about three quarters of the free run’s error'],
    [0.006, 'LETKF: about a tenth of the free run’s error'],
    [0.0012, 'LETKF: 2 % of the free run’s error'],
    [0.0516, 'LETKF: 86 % of the free run’s error'],
    [0.0599, 'LETKF is no better than the free run'],
    [0.09, 'LETKF is no better than the free run'],
  ])('of an error of %d beside 0.06 is “%s”', (error, sentence) => {
    const methods = [free, { title: 'LETKF', isFreeRun: false, rows: rows(error, error) }];
    expect(headlineOf(methods, OF_H)?.sentence).toBe(sentence);
  });

  it('names the method with the least mean, and the cycles', () => {
    const methods = [
      free,
      { title: '3D-Var', isFreeRun: false, rows: rows(0.01, 0.05) },
      { title: 'LETKF', isFreeRun: false, rows: rows(0.02, 0.02) },
    ];
    expect(headlineOf(methods, OF_H)).toStrictEqual({
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
    expect(headlineOf(methods, OF_H)?.basis).toBe(
      'Mean error of h in this run, cycle 0; worse than the free run in hv',
    );
  });

  it('names both of two methods whose errors are alike, and counts more', () => {
    const methods = [
      free,
      { title: 'LETKF', isFreeRun: false, rows: rows(0.02, 0.02) },
      { title: '3D-Var', isFreeRun: false, rows: rows(0.02, 0.021) },
    ];
    expect(headlineOf(methods, OF_H)?.sentence).toBe('LETKF and 3D-Var: about a third of the free run’s error');
    const more = [...methods, { title: 'EnKF', isFreeRun: false, rows: rows(0.0205, 0.0205) }];
    expect(headlineOf(more, OF_H)?.sentence).toBe('3 methods: about a third of the free run’s error');
  });

  it('says that no method is better only after the spin-up', () => {
    const methods = [
      free,
      { title: 'LETKF', isFreeRun: false, rows: rows(0.06, 0.06) },
      { title: '3D-Var', isFreeRun: false, rows: rows(0.07, 0.07) },
    ];
    expect(headlineOf(methods, OF_H)?.sentence).toBe('No method is better than the free run');
    expect(headlineOf(methods, { ...OF_H, isSettled: false })).toBeUndefined();
  });

  it('is of the forecasts while these are on screen', () => {
    const methods = [
      { title: 'Free run', isFreeRun: true, rows: forecasts(0.06) },
      { title: 'LETKF', isFreeRun: false, rows: forecasts(0.03) },
    ];
    expect(headlineOf(methods, { ...OF_H, phase: 'forecast' })).toStrictEqual({
      sentence: 'LETKF: about half of the free run’s error',
      basis: 'Mean error of the forecasts of h in this run, cycle 0',
    });
  });

  it('is missing without a free run, without other methods, and before the first cycle', () => {
    const letkf = { title: 'LETKF', isFreeRun: false, rows: rows(0.01) };
    expect(headlineOf([letkf], OF_H)).toBeUndefined();
    expect(headlineOf([free], OF_H)).toBeUndefined();
    expect(
      headlineOf(
        [
          { ...free, rows: [] },
          { ...letkf, rows: [] },
        ],
        OF_H,
      ),
    ).toBeUndefined();
    expect(headlineOf([free, { ...letkf, rows: rows(Number.NaN) }], OF_H)).toBeUndefined();
  });
});
