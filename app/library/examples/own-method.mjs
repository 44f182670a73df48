/** A method of one's own, `serial-ensrf.mjs`, beside those of Shoal: `node own-method.mjs`. */
import { createTwinExperiment, openBackend, readScenario, registerMethod } from 'shoal';
import { serialEnsrf } from './serial-ensrf.mjs';

registerMethod(serialEnsrf);

const drops = { kind: 'drops', count: 3, amplitude: [0.1, 0.3], width: 10 };
const scenario = readScenario({
  version: 3,
  name: 'mine-beside-theirs',
  grid: { nx: 40, ny: 40, dx: 1, dy: 1 },
  model: { scheme: 'lax-wendroff', timeStep: 0.05 },
  truth: { initial: drops },
  background: { initial: drops, members: 20 },
  observations: [{ network: { kind: 'regular', stride: [5, 5] }, errorStandardDeviation: 0.02 }],
  methods: [
    { kind: 'free-run' },
    { kind: 'letkf', localisation: { halfWidth: 6 }, inflation: 1.05 },
    { kind: 'serial-ensrf', reach: 12 },
  ],
  experiment: { cycles: 12, window: 1 },
});

const backend = await openBackend();
const experiment = await createTwinExperiment(scenario, { backend });
while (experiment.cycle < scenario.experiment.cycles) {
  const { cycle, diagnostics } = await experiment.step();
  const errors = [...diagnostics].map(([label, { rmse }]) => `${label} ${rmse.analysis.h.toFixed(4)} m`);
  console.log(`cycle ${cycle}: ${errors.join(', ')}`);
}
experiment.dispose();
backend.dispose();
