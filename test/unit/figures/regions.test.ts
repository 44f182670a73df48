import { describe, expect, it } from 'vitest';
import { validateScenario } from '../../../engine/index.ts';
import { BY_REGION } from '../../../app/figures/regions.ts';
import { linesOf, reportedRun, shownRun } from './shown-run.ts';

const { scenario } = validateScenario(
  {
    version: 3,
    name: 'quadrants',
    truth: { initial: { kind: 'rest' } },
    background: { initial: { kind: 'rest' }, members: 4 },
    methods: [{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf' }],
  },
  'quadrants.json',
);
const regions = { rmse: { h: [1, 2, 4, Number.NaN] }, spread: { h: [0.5, 1, 2, Number.NaN] } };
const run = shownRun({ scenario }, { letkf: { regions } });

describe('error and spread by region', () => {
  it('are drawn on one axis of values, and a region that is dry is empty', () => {
    const data = BY_REGION.inWindow?.(run);
    expect(data?.panels.map(({ y }) => y.label)).toEqual([
      'RMSE of h, south-west',
      'RMSE of h, south-east',
      'RMSE of h, north-west',
      'RMSE of h, north-east',
    ]);
    expect(data?.panels.map(({ y }) => y.include)).toEqual(Array.from({ length: 4 }, () => [0, 4]));
    const letkf = (panel: number) => linesOf(data, panel).find(({ key }) => key === 'letkf');
    expect(letkf(2)?.points).toEqual([0, 1, 2].map((x) => ({ x, y: 4 })));
    expect(letkf(2)?.band).toEqual([0, 1, 2].map((x) => ({ x, low: 0, high: 2 })));
    expect(letkf(3)?.points).toEqual([]);
  });

  it('are a table with a line for each method, cycle and region', () => {
    const { columns, rows } = BY_REGION.inWindow?.(run)?.table?.() ?? { columns: [], rows: [] };
    expect(columns).toEqual(['cycle', 'method', 'region', 'RMSE of h (m)', 'spread of h (m)']);
    expect(rows).toHaveLength(3 * 3 * 4);
    expect(rows.filter(([, method]) => method === 'LETKF')[1]).toEqual([0, 'LETKF', 'south-east', 2, 1]);
    expect(rows.find(([, method]) => method === '3D-Var')?.slice(3)).toEqual([null, null]);
  });

  it('are in reports, without the regions that are dry, and say in the window while there are none', () => {
    expect(BY_REGION.inReport?.(reportedRun(run)).map(({ panels }) => panels[0].y.label)).toHaveLength(3);
    expect(BY_REGION.inWindow?.(shownRun({ scenario }))?.empty).toContain('appears here');
    expect(BY_REGION.inReport?.(reportedRun(shownRun({ scenario })))).toEqual([]);
  });
});
