/** How far observations are from a forecast, by a free run, whose departures are of its ensemble as it is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import type { Departures } from '../../../engine/methods/index.ts';
import { backends } from '../../setup/backends.ts';
import { method } from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';
import { COUNT, forecast, hold, LENGTH, MEMBERS, NX, spread } from './set-up.ts';

/** The members' surface heights at the gauges, [MEMBERS][COUNT]; exact, as each is on a cell's centre. */
const seen = Float64Array.from({ length: MEMBERS * COUNT }, (_, at) => {
  const j = at % COUNT;
  return forecast[Math.floor(at / COUNT) * LENGTH + spread.y[j] * NX + spread.x[j]];
});
const mean = Float64Array.from({ length: COUNT }, (_, j) => {
  let sum = 0;
  for (let l = 0; l < MEMBERS; l++) sum += seen[l * COUNT + j];
  return sum / MEMBERS;
});
const innovation = spread.values.map((value, j) => value - mean[j]);
const variance = mean.map((centre, j) => {
  let sum = 0;
  for (let l = 0; l < MEMBERS; l++) sum += (seen[l * COUNT + j] - centre) ** 2;
  return sum / (MEMBERS - 1);
});

describe.each(backends)('departures on $name', ({ open, precision }) => {
  const epsilon = precision === 'float32' ? 2 ** -24 : 2 ** -53;
  // Numbers below 0.5, a dozen of which are added.
  const absolute = 12 * epsilon;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function read(name: keyof Omit<Departures, 'see' | 'compute' | 'dispose'>, observed: Observed = spread) {
    const free = await hold(backend, method({ kind: 'free-run' }), observed);
    backend.write(free.method.state, forecast);
    free.method.departures.compute(free.method.state);
    const values = await backend.read(free.method.departures[name]);
    free.dispose();
    return values;
  }

  it('see every member', async () => {
    expect(await read('observedEnsemble')).toBeClose(seen, { absolute: 2 * epsilon });
  });

  it('are from the mean of what the members see', async () => {
    expect(await read('innovation')).toBeClose(innovation, { absolute });
  });

  it('are scaled by the errors of the observations', async () => {
    const scaled = innovation.map((d) => 50 * d);
    expect(await read('scaled')).toBeClose(scaled, { absolute: 50 * absolute });
  });

  it('have the sample variance at the observations', async () => {
    expect(await read('variance')).toBeClose(variance, { absolute });
  });

  it('are 0 where an observation is missing', async () => {
    const gappy = { ...spread, inverseErrorStd: spread.inverseErrorStd.map((r, j) => (j % 3 === 1 ? 0 : r)) };
    const found = await read('innovation', gappy);
    expect(found.filter((_, j) => j % 3 === 1)).toEqual(new Float64Array(COUNT / 3));
  });

  it('are omitted where they are larger than quality control allows', async () => {
    const wild = spread.values.map((value, j) => (j === 4 ? value + 3 : value));
    const guarded = { ...spread, values: wild, threshold: new Float64Array(COUNT).fill(20) };
    const used = await read('inverseErrorStd', guarded);
    expect(Array.from(used, (r, j) => (r === 0 ? j : -1)).filter((j) => j >= 0)).toEqual([4]);
  });

  it('are kept, however large, where quality control has no threshold', async () => {
    const wild = { ...spread, values: spread.values.map((value) => value + 3) };
    expect(await read('inverseErrorStd', wild)).toBeClose(spread.inverseErrorStd, { absolute: 0 });
  });
});
