import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { variational } from '../../../engine/check/assimilation/set-up.ts';
import { crowded, hold, LENGTH, spread } from './set-up.ts';

const covariance = { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.05 } } as const;

describe.each(backends)('3D-Var on $name', ({ open, precision }) => {
  const epsilon = precision === 'float32' ? 2 ** -24 : 2 ** -53;
  const tolerance = precision === 'float32' ? 1e-5 : 1e-12;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('carries a single state', async () => {
    const held = await hold(backend, variational(covariance), spread);
    expect([held.method.members, held.method.state.length]).toEqual([1, LENGTH]);
    held.dispose();
  });

  it('reports a minimisation that has reached its tolerance', async () => {
    const held = await hold(backend, variational(covariance, { tolerance, maxIterations: 100 }), spread);
    const { report } = await held.analyse(0);
    expect(report.minimisation?.converged).toBe(true);
    held.dispose();
  });

  it('reports one that has not, and takes what there is', async () => {
    const held = await hold(backend, variational(covariance, { tolerance, maxIterations: 2 }), spread);
    const { report } = await held.analyse(0);
    expect(report.minimisation).toMatchObject({ converged: false, iterations: 2 });
    held.dispose();
  });

  it('does the same in two cycles that begin and observe the same', async () => {
    const held = await hold(backend, variational(covariance, { tolerance, maxIterations: 100 }), spread);
    const first = await held.analyse(0);
    expect((await held.analyse(1)).state).toEqual(first.state);
    held.dispose();
  });

  it('knows the variance of its background where the observations are now', async () => {
    const held = await hold(backend, variational(covariance), spread);
    await held.analyse(0);
    held.observe(crowded);
    held.method.departures.compute(held.method.state);
    // Of the surface it is the standard deviation's square everywhere, and a dozen roundings.
    const expected = crowded.x.map(() => 0.05 ** 2);
    expect(await backend.read(held.method.departures.variance)).toBeClose(expected, { relative: 12 * epsilon });
    held.dispose();
  });
});
