import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../../engine/index.ts';
import { proposedMethod } from '../../../engine/scenario/index.ts';
import { parsed, warningLines } from './problems-of.ts';

type Method = NonNullable<ScenarioInput['methods']>[number];
type Covariance = NonNullable<Extract<Method, { kind: '4dvar' }>['covariance']>;

const OF_H: Covariance = { kind: 'gaussian', length: 6, standardDeviation: { h: 0.05 } };
const ABOUT: Partial<ScenarioInput> = {
  model: { scheme: 'central-upwind', coriolis: { f: 1e-4 }, bathymetry: { kind: 'flat', depth: 4 } },
  observations: [{ variable: 'h', network: { kind: 'regular', stride: [4, 4] } }],
};

function ofMomenta(covariance: Covariance): string[] {
  const lines = warningLines(parsed({ ...ABOUT, methods: [{ kind: '4dvar', covariance }] }));
  return lines.filter((line) => line.includes('has none of hu and hv'));
}

describe('the momenta in the covariance of 4D-Var', () => {
  it('are missed if h alone has a deviation, with their size for such waves', () => {
    // √(9.81 · 4) · 0.05 = 0.313
    expect(ofMomenta(OF_H)).toEqual([expect.stringContaining('here about 0.31 m²/s')]);
  });

  it('are not missed if they have one, come from the balance, or belong to nothing', () => {
    expect(ofMomenta({ ...OF_H, standardDeviation: { h: 0.05, hu: 0.1 } })).toEqual([]);
    expect(ofMomenta({ ...OF_H, standardDeviation: { hu: 0.1, hv: 0.1 } })).toEqual([]);
    expect(ofMomenta({ ...OF_H, balance: 'geostrophic' })).toEqual([]);
  });

  it('are proposed with the covariance of a 3D-Var that has none', () => {
    const scenario = parsed({ ...ABOUT, methods: [{ kind: '3dvar', covariance: OF_H }] });
    expect(proposedMethod('4dvar', scenario)).toMatchObject({
      covariance: { length: 6, standardDeviation: { h: 0.05, hu: 0.31, hv: 0.31 } },
    });
  });
});
