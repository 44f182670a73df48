/** Impacts by group and in words. */
import { expect, it } from 'vitest';
import { describeImpact, impactMeans, impactSums, networkSums, type ObservationImpact } from '../../../engine/index.ts';

const impact: ObservationImpact = {
  impacts: Float64Array.of(-3, 1, 0, -0.5),
  error: 7,
  errorBefore: 10,
  cycle: 4,
  lead: 2,
  verification: 'truth',
  unit: 'm³/s²',
  observations: {
    x: Float64Array.of(0, 9, 3, 9),
    y: Float64Array.of(0, 9, 1, 1),
    variable: ['h', 'h', 'h', 'u'],
    network: Uint16Array.of(0, 0, 0, 1),
    innovation: Float64Array.of(1, 2, 0, 3),
    isUsed: [true, true, false, true],
  },
};
const methods = [
  { label: 'letkf', kind: 'letkf' },
  { label: 'enkf', kind: 'enkf' },
];

it('sums what was used by group', () => {
  const { network } = impact.observations;
  expect(impactSums(impact, (j) => `network ${network[j]}`)).toEqual([
    { group: 'network 0', count: 2, helped: 1, impact: -2 },
    { group: 'network 1', count: 1, helped: 1, impact: -0.5 },
  ]);
});

it('has means over cycles, in which a network that was not used changed nothing', () => {
  const gauges = { group: 'gauges', count: 4, helped: 3, impact: -3 };
  const buoys = { group: 'buoys', count: 1, helped: 0, impact: 2 };
  const [first, second] = impactMeans([[gauges], [{ ...gauges, impact: -1 }, buoys]]);
  expect(first).toEqual({ group: 'gauges', count: 8, helped: 6, impact: -2, standardError: undefined });
  expect(second).toMatchObject({ group: 'buoys', count: 1, helped: 0, impact: 1 });
});

it('has the standard error of a mean over cycles that are independent, or are not', () => {
  // Two values that alternate, and two that stay for long.
  const means = [(t: number) => t % 2, (t: number) => Number(t > 31)].map((valueAt) => {
    const series = Array.from({ length: 64 }, (_, t) => ({ group: 'g', count: 1, helped: 0, impact: valueAt(t) }));
    return impactMeans(series.map((sum) => [sum]))[0];
  });
  const independent = 0.5 / Math.sqrt(63);
  expect(means.map(({ impact }) => impact)).toEqual([0.5, 0.5]);
  expect(means[0].standardError).toBeLessThan(1.2 * independent);
  expect(means[1].standardError).toBeGreaterThan(3 * independent);
});

it('reads what diagnostics have by network', () => {
  const networks = { used: [4], helped: [3], impact: [-0.5] };
  expect(networkSums({ error: 1, errorBefore: 2, networks }, ['gauges', 'painted'])).toEqual([
    { group: 'gauges', count: 4, helped: 3, impact: -0.5 },
    { group: 'painted', count: 0, helped: 0, impact: 0 },
  ]);
});

it('says what changed, and how much of it is explained', () => {
  expect(describeImpact(methods[0], methods, impact)).toBe(
    'The LETKF: the observations of cycle 4 change the squared error of the forecast of cycle 6 against the truth from 10 to 7 m³/s². Their impacts sum to −2.5 m³/s², 83 % of the change; 2 of 3 help.',
  );
  expect(describeImpact(methods[0], methods, { ...impact, lead: 0, unit: '', error: 10 })).toBe(
    'The LETKF: the observations of cycle 4 change the squared error of the analysis against the truth from 10 to 10. Their impacts sum to −2.5; 2 of 3 help.',
  );
  const observations = { ...impact.observations, isUsed: [false, false, false, false] };
  expect(describeImpact(methods[0], methods, { ...impact, impacts: new Float64Array(4), observations })).toBe(
    'The LETKF: no observation of cycle 4 was used, so that none has an impact.',
  );
});
