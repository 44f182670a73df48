import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import {
  INNOVATION_REPORT_LENGTH,
  counted,
  ensembleScores,
  innovationStatistics,
  rankHistogram,
  readInnovationReport,
  scoresLayout,
  wetCells,
} from '../../../engine/operators/statistics/index.ts';
import type { EnsembleShape } from '../../../engine/operators/statistics/index.ts';
import { ensembleMean } from '../../../engine/operators/ensemble/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';
import { noise } from '../../../engine/check/measures.ts';

/** Weights of cells in a mean, in float32 exactly: 0, ½, 1 and 1½. */
function weights(cells: number): Float64Array {
  return Float64Array.from({ length: cells }, (_, cell) => ((cell * 7) % 4) / 2);
}

/** The CRPS by its other definition: the integral of (F(x) − 1{x ≥ t})² between neighbours of the sorted members and the truth. */
function byIntegral(
  ensemble: Float64Array,
  truth: Float64Array,
  weight: Float64Array,
  { members, variables, cells }: EnsembleShape,
  variable: number,
): number {
  let sum = 0;
  for (let cell = 0; cell < cells; cell++) {
    const i = variable * cells + cell;
    const values = Array.from({ length: members }, (_, l) => ensemble[l * variables * cells + i]);
    const nodes = [...values, truth[i]].sort((a, b) => a - b);
    for (let n = 0; n + 1 < nodes.length; n++) {
      const below = values.filter((x) => x <= nodes[n]).length / members;
      sum += weight[cell] * (nodes[n + 1] - nodes[n]) * (below - (nodes[n] >= truth[i] ? 1 : 0)) ** 2;
    }
  }
  return sum / cells;
}

/** What the plain score has more than the fair one: Σ over pairs of |x_i − x_j| times 1/(k(k − 1)) − 1/k². */
function unfairness(
  ensemble: Float64Array,
  weight: Float64Array,
  { members, variables, cells }: EnsembleShape,
  variable: number,
): number {
  let sum = 0;
  for (let cell = 0; cell < cells; cell++) {
    const values = Array.from({ length: members }, (_, l) => ensemble[(l * variables + variable) * cells + cell]);
    for (const a of values) for (const b of values) sum += (weight[cell] * Math.abs(a - b)) / 2;
  }
  return (sum / cells) * (members > 1 ? 1 / (members * (members - 1)) - 1 / members ** 2 : 0);
}

