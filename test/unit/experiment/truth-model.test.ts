/** A truth with a model of its own: none of it changes a bit where it is the same, and all of it where it is not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExperiment, NO_FILES, ScenarioError } from '../../../engine/index.ts';
import type { Backend, Checkpoint, CycleDiagnostics, Scenario } from '../../../engine/index.ts';
import { runBackends } from '../../setup/backends.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

const CELLS = 120;
const moving = { scheme: 'richtmyer', timeStep: 'auto', bathymetry: { kind: 'flat', depth: 2 } };

function withTruth(own: object | undefined, model: object = moving): Scenario {
  const { truth } = tinyScenario();
  const forcing = { kind: 'drops', every: 2, count: 1, amplitude: [0.1, 0.1], width: 4 };
  const methods = [{ kind: 'free-run' }];
  return tinyScenario({ model, methods, truth: { ...truth, forcing, ...(own && { model: own }) } });
}

async function run(backend: Backend, scenario: Scenario, cycles: number, checkpoint?: Checkpoint) {
  const rows: CycleDiagnostics[] = [];
  const experiment = await createExperiment(backend, scenario, {
    files: NO_FILES,
    listener: (event) => event.type === 'diagnostics' && rows.push(event.diagnostics),
    ...(checkpoint && { checkpoint }),
  });
  try {
    while (experiment.nextCycle < cycles) await experiment.step();
    const { arrays, ...rest } = await experiment.checkpoint();
    const shown = await backend.read(experiment.truth);
    const scores = rows.map(({ method, cycle, rmse, innovation }) => ({ method, cycle, rmse, innovation }));
    return { shown, scores, checkpoint: { arrays, ...rest } };
  } finally {
    experiment.dispose();
  }
}

const massOf = (state: Float64Array, cells: number): number =>
  state.subarray(0, cells).reduce((sum, h) => sum + h, 0) / (cells / CELLS);

describe.each(runBackends)('a truth of its own model on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('is the same to the bit where it says what the methods’ model says', async () => {
    const [without, same] = [
      await run(backend, withTruth(undefined), 2),
      await run(backend, withTruth({ scheme: 'richtmyer', gravity: 9.81 }), 2),
    ];
    expect(same.checkpoint.arrays).toEqual(without.checkpoint.arrays);
    expect(same.scores).toEqual(without.scores);
  });

  it('is moved on over finer cells, with the same water, and scored by its means', async () => {
    const [coarse, fine] = [
      await run(backend, withTruth(undefined), 3),
      await run(backend, withTruth({ refinement: 2 }), 3),
    ];
    const own = fine.checkpoint.arrays['truth'];
    expect(own).toHaveLength(4 * 3 * CELLS);
    // 240 m³: sums of 480 depths of 2 m after some 30 steps, each to a rounding of the depth.
    const rounding = precision === 'float64' ? 1e-12 : 30 * 480 * 1.2e-7;
    expect(Math.abs(massOf(own, 4 * CELLS) - massOf(coarse.shown, CELLS))).toBeLessThan(rounding);
    expect(Math.abs(massOf(fine.shown, CELLS) - massOf(own, 4 * CELLS))).toBeLessThan(rounding);
    expect(fine.shown).not.toEqual(coarse.shown);
    expect(fine.scores).not.toEqual(coarse.scores);
  });

  it('continues from a checkpoint to the same bits', async () => {
    const scenario = withTruth({ refinement: 2, scheme: 'central-upwind', friction: { manning: 0.03 } });
    const { checkpoint } = await run(backend, scenario, 1);
    const [whole, resumed] = [await run(backend, scenario, 3), await run(backend, scenario, 3, checkpoint)];
    expect(resumed.checkpoint).toEqual(whole.checkpoint);
    expect(resumed.shown).toEqual(whole.shown);
  });

  it('is seen as the methods’ states are, whichever of them keeps the surface', async () => {
    const still = { initial: { kind: 'rest' } };
    for (const [own, model] of [
      [{ scheme: 'central-upwind' }, moving],
      [{ scheme: 'richtmyer' }, { ...moving, scheme: 'central-upwind' }],
    ] as const) {
      const methods = [{ kind: 'free-run' }];
      const scenario = tinyScenario({ model, methods, truth: { ...still, model: { ...own, refinement: 2 } } });
      const { shown, checkpoint } = await run(backend, scenario, 1);
      const depth = model.scheme === 'richtmyer' ? 2 : 0;
      expect(shown).toBeClose(
        Float64Array.from({ length: 3 * CELLS }, (_, i) => (i < CELLS ? depth : 0)),
        { absolute: 0 },
      );
      expect(checkpoint.arrays['truth'][0]).toBe(2 - depth);
    }
  });
});

/** What is said of a truth’s model; nothing where it may be. */
function messageOf(own: object, changes: object = {}): string {
  try {
    tinyScenario({ truth: { initial: { kind: 'rest' }, model: own }, ...changes });
  } catch (error) {
    if (error instanceof ScenarioError) return error.message;
  }
  return '';
}

describe('what a truth’s model may not be', () => {
  it('has no settings that the model does not have', () => {
    expect(messageOf({ forcing: 9 })).toContain(
      'truth.model.forcing: found 9, allowed: "model" with the model "shallow-water", which has no such setting',
    );
  });

  it('has no more cells than there may be', () => {
    const grid = { nx: 2048, ny: 4 };
    expect(messageOf({ refinement: 8 }, { grid })).toContain('a refinement up to 4');
  });

  it('keeps to what its scheme can do', () => {
    const changes = { model: { scheme: 'central-upwind', friction: { manning: 0.02 } } };
    expect(messageOf({ scheme: 'richtmyer' }, changes)).toContain(
      'truth.model.scheme: the truth cannot have model.friction.manning: found 0.02',
    );
    expect(messageOf({ scheme: 'richtmyer', friction: { manning: 0 } }, changes)).toBe('');
  });
});
