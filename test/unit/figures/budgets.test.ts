import { expect, it } from 'vitest';
import { BUDGETS, IMBALANCE } from '../../../app/figures/budgets.ts';
import { linesOf, reportedRun, shownRun, STYLES } from './shown-run.ts';

const BASIN = {
  nx: 4,
  ny: 4,
  dx: 1,
  dy: 1,
  periodicX: false,
  periodicY: false,
  bed: new Float32Array(16),
  gravity: 9.81,
  coriolis: 0,
};
const truth = { mass: 100, energy: 2, potentialEnstrophy: 0, tendency: 0.1, ageostrophicShare: undefined };
const consistency = {
  departures: {},
  sampled: {},
  spectra: { forecastError: [], analysisError: [], increment: [], forecastSpread: [] },
  budgets: { truth, forecast: truth, analysis: { ...truth, mass: 101 } },
};
const run = shownRun({ basin: BASIN }, Object.fromEntries(STYLES.map(({ label }) => [label, { consistency }])));

it('are lines of the methods that have them, beside the truth unless they are drawn against it', () => {
  const data = BUDGETS.inWindow?.(run);
  expect(data?.panels.map(({ y }) => y.label)).toEqual(['Mass over the truth’s, less 1', 'Energy']);
  const [mass] = linesOf(data);
  expect(mass.points[0].y).toBeCloseTo(1, 12);
  expect(linesOf(data, 1).map(({ label }) => label)).toEqual(['Truth', 'Free run', '3D-Var', 'LETKF']);
});

it('omit what is zero throughout or not there, and its words', () => {
  expect(BUDGETS.inWindow?.(run)?.help).not.toContain('enstrophy');
  expect(IMBALANCE.inWindow?.(run)?.panels).toHaveLength(1);
});

it('are none of a ring, and say how they come before there are any', () => {
  expect(BUDGETS.inWindow?.(shownRun({ basin: { ...BASIN, isRing: true } }))).toBeUndefined();
  expect(BUDGETS.inWindow?.(shownRun({ basin: BASIN }))?.empty).toMatch(/after the first cycle/);
});

it('are the same charts in a report, each with its own words', () => {
  const drawn = [BUDGETS, IMBALANCE].flatMap(({ inReport }) => inReport?.(reportedRun(run)) ?? []);
  expect(drawn.map(({ panels }) => panels[0].y.label)).toEqual([
    'Mass over the truth’s, less 1',
    'Energy',
    'Mean |∂η/∂t| after the analysis',
  ]);
  expect(drawn[1].help).toMatch(/^Energy over density/);
});