/** The scores of an ensemble by name, and its mean. */
async function scoresOf(
  backend: Backend,
  { scored = [], ...sizes }: EnsembleShape & { readonly scored?: readonly number[] },
  arrays: Readonly<Record<'ensemble' | 'truth' | 'weight', ArrayLike<number>>>,
) {
  const shape = { ...sizes, scored };
  const layout = scoresLayout(shape);
  const { mean, scores } = await applyOperator(backend, ensembleScores, shape, {
    ...arrays,
    mean: shape.variables * shape.cells,
    scores: layout.length,
  });
  const part = (name: keyof typeof layout, length: number) => scores.slice(layout[name], layout[name] + length);
  return {
    mean,
    meanVariance: part('meanVariance', shape.variables),
    meanSquareError: part('meanSquareError', shape.variables),
    meanError: part('meanError', shape.variables),
    patternSquareError: part('patternSquareError', shape.variables),
    crps: part('crps', scored.length),
    fairCrps: part('fairCrps', scored.length),
  };
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

describe.each(allBackends)('statistics on $name', ({ open, precision }) => {
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
    const truth = noise(state, 1).map((x) => 4096 + Math.round(x * 1000) / 8);
    const ensemble = noise(members * state, 2).map((x, at) => truth[at % state] + Math.round(x * 128) / 2048);
    const weight = weights(cells);
    const found = await scoresOf(backend, shape, { ensemble, truth, weight });
    for (let v = 0; v < variables; v++) {
      let squares = 0;
      let variances = 0;
      for (let i = v * cells; i < (v + 1) * cells; i++) {
        // Differences are exact here; the mean of values near 4096 would not be.
        const errors = Array.from({ length: members }, (_, l) => ensemble[l * state + i] - truth[i]);
        const mean = errors.reduce((a, b) => a + b, 0) / members;
        squares += weight[i % cells] * mean ** 2;
        variances +=
          (weight[i % cells] * errors.reduce((sum, x) => sum + (x - mean) ** 2, 0)) / Math.max(1, members - 1);
      }
      // Terms of at most 1.5/16² (variance: twice that), each of some k roundings; the float64 loop has its own.
      const bound = (2 * members + 8 + reductionRoundings(cells)) * epsilon + cells * 2 ** -53;
      expect(found.meanSquareError[v]).toBeClose(squares / cells, { absolute: (1.5 * bound) / 256 });
      expect(found.meanVariance[v]).toBeClose(variances / cells, { absolute: (3 * bound) / 256 });
    }
  });

  it.each(shapes)('level and pattern: $members members, $variables variables, $cells cells', async (shape) => {
    const { members, variables, cells } = shape;
    const state = variables * cells;
    const truth = noise(state, 11).map((x) => Math.round(x * 1024) / 1024);
    // A level a thousand times the pattern: the difference of their squares would keep one digit of float32.
    const LEVEL = 8;
    const pattern = noise(state, 12).map((x) => Math.round(x * 1024) / 2 ** 17);
    const ensemble = Float64Array.from(
      { length: members * state },
      (_, at) => truth[at % state] + LEVEL + pattern[at % state],
    );
    const weight = weights(cells);
    const found = await scoresOf(backend, shape, { ensemble, truth, weight });
    const total = weight.reduce((sum, w) => sum + w, 0);
    for (let v = 0; v < variables; v++) {
      const own = pattern.subarray(v * cells, (v + 1) * cells);
      const mean = total > 0 ? own.reduce((sum, x, cell) => sum + weight[cell] * x, 0) / total : 0;
      const squares = own.reduce((sum, x, cell) => sum + weight[cell] * (x - mean) ** 2, 0) / cells;
      // The mean of the members and that of the cells are rounded at the level; patterns are below 2⁻⁷.
      const rounding = (members + 8 + reductionRoundings(cells)) * epsilon + cells * 2 ** -53;
      expect(found.meanError[v]).toBeClose(total > 0 ? LEVEL + mean : 0, { absolute: LEVEL * rounding });
      const atLevel = LEVEL * (members + 8) * epsilon;
      const bound = 2 ** -14 * rounding + 2 ** -6 * atLevel + atLevel ** 2;
      expect(found.patternSquareError[v]).toBeClose(squares, { absolute: 1.5 * bound });
    }
  });

  it.each(shapes)(
    'the mean, as that of an ensemble: $members members, $variables variables, $cells cells',
    async (shape) => {
      const length = shape.variables * shape.cells;
      const ensemble = noise(shape.members * length, 21);
      const arrays = { ensemble, truth: noise(length, 22), weight: weights(shape.cells) };
      const { mean } = await scoresOf(backend, shape, arrays);
      const size = { members: shape.members, length };
      const expected = await applyOperator(backend, ensembleMean, size, { ensemble, mean: length });
      expect(mean).toEqual(expected.mean);
    },
  );

  it('has no error of level or pattern if no cell is weighed', async () => {
    const found = await scoresOf(
      backend,
      { members: 2, variables: 1, cells: 300 },
      { ensemble: noise(600, 13), truth: noise(300, 14), weight: new Float64Array(300) },
    );
    expect([found.meanError[0], found.patternSquareError[0]]).toEqual([0, 0]);
  });

  it.each(shapes)('CRPS: $members members, $variables variables, $cells cells', async (shape) => {
    const { members, variables, cells } = shape;
    const truth = noise(variables * cells, 3);
    const ensemble = noise(members * variables * cells, 4);
    const scored = variables === 3 ? [2, 0] : [variables - 1];
    const weight = weights(cells);
    const { crps, fairCrps } = await scoresOf(backend, { ...shape, scored }, { ensemble, truth, weight });
    // Differences below 2 with weights up to 1.5; sums over k/4 blocks of up to k terms each.
    const bound = 1.5 * ((1.25 * members + 8 + reductionRoundings(cells)) * epsilon * 2 + cells * 2 ** -52);
    const plain = scored.map((variable) => byIntegral(ensemble, truth, weight, shape, variable));
    const fair = scored.map((variable, row) => plain[row] - unfairness(ensemble, weight, shape, variable));
    expect(crps).toBeClose(plain, { absolute: 2 * bound });
    expect(fairCrps).toBeClose(fair, { absolute: 2 * bound });
  });

  it('has the scores of two members by hand', async () => {
    // Members 0 and 1, truth 3: (3 + 2)/2 − 1/4, and 1/2 in place of 1/4 for the fair score.
    const { crps, fairCrps } = await scoresOf(
      backend,
      { members: 2, variables: 1, cells: 1, scored: [0] },
      { ensemble: [0, 1], truth: [3], weight: [1] },
    );
    expect([...crps, ...fairCrps]).toEqual([2.25, 2]);
  });

  describe('rankHistogram', () => {
    it.each([
      { members: 1, variables: 1, nx: 1, ny: 1, strideX: 1, strideY: 1, scored: [0] },
      { members: 4, variables: 2, nx: 37, ny: 23, strideX: 1, strideY: 1, scored: [1] },
      { members: 20, variables: 3, nx: 33, ny: 10, strideX: 4, strideY: 3, scored: [0, 2] },
      { members: 130, variables: 1, nx: 8, ny: 8, strideX: 8, strideY: 1, scored: [0] },
      { members: 2, variables: 1, nx: 5, ny: 5, strideX: 9, strideY: 7, scored: [0] },
    ])('counts exactly: $members members, $nx × $ny by $strideX × $strideY', async (parameters) => {
      const { members, variables, nx, ny, strideX, strideY, scored } = parameters;
      const cells = nx * ny;
      const key = [0x89abcdef, 7];
      // Few different values, so that ties happen.
      const truth = noise(variables * nx * ny, 5).map((x) => Math.round(4 * x));
      const ensemble = noise(members * variables * nx * ny, 6).map((x) => Math.round(4 * x));
      // One cell in five is dry in all members.
      const weight = Array.from({ length: cells }, (_, cell) => (cell % 5 === 3 ? 0 : 1.25));
      const expected = new Uint32Array(scored.length * (members + 1));
      for (let y = 0; y < ny; y += strideY) {
        for (let x = 0; x < nx; x += strideX) {
          if (weight[y * nx + x] === 0) continue;
          scored.forEach((variable, row) => {
            const i = variable * cells + y * nx + x;
            const values = Array.from({ length: members }, (_, l) => ensemble[l * variables * cells + i]);
            const ties = values.filter((value) => value === truth[i]).length;
            const rank = values.filter((value) => value < truth[i]).length + (counted(i, key[0], key[1]) % (ties + 1));
            expected[row * (members + 1) + rank] += 1;
          });
        }
      }
      const { counts } = await applyOperator(backend, rankHistogram, parameters, {
        ensemble,
        truth,
        weight,
        key: Uint32Array.from(key),
        counts: scored.length * (members + 1),
      });
      expect(Uint32Array.from(counts)).toEqual(expected);
    });

    it('starts from 0 in each run', async () => {
      const prepared = await backend.prepare(rankHistogram, {
        members: 1,
        variables: 1,
        nx: 2,
        ny: 1,
        strideX: 1,
        strideY: 1,
        scored: [0],
      });
      const weight = backend.allocate('weight', 'real', 2);
      const key = backend.allocate('key', 'index', 2);
      backend.write(weight, [1, 1]);
      backend.write(key, [1, 2]);
      const ensemble = backend.allocate('ensemble', 'real', 2);
      const truth = backend.allocate('truth', 'real', 2);
      const counts = backend.allocate('counts', 'index', 2);
      backend.write(ensemble, [0, 0]);
      backend.write(truth, [1, -1]);
      prepared.run({ ensemble, truth, weight, key, counts });
      prepared.run({ ensemble, truth, weight, key, counts });
      expect(await backend.read(counts)).toEqual(Uint32Array.of(1, 1));
      for (const owned of [prepared, ensemble, truth, weight, key, counts]) owned.dispose();
    });
  });

  it('breaks ties evenly: a truth that equals all members has each rank as often as any other', async () => {
    const [members, cells] = [4, 20_000];
    const parameters = { members, variables: 1, nx: cells, ny: 1, strideX: 1, strideY: 1, scored: [0] };
    const { counts } = await applyOperator(backend, rankHistogram, parameters, {
      ensemble: new Float64Array(members * cells).fill(0.5),
      truth: new Float64Array(cells).fill(0.5),
      weight: new Float64Array(cells).fill(1),
      key: Uint32Array.of(123, 456),
      counts: members + 1,
    });
    // 4000 each, with a standard deviation of √(20000 · 0.2 · 0.8) = 57: within four of them.
    for (const count of counts) expect(Math.abs(count - cells / (members + 1))).toBeLessThan(4 * 57);
  });

  describe('wetCells', () => {
    it.each([5, 256, 700])('weighs the cells that are wet in the truth or in a member: %i cells', async (cells) => {
      const shape = { members: 3, variables: 2, cells };
      const bed = noise(cells, 20).map((x) => x / 8);
      const depth = (index: number): Float64Array =>
        noise(cells, 21 + index).map((x, cell) => (cell % 4 === index ? x * x : 0));
      const surface = (index: number): Float64Array => depth(index).map((h, cell) => bed[cell] + h);
      const momenta = new Float64Array(cells).fill(7);
      const truth = [...surface(0), ...momenta];
      const ensemble = [1, 2, 0].flatMap((index) => [...surface(index), ...momenta]);
      const { weight } = await applyOperator(
        backend,
        wetCells,
        { ...shape, dryDepth: 1e-3 },
        { ensemble, truth, bed, weight: cells },
      );
      const isWet = Array.from({ length: cells }, (_, cell) => [0, 1, 2].some((index) => depth(index)[cell] > 1e-3));
      const count = isWet.filter(Boolean).length;
      expect(count).toBeLessThan(cells);
      expect(weight).toBeClose(
        isWet.map((wet) => (wet ? cells / count : 0)),
        { absolute: 4 * epsilon * (cells / count) },
      );
    });

    it('weighs every cell alike where all are wet, to the last bit, and none if none is', async () => {
      const shape = { members: 1, variables: 1, cells: 300, dryDepth: 1e-3 };
      const bed = new Float64Array(300);
      const level = async (eta: number) => {
        const surface = new Float64Array(300).fill(eta);
        return (await applyOperator(backend, wetCells, shape, { ensemble: surface, truth: surface, bed, weight: 300 }))
          .weight;
      };
      expect(await level(1)).toEqual(new Float64Array(300).fill(1));
      expect(await level(0)).toEqual(new Float64Array(300).fill(0));
    });
  });

  describe('innovationStatistics', () => {
    it.each([1, 2, 255, 700])('agrees with plain sums: %i observations', async (observations) => {
      const innovation = noise(observations, 7).map((x) => 0.3 + x);
      const original = noise(observations, 8).map((x, j) => (j % 11 === 5 ? 0 : 3 + x));
      const effective = original.map((r, j) => (j % 7 === 3 ? 0 : r));
      const background = noise(observations, 9).map((x) => 0.25 + x / 8);
      const used = Array.from(effective.keys()).filter((j) => effective[j] > 0);
      // What is not used may be anything.
      const given = innovation.map((d, j) => (effective[j] === 0 ? NaN : d));
      const { report } = await applyOperator(
        backend,
        innovationStatistics,
        { observations },
        {
          innovation: given,
          inverseErrorStd: effective,
          originalInverseErrorStd: original,
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
      const normalised = used.reduce((sum, j) => sum + innovation[j] ** 2 / (effective[j] ** -2 + background[j]), 0);
      expect(found.normalisedSquares).toBeClose(normalised / used.length, { absolute: roundings * epsilon * 10 });
    });

    it('is all zero but the rejections where no observation is used', async () => {
      const { report } = await applyOperator(
        backend,
        innovationStatistics,
        { observations: 3 },
        {
          innovation: [1, NaN, 2],
          inverseErrorStd: [0, 0, 0],
          originalInverseErrorStd: [1, 0, 1],
          backgroundVariance: [1, 1, 1],
          report: INNOVATION_REPORT_LENGTH,
        },
      );
      expect(readInnovationReport(report)).toEqual({
        count: 0,
        mean: 0,
        variance: 0,
        normalisedSquares: 0,
        rejected: 2,
      });
    });
  });

  it('gives the same bits each time', async () => {
    const shape = { members: 7, variables: 2, cells: 5000 };
    const arrays = { ensemble: noise(70_000, 12), truth: noise(10_000, 13), weight: weights(5000) };
    const score = () => scoresOf(backend, { ...shape, scored: [1] }, arrays);
    expect(await score()).toEqual(await score());
  });
});
