/** The serial ensemble square-root filter [whitaker2002], as a kind of method: one observation after the other. */
import { createEnsembleState, defineMethod, explainWith, methodSchema, quantity } from 'shoal';

const schema = methodSchema(
  'serial-ensrf',
  { title: 'Serial EnSRF', description: 'Takes one observation after the other.', gist: 'One after the other.' },
  { reach: quantity({ title: 'Reach', description: 'Weights fall to 0 there.', unit: 'm', above: 0, default: 12 }) },
);

/** Adds to each row of an ensemble, [k][length], what an observation with these anomalies and innovation gives it. */
function update(ensemble, anomalies, innovation, variance, error, weightOf) {
  const k = anomalies.length;
  const length = ensemble.length / k;
  const shrink = 1 / (1 + Math.sqrt(error / (variance + error)));
  for (let i = 0; i < length; i++) {
    const weight = weightOf(i);
    if (weight === 0) continue;
    let covariance = 0;
    for (let m = 0; m < k; m++) covariance += (ensemble[m * length + i] * anomalies[m]) / (k - 1);
    const gain = (weight * covariance) / (variance + error);
    for (let m = 0; m < k; m++) ensemble[m * length + i] += gain * (innovation - shrink * anomalies[m]);
  }
}

async function create({ label, reach }, context) {
  const { backend, model, observations, positions, members: k } = context;
  const { nx, ny, dx, dy } = model.grid;
  const ensemble = await createEnsembleState(label, context, k);
  const { state, departures, initialise } = ensemble;
  const weight = (toX, toY) => Math.max(0, 1 - Math.hypot(toX * dx, toY * dy) / reach) ** 2;
  async function analyse() {
    const [x, y] = [await backend.read(state), await backend.read(departures.observedEnsemble)];
    const [inverse, values] = [await backend.read(departures.inverseErrorStd), await backend.read(observations.values)];
    const places = positions();
    for (let j = 0; j < places.x.length; j++) {
      if (inverse[j] === 0) continue;
      const seen = Float64Array.from({ length: k }, (_, m) => y[m * observations.capacity + j]);
      const mean = seen.reduce((sum, value) => sum + value, 0) / k;
      const anomalies = seen.map((value) => value - mean);
      const variance = anomalies.reduce((sum, value) => sum + value ** 2, 0) / (k - 1);
      const parts = [anomalies, values[j] - mean, variance, inverse[j] ** -2];
      update(x, ...parts, (i) => weight((i % nx) - places.x[j], (Math.floor(i / nx) % ny) - places.y[j]));
      // What is observed of the members moves with them.
      update(y, ...parts, (i) => weight(places.x[i] - places.x[j], places.y[i] - places.y[j]) || 0);
    }
    backend.write(state, x);
    return { report: async () => ({}) };
  }
  const own = { label, kind: 'serial-ensrf', members: k, state, departures, explain: explainWith({}) };
  return { ...own, initialise, analyse, dispose: () => ensemble.dispose() };
}

const appearance = { shades: [['#f0e442', '#8a7d00']], dash: '1 3', marker: 'wye' };
const traits = { carries: 'ensemble', assimilates: true, trustsSpread: true };

export const serialEnsrf = defineMethod(schema, { ...traits, appearance, create });
