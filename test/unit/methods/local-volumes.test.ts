/** What the analyses of the cells see of a network: against distances by hand, and against what the LETKF says of its analyses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localSums, usedIn, type Backend } from '../../../engine/index.ts';
import { gaspariCohn } from '../../../engine/operators/localisation/index.ts';
import { backends } from '../../setup/backends.ts';
import '../../setup/matchers.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';
import { hold, snapshots, valuesOf } from '../run/hold.ts';

/** Along x beyond both ends, as drifters are between two cycles. */
const [x, y] = [Float64Array.of(-0.7, 3, 8.25, 9.6), Float64Array.of(0, 2.5, 4, 6)];
const grid = { nx: 10, ny: 7, aspect: 2 };

/** @returns the shorter way between two places of an axis */
function wayOf(difference: number, cells: number, periodic: boolean): number {
  const images = periodic ? [-2, -1, 0, 1, 2] : [0];
  return Math.min(...images.map((image) => Math.abs(difference + image * cells)));
}

describe('what the cells see', () => {
  it.each([
    ['between walls', false, false, 2.5],
    ['round both axes', true, true, 2.5],
    ['if everything is in reach', true, false, 1e9],
  ])('is counted by distance: %s', (_, periodicX, periodicY, halfWidthCells) => {
    const found = localSums({ ...grid, periodicX, periodicY, halfWidthCells, every: 1 }, { x, y }, (j) => j !== 1);
    const weights = Array.from({ length: grid.nx * grid.ny }, (__, cell) =>
      [0, 2, 3].map((j) => {
        const toX = wayOf(x[j] - (cell % grid.nx), grid.nx, periodicX);
        const toY = wayOf(y[j] - Math.floor(cell / grid.nx), grid.ny, periodicY);
        return gaspariCohn(Math.hypot(toX, grid.aspect * toY) / halfWidthCells);
      }),
    );
    expect(Array.from(found.observations)).toEqual(weights.map((each) => each.filter((weight) => weight > 0).length));
    // Sums of three weights up to 1, in float32.
    expect(found.weight).toBeClose(
      weights.map((each) => each.reduce((sum, weight) => sum + weight, 0)),
      { absolute: 4 * 2 ** -24 },
    );
  });

  it('is nothing where no observation is used', () => {
    const volumes = { ...grid, periodicX: false, periodicY: false, halfWidthCells: 3, every: 2 };
    const found = localSums(volumes, { x, y }, () => false);
    expect(new Set([...found.observations, ...found.weight])).toEqual(new Set([0]));
  });
});

describe.each(backends)('what the LETKF says of its analyses, on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([
    ['in every cell', 1, { kind: 'local', deviation: 0.5 }],
    ['at every third cell', 3, { kind: 'local', deviation: 0.5 }],
    ['with one factor', 1, { kind: 'innovations', deviation: 0.5 }],
    ['with the factor that is set', 1, { kind: 'none' }],
  ])('is what fields have, %s', async (_, every, adaptation) => {
    const scenario = tinyScenario({
      observations: [{ variable: 'h', network: { kind: 'drifters', count: 6 }, qualityControl: 2 }],
      methods: [{ kind: 'letkf', localisation: { halfWidth: 1.7 }, inflation: 1.2, weights: { every }, adaptation }],
    });
    const { run, events } = hold(scenario, { backend, observers: [{ forecasts: true, event: () => undefined }] });
    for (let cycle = 0; cycle < 3; cycle++) await run.step();
    const last = snapshots(events).at(-1);
    const [{ volumes, inflation }] = last?.methods ?? [];
    if (!last || !volumes || inflation === undefined) throw new Error('nothing is known of the analysis');
    const { observations } = last;
    const seen = localSums(volumes, observations, usedIn(observations, 'letkf'));
    for (const cell of [
      { x: 0, y: 0 },
      { x: 5, y: 3 },
      { x: 11, y: 7 },
      { x: 4, y: 9 },
    ]) {
      const at = cell.y * scenario.grid.nx + cell.x;
      const said = await run.ask({ kind: 'explanation', method: 'letkf', question: { kind: 'weights', cell } });
      expect(said?.observations).toHaveLength(seen.observations[at]);
      expect([seen.weight[at]]).toBeClose([said?.localisation.reduce((sum, weight) => sum + weight, 0) ?? Number.NaN], {
        absolute: 6 * 2 ** -24,
      });
      const factor = typeof inflation === 'number' ? inflation : valuesOf(inflation)[at];
      expect([factor]).toBeClose([said?.inflation ?? Number.NaN], {
        relative: precision === 'float32' ? 8 * 2 ** -24 : 2 ** -23,
      });
    }
    // Some cells see less than others, and one that no drifter is near to sees nothing.
    expect(new Set(seen.observations).size).toBeGreaterThan(2);
    run.dispose();
  });
});
