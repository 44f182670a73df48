/** Relaxation of an analysis towards its background, by the methods that have it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { anomaliesOf, meanOf, method } from '../../../engine/check/assimilation/set-up.ts';
import { forecast, hold, LENGTH, MEMBERS, spread } from './set-up.ts';

type Relaxation = NonNullable<Extract<Parameters<typeof method>[0], { kind: 'letkf' }>['relaxation']>;

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

/** Standard deviations over the members, [LENGTH]. */
function spreadOf(ensemble: Float64Array): Float64Array {
  const anomalies = anomaliesOf(ensemble, LENGTH);
  return Float64Array.from({ length: LENGTH }, (_, e) => {
    const squares = anomalies.reduce((sum, anomaly) => sum + anomaly[e] ** 2, 0);
    return Math.sqrt(squares / (MEMBERS - 1));
  });
}

describe.each(backends)('relaxation on $name', ({ open, precision }) => {
  const epsilon = precision === 'float32' ? 2 ** -24 : 2 ** -53;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function analysisOf(kind: 'letkf' | 'enkf', relaxation?: Relaxation): Promise<Float64Array> {
    const settings = method({ kind, localisation: { halfWidth: 4 }, inflation: 1, relaxation });
    const held = await hold(backend, settings, spread);
    const { state } = await held.analyse(0);
    held.dispose();
    return state;
  }

  describe.each(['letkf', 'enkf'] as const)('of the %s', (kind) => {
    it('has something to relax: the analysis has less spread than its background', async () => {
      const [before, after] = [spreadOf(forecast), spreadOf(await analysisOf(kind))];
      expect(total(after)).toBeLessThan(0.95 * total(before));
    });

    it.each(['spread', 'perturbations'] as const)('leaves the mean as it is: %s', async (relaxed) => {
      const plain = await analysisOf(kind);
      const state = await analysisOf(kind, { kind: relaxed, factor: 0.7 });
      // Numbers below 0.5, of which six are added on either way.
      expect(meanOf(state, LENGTH)).toBeClose(meanOf(plain, LENGTH), { absolute: 8 * epsilon });
    });

    it('of the spread, whole, gives that of the background', async () => {
      const state = await analysisOf(kind, { kind: 'spread', factor: 1 });
      // The spread follows from anomalies that are wrong by rounding of numbers below 0.5, some eight times.
      expect(spreadOf(state)).toBeClose(spreadOf(forecast), { absolute: 8 * epsilon });
    });

    it('of the perturbations, whole, gives those of the background', async () => {
      const state = await analysisOf(kind, { kind: 'perturbations', factor: 1 });
      const expected = anomaliesOf(forecast, LENGTH);
      anomaliesOf(state, LENGTH).forEach((anomaly, l) =>
        expect(anomaly).toBeClose(expected[l], { absolute: 8 * epsilon }),
      );
    });
  });
});
