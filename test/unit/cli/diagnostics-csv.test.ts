import { expect, it } from 'vitest';
import { formatDiagnostics, parseDiagnostics } from '../../../engine/output/diagnostics-csv.ts';
import type { CycleDiagnostics } from '../../../engine/index.ts';

const row: CycleDiagnostics = {
  method: 'my "3D-Var", long',
  cycle: 7,
  timeSeconds: 0.1 + 0.2,
  rmse: { forecast: { h: 1 / 3, hu: NaN }, analysis: { h: 1e-300, hu: Infinity } },
  spread: { forecast: { h: 0, hu: 2 }, analysis: { h: 5e-324, hu: 4 } },
  crps: { forecast: { h: 0.5 }, analysis: { h: 0.25 } },
  fairCrps: { forecast: { h: 0.4 }, analysis: { h: 0.2 } },
  rankHistogram: { h: [3, 1, 4] },
  innovation: {
    count: 12,
    rejected: 0,
    mean: -0.001,
    standardDeviation: 0.02,
    normalisedSquares: 1.01,
    chiSquare: 0.97,
  },
  impact: {
    error: 1e-5,
    errorBefore: 2 / 3,
    networks: { used: [4, 0], helped: [3, 0], impact: [-1 / 7, 0] },
  },
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

it('reads back what each outer loop came to, if there were several', () => {
  const outerLoops = [
    { iterations: 9, cost: 12.5 },
    { iterations: 7, cost: 1 / 3 },
  ];
  const several = { ...row, minimisation: row.minimisation && { ...row.minimisation, outerLoops } };
  expect(parseDiagnostics(formatDiagnostics(['h', 'hu'], [several]))).toEqual([several]);
});

it('writes the header if there is no row yet', () => {
  expect(parseDiagnostics(formatDiagnostics(['h'], []))).toEqual([]);
});

it('writes no label that a spreadsheet would run as a formula, and reads each back as it was', () => {
  const labels = [
    '=HYPERLINK("http://x","y")',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    "'=1",
    "''+1",
    '＝1',
    "it's",
    "'quoted'",
  ];
  const text = formatDiagnostics(
    ['h', 'hu'],
    labels.map((method) => ({ ...row, method })),
  );
  for (const line of text.trimEnd().split('\n').slice(1)) expect(line).not.toMatch(/^"?[=+\-@\t\r＝＋－＠]/);
  expect(parseDiagnostics(text).map(({ method }) => method)).toEqual(labels);
});

it('leaves χ² out where it is not available', () => {
  const innovation = {
    count: 12,
    rejected: 0,
    mean: 0,
    standardDeviation: 1,
    normalisedSquares: 1.01,
    chiSquare: undefined,
  };
  const [read] = parseDiagnostics(formatDiagnostics(['h', 'hu'], [{ ...row, innovation }]));
  expect(read.innovation).toEqual(innovation);
});

it('takes what an earlier version called χ² for the normalised squares that it was', () => {
  const text = 'method,cycle,innovation_count,innovation_chi_square\nletkf,3,12,1.25\n';
  expect(parseDiagnostics(text)[0].innovation).toMatchObject({ normalisedSquares: 1.25, chiSquare: undefined });
});

it('reads back what is measured of consistency, and rows from before it was measured', () => {
  const budget = { mass: 4096.5, energy: 1 / 3, potentialEnstrophy: 1e-9, tendency: 0.1, ageostrophicShare: 0.25 };
  const products = {
    count: 12,
    innovation: 1.5,
    residual: 0.9,
    increment: 0.6,
    incrementResidual: 0.25,
    signal: 0.3,
    backgroundVariance: 0.7,
    analysisVariance: 0,
  };
  const consistency = {
    departures: { h: products, u: products },
    sampled: {
      h: {
        alpha: [0, 0.25],
        beta: [0.5, 0],
        below: 0.1,
        above: 0.2,
        uncertainty: 0.3,
        share: [1],
        variance: [2],
        squaredError: [3],
      },
    },
    spectra: { forecastError: [1, 2], analysisError: [3, 4], increment: [5, 6], forecastSpread: [0, 0] },
    budgets: { truth: budget, forecast: budget, analysis: { ...budget, ageostrophicShare: undefined } },
  };
  const variables = ['h', 'hu', 'hv'];
  const rows = [
    { ...row, consistency },
    { ...row, consistency: { ...consistency, departures: {}, sampled: {} } },
  ];
  expect(parseDiagnostics(formatDiagnostics(variables, rows)).map((read) => read.consistency)).toEqual(
    rows.map((written) => written.consistency),
  );
  const ring = {
    ...row,
    consistency: { ...consistency, departures: { x: products }, sampled: {}, budgets: undefined },
  };
  const text = formatDiagnostics(['x'], [ring]);
  expect(parseDiagnostics(text)[0].consistency).toEqual(ring.consistency);
  expect(text).not.toContain('mass');
});

it('takes the one mean that files of an earlier version have of increments and residuals for both', () => {
  const text = 'method,cycle,spectrum_increment,departures_count_h,departures_signal_h\n3dvar,3,1 2,12,0.25\n';
  expect(parseDiagnostics(text)[0].consistency?.departures['h']).toMatchObject({
    incrementResidual: 0.25,
    signal: 0.25,
  });
});

function both(h: number) {
  return { forecast: { h }, analysis: { h: h / 3 } };
}

it('reads back level and pattern of the error, the level with its sign', () => {
  const split = { ...row, meanError: both(-0.037), rmsePattern: both(0.011) };
  const text = formatDiagnostics(['h', 'hu'], [split]);
  expect(parseDiagnostics(text)).toEqual([split]);
  const [names, cells] = text.split('\n').map((line) => line.split(','));
  // The label has a comma.
  const cell = (name: string): number => Number(cells[names.indexOf(name) + 1]);
  expect([cell('rmse_level_forecast_h'), cell('rmse_pattern_forecast_h')]).toEqual([0.037, 0.011]);
});

it('reads back errors and spread by lag, of a smoother', () => {
  const smoothing = { ...row, smoothed: { rmse: { h: [0.3, 0.2] }, spread: { h: [0.25, 0.125] } } };
  expect(parseDiagnostics(formatDiagnostics(['h', 'hu'], [smoothing]))).toEqual([smoothing]);
});

it('reads back errors and spread by region, and that one of them is dry', () => {
  const regions = { rmse: { h: [0.3, Number.NaN, 0.1, 0.2] }, spread: { h: [0.25, Number.NaN, 0.5, 1] } };
  expect(parseDiagnostics(formatDiagnostics(['h', 'hu'], [{ ...row, regions }]))).toEqual([{ ...row, regions }]);
  const single = { ...regions, spread: {} };
  expect(parseDiagnostics(formatDiagnostics(['h'], [{ ...row, regions: single }]))[0].regions).toEqual(single);
});

it('has no spread of a method with one member, and reads none from a file of an earlier version, which has 0', () => {
  const none = { forecast: {}, analysis: {} };
  const single = { ...row, method: '3dvar', spread: none, rankHistogram: { h: [5, 3] } };
  const text = formatDiagnostics(['h'], [single]);
  const [names, cells] = text.split('\n').map((line) => line.split(','));
  expect(cells[names.indexOf('spread_analysis_h')]).toBe('');
  const old = formatDiagnostics(['h'], [{ ...single, spread: { forecast: { h: 0 }, analysis: { h: 0 } } }]);
  expect(old).not.toBe(text);
  expect(parseDiagnostics(old)[0].spread).toEqual(none);
});

it('reads the times of an earlier version', () => {
  const text = 'method,cycle,forecast_ms,analysis_ms\nletkf,3,12.5,4\n';
  expect(parseDiagnostics(text)[0].milliseconds).toEqual({ forecast: 12.5, analysis: 4 });
});
