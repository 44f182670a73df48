/**
 * The time step "auto" has no memory: a run resumed at any cycle, and any choice of its methods, gives the same bits; and truth
 * and ensembles take the same steps.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExperiment, NO_FILES } from '../../../engine/index.ts';
import type { Backend, Checkpoint } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { scenarioOf } from '../../../engine/check/assimilation/twin.ts';
import type { TwinInput } from '../../../engine/check/assimilation/twin.ts';

const CYCLES = 3;
const LABELS = ['free-run', '3dvar', 'letkf', 'enkf'];

/**
 * A dam that breaks over shallow water with a hill that falls dry, and drops: waves become faster than at the start, and the
 * analyses of every method change how fast.
 */
const damBreak: TwinInput = {
  name: 'dam-break',
  grid: { nx: 16, ny: 6, dx: 1, dy: 1.5 },
  model: {
    scheme: 'central-upwind',
    timeStep: 'auto',
    friction: { manning: 0.02 },
    bathymetry: { kind: 'bump', depth: 0.15, height: 0.2, width: 2 },
  },
  truth: {
    initial: { kind: 'dam-break', amplitude: [0.5, 0.7], position: [0.4, 0.6] },
    forcing: { kind: 'drops', every: 2, count: 1, amplitude: [0, 0.2], width: 5, seenBy: 'each' },
  },
  background: {
    initial: { kind: 'dam-break', amplitude: [0.4, 0.8], position: [0.4, 0.6] },
    perturbation: { standardDeviation: 0.01, length: 4 },
    members: 5,
  },
  observations: [
    {
      name: 'gauges',
      variable: 'eta',
      network: { kind: 'regular', stride: [4, 3], offset: [1, 1] },
      errorStandardDeviation: 0.02,
    },
  ],
  methods: [
    { kind: 'free-run' },
    {
      kind: '3dvar',
      covariance: { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.06 } },
      minimisation: { maxIterations: 8 },
    },
    { kind: 'letkf', localisation: { halfWidth: 5 }, inflation: 1.2 },
    { kind: 'enkf', localisation: { halfWidth: 5 }, inflation: 1.2 },
  ],
  experiment: { cycles: CYCLES, window: 0.5 },
};

/** Checkpoints before the first cycle and after each, from the given one on. */
async function checkpoints(
  backend: Backend,
  { methods = LABELS, from }: { readonly methods?: readonly string[]; readonly from?: Checkpoint } = {},
): Promise<Checkpoint[]> {
  const experiment = await createExperiment(backend, scenarioOf(damBreak), {
    files: NO_FILES,
    methods,
    checkpoint: from,
    listener: () => undefined,
  });
  try {
    const all = [await experiment.checkpoint()];
    while (experiment.nextCycle < CYCLES) {
      await experiment.step();
      all.push(await experiment.checkpoint());
    }
    return all;
  } finally {
    experiment.dispose();
  }
}

/** Every choice of one to three of the methods. */
const subsets = Array.from({ length: 2 ** LABELS.length - 2 }, (_, bits) =>
  LABELS.filter((_label, i) => ((bits + 1) >> i) % 2 === 1),
);

describe.each(backends)('"auto" steps on $name', ({ name, open }) => {
  // A GPU in software takes seconds a run: there each method alone, and one pair.
  const chosen = name === 'reference' ? subsets : [...LABELS.map((label) => [label]), ['3dvar', 'enkf']];

  let backend: Backend;
  let whole: Checkpoint[];
  beforeAll(async () => {
    backend = await open();
    whole = await checkpoints(backend);
  });
  afterAll(() => backend.dispose());

  it.each(Array.from({ length: CYCLES }, (_, cycle) => cycle))('resumed at cycle %i: the same bits', async (cycle) => {
    const resumed = await checkpoints(backend, { from: whole[cycle] });
    expect(resumed).toEqual(whole.slice(cycle));
  });

  it.each(chosen.map((methods) => ({ methods })))('$methods alone: the same bits', async ({ methods }) => {
    const alone = (await checkpoints(backend, { methods })).at(-1);
    const names = Object.keys(alone?.arrays ?? {});
    const ofMethods = methods.flatMap((label) => [`method.${label}`, `evidence.${label}`]);
    expect(names.toSorted()).toEqual(['truth', 'drifters', 'pace', ...ofMethods].toSorted());
    for (const name of names) expect(alone?.arrays[name]).toEqual(whole[CYCLES].arrays[name]);
  });

  it('the steps are made for the fastest waves of truth and members', () => {
    const [pace] = whole[0].arrays['pace'];
    // Depth 0.15 m, a dam of at most 0.8 m, drops of 0.2 m and a perturbation of a few times 0.01 m.
    expect(pace).toBeGreaterThan(Math.sqrt(9.81 * (0.15 + 0.4 + 0.2)));
    expect(pace).toBeLessThan(Math.sqrt(9.81 * (0.15 + 0.8 + 0.2 + 0.05)));
    expect(whole.every(({ arrays }) => arrays['pace'][0] === pace)).toBe(true);
  });
});
