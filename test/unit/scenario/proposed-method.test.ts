/** Methods that are added start with what suits the scenario. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeProblem, parseScenario, validateScenario } from '../../../engine/index.ts';
import type { Scenario } from '../../../engine/index.ts';
import { observationSpacing } from '../../../engine/methods/index.ts';
import { proposedMethod } from '../../../engine/scenario/index.ts';
import { situationOf } from '../../../engine/scenario/situation.ts';

const FOLDER = new URL('../../../scenarios/', import.meta.url);
const shipped = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
  .map((name) => ({ name, ...parseScenario(readFileSync(new URL(name, FOLDER), 'utf8'), name) }));

const gauges = (stride: number, variable = 'h'): object => ({
  name: variable,
  variable,
  network: { kind: 'regular', stride: [stride, stride] },
  errorStandardDeviation: 0.02,
});

function basin(changes: object): Scenario {
  const raw = {
    version: 3,
    name: 'small',
    title: 'Small',
    grid: { nx: 96, ny: 96, dx: 2, dy: 2 },
    observations: [gauges(12)],
    methods: [{ kind: 'free-run' }],
    experiment: { cycles: 4 },
    ...changes,
  };
  return validateScenario(raw, 'test').scenario;
}

const spacingOf = (scenario: Scenario): number | undefined => observationSpacing(situationOf(scenario));

describe('a new method', () => {
  it('follows the distance between observations', () => {
    expect(spacingOf(basin({}))).toBeCloseTo(24, 12);
    // Two networks at the same places are no closer.
    expect(spacingOf(basin({ observations: [gauges(12, 'u'), gauges(12, 'v')] }))).toBeCloseTo(24, 12);
    expect(spacingOf(basin({ observations: [] }))).toBeUndefined();
    expect(proposedMethod('letkf', basin({}))).toEqual({
      kind: 'letkf',
      localisation: { halfWidth: 30 },
      inflation: 1.08,
    });
    expect(proposedMethod('3dvar', basin({}))).toEqual({
      kind: '3dvar',
      covariance: { kind: 'recursive-filter', length: 24, standardDeviation: { h: 0.05 } },
    });
  });

  it('stays within what grid and basin allow', () => {
    const dense = proposedMethod('enkf', basin({ observations: [gauges(1)] }));
    expect(dense['localisation']).toEqual({ halfWidth: 6 });
    expect(proposedMethod('enkf', basin({ observations: [gauges(95)] }))['localisation']).toEqual({ halfWidth: 48 });
    expect(proposedMethod('enkf', basin({ observations: [] }))['localisation']).toEqual({ halfWidth: 48 });
  });

  it('takes over what another method of its family has', () => {
    const letkf = { kind: 'letkf', localisation: { halfWidth: 17 }, inflation: 1.2 };
    const scenario = basin({ methods: [letkf, { kind: '3dvar', covariance: { kind: 'gaussian', length: 9 } }] });
    expect(proposedMethod('enkf', scenario)).toEqual({ ...letkf, kind: 'enkf' });
    expect(proposedMethod('3dvar', scenario)).toMatchObject({ covariance: { kind: 'gaussian', length: 9 } });
    const deflated = basin({ methods: [{ ...letkf, inflation: 1 }] });
    expect(proposedMethod('enkf', deflated)['inflation']).toBe(1.05);
    const relaxed = basin({ methods: [{ ...letkf, inflation: 1, relaxation: { kind: 'spread', factor: 0.6 } }] });
    expect(proposedMethod('enkf', relaxed)).toMatchObject({
      inflation: 1,
      relaxation: { kind: 'spread', factor: 0.6 },
    });
  });

  it('gives currents a background error of their own, or the balance of the background', () => {
    const currents = basin({ observations: [gauges(12, 'u'), gauges(12, 'v')] });
    expect(proposedMethod('3dvar', currents)['covariance']).toMatchObject({
      standardDeviation: { hu: 0.05, hv: 0.05 },
    });
    const balanced = basin({
      model: { coriolis: { f: 1e-4 } },
      background: { perturbation: { standardDeviation: 0.2, length: 9, balance: 'geostrophic' } },
    });
    expect(proposedMethod('3dvar', balanced)['covariance']).toMatchObject({
      standardDeviation: { h: 0.2 },
      balance: 'geostrophic',
    });
  });

  it('takes correlated errors whole', () => {
    const together = { ...gauges(12), errorCorrelation: { length: 9 } };
    const scenario = basin({ observations: [together] });
    expect(proposedMethod('3dvar', scenario)).toMatchObject({ errorCorrelation: 'full' });
    expect(proposedMethod('enkf', scenario)).toMatchObject({ errorCorrelation: 'full' });
    expect(proposedMethod('letkf', scenario)).toMatchObject({ errorCorrelation: 'full' });
    const whole = { errorCorrelation: 'full', ensemble: { kind: 'letkf', errorCorrelation: 'full' } };
    expect(proposedMethod('hybrid', scenario)).toMatchObject(whole);
    const dense = basin({ observations: [{ ...together, name: 'together' }, gauges(1)] });
    const hybrid = proposedMethod('hybrid', dense);
    expect(hybrid).toMatchObject(whole);
    expect(() => validateScenario({ ...dense, methods: [hybrid] }, 'dense')).not.toThrow();
  });

  it.each(shipped)(
    '$name takes one of each kind without a problem or a warning of its own',
    ({ name, scenario, raw }) => {
      const methods = (raw as { readonly methods?: readonly object[] }).methods ?? [];
      const before = new Set(validateScenario(raw, 'shipped').warnings.map(describeProblem));
      // An observation in every cell of 256² is more than the matrix of the EnKF is for.
      const kinds = ['letkf', '3dvar', 'hybrid', 'free-run', ...(name === 'letkf-paper.json' ? [] : ['enkf'])];
      const added = kinds.map((kind) => ({ ...proposedMethod(kind, scenario), label: `new ${kind}` }));
      const { warnings } = validateScenario({ ...(raw as object), methods: [...methods, ...added] }, 'with new ones');
      const own = warnings.map(describeProblem).filter((line) => !before.has(line));
      // What the other methods are warned of, the new ones have from them.
      expect(before.size > 0 ? [] : own).toEqual([]);
    },
  );

  it('is of its kind alone if there is no valid scenario', () => {
    expect(proposedMethod('enkf', undefined)).toEqual({ kind: 'enkf' });
    expect(proposedMethod('free-run', basin({}))).toEqual({ kind: 'free-run' });
  });
});
