/** A run for its numbers: one that diverges is a result, since a scan goes on to the next setting. */
import { expect, test } from 'vitest';
import { runJob } from '../../expected/job.ts';
import { tinyScenario } from '../session/scenario.ts';

test('a method that diverges by itself has no numbers, and the job ends well', async () => {
  const scenario = tinyScenario();
  const raw = {
    ...scenario,
    methods: scenario.methods.map((method) => (method.kind === 'letkf' ? { ...method, inflation: 100 } : method)),
    experiment: { ...scenario.experiment, cycles: 60 },
  };
  expect(await runJob({ raw, seed: 3, methods: ['letkf'] })).toEqual({ letkf: null });
});
