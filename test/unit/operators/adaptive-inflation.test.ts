import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { inflationEstimate } from '../../../engine/operators/adaptive-inflation/index.ts';
import type { InflationEstimateParameters } from '../../../engine/operators/adaptive-inflation/index.ts';
import { applyOperator, backends, allBackends } from '../../setup/backends.ts';
import { between, stream as testStream } from '../../../engine/check/measures.ts';

const P = 300;
const HELD = { least: 1, most: 100 };
const KINDS = ['innovations', 'desroziers'] as const;

interface Seen {
  readonly innovation: Float64Array;
  readonly residual: Float64Array;
  readonly inverseErrorStd: Float64Array;
  readonly variance: Float64Array;
}

/** Some of them not used. */
const seen: Seen = {
  innovation: between(P, -0.3, 0.3, 'estimate.innovation').map(Math.fround),
  residual: between(P, -0.1, 0.1, 'estimate.residual').map(Math.fround),
  inverseErrorStd: between(P, 5, 20, 'estimate.inverse').map((r, j) => (j % 7 === 0 ? 0 : Math.fround(r))),
  variance: between(P, 0.001, 0.01, 'estimate.variance').map(Math.fround),
};

/** The update as its source writes it, with R, HPHᵀ and the sums as vectors. */
function expected(kind: 'innovations' | 'desroziers', deviation: number, prior: number): number {
  const used = Array.from(seen.innovation.keys()).filter((j) => seen.inverseErrorStd[j] > 0);
  const sum = (of: (j: number) => number): number => used.reduce((total, j) => total + of(j), 0);
  const overR = (j: number, value: number): number => value * seen.inverseErrorStd[j] ** 2;
  const p = used.length;
  const trace = sum((j) => overR(j, seen.variance[j] / prior));
  const { innovation: d, residual } = seen;
  const observed =
    kind === 'innovations'
      ? (sum((j) => overR(j, d[j] ** 2)) - p) / trace
      : sum((j) => overR(j, (d[j] - residual[j]) * d[j])) / trace;
  const variance = (2 / p) * (kind === 'innovations' ? (prior * trace + p) / trace : prior) ** 2;
  return (variance * prior + deviation ** 2 * observed) / (variance + deviation ** 2);
}

describe.each(allBackends)('the estimate of an inflation on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());
  const epsilon = precision === 'float64' ? 2 ** -53 : 2 ** -24;

  async function estimate(parameters: Omit<InflationEstimateParameters, 'least' | 'most'>, prior: number, of = seen) {
    const arrays = { ...of, factor: [prior] };
    const { factor } = await applyOperator(backend, inflationEstimate, { ...HELD, ...parameters }, arrays);
    return factor[0];
  }

  it.each(KINDS)('is that of its source: %s', async (kind) => {
    const found = await estimate({ observations: P, kind, deviation: 0.5 }, 1.5);
    const wanted = expected(kind, 0.5, 1.5);
    expect(Math.abs(wanted - 1.5), 'it moves').toBeGreaterThan(0.01);
    // Sums of P terms of one sign but for −1 each, added pairwise or in float64: ten roundings of what is at most twice as large.
    expect(Math.abs(found - wanted)).toBeLessThan(40 * epsilon * wanted);
  });

  it.each(KINDS)('stays if nothing is observed, or has no spread: %s', async (kind) => {
    const none = { ...seen, inverseErrorStd: new Float64Array(P) };
    const flat = { ...seen, variance: new Float64Array(P) };
    expect(await estimate({ observations: P, kind, deviation: 0.5 }, 1.25, none)).toBe(1.25);
    expect(await estimate({ observations: P, kind, deviation: 0.5 }, 1.25, flat)).toBe(1.25);
  });

  it('is held between its ends', async () => {
    const small = { ...seen, innovation: new Float64Array(P) };
    const large = { ...seen, innovation: new Float64Array(P).fill(50) };
    const parameters = { observations: P, kind: 'innovations', deviation: 10 } as const;
    expect(await estimate(parameters, 1.5, small)).toBe(1);
    expect(await estimate(parameters, 1.5, large)).toBe(100);
  });
});

/** Innovations of errors that are ρ* times as large as an ensemble says that never learns, and analyses with the factor found. */
async function course(backend: Backend, kind: 'innovations' | 'desroziers', start: number): Promise<number[]> {
  const [cycles, observations, truth, spread, error] = [400, 64, 2, 1, 1];
  const prepared = await backend.prepare(inflationEstimate, { ...HELD, observations, kind, deviation: 0.15 });
  const allocate = (name: string, length: number) => backend.allocate(name, 'real', length);
  const fields = {
    innovation: allocate('innovation', observations),
    residual: allocate('residual', observations),
    inverseErrorStd: allocate('inverse', observations),
    variance: allocate('variance', observations),
    factor: allocate('factor', 1),
  };
  const found = [start];
  backend.write(fields.factor, found);
  backend.write(fields.inverseErrorStd, new Float64Array(observations).fill(1 / error));
  const stream = testStream(`estimate.${kind}`);
  for (let cycle = 0; cycle < cycles; cycle++) {
    const stated = found[cycle] * spread ** 2;
    const gain = stated / (stated + error ** 2);
    const deviation = Math.sqrt(truth * spread ** 2 + error ** 2);
    const innovation = Float64Array.from({ length: observations }, () => deviation * stream.normal());
    backend.write(fields.innovation, innovation);
    backend.write(
      fields.residual,
      innovation.map((d) => (1 - gain) * d),
    );
    backend.write(fields.variance, new Float64Array(observations).fill(stated));
    prepared.run(fields);
    found.push((await backend.read(fields.factor))[0]);
  }
  for (const owned of [prepared, ...Object.values(fields)]) owned.dispose();
  return found;
}

describe('the estimate of an inflation, cycle after cycle', () => {
  it.each(KINDS.flatMap((kind) => [[kind, 1] as const, [kind, 12] as const]))(
    'settles at the factor that is right: %s from %d',
    async (kind, start) => {
      const backend = await backends[0].open();
      const found = await course(backend, kind, start);
      backend.dispose();
      const settled = found.slice(-200);
      const mean = settled.reduce((sum, factor) => sum + factor, 0) / settled.length;
      // v_o = 2/64 (2 + 1)² = 0.28 gives a gain of 0.074 and a factor whose deviation is √(0.074/1.93 · 0.28) = 0.10 with a memory of
      // 27 cycles: 200 of them have a mean that is off by 0.10 √(27/200) = 0.037 (by the ratio, which forgets no faster, by less).
      // Four of these, and 0.02 since v_o grows with the factor.
      expect(Math.abs(mean - 2)).toBeLessThan(0.17);
    },
  );
});
