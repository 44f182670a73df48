/** A run on the wasm backend has the same bits with any number of threads, with and without shared memory. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExperiment, createWasmBackend, NO_FILES, validateScenario } from '../../../../engine/index.ts';
import type { Backend, Checkpoint, Scenario } from '../../../../engine/index.ts';
import { startKernelThread } from '../../../setup/kernel-threads.ts';

const CYCLES = 2;

function scenarioOf(model: object, grid: object, members: number, stride: readonly number[]): Scenario {
  const raw = {
    version: 3,
    name: 'bits',
    seed: 5,
    grid,
    model,
    truth: { initial: { kind: 'drops', count: 3, amplitude: [0.1, 0.3], width: 10 }, spinup: 1 },
    background: { initial: { kind: 'drops', count: 3, amplitude: [0.1, 0.3], width: 10 }, members },
    observations: [
      {
        name: 'gauges',
        variable: 'h',
        network: { kind: 'regular', stride, offset: [1, 2] },
        errorStandardDeviation: 0.02,
      },
    ],
    methods: [
      { kind: 'free-run' },
      {
        kind: '3dvar',
        covariance: { kind: 'recursive-filter', length: 3, iterations: 4, standardDeviation: { h: 0.02 } },
      },
      { kind: 'letkf', localisation: { halfWidth: 9 }, inflation: 1.1 },
      { kind: 'enkf', localisation: { halfWidth: 3 }, inflation: 1.03 },
      { kind: 'hybrid', localisation: { length: 4 }, ensemble: { kind: 'letkf', localisation: { halfWidth: 6 } } },
    ],
    experiment: { cycles: CYCLES, window: 0.5 },
  };
  return validateScenario(raw, 'bits').scenario;
}

const flat = { kind: 'flat', depth: 1 };
const scenarios = {
  // Many small members, each stepped by itself.
  richtmyer: scenarioOf(
    { scheme: 'richtmyer', timeStep: 0.1, gravity: 9.8, bathymetry: flat },
    { nx: 37, ny: 26, dx: 1, dy: 1 },
    10,
    [3, 4],
  ),
  // Few members, cut into bands of rows.
  'lax-wendroff in bands': scenarioOf(
    { scheme: 'lax-wendroff', timeStep: 0.05, gravity: 9.8, bathymetry: flat },
    { nx: 150, ny: 130, dx: 1, dy: 1 },
    4,
    [16, 15],
  ),
  'central-upwind in bands': scenarioOf(
    { scheme: 'central-upwind', timeStep: 'auto', gravity: 9.8, bathymetry: flat },
    { nx: 150, ny: 130, dx: 1, dy: 1 },
    4,
    [16, 15],
  ),
};

const opened: Backend[] = [];
afterAll(() => opened.forEach((backend) => backend.dispose()));

async function open(options: Parameters<typeof createWasmBackend>[0]): Promise<Backend> {
  const backend = await createWasmBackend({ startThread: startKernelThread, ...options });
  opened.push(backend);
  return backend;
}

async function runOn(
  backend: Backend,
  scenario: Scenario,
  until = CYCLES,
  checkpoint?: Checkpoint,
): Promise<Checkpoint> {
  const experiment = await createExperiment(backend, scenario, {
    files: NO_FILES,
    listener: () => undefined,
    ...(checkpoint && { checkpoint }),
  });
  try {
    while (experiment.nextCycle < until) await experiment.step();
    return await experiment.checkpoint();
  } finally {
    experiment.dispose();
  }
}

function digestOf({ buffer, byteOffset, byteLength }: Float64Array): string {
  return createHash('sha256')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('hex');
}

/** A text for each state, the same only if all bits are the same. */
function bitsOf({ arrays }: Checkpoint): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(arrays).map(([name, values]) => [name, digestOf(values)]));
}

describe.each(Object.entries(scenarios))('the bits of a run with %s', (_name, scenario) => {
  let early: Checkpoint;
  let alone: Checkpoint;
  let bits: ReturnType<typeof bitsOf>;
  beforeAll(async () => {
    const backend = await open({ threads: 1 });
    early = await runOn(backend, scenario, 1);
    alone = await runOn(backend, scenario, CYCLES, early);
    bits = bitsOf(alone);
  });

  it('are worth comparing: every state is made of numbers and has moved', () => {
    for (const label of ['truth', 'method.free-run', 'method.3dvar', 'method.letkf', 'method.enkf', 'method.hybrid']) {
      expect(alone.arrays[label].every(Number.isFinite)).toBe(true);
      expect(bits[label]).not.toBe(bitsOf(early)[label]);
    }
  });

  it('are the same with three threads', async () => {
    expect(bitsOf(await runOn(await open({ threads: 3 }), scenario))).toEqual(bits);
  });

  it('are the same without shared memory', async () => {
    expect(bitsOf(await runOn(await open({ variant: 'single' }), scenario))).toEqual(bits);
  });

  it('are the same when the run is continued with other threads', async () => {
    const middle = await runOn(await open({ threads: 2 }), scenario, 1);
    expect(bitsOf(await runOn(await open({ threads: 3 }), scenario, CYCLES, middle))).toEqual(bits);
  });
});
