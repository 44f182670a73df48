/**
 * Statistical consistency: where truth and members are drawn from the same distribution, and are forced by draws of the same
 * distribution, an LETKF whose localisation suits its ensemble must know its own error.
 *
 * The scenario: a basin with walls, in which thirty small drops, up and down, fall in every cycle on truth and members alike,
 * each with its own. The places that are observed are drawn again in each cycle, so that no wave hides between them. Members
 * are many for so few degrees of freedom in reach (40, half-width 3 cells), and inflation makes up for what the sampling of
 * their covariance takes: 1.03.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, CycleDiagnostics } from '../../../engine/index.ts';
import { backendNamed } from '../../setup/backends.ts';
import { anomaliesOf, meanOf } from '../../../engine/check/assimilation/set-up.ts';
import { scenarioOf, twin } from '../../../engine/check/assimilation/twin.ts';
import type { TwinInput } from '../../../engine/check/assimilation/twin.ts';

const SEEDS = [1, 2, 3];
const SPINUP = 10;
const N = 24;
const MEMBERS = 40;

const consistent: TwinInput = {
  name: 'consistent',
  grid: { nx: N, ny: N, dx: 1, dy: 1 },
  model: { scheme: 'lax-wendroff', timeStep: 0.1, gravity: 9.8 },
  truth: {
    initial: { kind: 'rest' },
    perturbation: { standardDeviation: 0.02, length: 3 },
    spinup: 1,
    forcing: { kind: 'drops', every: 1, count: 30, amplitude: [-0.01, 0.01], width: 8, seenBy: 'each' },
  },
  background: {
    initial: { kind: 'truth' },
    perturbation: { standardDeviation: 0.02, length: 3 },
    members: MEMBERS,
  },
  observations: [
    {
      name: 'gauges',
      variable: 'h',
      network: { kind: 'random', count: 64, redraw: true },
      errorStandardDeviation: 0.01,
    },
  ],
  methods: [{ kind: 'letkf', localisation: { halfWidth: 3 }, inflation: 1.03 }],
  experiment: { cycles: 60, window: 1, spinup: SPINUP },
};

/** (truth − mean) / spread of h at every cell after an analysis. */
async function standardisedErrors(backend: Backend, run: Awaited<ReturnType<typeof twin>>): Promise<Float64Array> {
  const truth = await backend.read(run.experiment.truth);
  const ensemble = await backend.read(run.experiment.methods[0].state);
  const anomalies = anomaliesOf(ensemble, truth.length);
  const mean = meanOf(ensemble, truth.length);
  return Float64Array.from({ length: N * N }, (_, cell) => {
    const variance = anomalies.reduce((sum, row) => sum + row[cell] ** 2, 0) / (anomalies.length - 1);
    return (truth[cell] - mean[cell]) / Math.sqrt(variance);
  });
}

/** Record of one seed: diagnostics after the spin-up, and the standardised errors of each of these cycles. */
interface Record {
  readonly seed: number;
  readonly diagnostics: readonly CycleDiagnostics[];
  readonly errors: readonly Float64Array[];
}

async function record(backend: Backend, seed: number, input = consistent): Promise<Record> {
  const run = await twin(backend, scenarioOf({ ...input, seed }));
  const errors: Float64Array[] = [];
  while (run.experiment.nextCycle < run.experiment.cycles) {
    await run.experiment.step();
    if (run.experiment.nextCycle > SPINUP) errors.push(await standardisedErrors(backend, run));
  }
  run.experiment.dispose();
  return { seed, diagnostics: run.diagnostics.filter(({ cycle }) => cycle >= SPINUP), errors };
}

