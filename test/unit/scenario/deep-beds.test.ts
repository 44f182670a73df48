/** A time step that is too long over a bed that a file gives: warned of as soon as the file is read, and named as the cause. */
import { expect, it } from 'vitest';
import { createExperiment, createReferenceBackend, fileWarningsOf, validateScenario } from '../../../engine/index.ts';
import type { ScenarioFiles } from '../../../engine/index.ts';

const CELLS = 16;

function scenarioWith(timeStep: number, model: Readonly<Record<string, unknown>> = {}) {
  const raw = {
    version: 3,
    name: 'deep',
    grid: { nx: CELLS, ny: CELLS, dx: 100, dy: 100 },
    model: { scheme: 'central-upwind', timeStep, bathymetry: { kind: 'file', file: 'bed.npy' }, ...model },
    truth: { initial: { kind: 'drops', amplitude: [0.5, 0.5] } },
    background: { members: 2 },
    methods: [{ kind: 'free-run' }],
    experiment: { cycles: 4, window: 40 },
  };
  return validateScenario(raw, 'deep.json');
}

/** A sea 20 m deep. */
const files: ScenarioFiles = {
  array: () => ({ shape: [CELLS, CELLS], data: new Float64Array(CELLS * CELLS).fill(-20) }) as never,
  table: () => {
    throw new RangeError('there is no table');
  },
};

it('is warned of once the file is read', () => {
  const { scenario, warnings } = scenarioWith(20);
  expect(warnings.filter(({ path }) => path.includes('timeStep'))).toEqual([]);
  expect(fileWarningsOf(scenario, files)).toEqual([
    { path: ['model', 'timeStep'], message: expect.stringContaining('in 20 s a wave of 14.') },
  ]);
  expect(fileWarningsOf(scenarioWith(2).scenario, files)).toEqual([]);
});

it('adds nothing to what is known of a bed without a file', () => {
  const flat = scenarioWith(20, { bathymetry: { kind: 'flat', depth: 20 } });
  expect(flat.warnings.some(({ message }) => message.includes('in 20 s a wave'))).toBe(true);
  expect(fileWarningsOf(flat.scenario, files)).toEqual([]);
});

async function run(): Promise<void> {
  const experiment = await createExperiment(createReferenceBackend(), scenarioWith(20).scenario, {
    files,
    listener: () => undefined,
  });
  while (experiment.nextCycle < experiment.cycles) await experiment.step();
}

it('is the cause that a divergence names', async () => {
  await expect(run()).rejects.toThrow(/crosses 2\.\d cells in a time step of 20 s/);
});
