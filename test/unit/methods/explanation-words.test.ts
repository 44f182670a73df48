/** What is said of an analysis: the comparison of trust, one observation, and how much is determined. */
import { expect, it } from 'vitest';
import { describeDegreesOfFreedom, describeObservation, describeTrust, spokenName } from '../../../engine/index.ts';
import type { ObservationExplanation } from '../../../engine/index.ts';

const VARIATIONAL = { label: '3dvar', kind: '3dvar' };
const LOCAL = { label: 'letkf', kind: 'letkf' };

it('a background is trusted by the inverse of its variance', () => {
  const told = [
    { ...LOCAL, deviation: Math.sqrt(2.1) },
    { ...VARIATIONAL, deviation: 1 },
    { label: 'nudging', kind: 'nudging', deviation: undefined },
  ];
  expect(describeTrust(told)).toEqual(['3D-Var trusts its background 2.1 times as much as the LETKF does here.']);
});

it('backgrounds of nearly the same error are trusted alike, and large ratios are reported without decimals', () => {
  const alike = [
    { ...LOCAL, deviation: 1 },
    { ...VARIATIONAL, deviation: 1.01 },
    { label: 'enkf', kind: 'enkf', deviation: 5 },
  ];
  expect(describeTrust(alike)).toEqual([
    'The LETKF and 3D-Var trust their backgrounds alike here.',
    'The LETKF trusts its background 25 times as much as the EnKF does here.',
  ]);
  expect(describeTrust([{ ...LOCAL, deviation: 1 }])).toEqual([]);
});

it('several of a kind go by their labels', () => {
  const all = [LOCAL, { label: 'letkf, wide', kind: 'letkf' }];
  expect(spokenName(all[1], all)).toBe('“letkf, wide”');
  expect(spokenName(LOCAL, [LOCAL, VARIATIONAL])).toBe('the LETKF');
});

const TOLD: ObservationExplanation = {
  observation: { index: 3, variable: 'h', x: 1, y: 2, value: 2.1, errorStd: 0.1 },
  unit: 'm',
  isUsed: true,
  prior: { mean: 2, deviation: 0.1, members: new Float64Array(0) },
  innovation: 0.1,
  normalisedInnovation: 0.1 / Math.SQRT2 / 0.1,
  alone: { mean: 2.05, deviation: 0.07, members: new Float64Array(0), gain: 0.5 },
  together: { mean: 2.02, deviation: 0.06, members: new Float64Array(0), gain: 0.2 },
};

it('an observation is reported by what was expected, what was read and the result', () => {
  expect(describeObservation(LOCAL, [LOCAL], TOLD)).toBe(
    'The LETKF expects 2.00 ± 0.10 m and observes 2.10 ± 0.10 m, 0.707 σ away. ' +
      'By this observation alone it goes 50 % of the way there; with all of the cycle it went 20 %.',
  );
  expect(describeObservation(LOCAL, [LOCAL], { ...TOLD, isUsed: false })).toContain('rejects the observation');
});

it('degrees of freedom are reported with their error where the trace is a random one', () => {
  const told = { value: 12.34, standardError: 0.21, observations: 50 };
  expect(describeDegreesOfFreedom(VARIATIONAL, [VARIATIONAL], told)).toBe(
    '50 observations determine 12.3 ± 0.2 degrees of freedom in 3D-Var, 25 % of their number.',
  );
  const none = { value: 0, standardError: 0, observations: 0 };
  expect(describeDegreesOfFreedom(LOCAL, [LOCAL], none)).toBe(
    '0 observations determine 0 degrees of freedom in the LETKF.',
  );
});
