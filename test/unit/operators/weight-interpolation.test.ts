import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { nodesAlong, nodeTable, weightInterpolation } from '../../../engine/operators/weight-interpolation/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';
import { noise } from '../../../engine/check/measures.ts';

/** Weights at a place between nodes, by tent functions round the axis or between walls. */
function tent(cell: number, node: number, count: number, spacing: number, isPeriodic: boolean): number {
  const way = Math.abs(cell / spacing - node);
  return Math.max(0, 1 - (isPeriodic ? Math.min(way, count - way) : way));
}

describe.each([
  { cells: 12, every: 4, isPeriodic: false },
  { cells: 13, every: 4, isPeriodic: false },
  { cells: 14, every: 4, isPeriodic: false },
  { cells: 12, every: 4, isPeriodic: true },
  { cells: 14, every: 4, isPeriodic: true },
  { cells: 5, every: 1, isPeriodic: true },
  { cells: 5, every: 64, isPeriodic: true },
  { cells: 5, every: 64, isPeriodic: false },
  { cells: 1, every: 4, isPeriodic: false },
  { cells: 1, every: 4, isPeriodic: true },
])('nodes at every $every of $cells cells, periodic $isPeriodic', ({ cells, every, isPeriodic }) => {
  const nodes = nodesAlong(cells, every, isPeriodic);
  const { left, right, fraction } = nodeTable(cells, nodes, isPeriodic);

  it('are no farther apart than asked for, and surround every cell', () => {
    expect(nodes.spacing).toBeLessThanOrEqual(every);
    expect(isPeriodic ? nodes.count * nodes.spacing : (nodes.count - 1) * nodes.spacing).toBeGreaterThanOrEqual(
      isPeriodic ? cells : cells - 1,
    );
  });

  it('have the shares of linear interpolation', () => {
    for (let cell = 0; cell < cells; cell++) {
      const shares = new Float64Array(nodes.count);
      shares[left[cell]] += 1 - fraction[cell];
      shares[right[cell]] += fraction[cell];
      const wanted = shares.map((_, node) => tent(cell, node, nodes.count, nodes.spacing, isPeriodic));
      // One node round an axis is both neighbours.
      expect(shares).toBeClose(nodes.count === 1 ? Float64Array.of(1) : wanted, { absolute: 1e-14 });
    }
  });
});

describe.each(allBackends)('interpolated weights on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());
  const epsilon = precision === 'float64' ? 2 ** -53 : 2 ** -24;

  it.each([
    { nx: 13, ny: 6, variables: 3, members: 5, every: 4, periodicX: false, periodicY: false },
    { nx: 18, ny: 7, variables: 1, members: 9, every: 3, periodicX: true, periodicY: false },
    { nx: 11, ny: 10, variables: 4, members: 3, every: 2, periodicX: true, periodicY: true },
    { nx: 40, ny: 1, variables: 1, members: 2, every: 5, periodicX: true, periodicY: false },
    { nx: 6, ny: 5, variables: 2, members: 2, every: 1, periodicX: false, periodicY: true },
  ])('make the members of $nx × $ny cells, every $every', async (size) => {
    const { nx, ny, variables, members: k, every, periodicX, periodicY } = size;
    const [nodesX, nodesY] = [nodesAlong(nx, every, periodicX), nodesAlong(ny, every, periodicY)];
    const nodes = nodesX.count * nodesY.count;
    const cells = nx * ny;
    const weights = noise(k * k * nodes, 1).map(Math.fround);
    // Their sum over the members is 1.
    for (let i = 0; i < k; i++) {
      for (let node = 0; node < nodes; node++) {
        let sum = 0;
        for (let m = 1; m < k; m++) sum += weights[(i * k + m) * nodes + node];
        weights[i * k * nodes + node] = 1 - sum;
      }
    }
    const ensemble = noise(k * variables * cells, 2).map((x) => Math.fround(1 + x / 64));
    const { every: _every, ...parameters } = { ...size, nodesX, nodesY };
    const arrays = { weights, ensemble, analysis: ensemble.length };
    const { analysis } = await applyOperator(backend, weightInterpolation, parameters, arrays);
    const weightAt = (element: number, x: number, y: number): number => {
      let sum = 0;
      for (let j = 0; j < nodesY.count; j++) {
        const across = nodesY.count === 1 ? 1 : tent(y, j, nodesY.count, nodesY.spacing, periodicY);
        for (let i = 0; i < nodesX.count; i++) {
          const along = nodesX.count === 1 ? 1 : tent(x, i, nodesX.count, nodesX.spacing, periodicX);
          sum += across * along * weights[element * nodes + j * nodesX.count + i];
        }
      }
      return sum;
    };
    const wanted = ensemble.map((_, at) => {
      const cell = at % cells;
      const variable = Math.floor(at / cells) % variables;
      const i = Math.floor(at / cells / variables);
      let sum = 0;
      for (let m = 0; m < k; m++) {
        sum +=
          weightAt(i * k + m, cell % nx, Math.floor(cell / nx)) * ensemble[(m * variables + variable) * cells + cell];
      }
      return sum;
    });
    // Differences below 1/32 times k weights, each blended with a few roundings of numbers below 1 (its own below k), on top of a number
    // near 1, which is rounded once.
    expect(analysis).toBeClose(wanted, { absolute: epsilon * (4 + (8 * k * k) / 32) });
  });
});
