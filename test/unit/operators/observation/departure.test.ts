import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../../engine/index.ts';
import { believedInnovation, innovation, measurement } from '../../../../engine/operators/observation/index.ts';
import { applyOperator, allBackends } from '../../../setup/backends.ts';

describe.each(allBackends)('departures on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('measures the truth with an error, or takes what is given', async () => {
    const { values } = await applyOperator(
      backend,
      measurement,
      { observations: 70 },
      {
        observed: Float64Array.from({ length: 70 }, (_, j) => j),
        normal: Float64Array.from({ length: 70 }, (_, j) => (j % 4 === 0 ? 2 : -1)),
        term: new Float64Array(70).fill(0.25),
        isGiven: Uint32Array.from({ length: 70 }, (_, j) => j % 2),
        values: 70,
      },
    );
    expect(values).toBeClose(
      Array.from({ length: 70 }, (_, j) => (j % 2 === 1 ? 0.25 : j + (j % 4 === 0 ? 0.5 : -0.25))),
      { absolute: 0 },
    );
  });

  describe('innovation and quality control', () => {
    it('measures departures, and nothing if there is no observation', async () => {
      const { innovation: d, scaled } = await applyOperator(
        backend,
        innovation,
        { observations: 4 },
        {
          values: [1.5, 2, NaN, -1],
          observed: [1, 4, 3, NaN],
          inverseErrorStd: [2, 0.5, 0, 0],
          innovation: 4,
          scaled: 4,
        },
      );
      expect(d).toBeClose([0.5, -2, 0, 0], { absolute: 0 });
      expect(scaled).toBeClose([1, -1, 0, 0], { absolute: 0 });
    });

    it('rejects beyond n standard deviations of innovation, keeps the rest as it is', async () => {
      // σₒ = 0.5, σ_b² = 2: √(0.25 + 2) = 1.5, so that 3 standard deviations are 4.5.
      const {
        effective,
        innovation: d,
        scaled,
      } = await applyOperator(
        backend,
        believedInnovation,
        { observations: 67, sharpest: 1e6 },
        {
          values: Float64Array.from({ length: 67 }, (_, j) => 1 + [4.4, -4.4, 4.6, -4.6, 0, 100, 100][j % 7]),
          observed: new Float64Array(67).fill(1),
          inverseErrorStd: Float64Array.from({ length: 67 }, (_, j) => (j % 7 === 5 ? 0 : 2)),
          variance: new Float64Array(67).fill(2),
          // The last of each seven keeps whatever comes.
          threshold: Float64Array.from({ length: 67 }, (_, j) => (j % 7 === 6 ? 0 : 3)),
          effective: 67,
          innovation: 67,
          scaled: 67,
        },
      );
      const expected = Float64Array.from({ length: 67 }, (_, j) => [2, 2, 0, 0, 2, 0, 2][j % 7]);
      expect(effective).toBeClose(expected, { absolute: 0 });
      // What is not believed has departed by nothing; values are rounded to about 1e-5.
      const used = Float64Array.from({ length: 67 }, (_, j) => [4.4, -4.4, 0, 0, 0, 0, 100][j % 7]);
      expect(d).toBeClose(used, { absolute: 1e-5 });
      expect(scaled).toBeClose(
        used.map((each) => 2 * each),
        { absolute: 2e-5 },
      );
    });

    it('takes no observation for sharper than the precision allows', async () => {
      // σ_b = 0.5: r is kept up to 300/0.5, or 300/|d|; where the members agree with each other and with it, it is what it is.
      const { effective } = await applyOperator(
        backend,
        believedInnovation,
        { observations: 5, sharpest: 300 },
        {
          values: [0, 0, 0, 0, -2],
          observed: new Float64Array(5),
          inverseErrorStd: [599, 1e4, 1e12, 1e12, 1e12],
          variance: [0.25, 0.25, 0.25, 0, 0.25],
          threshold: new Float64Array(5),
          effective: 5,
          innovation: 5,
          scaled: 5,
        },
      );
      expect(effective).toBeClose([599, 600, 600, Math.fround(1e12), 150], { relative: 1e-6 });
    });
  });
});
