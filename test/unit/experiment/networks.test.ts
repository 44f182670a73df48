import { describe, expect, it } from 'vitest';
import { createObservingSystem } from '../../../engine/experiment/networks.ts';
import { ScenarioError, validateScenario } from '../../../engine/index.ts';
import type { Scenario } from '../../../engine/index.ts';

const grid = { nx: 8, ny: 8, dx: 1, dy: 1, periodicX: false, periodicY: false };

function observed(network: object, cycles: number): Scenario {
  const raw = {
    version: 1,
    name: 'observed',
    grid: { nx: 8, ny: 8 },
    truth: { initial: { kind: 'rest' } },
    background: { initial: { kind: 'rest' } },
    observations: [{ name: 'gauges', variable: 'h', network }],
    experiment: { cycles, window: 1 },
  };
  return validateScenario(raw, 'observed').scenario;
}

const noFiles = {
  array: (): never => {
    throw new RangeError('no arrays');
  },
};

describe('a network from a file', () => {
  it('may have places in as many cycles as a run can have', () => {
    const cycles = 300_000;
    const rows = Array.from({ length: cycles }, (_, cycle) => ({ x: 1, y: 2, time: cycle + 1 }));
    rows.push({ x: 3, y: 4, time: 7 });
    const scenario = observed({ kind: 'file', file: 'gauges.csv' }, cycles);
    const system = createObservingSystem(scenario, grid, { ...noFiles, table: () => rows });
    expect(system.capacity).toBe(2);
    expect([system.plan(0).count, system.plan(6).count]).toEqual([1, 2]);
  });
});

describe('drifters of a checkpoint', () => {
  it('are refused where they are not as many as there are', () => {
    const scenario = observed({ kind: 'drifters', count: 3 }, 4);
    const system = createObservingSystem(scenario, grid, { ...noFiles, table: () => [] });
    const state = system.state();
    expect(() => system.restore(state.subarray(1))).toThrow(ScenarioError);
    expect(() => system.restore(new Float64Array(0))).toThrow(/0 numbers of drifters, 6 are needed/);
    system.restore(state.map((place) => place / 2));
    expect(system.state()).toEqual(state.map((place) => place / 2));
  });
});
