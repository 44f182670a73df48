/** The fixed gauges at a cycle: what hands see, and what an eraser reaches. */
import { expect, it } from 'vitest';
import { standingGauges, validateScenario } from '../../../engine/index.ts';

const gauges = (cycle: number, add: readonly [number, number][], remove: readonly [number, number][]) => ({
  kind: 'gauges',
  cycle,
  variable: 'hu',
  errorStandardDeviation: 0.5,
  add,
  remove,
});

const { scenario } = validateScenario(
  {
    version: 3,
    name: 'standing',
    grid: { nx: 8, ny: 8, dx: 10, dy: 10 },
    observations: [
      { name: 'posts', variable: 'h', network: { kind: 'regular', stride: [4, 4] }, errorStandardDeviation: 0.1 },
      { name: 'drifters', variable: 'u', network: { kind: 'drifters', count: 3 }, errorStandardDeviation: 0.2 },
      { name: 'places', variable: 'eta', network: { kind: 'points', points: [[15, 20]] }, errorStandardDeviation: 0.3 },
    ],
    interventions: [gauges(2, [[3, 3]], [[0, 0]]), gauges(4, [[5, 5]], [[3, 3]])],
    experiment: { cycles: 9 },
  },
  'test',
);

const at = (cycle: number): readonly string[] =>
  standingGauges(scenario, cycle).map(({ x, y, variable, errorStandardDeviation }) =>
    [x, y, variable, errorStandardDeviation].join(' '),
  );

it('are those of the networks that do not move, with what they observe, as the run begins', () => {
  expect(at(1)).toStrictEqual(['0 0 h 0.1', '4 0 h 0.1', '0 4 h 0.1', '4 4 h 0.1', '1.5 2 eta 0.3']);
});

it('are without those that were taken away, and with those that were painted, from their cycles on', () => {
  const left = ['4 0 h 0.1', '0 4 h 0.1', '4 4 h 0.1', '1.5 2 eta 0.3'];
  expect(at(2)).toStrictEqual([...left, '3 3 hu 0.5']);
  expect(at(3)).toStrictEqual(at(2));
  expect(at(4)).toStrictEqual([...left, '5 5 hu 0.5']);
});
