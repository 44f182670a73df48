import { expect, it } from 'vitest';
import { summariseRun } from '../../../engine/index.ts';
import type { CycleDiagnostics } from '../../../engine/index.ts';
import { formatResults } from '../../../app/cli/run/results-table.ts';

function row(method: string, cycle: number, h: number): CycleDiagnostics {
  return {
    method,
    cycle,
    timeSeconds: cycle,
    rmse: { forecast: { h: 2 * h, hu: 1 }, analysis: { h, hu: 1 } },
    spread: { forecast: { h, hu: 1 }, analysis: { h: h / 2, hu: 1 } },
    crps: { forecast: 0, analysis: 0 },
    rankHistogram: [],
    innovation: undefined,
    minimisation: undefined,
    milliseconds: { forecast: 3, analysis: cycle },
  };
}

const methods = [
  { label: 'nothing', kind: 'free-run', members: 2 },
  { label: 'letkf', kind: 'letkf', members: 2 },
];
const rows = [0, 1, 2, 3].flatMap((cycle) => [row('nothing', cycle, 0.4), row('letkf', cycle, cycle < 2 ? 9 : 0.1)]);

it('averages the cycles after the spin-up and compares with the free run, whatever its label', () => {
  const [free, letkf] = summariseRun(methods, rows, 2);
  expect(free).toMatchObject({ method: 'nothing', cycles: 4, skill: 0 });
  expect(letkf.skill).toBeCloseTo(0.75, 14);
  expect(letkf.rmse.forecast['h']).toBeCloseTo(0.2, 14);
  expect(letkf.spread.analysis['h']).toBeCloseTo(0.05, 14);
  expect(letkf.milliseconds).toEqual({ forecast: 3, analysis: 2.5 });
});

it('has no skill without a free run, and no means before the spin-up is over', () => {
  expect(summariseRun(methods.slice(1), rows, 2)[0].skill).toBeNull();
  const [, letkf] = summariseRun(methods, rows, 10);
  expect(letkf).toMatchObject({ cycles: 4, skill: null, rmse: { forecast: {}, analysis: {} } });
  expect(formatResults([letkf])).toContain('–');
});

it('prints one row a method', () => {
  const table = formatResults(summariseRun(methods, rows, 2));
  expect(table).toContain('RMSE analysis h');
  expect(table).toMatch(/letkf.*0\.2.*0\.1.*0\.05.*75\.0 %.*5\.5/);
});
