/**
 * Outer loops: each minimises J linearised about what the one before has come to. Where what is observed is not linear, J itself is
 * lower after the second; where it is, nothing changes.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, Method as MethodSettings } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { between, normals } from '../../../engine/check/measures.ts';
import { norm } from '../../../engine/check/assimilation/dense.ts';
import { analyse, basin, lengthOf, meanOf, method } from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';

const [NX, NY, MEMBERS] = [7, 6, 4];
const CELLS = NX * NY;
const MODEL = basin({ nx: NX, ny: NY });
const LENGTH = lengthOf(MODEL);

/** Water that flows to the east at 0.3 m/s, and members about it. */
const FLOW = Float64Array.from({ length: LENGTH }, (_, i) => (i >= CELLS && i < 2 * CELLS ? 0.3 : 0));
const FORECAST = normals(MEMBERS * LENGTH, 'outer-loops.forecast').map((value, i) =>
  Math.fround(FLOW[i % LENGTH] + 0.1 * value),
);

const COUNT = 8;

/** Far from what is expected: the speed's tangent at the background points elsewhere. */
function observed(variable: 'speed' | 'hu'): Observed {
  return {
    x: between(COUNT, 0, NX - 1, 'x').map(Math.fround),
    y: between(COUNT, 0, NY - 1, 'y').map(Math.fround),
    variable: Array<string>(COUNT).fill(variable),
    values: between(COUNT, 0.5, 0.9, 'values').map(Math.fround),
    inverseErrorStd: new Float64Array(COUNT).fill(20),
  };
}

function distance(a: Float64Array, b: Float64Array): number {
  return norm(a.map((value, i) => value - b[i]));
}

const COVARIANCE = {
  kind: 'recursive-filter',
  length: 4,
  standardDeviation: { h: 0.05, hu: 0.2, hv: 0.2 },
} as const;

describe.each(backends)('outer loops on $name', ({ open, precision }) => {
  const eps = precision === 'float64' ? 2 ** -53 : 2 ** -24;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  function settings(kind: '3dvar' | 'hybrid', outerLoops: number): MethodSettings {
    const tolerance = precision === 'float64' ? 1e-12 : 1e-5;
    const minimisation = { tolerance, maxIterations: 100, outerLoops };
    return kind === '3dvar'
      ? method({ kind, covariance: COVARIANCE, minimisation })
      : method({ kind, covariance: COVARIANCE, minimisation, localisation: { length: 5 } });
  }

  function run(kind: '3dvar' | 'hybrid', outerLoops: number, variable: 'speed' | 'hu') {
    const forecast = kind === '3dvar' ? FORECAST.slice(0, LENGTH) : FORECAST;
    return analyse(backend, MODEL, settings(kind, outerLoops), forecast, observed(variable));
  }

  it.each(['3dvar', 'hybrid'] as const)(
    '%s: of speeds, J is lower after the second than after the first',
    async (kind) => {
      const { report } = await run(kind, 3, 'speed');
      const loops = report.minimisation?.outerLoops ?? [];
      expect(loops).toHaveLength(3);
      const [first, second, third] = loops.map(({ cost }) => cost);
      expect(second).toBeLessThan(0.99 * first);
      // Gauss–Newton closes in: the third has less left to do.
      expect(Math.abs(third - second)).toBeLessThan(0.5 * (first - second));
      for (const { iterations } of loops) expect(iterations).toBeGreaterThan(0);
    },
  );

  it('change nothing where what is observed is linear', async () => {
    const [once, thrice] = [await run('3dvar', 1, 'hu'), await run('3dvar', 3, 'hu')];
    expect(once.report.minimisation?.outerLoops).toBeUndefined();
    const { outerLoops = [], cost = [] } = thrice.report.minimisation ?? {};
    const size = norm(thrice.state);
    // As far as each of the minimisations has gone, and with the roundings of the departures: ten errors of observation.
    const absolute = precision === 'float64' ? 1e-10 : 1e-4;
    expect(thrice.state).toBeClose(once.state, { absolute: absolute * size });
    // J linearised, of each of them.
    const least = cost.at(-1) ?? Number.NaN;
    for (const loop of outerLoops) expect(loop.cost).toBeClose(least, { relative: 1e5 * eps });
  });

  it('the analysis is that of the last one', async () => {
    const [two, three] = [await run('3dvar', 2, 'speed'), await run('3dvar', 3, 'speed')];
    const one = await run('3dvar', 1, 'speed');
    expect(distance(three.state, two.state)).toBeLessThan(0.5 * distance(two.state, one.state));
    expect(meanOf(three.state, LENGTH).every(Number.isFinite)).toBe(true);
  });
});
