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

function ofMomenta(covariance: Covariance, method: Method = { kind: '4dvar' }): string[] {
  const lines = warningLines(parsed({ ...ABOUT, methods: [{ ...method, covariance } as Method] }));
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

  it('are missed in a hybrid if the members, which have them, have no weight', () => {
    expect(ofMomenta(OF_H, { kind: 'hybrid-4dvar', staticWeight: 1, ensembleWeight: 0 })).toHaveLength(1);
    expect(ofMomenta(OF_H, { kind: 'hybrid-4dvar' })).toEqual([]);
  });

  it('are proposed with the covariance of a 3D-Var that has none', () => {
    const scenario = parsed({ ...ABOUT, methods: [{ kind: '3dvar', covariance: OF_H }] });
    for (const kind of ['4dvar', 'hybrid-4dvar']) {
      expect(proposedMethod(kind, scenario)).toMatchObject({
        covariance: { length: 6, standardDeviation: { h: 0.05, hu: 0.31, hv: 0.31 } },
      });
    }
  });
});
