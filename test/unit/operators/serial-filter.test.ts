/** The turns of the serial filter, against the same written out for the anomalies of one long state. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { taperBetween } from '../../../engine/operators/localisation/index.ts';
import { serialIncrement, serialObservations } from '../../../engine/operators/serial-filter/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';
import { between, noise } from '../../../engine/check/measures.ts';

const [MEMBERS, P, VARIABLES] = [6, 45, 2];
/** The observation that is missing, and that which all members see alike. */
const [MISSING, ALIKE] = [7, 11];

const grids = [
  { nx: 9, ny: 7, periodicX: false, periodicY: false, aspect: 1, halfWidthCells: 2.5 },
  { nx: 16, ny: 18, periodicX: true, periodicY: true, aspect: 0.75, halfWidthCells: 3 },
  { nx: 14, ny: 5, periodicX: true, periodicY: false, aspect: 1.5, halfWidthCells: 1e9 },
] as const;
type Grid = (typeof grids)[number];

/** Positions on a raster of a quarter of a cell, which float32 holds. */
function positions(size: number, streamName: string): Float64Array {
  return between(P, 0, size - 1, streamName).map((value) => Math.round(4 * value) / 4);
}

/** Numbers that float32 holds, less their mean over the members in each column: [MEMBERS][length]. */
function centred(length: number, seed: number): Float64Array {
  const values = noise(MEMBERS * length, seed);
  return values.map((value, at) => {
    let sum = 0;
    for (let l = 0; l < MEMBERS; l++) sum += values[l * length + (at % length)];
    return Math.fround(value - sum / MEMBERS);
  });
}

function problem(grid: Grid) {
  const cells = grid.nx * grid.ny;
  const observedAnomalies = centred(P, 1);
  for (let l = 0; l < MEMBERS; l++) observedAnomalies[l * P + ALIKE] = 0;
  return {
    cells,
    observedAnomalies,
    departures: noise(P, 3).map((value, j) => (j === MISSING ? 0 : Math.fround(value))),
    inverseErrorStd: noise(P, 2).map((value, j) => (j === MISSING ? 0 : Math.fround(1 + value / 2))),
    positionX: positions(grid.nx, 'x'),
    positionY: positions(grid.ny, 'y'),
    anomalies: centred(VARIABLES * cells, 4),
    mean: noise(VARIABLES * cells, 5).map(Math.fround),
  };
}

/** One element of the state and what is observed beside it: its place, its mean and its anomalies. */
interface Element {
  readonly x: number;
  readonly y: number;
  readonly anomalies: number[];
  mean: number;
}

const product = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, l) => sum + value * b[l], 0);

const column = (values: Float64Array, length: number, i: number): number[] =>
  Array.from({ length: MEMBERS }, (_, l) => values[l * length + i]);

/** The filter with one list of elements, what is observed the last of them: the update of [whitaker2002] as it is written there. */
function writtenOut(grid: Grid, given: ReturnType<typeof problem>): readonly Element[] {
  const { cells, observedAnomalies, departures, inverseErrorStd, positionX, positionY, anomalies, mean } = given;
  const state = Array.from({ length: VARIABLES * cells }, (_, i): Element => ({
    x: i % grid.nx,
    y: Math.floor((i % cells) / grid.nx),
    mean: mean[i],
    anomalies: column(anomalies, VARIABLES * cells, i),
  }));
  // The mean of what is observed is 0, and its value the departure, with its own error of 1/r.
  const seen = Array.from({ length: P }, (_, j): Element => ({
    x: positionX[j],
    y: positionY[j],
    mean: 0,
    anomalies: column(observedAnomalies, P, j),
  }));
  const taper = taperBetween(grid);
  seen.forEach((observed, j) => {
    if (j === MISSING) return;
    const errorVariance = inverseErrorStd[j] ** -2;
    const at = [...observed.anomalies];
    const variance = product(at, at) / (MEMBERS - 1);
    const innovation = departures[j] / inverseErrorStd[j] - observed.mean;
    const reduced = 1 / (1 + Math.sqrt(errorVariance / (variance + errorVariance)));
    for (const element of [...state, ...seen.slice(j)]) {
      const covariance = product(element.anomalies, at) / (MEMBERS - 1);
      const gain = (taper(element.x - observed.x, element.y - observed.y) * covariance) / (variance + errorVariance);
      element.mean += gain * innovation;
      for (let l = 0; l < MEMBERS; l++) element.anomalies[l] -= reduced * gain * at[l];
    }
  });
  return state;
}

describe.each(allBackends)('the serial filter on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function filtered(grid: Grid, { cells, anomalies, mean, ...given }: ReturnType<typeof problem>) {
    const { positionX, positionY } = given;
    const shape = { ...grid, members: MEMBERS, observations: P };
    const turns = await applyOperator(backend, serialObservations, shape, {
      ...given,
      meanWeights: P,
      anomalyWeights: P,
    });
    const ensemble = anomalies.map((value, at) => value + mean[at % (VARIABLES * cells)]);
    const after = await applyOperator(
      backend,
      serialIncrement,
      { ...shape, variables: VARIABLES },
      { ...turns, positionX, positionY, ensemble },
    );
    return { turns, ensemble: after.ensemble };
  }

  // Forty-five turns, in each of which an element of size 1 is moved by a share that sums of six products have rounded.
  const absolute = P * (MEMBERS + 8) * (precision === 'float64' ? 2 ** -53 : 2 ** -24);

  it.each(grids)('moves mean and anomalies as one long state: %o', async (grid) => {
    const given = problem(grid);
    const { ensemble } = await filtered(grid, given);
    const expected = writtenOut(grid, given);
    const length = expected.length;
    expect(expected.some(({ mean }, i) => Math.abs(mean - given.mean[i]) > 0.1)).toBe(true);
    expect(ensemble).toBeClose(
      ensemble.map((_, at) => {
        const { mean, anomalies } = expected[at % length];
        return mean + anomalies[Math.floor(at / length)];
      }),
      { absolute },
    );
  });

  it('gives no weight to what is missing', async () => {
    const { turns } = await filtered(grids[0], problem(grids[0]));
    expect(turns.meanWeights[MISSING]).toBe(0);
    expect(turns.anomalyWeights[MISSING]).toBe(0);
  });

  it('gives what all members see alike the weight of its own error', async () => {
    const { turns } = await filtered(grids[0], problem(grids[0]));
    expect(turns.anomalyWeights[ALIKE]).toBe(0);
    expect(turns.anomalyWeights[0]).toBeGreaterThan(0);
    expect(turns.departures[ALIKE]).not.toBe(0);
    // A quotient, rounded once, and stored as the device has it.
    const expected = turns.departures[ALIKE] / (MEMBERS - 1);
    expect([turns.meanWeights[ALIKE]]).toBeClose([expected], {
      relative: precision === 'float64' ? 2 ** -52 : 2 ** -22,
    });
  });
});
