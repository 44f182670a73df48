/** Truth, analysis and spread as pictures of letters, and why the analysis is what it is in one place: `node plane.mjs`. */
import { createTwinExperiment, openBackend, readScenario } from 'shoal';

const scenario = readScenario({
  version: 3,
  name: 'one-drop',
  grid: { nx: 48, ny: 24, dx: 1, dy: 1 },
  model: { scheme: 'lax-wendroff', timeStep: 0.05 },
  truth: { initial: { kind: 'drops', count: 1, amplitude: [0.3, 0.3], width: 12 } },
  background: { initial: { kind: 'drops', count: 1, amplitude: [0.1, 0.5], width: 12 }, members: 24 },
  observations: [{ network: { kind: 'regular', stride: [6, 6], offset: [3, 3] }, errorStandardDeviation: 0.02 }],
  methods: [{ kind: 'letkf', localisation: { halfWidth: 8 }, inflation: 1.1 }],
  experiment: { cycles: 8, window: 1 },
});

/** @param plane [y][x], dark where it is low and light where it is high */
function picture(title, plane, { nx, ny }) {
  const [low, high] = [Math.min(...plane), Math.max(...plane)];
  const shade = (value) => ' .:-=+*#%@'[Math.min(9, Math.floor((10 * (value - low)) / (high - low || 1)))];
  console.log(`\n${title}, ${low.toFixed(3)} to ${high.toFixed(3)} m`);
  for (let y = ny - 1; y >= 0; y -= 2) console.log(Array.from(plane.subarray(y * nx, (y + 1) * nx), shade).join(''));
}

const backend = await openBackend();
const experiment = await createTwinExperiment(scenario, { backend, keepsForecasts: true });
for (let cycle = 0; cycle < 4; cycle++) await experiment.step();
const { grid } = experiment;
picture('truth', await experiment.plane({ of: 'truth', variable: 'h' }), grid);
picture('analysis', await experiment.plane({ of: 'letkf', variable: 'h' }), grid);
picture('spread', await experiment.spread({ of: 'letkf', variable: 'h' }), grid);

const cell = { x: grid.nx / 2, y: grid.ny / 2 };
const { contributions, increment } = await experiment.explain('letkf', { kind: 'influence', variable: 'h', cell });
const most = contributions.indexOf(Math.max(...contributions));
console.log(`\nin the middle the analysis adds ${(1000 * increment).toFixed(2)} mm to the forecast;`);
console.log(`observation ${most} gives most, ${(1000 * contributions[most]).toFixed(2)} mm`);
experiment.dispose();
backend.dispose();
