/** Impacts by group and in words. */
import { expect, it } from 'vitest';
import { describeImpact, impactSums, type ObservationImpact } from '../../../engine/index.ts';

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
