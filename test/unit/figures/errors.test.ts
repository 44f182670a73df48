import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../../app/figures/errors.ts';
import { valueAxis } from '../../../app/figures/figure-data.ts';
import type { LinePanel } from '../../../app/figures/figure-data.ts';
import { linesOf, reportedRun, shownRun, STYLES } from './shown-run.ts';

function panelsOf(run = shownRun()): readonly LinePanel[] {
  const all = ERRORS.inReport?.(reportedRun(run)).flatMap(({ panels }) => panels) ?? [];
  return all.flatMap((panel) => (panel.kind === 'lines' ? [panel] : []));
}

describe('errors in the window', () => {
  it('have a line and a band for each method, in its look, and a panel for each variable', () => {
    const data = ERRORS.inWindow?.(shownRun({ variables: ['h', 'hu'] }));
    expect(data?.panels.map(({ y }) => y.label)).toEqual(['RMSE of h', 'RMSE of hu']);
    expect(linesOf(data).map(({ key, color, dash }) => [key, color, dash])).toEqual(
      STYLES.map(({ label, colour, dash }) => [label, colour, dash]),
    );
    expect(linesOf(data)[2].band).toContainEqual({ x: 1, low: 0, high: 1 });
    expect(data?.title).toBe('Error and spread');
    expect(data?.panels[0].summary).toBe(
      'RMSE of h of the analysis by cycle. Latest: Free run 4\u00a0m, 3D-Var 2\u00a0m, LETKF 1\u00a0m.',
    );
  });

  it('have no band of single states, and say nothing of bands then', () => {
    const spread = { forecast: { h: 0 }, analysis: { h: 0 } };
    const data = ERRORS.inWindow?.(
      shownRun({ stage: 'both' }, { 'free-run': { spread }, '3dvar': { spread }, letkf: { spread } }),
    );
    expect(data?.title).toBe('Error');
    expect(data?.help).toBe('Lines: RMSE of h of the forecast and analysis against the truth.');
  });

  it('are differences from a method where that is asked for, of branches as well', () => {
    const run = shownRun();
    const branch = {
      id: 'branch 1',
      title: 'radius 8',
      dash: '1 2',
      diagnostics: new Map([['3dvar', (run.diagnostics.get('letkf') ?? []).slice(1)]]),
      styles: STYLES.slice(1, 2),
      diverged: new Map(),
      cells: undefined,
    };
    const shown = { ...run.shown, overlaid: [branch] };
    const data = ERRORS.inWindow?.(shownRun({ difference: '3dvar', shown }));
    expect(data?.title).toBe('Difference of errors');
    expect(linesOf(data).map(({ label, points }) => [label, points.map(({ y }) => y)])).toStrictEqual([
      ['Free run', [2, 2, 2]],
      ['LETKF', [-1, -1, -1]],
      ['3D-Var, radius 8', [-1, -1]],
    ]);
    expect(data?.panels[0]).toMatchObject({
      y: { label: 'RMSE of h minus that of 3D-Var', unit: 'm' },
      references: [{ y: 0, label: '' }],
    });
    expect(data?.table?.().rows[0]).toStrictEqual([0, 2, -1, null]);
  });

  it('mark as ended what the run reported, and draw back what is not pointed at', () => {
    const shown = { ...shownRun().shown, highlightedMethod: 'letkf' };
    const lines = linesOf(ERRORS.inWindow?.(shownRun({ ended: new Set(['3dvar']), shown })));
    expect(lines.map(({ ends }) => ends === true)).toEqual([false, true, false]);
    expect(lines.map(({ faded }) => faded)).toEqual([true, true, false]);
  });

  it('say how they come before there are any', () => {
    const data = ERRORS.inWindow?.(shownRun({ variables: [], diagnostics: new Map() }));
    expect(data?.empty).toMatch(/after the first cycle/);
  });
});

describe('errors in a report', () => {
  it('are of analysis and forecast, with skill and the ratio of spread and error', () => {
    expect(panelsOf().map(({ y }) => y.label)).toEqual([
      'RMSE of h, analysis',
      'RMSE of h, forecast',
      'Skill in h',
      'Spread over error of h, forecast',
    ]);
    const [, , skill] = panelsOf();
    expect(skill.series.map(({ label, points }) => [label, points[0].y])).toEqual([
      ['3D-Var', 50],
      ['LETKF', 75],
    ]);
  });

  it('have one axis for several runs, logarithmic if all of them take decades', () => {
    const [one] = panelsOf();
    const far = { ...one, series: one.series.map((line) => ({ ...line, points: [{ x: 0, y: 200 }] })) };
    expect(valueAxis([one])).toMatchObject({ scale: 'linear' });
    expect(valueAxis([one])).not.toHaveProperty('include');
    expect(valueAxis([one, far])).toMatchObject({ scale: 'log', include: [1, 200] });
  });

  it('cut skill off where it is far below what is of interest', () => {
    const [, , skill] = panelsOf();
    const low = skill.series.map((line) => ({ ...line, points: [{ x: 0, y: -900 }] }));
    expect(valueAxis([skill])).not.toHaveProperty('domain');
    expect(valueAxis([{ ...skill, series: low }]).domain).toEqual([-100, 0]);
  });
});
