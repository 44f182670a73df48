import { expect, it } from 'vitest';
import { formatDiagnostics, parseDiagnostics } from '../../../engine/output/diagnostics-csv.ts';
import type { CycleDiagnostics } from '../../../engine/index.ts';

const row: CycleDiagnostics = {
  method: 'my "3D-Var", long',
  cycle: 7,
  timeSeconds: 0.1 + 0.2,
  rmse: { forecast: { h: 1 / 3, hu: NaN }, analysis: { h: 1e-300, hu: Infinity } },
  spread: { forecast: { h: 0, hu: 2 }, analysis: { h: 5e-324, hu: 4 } },
  crps: { forecast: 0.5, analysis: 0.25 },
  rankHistogram: [],
  innovation: { count: 12, rejected: 0, mean: -0.001, standardDeviation: 0.02, chiSquare: 1.01 },
  minimisation: {
    iterations: 2,
    converged: false,
    cost: [10, 5, 1 / 7],
    backgroundCost: [0, 1, 2],
    observationCost: [10, 4, 1],
    residual: [1, 0.1, 1e-5],
    ritzValues: [1, 33.3],
    conditionNumber: 33.3,
  },
  milliseconds: { forecast: 1.5, analysis: 2.25 },
};

it('reads back every number of every column', () => {
  const text = formatDiagnostics(
    ['h', 'hu'],
    [row, { ...row, cycle: 8, innovation: undefined, minimisation: undefined }],
  );
  expect(parseDiagnostics(text)).toEqual([row, { ...row, cycle: 8, innovation: undefined, minimisation: undefined }]);
  expect(text.split('\n')[0]).toContain('method,cycle,time_s,rmse_forecast_h,rmse_forecast_hu,rmse_analysis_h');
});

it('writes the header where there is no row yet', () => {
  expect(parseDiagnostics(formatDiagnostics(['h'], []))).toEqual([]);
});
