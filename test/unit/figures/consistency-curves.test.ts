/** What the curves of consistency draw: points with gaps, units of lengths, and ends of axes. */
import { describe, expect, it } from 'vitest';
import { BUDGET_CHARTS, budgetPoints, saysSomething } from '../../../app/figures/budget-charts.ts';
import { octavePoints, octaveRange, squareDomain, wavelengthsOf } from '../../../app/figures/consistency-curves.ts';
import { layoutPlot } from '../../../app/plot/layout.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';

const grid = { nx: 32, ny: 32, dx: 10, dy: 10, periodicX: true, periodicY: true };

/** One curve, of a power in each octave. */
const line = (...powers: number[]) => [powers.map((y, x) => ({ x, y }))];

describe('wavelengths', () => {
  it('are of the middles of octaves, in metres or kilometres as the basin is, and counted on a ring', () => {
    const small = wavelengthsOf(grid);
    expect(small.unit).toBe('m');
    expect(small.lengths[0]).toBeCloseTo(320 / Math.SQRT2, 10);
    expect(small.lengths[1]).toBeCloseTo(160 / Math.SQRT2, 10);
    const large = wavelengthsOf({ ...grid, dx: 5000, dy: 5000 });
    expect(large.unit).toBe('km');
    expect(large.lengths[0]).toBeCloseTo(160 / Math.SQRT2, 10);
    expect(wavelengthsOf({ ...grid, ny: 1, dx: 1, dy: 1, isRing: true }).unit).toBe('');
    // On the axis of a run whose basin is larger.
    expect(wavelengthsOf(grid, 'km').lengths[0]).toBeCloseTo(0.32 / Math.SQRT2, 12);
  });

  it('ascend along the line, with gaps if there is no power; without any there is no line', () => {
    const wavelengths = { lengths: [8, 4, 2], unit: 'm' };
    expect(octavePoints(wavelengths, [3, 0, 1])).toEqual([
      { x: 2, y: 1 },
      { x: 4, y: Number.NaN },
      { x: 8, y: 3 },
    ]);
    expect(octavePoints(wavelengths, [0, 0, 0])).toEqual([]);
  });
});

describe('ends of axes', () => {
  it('of spread and error are the same, with room', () => {
    const [from, to] = squareDomain([[{ x: 0.1, y: 0.4 }], [{ x: 0.2, y: Number.NaN }]]) ?? [];
    expect(from).toBe(0);
    expect(to).toBeCloseTo(0.42, 12);
    expect(squareDomain([[]])).toBeUndefined();
    expect(squareDomain([[{ x: 0, y: 0 }]])).toBeUndefined();
  });

  it('of powers are whole decades, at most six below the largest', () => {
    const decadesOf = (...powers: number[]) => octaveRange(line(...powers))?.map((end) => Math.log10(end));
    expect(decadesOf(3e-3, 2e-5)?.map(Math.round)).toEqual([-5, -2]);
    expect(decadesOf(3e-3, 2e-12)?.map(Math.round)).toEqual([-8, -2]);
    expect(octaveRange(line(Number.NaN, 0))).toBeUndefined();
  });
});

describe('budgets', () => {
  const budget = { mass: 100, energy: 2, potentialEnstrophy: 0, tendency: 0.1, ageostrophicShare: undefined };
  const row = {
    ...diagnosticsRow('letkf', 3, { h: 0.1, hu: 0.1 }),
    consistency: {
      departures: {},
      sampled: {},
      spectra: { forecastError: [], analysisError: [], increment: [], forecastSpread: [] },
      budgets: { truth: budget, forecast: budget, analysis: { ...budget, mass: 101 } },
    },
  };

  it('are points of the cycles that have them', () => {
    const [mass] = BUDGET_CHARTS;
    const [point] = budgetPoints([row, diagnosticsRow('letkf', 4, { h: 0.1, hu: 0.1 })], mass.of);
    expect(point.x).toBe(3);
    expect(point.y).toBeCloseTo(1, 12);
    const ageostrophic = BUDGET_CHARTS.at(-1);
    expect(ageostrophic && budgetPoints([row], ageostrophic.of)).toEqual([]);
  });

  it('say nothing where they are zero throughout', () => {
    expect(saysSomething([[{ x: 0, y: 0 }], []])).toBe(false);
    expect(saysSomething([[{ x: 0, y: 0 }], [{ x: 0, y: -1 }]])).toBe(true);
  });
});

describe('a line that is marked', () => {
  it('is drawn with its points', () => {
    const points = [
      { x: 0, y: 1 },
      { x: 1, y: 2 },
    ];
    const line = { key: 'a', label: 'a', color: 'red', dash: '', points };
    const axis = { label: '', unit: '', scale: 'linear' } as const;
    const layoutOf = (marked: boolean) =>
      layoutPlot({ width: 300, height: 200, em: 11, x: axis, y: axis, series: [{ ...line, marked }] }).series[0];
    expect(layoutOf(true).dots).toHaveLength(2);
    expect(layoutOf(true).line).toBe(layoutOf(false).line);
    expect(layoutOf(false).dots).toEqual([]);
  });
});