function meanOver(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Correlation of standardised errors, some cycles and some cells along x apart. */
function correlation(records: readonly Record[], cycles: number, cells: number): number {
  const products: number[] = [];
  const squares: number[] = [];
  for (const { errors } of records) {
    for (let cycle = 0; cycle + cycles < errors.length; cycle++) {
      for (let cell = 0; cell < N * N; cell++) {
        if ((cell % N) + cells >= N) continue;
        products.push(errors[cycle][cell] * errors[cycle + cycles][cell + cells]);
        squares.push(errors[cycle][cell] ** 2);
      }
    }
  }
  return meanOver(products) / meanOver(squares);
}

/** The engine counts ranks at cells eight apart; here of every other cycle. */
function ranks(records: readonly Record[]): number[] {
  const counted = records.flatMap(({ diagnostics }) => diagnostics.filter(({ cycle }) => cycle % 2 === 0));
  return counted[0].rankHistogram['h'].map((_, bin) =>
    counted.reduce((sum, { rankHistogram }) => sum + rankHistogram['h'][bin], 0),
  );
}

/**
 * Σ (count − expected)²/expected, and the part of it that a U or a dome makes, a χ² of one degree. (The part of a slope is no
 * test here: the level of the whole basin's water is one slowly changing number, whose error all cells share.)
 */
function flatness(counts: readonly number[]): { readonly total: number; readonly dispersion: number } {
  const bins = counts.length;
  const expected = counts.reduce((sum, count) => sum + count, 0) / bins;
  const deviations = counts.map((count) => (count - expected) / Math.sqrt(expected));
  const squares = counts.map((_, bin) => (bin - (bins - 1) / 2) ** 2);
  const bowl = squares.map((square) => square - meanOver(squares));
  const along = bowl.reduce((sum, value, bin) => sum + value * deviations[bin], 0);
  return {
    total: deviations.reduce((sum, value) => sum + value ** 2, 0),
    dispersion: along ** 2 / bowl.reduce((sum, value) => sum + value ** 2, 0),
  };
}

/** The value that χ² of `degrees` exceeds in one case of a hundred, by Wilson and Hilferty: 0.1 % off at 40, 1 % at 1. */
function onePercent(degrees: number): number {
  const spread = 2 / (9 * degrees);
  return degrees * (1 - spread + 2.326_348 * Math.sqrt(spread)) ** 3;
}

function ratio({ diagnostics }: Record, when: 'forecast' | 'analysis', variable: string): number {
  const spread = meanOver(diagnostics.map((cycle) => cycle.spread[when][variable] ** 2));
  const error = meanOver(diagnostics.map((cycle) => cycle.rmse[when][variable] ** 2));
  return Math.sqrt(spread / error);
}

describe('statistical consistency of the LETKF in a twin experiment', () => {
  let backend: Backend;
  let records: readonly Record[];
  beforeAll(async () => {
    backend = await backendNamed('wasm').open();
    const made: Record[] = [];
    for (const seed of SEEDS) made.push(await record(backend, seed));
    records = made;
  }, 300_000);
  afterAll(() => backend.dispose());

  it.each(SEEDS)(
    'innovations are as large as background and observation errors say: χ²/p within 0.1 of 1, seed %i',
    (seed) => {
      const { diagnostics } = records[SEEDS.indexOf(seed)];
      const mean = (of: 'normalisedSquares' | 'chiSquare'): number =>
        meanOver(diagnostics.map(({ innovation }) => innovation?.[of] ?? Number.NaN));
      // 64 observations in 50 cycles: √(2/3200) = 0.025, the normalised squares were they all independent.
      expect(mean('chiSquare')).toBeClose(1, { absolute: 0.1 });
      expect(mean('normalisedSquares')).toBeClose(1, { absolute: 0.1 });
    },
  );

  it.each(SEEDS)(
    'the spread is the error, of forecast and analysis, of observed h and unobserved hu, hv: within 0.2, seed %i',
    (seed) => {
      const made = records[SEEDS.indexOf(seed)];
      for (const variable of ['h', 'hu', 'hv']) {
        expect(ratio(made, 'forecast', variable), `forecast, ${variable}`).toBeClose(1, { absolute: 0.2 });
        expect(ratio(made, 'analysis', variable), `analysis, ${variable}`).toBeClose(1, { absolute: 0.2 });
      }
    },
  );

  it('the truth’s rank among the members is uniform: χ² test at 1 %, and no U or dome', () => {
    const counts = ranks(records);
    expect(counts).toHaveLength(MEMBERS + 1);
    const { total, dispersion } = flatness(counts);
    expect(total).toBeLessThan(onePercent(MEMBERS));
    expect(dispersion).toBeLessThan(onePercent(1));
  });

  it('the ranks that are counted, eight cells and two cycles apart, are nearly independent', () => {
    // Correlations r of neighbours widen χ² by the order of r²: 1 %.
    expect(Math.abs(correlation(records, 0, 8))).toBeLessThan(0.1);
    expect(Math.abs(correlation(records, 2, 0))).toBeLessThan(0.1);
  });

  it('the same numbers show an underdispersive ensemble: few members in wide reach, no inflation', async () => {
    const overconfident = await record(backend, 1, {
      ...consistent,
      background: { ...consistent.background, members: 10 },
      methods: [{ kind: 'letkf', localisation: { halfWidth: 6 } }],
    });
    const { diagnostics } = overconfident;
    expect(meanOver(diagnostics.map(({ innovation }) => innovation?.chiSquare ?? Number.NaN))).toBeGreaterThan(1.1);
    expect(ratio(overconfident, 'analysis', 'h')).toBeLessThan(0.8);
    expect(flatness(ranks([overconfident])).dispersion).toBeGreaterThan(onePercent(1));
  });
});
