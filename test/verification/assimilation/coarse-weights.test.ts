/**
 * What interpolated weights cost in accuracy. Where the weights vary smoothly the interpolation is bilinear in them, so that the
 * analysis tends to that of every cell with the square of the distance between nodes.
 */
import { describe, expect, it } from 'vitest';
import { createReferenceBackend } from '../../../engine/index.ts';
import { between, normals } from '../../../engine/check/measures.ts';
import { analyse, basin, lengthOf, method } from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';

const [CELLS, MEMBERS, COUNT] = [33, 6, 12];
const model = basin({ nx: CELLS, ny: CELLS });
const LENGTH = lengthOf(model);
const forecast = normals(MEMBERS * LENGTH, 'coarse.forecast').map((value) => 0.05 * value);
/** As sharp as the forecast is uncertain. */
const observed: Observed = {
  x: between(COUNT, 0, CELLS - 1, 'coarse.x'),
  y: between(COUNT, 0, CELLS - 1, 'coarse.y'),
  variable: Array.from({ length: COUNT }, () => 'eta'),
  values: between(COUNT, -0.1, 0.1, 'coarse.values'),
  inverseErrorStd: new Float64Array(COUNT).fill(20),
};

/** Half of a basin of 66 m is in reach of an observation: the weights vary over many cells. */
const HALF_WIDTH = 40;

async function analysisOf(every: number): Promise<Float64Array> {
  const backend = createReferenceBackend();
  const settings = method({
    kind: 'letkf',
    localisation: { halfWidth: HALF_WIDTH },
    inflation: 1.1,
    weights: { every },
  });
  const { state } = await analyse(backend, model, settings, forecast, observed);
  backend.dispose();
  return state;
}

describe('interpolated weights', () => {
  it('tend to those of every cell with the square of the distance between nodes', async () => {
    const whole = await analysisOf(1);
    const spacings = [8, 4, 2];
    const errors: number[] = [];
    for (const every of spacings) {
      const coarse = await analysisOf(every);
      errors.push(Math.sqrt(coarse.reduce((sum, value, at) => sum + (value - whole[at]) ** 2, 0) / coarse.length));
    }
    const orders = errors.slice(1).map((error, i) => Math.log2(errors[i] / error));
    // Second order, less what the taper's joints and the third term of the coarsest take.
    for (const order of orders) {
      expect(order).toBeGreaterThan(1.7);
      expect(order).toBeLessThan(2.3);
    }
  });
});
