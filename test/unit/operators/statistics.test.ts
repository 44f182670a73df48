import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import {
  INNOVATION_REPORT_LENGTH,
  crps,
  ensembleScores,
  extremes,
  innovationStatistics,
  rankHistogram,
  readInnovationReport,
} from '../../../engine/operators/statistics/index.ts';
import type { EnsembleShape } from '../../../engine/operators/statistics/index.ts';
import { applyOperator, backends } from '../../setup/backends.ts';

/** Reproducible numbers in [−1, 1), of 24 bits, so that float32 holds them exactly. */
function noise(seed: number, length: number): Float64Array {
  let state = seed >>> 0;
  return Float64Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 2 ** 23 - 1;
  });
}

function find(backend: Backend, shape: EnsembleShape, ensemble: ArrayLike<number>) {
  return applyOperator(backend, extremes, shape, { ensemble, minimum: shape.variables, maximum: shape.variables });
}

const shapes = [
  { members: 1, variables: 1, cells: 1 },
  { members: 1, variables: 3, cells: 255 },
  { members: 2, variables: 2, cells: 257 },
  { members: 5, variables: 1, cells: 1000 },
  { members: 32, variables: 3, cells: 300 },
  { members: 127, variables: 1, cells: 40 },
  { members: 3, variables: 1, cells: 70_001 },
] as const;

