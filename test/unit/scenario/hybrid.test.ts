/** What the hybrid's settings have against each other, what a new one starts with, and what of it is tuned. */
import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../../engine/index.ts';
import { methodTuning, proposedMethod } from '../../../engine/scenario/index.ts';
import { parsed, problemsWith, warningLines } from './problems-of.ts';

type Method = NonNullable<ScenarioInput['methods']>[number];
type Hybrid = Extract<Method, { kind: 'hybrid' }>;

/** Without a warning of its own in the small basin. */
const QUIET: Hybrid = {
  kind: 'hybrid',
  localisation: { length: 6 },
  ensemble: { kind: 'letkf', localisation: { halfWidth: 8 }, inflation: 1.1 },
};
const ABOUT: Partial<ScenarioInput> = {
  observations: [{ variable: 'h', network: { kind: 'regular', stride: [4, 4] } }],
  background: { members: 8 },
};

function problems(changes: Partial<Hybrid>, more: Partial<ScenarioInput> = {}): string[] {
  return problemsWith({ ...ABOUT, methods: [{ ...QUIET, ...changes }], ...more });
}

function warnings(changes: Partial<Hybrid>): string[] {
  const lines = warningLines(parsed({ ...ABOUT, methods: [{ ...QUIET, ...changes }] }));
  return lines.filter((line) => line.startsWith('methods'));
}

/** Paths of what is tuned, in their order. */
function tuned(changes: Partial<Hybrid>): string[] {
  const scenario = parsed({ ...ABOUT, methods: [{ ...QUIET, ...changes }] });
  return methodTuning(scenario, 'hybrid').settings.map(({ path }) => path);
}

describe('the settings of the hybrid', () => {
  it('are right where one of the weights is above 0', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ staticWeight: 0 })).toEqual([]);
    expect(problems({ ensembleWeight: 0 })).toEqual([]);
    expect(problems({ staticWeight: 0, ensembleWeight: 0 })).toEqual([
      'methods[0].ensembleWeight: found 0 beside a static weight of 0, allowed: above 0 for one of them',
    ]);
  });

  it('hold the static covariance to what it is, where it has a weight', () => {
    const covariance = { kind: 'recursive-filter', standardDeviation: {} } as const;
    expect(problems({ covariance })).toEqual([
      'methods[0].covariance.standardDeviation: found 0 for every variable, allowed: above 0 for one or more',
    ]);
    expect(problems({ covariance, staticWeight: 0 })).toEqual([]);
  });

  it('hold the filter of the members to the observations that it can take', () => {
    const large: Partial<ScenarioInput> = {
      grid: { nx: 80, ny: 80, dx: 2, dy: 3 },
      observations: [{ variable: 'h', network: { kind: 'regular', stride: [1, 1] } }],
    };
    expect(problems({}, large)).toEqual([]);
    expect(problems({ ensemble: { kind: 'enkf', localisation: { halfWidth: 8 } } }, large)).toEqual([
      'methods[0].ensemble.kind: found "enkf" with up to 6400 observations in one analysis, allowed: 4096 with it; use "letkf"',
    ]);
  });

  it('are warned of where they do nothing, or too much', () => {
    expect(warnings({})).toEqual([]);
    expect(warnings({ ensembleWeight: 0 })).toEqual([
      'methods[0].ensembleWeight: 0: the members have no part in the analysis, which has the static covariance alone',
    ]);
    expect(warnings({ localisation: { length: 1 } })).toEqual([
      'methods[0].localisation.length: 1 m is less than half a cell (3 m); an observation corrects its own cell alone',
    ]);
    expect(warnings({ localisation: { length: 1e9 } })).toEqual([]);
    expect(warnings({ ensemble: { kind: 'letkf', localisation: { halfWidth: 8 } } })).toEqual([
      'methods[0].ensemble.inflation: 1, without relaxation and with 8 members: the spread will fall below the error',
    ]);
  });
});

describe('a new hybrid', () => {
  it('has the covariance and the filter of the other methods, and a taper as long as the filter’s', () => {
    const covariance = { kind: 'gaussian', length: 5, standardDeviation: { h: 0.02 } } as const;
    const filter = { localisation: { halfWidth: 10 }, inflation: 1.2 } as const;
    const scenario = parsed({
      ...ABOUT,
      methods: [
        { kind: '3dvar', covariance },
        { kind: 'enkf', ...filter },
      ],
    });
    expect(proposedMethod('hybrid', scenario)).toMatchObject({
      kind: 'hybrid',
      covariance,
      // 10 m · √0.3
      localisation: { length: 5.5 },
      ensemble: { kind: 'letkf', ...filter },
    });
  });

  it('is not localised where the other filter is not', () => {
    const scenario = parsed({ ...ABOUT, methods: [{ kind: 'letkf', localisation: { halfWidth: 1e9 } }] });
    expect(proposedMethod('hybrid', scenario)['localisation']).toEqual({ length: 1e9 });
  });
});

describe('the tuning of the hybrid', () => {
  it('begins with the ensemble’s weight and the taper', () => {
    expect(tuned({})).toEqual([
      'ensembleWeight',
      'localisation.length',
      'staticWeight',
      'ensemble.localisation.halfWidth',
      'ensemble.inflation',
      'covariance.length',
      'covariance.standardDeviation.h',
    ]);
  });

  it('omits what has no part', () => {
    expect(tuned({ staticWeight: 0, localisation: { length: 1e9 } })).toEqual([
      'ensembleWeight',
      'staticWeight',
      'ensemble.localisation.halfWidth',
      'ensemble.inflation',
    ]);
  });
});
