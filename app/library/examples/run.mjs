/** A twin experiment from its description to a table of errors: `node run.mjs`. */
import { createTwinExperiment, openBackend, readScenario } from 'shoal';

const scenario = readScenario({
  version: 3,
  name: 'drops-in-a-basin',
  seed: 7,
  grid: { nx: 64, ny: 64, dx: 1, dy: 1 },
  model: { scheme: 'lax-wendroff', timeStep: 0.05 },
  truth: { initial: { kind: 'drops', count: 4, amplitude: [0.1, 0.3], width: 10 } },
  background: { initial: { kind: 'drops', count: 4, amplitude: [0.1, 0.3], width: 10 }, members: 20 },
  observations: [{ network: { kind: 'regular', stride: [4, 4] }, errorStandardDeviation: 0.02 }],
  methods: [
    { kind: 'free-run' },
    { kind: '3dvar', covariance: { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.05 } } },
    { kind: 'letkf', localisation: { halfWidth: 6 }, inflation: 1.1 },
  ],
  experiment: { cycles: 20, window: 1 },
});

const backend = await openBackend();
const experiment = await createTwinExperiment(scenario, { backend });
console.log(['cycle', ...experiment.methods].join('\t'));
while (experiment.cycle < scenario.experiment.cycles) {
  const { cycle, diagnostics } = await experiment.step();
  const errors = experiment.methods.map((label) => diagnostics.get(label)?.rmse.analysis.h.toFixed(4) ?? 'diverged');
  console.log([cycle, ...errors].join('\t'));
}
experiment.dispose();
backend.dispose();
