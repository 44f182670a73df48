import { describe, expect, it } from 'vitest';
import { createObservingSystem } from '../../../engine/experiment/networks.ts';
import { NO_FILES, validateScenario } from '../../../engine/index.ts';
import type { Scenario } from '../../../engine/index.ts';

const grid = { nx: 8, ny: 8, dx: 1, dy: 1, periodicX: false, periodicY: false };

function observed(network: object, cycles: number): Scenario {
  const raw = {
    version: 3,
    name: 'observed',
    grid: { nx: 8, ny: 8 },
    truth: { initial: { kind: 'rest' } },
    background: { initial: { kind: 'rest' } },
    observations: [{ name: 'gauges', variable: 'h', network }],
    experiment: { cycles, window: 1 },
  };
  return validateScenario(raw, 'observed').scenario;
}

describe('a network from a file', () => {
  it('may have places in as many cycles as a run can have', () => {
    const cycles = 300_000;
    const count = cycles + 1;
    const column = (of: (row: number) => number): Float64Array =>
      Float64Array.from({ length: count }, (_, row) => of(row));
    const table = {
      count,
      x: column(() => 1),
      y: column(() => 2),
      time: column((row) => (row === cycles ? 7 : row + 1)),
      value: column(() => Number.NaN),
    };
    const scenario = observed({ kind: 'file', file: 'gauges.csv' }, cycles);
    const system = createObservingSystem(scenario, grid, { ...NO_FILES, table: () => table });
    expect(system.capacity).toBe(2);
    expect([system.plan(0).count, system.plan(6).count]).toEqual([1, 2]);
  });
});

describe('a plan', () => {
  it('has the arrays of the plan before as long as nothing moves', () => {
    const system = createObservingSystem(observed({ kind: 'regular', stride: [2, 2] }, 3), grid, NO_FILES);
    const [first, second] = [system.plan(0), system.plan(1)];
    for (const name of ['x', 'y', 'variable', 'network'] as const) expect(second[name]).toBe(first[name]);
    expect(second.errors).not.toEqual(first.errors);
  });

  it('has arrays of its own where a network moves', () => {
    const system = createObservingSystem(observed({ kind: 'random', count: 5, redraw: true }, 3), grid, NO_FILES);
    const [first, second] = [system.plan(0), system.plan(1)];
    expect(second.x).not.toEqual(first.x);
    expect(system.plan(0).x).toEqual(first.x);
  });
});