describe.each(backends)('statistics on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());
  const epsilon = precision === 'float64' ? 2 ** -53 : 2 ** -24;

  /** Roundings of a mean over all cells: in a lane over the parts, then two trees of 8 levels. */
  const reductionRoundings = (cells: number) => (precision === 'float64' ? cells : cells / 65_536 + 18);

  it.each(shapes)('scores: $members members, $variables variables, $cells cells', async (shape) => {
    const { members, variables, cells } = shape;
    const state = variables * cells;
    // A truth near 4096 and differences below 1/16, exact in float32: squares of whole values would lose them.
    const truth = noise(1, state).map((x) => 4096 + Math.round(x * 1000) / 8);
    const ensemble = noise(2, members * state).map((x, at) => truth[at % state] + Math.round(x * 128) / 2048);
    const found = await applyOperator(backend, ensembleScores, shape, {
      ensemble,
      truth,
      meanSquareError: variables,
      meanVariance: variables,
    });
    for (let v = 0; v < variables; v++) {
      let squares = 0;
      let variances = 0;
      for (let i = v * cells; i < (v + 1) * cells; i++) {
        const values = Array.from({ length: members }, (_, l) => ensemble[l * state + i]);
        const mean = values.reduce((a, b) => a + b, 0) / members;
        squares += (mean - truth[i]) ** 2;
        variances += values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / Math.max(1, members - 1);
      }
      // Terms of at most 1/16² (variance: twice that), each of some k roundings; the float64 loop has its own.
      const bound = (2 * members + 8 + reductionRoundings(cells)) * epsilon + cells * 2 ** -53;
      expect(found.meanSquareError[v]).toBeClose(squares / cells, { absolute: bound / 256 });
      expect(found.meanVariance[v]).toBeClose(variances / cells, { absolute: (2 * bound) / 256 });
    }
  });

  it.each(shapes)('CRPS: $members members, $variables variables, $cells cells', async (shape) => {
    const { members, variables, cells } = shape;
    const truth = noise(3, variables * cells);
    const ensemble = noise(4, members * variables * cells);
    const { score } = await applyOperator(backend, crps, shape, { ensemble, truth, score: 1 });
    // By the other definition: the integral of (F(x) − 1{x ≥ t})² between neighbours of the sorted members and the truth.
    let sum = 0;
    for (let i = 0; i < cells; i++) {
      const values = Array.from({ length: members }, (_, l) => ensemble[l * variables * cells + i]);
      const nodes = [...values, truth[i]].sort((a, b) => a - b);
      for (let n = 0; n + 1 < nodes.length; n++) {
        const below = values.filter((x) => x <= nodes[n]).length / members;
        sum += (nodes[n + 1] - nodes[n]) * (below - (nodes[n] >= truth[i] ? 1 : 0)) ** 2;
      }
    }
    // Differences below 2; sums over k/4 blocks of up to k terms each.
    const bound = (1.25 * members + 8 + reductionRoundings(cells)) * epsilon * 2 + cells * 2 ** -52;
    expect(score).toBeClose([sum / cells], { absolute: bound });
  });

  it('has the CRPS of two members by hand', async () => {
    // Members 0 and 1, truth 3: (3 + 2)/2 − 1/4.
    const { score } = await applyOperator(
      backend,
      crps,
      { members: 2, variables: 1, cells: 1 },
      { ensemble: [0, 1], truth: [3], score: 1 },
    );
    expect(score).toEqual(Float64Array.of(2.25));
  });

  describe('rankHistogram', () => {
    it.each([
      { members: 1, variables: 1, nx: 1, ny: 1, strideX: 1, strideY: 1 },
      { members: 4, variables: 2, nx: 37, ny: 23, strideX: 1, strideY: 1 },
      { members: 20, variables: 3, nx: 33, ny: 10, strideX: 4, strideY: 3 },
      { members: 130, variables: 1, nx: 8, ny: 8, strideX: 8, strideY: 1 },
      { members: 2, variables: 1, nx: 5, ny: 5, strideX: 9, strideY: 7 },
    ])('counts exactly: $members members, $nx × $ny by $strideX × $strideY', async (parameters) => {
      const { members, variables, nx, ny, strideX, strideY } = parameters;
      // Few different values, so that ties happen.
      const truth = noise(5, variables * nx * ny).map((x) => Math.round(4 * x));
      const ensemble = noise(6, members * variables * nx * ny).map((x) => Math.round(4 * x));
      const expected = new Float64Array(members + 1);
      for (let y = 0; y < ny; y += strideY) {
        for (let x = 0; x < nx; x += strideX) {
          const values = Array.from({ length: members }, (_, l) => ensemble[l * variables * nx * ny + y * nx + x]);
          expected[values.filter((value) => value < truth[y * nx + x]).length] += 1;
        }
      }
      const { counts } = await applyOperator(backend, rankHistogram, parameters, {
        ensemble,
        truth,
        counts: members + 1,
      });
      expect(counts).toEqual(expected);
    });

    it('starts from 0 in each run', async () => {
      const prepared = await backend.prepare(rankHistogram, {
        members: 1,
        variables: 1,
        nx: 2,
        ny: 1,
        strideX: 1,
        strideY: 1,
      });
      const ensemble = backend.allocate('ensemble', 'real', 2);
      const truth = backend.allocate('truth', 'real', 2);
      const counts = backend.allocate('counts', 'index', 2);
      backend.write(ensemble, [0, 0]);
      backend.write(truth, [1, -1]);
      prepared.run({ ensemble, truth, counts });
      prepared.run({ ensemble, truth, counts });
      expect(await backend.read(counts)).toEqual(Uint32Array.of(1, 1));
      for (const owned of [prepared, ensemble, truth, counts]) owned.dispose();
    });
  });

  describe('innovationStatistics', () => {
    it.each([1, 2, 255, 700])('agrees with plain sums: %i observations', async (observations) => {
      const innovation = noise(7, observations).map((x) => 0.3 + x);
      const original = noise(8, observations).map((x, j) => (j % 11 === 5 ? 0 : 3 + x));
      const effective = original.map((r, j) => (j % 7 === 3 ? 0 : r));
      const background = noise(9, observations).map((x) => 0.25 + x / 8);
      const used = Array.from(effective.keys()).filter((j) => effective[j] > 0);
      // What is not used may be anything.
      const given = innovation.map((d, j) => (effective[j] === 0 ? NaN : d));
      const { report } = await applyOperator(
        backend,
        innovationStatistics,
        { observations },
        {
          innovation: given,
          inverseDeviation: effective,
          originalInverseDeviation: original,
          backgroundVariance: background,
          report: INNOVATION_REPORT_LENGTH,
        },
      );
      const found = readInnovationReport(report);
      const mean = used.reduce((sum, j) => sum + innovation[j], 0) / used.length;
      expect(found.count).toBe(used.length);
      expect(found.rejected).toBe(Array.from(original.keys()).filter((j) => original[j] > 0 && j % 7 === 3).length);
      const roundings = precision === 'float64' ? observations + 16 : 32;
      expect(found.mean).toBeClose(mean, { absolute: roundings * epsilon * 1.3 });
      const squares = used.reduce((sum, j) => sum + (innovation[j] - mean) ** 2, 0);
      expect(found.variance).toBeClose(squares / Math.max(1, used.length - 1), { absolute: roundings * epsilon * 4 });
      const chiSquares = used.reduce((sum, j) => sum + innovation[j] ** 2 / (effective[j] ** -2 + background[j]), 0);
      expect(found.chiSquare).toBeClose(chiSquares / used.length, { absolute: roundings * epsilon * 10 });
    });

    it('is all zero but the rejections where no observation is used', async () => {
      const { report } = await applyOperator(
        backend,
        innovationStatistics,
        { observations: 3 },
        {
          innovation: [1, NaN, 2],
          inverseDeviation: [0, 0, 0],
          originalInverseDeviation: [1, 0, 1],
          backgroundVariance: [1, 1, 1],
          report: INNOVATION_REPORT_LENGTH,
        },
      );
      expect(readInnovationReport(report)).toEqual({ count: 0, mean: 0, variance: 0, chiSquare: 0, rejected: 2 });
    });
  });

  describe('extremes', () => {
    it.each(shapes)('finds them exactly: $members members, $variables variables, $cells cells', async (shape) => {
      const { members, variables, cells } = shape;
      const ensemble = noise(10, members * variables * cells);
      const values = Array.from({ length: variables }, (_, v) =>
        ensemble.filter((_, at) => Math.floor(at / cells) % variables === v),
      );
      const found = await find(backend, shape, ensemble);
      expect(found.minimum).toEqual(Float64Array.from(values, (of) => of.reduce((a, b) => Math.min(a, b))));
      expect(found.maximum).toEqual(Float64Array.from(values, (of) => of.reduce((a, b) => Math.max(a, b))));
    });

    it('orders numbers of one sign, zeros and infinities', async () => {
      const shape = { members: 1, variables: 3, cells: 3 };
      const found = await find(backend, shape, [-3, -1, -2, 0.5, 0, 2, Infinity, 1, -Infinity]);
      expect(found.minimum).toEqual(Float64Array.of(-3, 0, -Infinity));
      expect(found.maximum).toEqual(Float64Array.of(-1, 2, Infinity));
    });

    it('hands on a NaN of its variable alone', async () => {
      const shape = { members: 2, variables: 2, cells: 600 };
      const ensemble = noise(11, 2400);
      ensemble[1200 + 599] = NaN;
      const found = await find(backend, shape, ensemble);
      expect([found.minimum[0], found.maximum[0]]).toEqual([NaN, NaN]);
      expect(found.minimum[1]).toBeLessThan(-0.9);
      expect(found.maximum[1]).toBeGreaterThan(0.9);
    });
  });

  it('gives the same bits each time', async () => {
    const shape = { members: 7, variables: 2, cells: 5000 };
    const arrays = { ensemble: noise(12, 70_000), truth: noise(13, 10_000) };
    const score = async () => ({
      ...(await applyOperator(backend, ensembleScores, shape, { ...arrays, meanSquareError: 2, meanVariance: 2 })),
      ...(await applyOperator(backend, crps, shape, { ...arrays, score: 1 })),
    });
    expect(await score()).toEqual(await score());
  });
});
