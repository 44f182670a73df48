import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import {
  bandSpectra,
  departureProducts,
  readDepartureProducts,
  sampledRows,
  sampledScores,
  spectralPlan,
  waterBudgets,
} from '../../../engine/operators/consistency/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';
import { noise } from '../../../engine/check/measures.ts';

const EDGES = [0.25, 0.5, Math.SQRT1_2, 1, Math.SQRT2, 2];

describe.each(allBackends)('consistency on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());
  const epsilon = precision === 'float64' ? 2 ** -53 : 2 ** -24;

  describe('departureProducts', () => {
    it.each([1, 300])('agrees with plain means by group, of what is used: %i observations', async (observations) => {
      const groups = 3;
      const group = Uint32Array.from({ length: observations }, (_, j) => (j % 5 === 4 ? 7 : j % 2));
      const inverseErrorStd = noise(observations, 1).map((x, j) => (j % 7 === 3 ? 0 : 2 + x));
      const [innovation, residual, background, analysis] = [2, 3, 4, 5].map((seed) => noise(observations, seed));
      const backgroundVariance = background.map((x) => x * x);
      const analysisVariance = analysis.map((x) => x * x);
      const { products } = await applyOperator(
        backend,
        departureProducts,
        { observations, groups },
        {
          group,
          // What is not used may be anything.
          innovation: innovation.map((d, j) => (inverseErrorStd[j] === 0 ? NaN : d)),
          residual,
          inverseErrorStd,
          backgroundVariance,
          analysisVariance,
          products: groups * 7,
        },
      );
      for (let g = 0; g < groups; g++) {
        const used = Array.from(group.keys()).filter((j) => group[j] === g && inverseErrorStd[j] > 0);
        const mean = (of: (j: number, r: number) => number): number =>
          used.reduce((sum, j) => sum + of(j, inverseErrorStd[j] ** 2), 0) / Math.max(1, used.length);
        const found = readDepartureProducts(products, g);
        expect(found.count).toBe(used.length);
        const expected = {
          innovation: mean((j, r) => r * innovation[j] ** 2),
          residual: mean((j, r) => r * residual[j] * innovation[j]),
          increment: mean((j, r) => r * (innovation[j] - residual[j]) * innovation[j]),
          incrementResidual: mean((j, r) => r * (innovation[j] - residual[j]) * residual[j]),
          backgroundVariance: mean((j, r) => r * backgroundVariance[j]),
          analysisVariance: mean((j, r) => r * analysisVariance[j]),
        };
        // Terms below 9 · 2 of eight roundings each, and as many as observations in the sum of float64.
        const absolute = 18 * (8 + 10 + (precision === 'float64' ? observations : 2)) * epsilon;
        for (const [name, value] of Object.entries(expected)) {
          expect(found[name as keyof typeof expected], `mean ${name}`).toBeClose(value, { absolute });
        }
      }
    });
  });

  describe('sampledScores', () => {
    const parameters = {
      members: 6,
      variables: 2,
      nx: 21,
      ny: 10,
      strideX: 4,
      strideY: 3,
      scored: [1],
      edges: EDGES,
    };
    const { members, nx, ny, strideX, strideY } = parameters;
    const cells = nx * ny;
    const truth = noise(2 * cells, 1);
    // Some members are alike, and the truth is below, within and above.
    const ensemble = noise(members * 2 * cells, 2).map((x, i) => (i % 3 === 0 ? Math.round(4 * x) / 4 : 0.6 * x));
    const weight = Float64Array.from({ length: cells }, (_, cell) => ((cell * 7) % 4) / 2);
    const sampled = Array.from({ length: cells }, (_, cell) => cell).filter(
      (cell) => (cell % nx) % strideX === 0 && Math.floor(cell / nx) % strideY === 0,
    );
    const valuesAt = (cell: number): number[] =>
      Array.from({ length: members }, (_, l) => ensemble[(2 * l + 1) * cells + cell]).sort((a, b) => a - b);
    const at = sampledRows(parameters);

    async function found(): Promise<Float64Array> {
      const { scores } = await applyOperator(backend, sampledScores, parameters, {
        ensemble,
        truth,
        weight,
        meanVariance: [1, 0.2],
        scores: at.rows,
      });
      return scores;
    }
    /** A mean over the sampled cells. */
    const mean = (of: (values: number[], t: number, cell: number) => number): number =>
      sampled.reduce((sum, cell) => sum + weight[cell] * of(valuesAt(cell), truth[cells + cell], cell), 0) /
      sampled.length;
    /** Variance, squared error and bin of a cell; the mean variance is 0.2. */
    const moments = (values: number[], t: number): readonly [number, number, number] => {
      const average = values.reduce((sum, x) => sum + x, 0) / members;
      const variance = values.reduce((sum, x) => sum + (x - average) ** 2, 0) / (members - 1);
      return [variance, (average - t) ** 2, EDGES.filter((edge) => Math.sqrt(variance / 0.2) >= edge).length];
    };
    // Terms of at most 1.5 · 2, some ten roundings each, 42 in the sum.
    const absolute = 3 * (10 + sampled.length) * epsilon;

    it('has the gaps between members below and above the truth', async () => {
      const scores = await found();
      for (let i = 0; i <= members; i++) {
        const lower = (values: number[], t: number): number => (i === 0 ? Math.min(t, values[0]) : values[i - 1]);
        const upper = (values: number[], t: number): number => (i === members ? Math.max(t, values[i - 1]) : values[i]);
        const alpha = mean((values, t) => Math.max(0, Math.min(t, upper(values, t)) - lower(values, t)));
        const beta = mean((values, t) => Math.max(0, upper(values, t) - Math.max(t, lower(values, t))));
        expect(scores[at.alpha + i], `alpha ${i}`).toBeClose(alpha, { absolute });
        expect(scores[at.beta + i], `beta ${i}`).toBeClose(beta, { absolute });
      }
      expect(scores[at.below]).toBeClose(
        mean((values, t) => Number(t < values[0])),
        { absolute },
      );
      expect(scores[at.above]).toBeClose(
        mean((values, t) => Number(t > values[members - 1])),
        { absolute },
      );
      expect(scores[at.below]).toBeGreaterThan(0);
      expect(scores[at.above]).toBeGreaterThan(0);
    });

    it('gives the CRPS with its gaps: Σ αᵢ pᵢ² + βᵢ (1 − pᵢ)²', async () => {
      const scores = await found();
      let sum = 0;
      for (let i = 0; i <= members; i++) {
        sum += scores[at.alpha + i] * (i / members) ** 2 + scores[at.beta + i] * (1 - i / members) ** 2;
      }
      const crps = mean((values, t) => {
        const apart = values.flatMap((a) => values.map((b) => Math.abs(a - b))).reduce((all, d) => all + d, 0);
        return values.reduce((all, x) => all + Math.abs(x - t), 0) / members - apart / (2 * members ** 2);
      });
      expect(sum).toBeClose(crps, { absolute: (members + 1) * absolute });
    });

    it('has errors and variances by bins of spread, and how unlike the truths are', async () => {
      const scores = await found();
      for (let bin = 0; bin < at.bins; bin++) {
        const inBin = (which: 0 | 1 | undefined) =>
          mean((values, t) => {
            const of = moments(values, t);
            return of[2] === bin ? (which === undefined ? 1 : of[which]) : 0;
          });
        expect(scores[at.share + bin]).toBeClose(inBin(undefined), { absolute });
        expect(scores[at.variance + bin]).toBeClose(inBin(0), { absolute });
        expect(scores[at.squaredError + bin]).toBeClose(inBin(1), { absolute });
      }
      const pairs = mean(
        (_values, t) =>
          sampled.reduce((sum, other) => sum + weight[other] * Math.abs(t - truth[cells + other]), 0) /
          (2 * sampled.length),
      );
      expect(scores[at.uncertainty]).toBeClose(pairs, { absolute: 2 * absolute });
      expect(scores[at.weight]).toBeClose(
        mean(() => 1),
        { absolute },
      );
    });
  });

  const spectraOf = async (
    grid: { nx: number; ny: number; dx: number; dy: number; periodicX: boolean; periodicY: boolean },
    planes: { readonly [Name in 'truth' | 'forecast' | 'analysis' | 'member']: ArrayLike<number> },
  ): Promise<readonly Float64Array[]> => {
    const { bands } = spectralPlan(grid);
    const { power } = await applyOperator(
      backend,
      bandSpectra,
      { ...grid, members: 5 },
      { ...planes, power: 4 * bands },
    );
    return [0, 1, 2, 3].map((spectrum) => power.subarray(spectrum * bands, (spectrum + 1) * bands));
  };

  describe('bandSpectra', () => {
    it.each([
      // Three halves of a wave between walls, five waves around a ring, one wave around a channel.
      { nx: 16, ny: 1, periodicX: false, halves: 3, band: 1 },
      { nx: 40, ny: 1, periodicX: true, halves: 10, band: 2 },
      { nx: 24, ny: 12, periodicX: true, halves: 2, band: 0 },
    ])('finds a wave in its band: $halves halves on $nx × $ny', async ({ nx, ny, periodicX, halves, band }) => {
      const grid = { nx, ny, dx: 10, dy: 10, periodicX, periodicY: false };
      const wave = Float64Array.from({ length: nx * ny }, (_, cell) =>
        Math.cos((Math.PI * halves * ((cell % nx) + 0.5)) / nx),
      );
      const none = new Float64Array(nx * ny);
      const [forecast, analysis, increment, spread] = await spectraOf(grid, {
        truth: none,
        forecast: wave,
        analysis: wave.map((x) => x / 4),
        member: wave.map((x) => 2 * x),
      });
      const expectBand = (found: Float64Array, meanSquare: number): void => {
        const expected = found.map((_, index) => (index === band ? meanSquare : 0));
        // Coefficients are sums of nx and ny products; those that cancel leave as much.
        expect(found).toBeClose(expected, { absolute: meanSquare * 2 * (nx + ny) * epsilon });
      };
      // The mean square of a wave is ½; the member's, times 5/4.
      expectBand(forecast, 0.5);
      expectBand(analysis, 0.5 / 16);
      expectBand(increment, (0.5 * 9) / 16);
      expectBand(spread, 0.625);
    });

    it('has no increment and twice the same error where the analysis is the forecast', async () => {
      const grid = { nx: 30, ny: 21, dx: 2, dy: 3, periodicX: true, periodicY: false };
      const [truth, forecast, member] = [1, 2, 3].map((seed) => noise(grid.nx * grid.ny, seed));
      const [before, after, increment] = await spectraOf(grid, { truth, forecast, analysis: forecast, member });
      expect(Math.min(...before)).toBeGreaterThan(0);
      expect([...after]).toEqual([...before]);
      expect([...increment]).toEqual(Array.from(before, () => 0));
    });

    it('agrees with the reference', async () => {
      const grid = { nx: 150, ny: 67, dx: 2, dy: 3, periodicX: false, periodicY: true };
      const [truth, forecast, analysis, member] = [1, 2, 3, 4].map((seed) => noise(grid.nx * grid.ny, seed));
      const planes = { truth, forecast, analysis, member };
      const exact = await allBackends[0].open();
      const { bands } = spectralPlan(grid);
      const { power } = await applyOperator(
        exact,
        bandSpectra,
        { ...grid, members: 5 },
        { ...planes, power: 4 * bands },
      );
      exact.dispose();
      // Coefficients of noise of at most 2 are wrong by √n roundings of it, and the sums of their squares.
      const relative = 4 * (grid.nx + grid.ny) * epsilon;
      for (const [spectrum, found] of (await spectraOf(grid, planes)).entries()) {
        expect(found, `spectrum ${spectrum}`).toBeClose(power.subarray(spectrum * bands, (spectrum + 1) * bands), {
          relative,
        });
      }
    });

    it('keeps the mean square but for the mean, also of blocks of cells', async () => {
      for (const [nx, ny] of [
        [9, 14],
        [260, 5],
      ]) {
        const grid = { nx, ny, dx: 2, dy: 3, periodicX: true, periodicY: false };
        const truth = noise(nx * ny, 5);
        const forecast = noise(nx * ny, 6);
        const [error] = await spectraOf(grid, { truth, forecast, analysis: truth, member: forecast });
        const block = Math.ceil(nx / 128);
        const averages: number[] = [];
        for (let j = 0; j < ny; j++) {
          for (let i = 0; i + block <= nx; i += block) {
            let sum = 0;
            for (let d = 0; d < block; d++) sum += forecast[j * nx + i + d] - truth[j * nx + i + d];
            averages.push(sum / block);
          }
        }
        const mean = averages.reduce((sum, x) => sum + x, 0) / averages.length;
        const meanSquare = averages.reduce((sum, x) => sum + (x - mean) ** 2, 0) / averages.length;
        // Each coefficient is wrong by √n roundings, and their squares in both directions.
        expect(error.reduce((sum, x) => sum + x, 0)).toBeClose(meanSquare, { relative: 4 * (nx + ny) * epsilon });
      }
    });
  });

  describe('waterBudgets', () => {
    const grid = { nx: 9, ny: 7, dx: 2, dy: 3, periodicX: false, periodicY: false };
    const { nx, ny, dx, dy } = grid;
    const cells = nx * ny;
    const base = { ...grid, gravity: 10, coriolis: { f: 0.5, beta: 0 }, surface: 'depth' as const, dryDepth: 0 };
    const places = Array.from({ length: cells }, (_, cell) => ({ x: (cell % nx) * dx, y: Math.floor(cell / nx) * dy }));
    const mean = (of: (x: number, y: number) => number): number =>
      places.reduce((sum, { x, y }) => sum + of(x, y), 0) / cells;
    const stateOf = (at: (x: number, y: number) => readonly [h: number, hu: number, hv: number]): Float64Array => {
      const state = new Float64Array(3 * cells);
      places.forEach(({ x, y }, cell) => at(x, y).forEach((value, v) => (state[v * cells + cell] = value)));
      return state;
    };
    const budgetsOf = async (
      parameters: typeof base | (Omit<typeof base, 'surface'> & { surface: 'elevation' }),
      states: readonly [Float64Array, Float64Array, Float64Array],
      bed: ArrayLike<number> = new Float64Array(cells),
    ): Promise<readonly Float64Array[]> => {
      const [truth, forecast, analysis] = states;
      const { budgets } = await applyOperator(backend, waterBudgets, parameters, {
        truth,
        forecast,
        analysis,
        bed,
        budgets: 21,
      });
      return [0, 1, 2].map((state) => budgets.subarray(7 * state, 7 * state + 7));
    };

    it('of water at rest, of a convergent and turning flow, and of one in balance', async () => {
      const rest = stateOf(() => [2, 0, 0]);
      // hu = x/2 and hv = y/4 + 3x/8: divergence 3/4, and u, v of a depth of 2 turn by 3/16.
      const flow = stateOf((x, y) => [2, x / 2, y / 4 + (3 * x) / 8]);
      // h = 2 + y/16, so that g ∂h/∂y = 5/8 = −f u.
      const balanced = stateOf((_x, y) => [2 + y / 16, -1.25 * (2 + y / 16), 0]);
      const [ofRest, ofFlow, ofBalanced] = await budgetsOf(base, [rest, flow, balanced]);
      const speeds = mean((x, y) => 2 * ((x / 4) ** 2 + (y / 8 + (3 * x) / 16) ** 2));
      const meanDepth = mean((_x, y) => 2 + y / 16);
      // Numbers below 100 of some thirty roundings each.
      const close = { absolute: 100 * 40 * epsilon };
      expect(ofRest).toBeClose([2, 0, (0.5 * 0.25) / 2, 0, 0, 0, 1], close);
      expect(ofFlow).toBeClose([2, 0.5 * speeds, (0.5 * (0.5 + 3 / 16) ** 2) / 2, 0.75, 0.25 * speeds, 0, 1], close);
      const energy = mean((_x, y) => 0.5 * ((2 + y / 16) * 1.25 ** 2 + 10 * (2 + y / 16 - meanDepth) ** 2));
      const enstrophy = mean((_x, y) => (0.5 * 0.25) / (2 + y / 16));
      expect(ofBalanced).toBeClose([meanDepth, energy, enstrophy, 0, 0, 0.625 ** 2 * meanDepth, 1], close);
    });

    it('agrees with plain sums of more cells than are added up at once', async () => {
      const large = { ...base, nx: 300, ny: 240, dryDepth: 1e-3, coriolis: { f: 0, beta: 0 } };
      const count = large.nx * large.ny;
      const depths = noise(count, 7).map((x) => (x > 0.9 ? 0 : 2 + 0.25 * x));
      const state = new Float64Array(3 * count);
      state.set(depths);
      state.fill(0.5, count, 2 * count);
      const [found] = await budgetsOf(large, [state, state, state], new Float64Array(count));
      const wet = depths.filter((h) => h > 0);
      const sum = (of: (h: number) => number): number => wet.reduce((total, h) => total + of(h), 0) / count;
      const level = (sum((h) => h) * count) / wet.length;
      // Terms below 13 of ten roundings each; at most 90 are added up before they are added up pairwise.
      const close = { absolute: 13 * 100 * epsilon };
      expect(wet.length).toBeLessThan(count);
      expect(found[0]).toBeClose(
        sum((h) => h),
        close,
      );
      expect(found[1]).toBeClose(
        sum((h) => 0.5 * (0.25 / h + 10 * (h - level) ** 2)),
        close,
      );
      expect(found[6]).toBeClose(wet.length / count, close);
    });

    it('agrees with the reference over an island, around a ring and on a beta plane', async () => {
      const bed = Float64Array.from(places, ({ x, y }) => Math.max(-1, 0.9 - 0.2 * Math.hypot(x - 8, y - 9)));
      const parameters = {
        ...base,
        periodicX: true,
        coriolis: { f: 0.1, beta: 0.05 },
        surface: 'elevation' as const,
        dryDepth: 1e-3,
      };
      const state = (seed: number): Float64Array => {
        const numbers = noise(3 * cells, seed);
        return numbers.map((x, i) => (i < cells ? Math.max(bed[i], 0.1 * x) : numbers[i] * 0.2));
      };
      const states = [state(1), state(2), state(3)] as const;
      const exact = await allBackends[0].open();
      const { budgets } = await applyOperator(exact, waterBudgets, parameters, {
        truth: states[0],
        forecast: states[1],
        analysis: states[2],
        bed,
        budgets: 21,
      });
      exact.dispose();
      const found = await budgetsOf(parameters, states, bed);
      const dry = places.filter((_, cell) => states[0][cell] - bed[cell] <= 1e-3).length;
      expect(dry).toBeGreaterThan(3);
      expect(found[0][6]).toBeClose((cells - dry) / cells, { absolute: epsilon });
      for (const [index, budget] of found.entries()) {
        // A depth of the difference of numbers near 1 is wrong by 2⁻²⁴; from a hundredth of the mean on, 0.5 %, that is 2e-5 of it,
        // three times in what is divided by it: of the largest terms' sum less.
        expect(budget).toBeClose(budgets.subarray(7 * index, 7 * index + 7), {
          relative: precision === 'float64' ? 1e-12 : 1e-4,
        });
      }
    });
  });
});
