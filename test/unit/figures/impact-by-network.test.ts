import { describe, expect, it } from 'vitest';
import { validateScenario } from '../../../engine/index.ts';
import { IMPACT_BY_NETWORK } from '../../../app/figures/impact-by-network.ts';
import { linesOf, reportedRun, shownRun } from './shown-run.ts';

const network = (name: string, x: number) => ({
  name,
  variable: 'h',
  network: { kind: 'points', points: [[x, 3]] },
});
const { scenario } = validateScenario(
  {
    version: 3,
    name: 'asked',
    grid: { nx: 8, ny: 8 },
    observations: [network('gauges', 2), network('buoys', 5)],
    experiment: { cycles: 3, impact: { lead: 1 } },
  },
  'test',
);
const networks = { used: [4, 1], helped: [3, 0], impact: [-0.25, 0.5] };
const impact = { error: 1, errorBefore: 2, networks };

describe('impacts by network', () => {
  it('are added up over the cycles, a line a network of the method that has them', () => {
    const run = shownRun({ scenario }, { letkf: { impact } });
    const data = IMPACT_BY_NETWORK.inWindow?.(run);
    const lines = linesOf(data);
    expect(lines.map(({ label, dash }) => [label, dash])).toEqual([
      ['gauges', ''],
      ['buoys', '6 3'],
    ]);
    expect(lines[0].points.map(({ x }) => x)).toEqual([0, 1, 2]);
    expect(lines[0].points.map(({ y }) => y)).toEqual([-0.25, -0.5, -0.75]);
    expect(data?.note).toMatch(
      /^LETKF, .*cycles 0 to 2.*: gauges −0\.25 ± 0 m³\/s² \(75 % help\); buoys 0\.5 ± 0 m³\/s² \(0 % help\)\.$/,
    );
    expect(data?.table?.().rows.map((row) => row.slice(0, 4))).toEqual([
      ['LETKF', 'gauges', 12, 9],
      ['LETKF', 'buoys', 3, 0],
    ]);
    expect(IMPACT_BY_NETWORK.inReport?.(reportedRun(run)).map(({ title }) => title)).toEqual([
      'Impact by network, LETKF',
    ]);
  });

  it('are awaited in a run that asks for them, and no figure of another', () => {
    expect(IMPACT_BY_NETWORK.inWindow?.(shownRun({ scenario }))?.empty).toContain('appear here');
    expect(IMPACT_BY_NETWORK.inWindow?.(shownRun())).toBeUndefined();
    expect(IMPACT_BY_NETWORK.inReport?.(reportedRun(shownRun({ scenario })))).toEqual([]);
  });
});
