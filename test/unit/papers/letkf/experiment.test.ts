/** What is timed as the paper's experiment is the scenario that ships, apart from the height of the drops. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseScenario, validateScenario } from '../../../../engine/scenario/index.ts';
import { LETKF_EXPERIMENT } from '../../../../engine/papers/letkf/benchmarks.ts';

it('does the work of the scenario', () => {
  const file = new URL('../../../../scenarios/letkf-paper.json', import.meta.url);
  const { scenario: shipped } = parseScenario(readFileSync(file, 'utf8'), 'letkf-paper');
  const { scenario: timed } = validateScenario(LETKF_EXPERIMENT, 'letkf-paper');
  const ofWork = ({ seed, grid, model, truth, background, observations, methods, experiment }: typeof timed) => ({
    seed,
    grid,
    model,
    truth: { ...truth, initial: { ...truth.initial, amplitude: [] }, forcing: { ...truth.forcing, amplitude: [] } },
    background: { ...background, initial: { ...background.initial, amplitude: [] } },
    observations,
    methods,
    window: experiment.window,
  });
  expect(ofWork(timed)).toEqual(ofWork(shipped));
});
