/** The random rotation after an analysis, if there is nothing to analyse: it alone changes the members. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { meanOf, method, sampleCovariance } from '../../../engine/check/assimilation/set-up.ts';
import { forecast, hold, LENGTH, spread } from './set-up.ts';
import type { Held } from './set-up.ts';

const absent = { ...spread, inverseErrorStd: new Float64Array(spread.x.length) };
const rotated = method({ kind: 'letkf', localisation: { halfWidth: 4 }, inflation: 1, rotation: true });

describe.each(backends)('rotation on $name', ({ open, precision }) => {
  const epsilon = precision === 'float32' ? 2 ** -24 : 2 ** -53;
  let backend: Backend;
  let letkf: Held;
  beforeAll(async () => {
    backend = await open();
    letkf = await hold(backend, rotated, absent);
  });
  afterAll(() => {
    letkf.dispose();
    backend.dispose();
  });

  it('changes the members', async () => {
    const { state } = await letkf.analyse(0);
    const apart = state.map((value, e) => Math.abs(value - forecast[e]));
    // Anomalies are of size 0.05, and a rotation of five dimensions at random leaves none where it was.
    expect(Math.max(...apart)).toBeGreaterThan(0.05);
  });

  it('keeps their mean', async () => {
    const { state } = await letkf.analyse(0);
    // Six numbers below 0.25 are added, rotated, and added again.
    expect(meanOf(state, LENGTH)).toBeClose(meanOf(forecast, LENGTH), { absolute: 8 * epsilon });
  });

  it('keeps their covariance', async () => {
    const { state } = await letkf.analyse(0);
    const expected = sampleCovariance(forecast, LENGTH);
    // Products of anomalies below 0.25, each wrong by some ten roundings, in two factors.
    sampleCovariance(state, LENGTH).forEach((row, i) =>
      expect(row).toBeClose(expected[i], { absolute: 20 * 0.25 ** 2 * epsilon }),
    );
  });

  it('is the same for the same cycle', async () => {
    const first = await letkf.analyse(3);
    expect((await letkf.analyse(3)).state).toEqual(first.state);
  });

  it('is another one in another cycle', async () => {
    const first = await letkf.analyse(3);
    expect((await letkf.analyse(4)).state).not.toEqual(first.state);
  });
});
