import type { Backend, RealField } from '../compute/backend.ts';
import type { Method } from '../methods/index.ts';
import type { Model } from '../models/index.ts';
import type { ObservationOperator } from '../operators/observation/index.ts';
import type { CycleDiagnostics } from './events.ts';

export interface Scorekeeper {
  forecast(hasObservations: boolean): void;
  analysis(hasObservations: boolean): Promise<Omit<CycleDiagnostics, 'method' | 'cycle' | 'timeSeconds' | 'minimisation' | 'milliseconds'>>;
  dispose(): void;
}
export async function createScorekeeper(backend: Backend, model: Model, truth: RealField, method: Method, _o: ObservationOperator): Promise<Scorekeeper> {
  const copy = backend.allocate('c', 'real', method.state.length);
  const n = model.grid.nx * model.grid.ny;
  const score = (e: Float64Array, t: Float64Array) => {
    const rmse: Record<string, number> = {}, spread: Record<string, number> = {};
    const k = method.members;
    model.variables.forEach(({ name }, v) => {
      let se = 0, va = 0;
      for (let c = v * n; c < (v + 1) * n; c++) {
        let m = 0; for (let i = 0; i < k; i++) m += e[i * t.length + c]; m /= k;
        se += (m - t[c]) ** 2;
        if (k > 1) for (let i = 0; i < k; i++) va += (e[i * t.length + c] - m) ** 2 / (k - 1);
      }
      rmse[name] = Math.sqrt(se / n); spread[name] = Math.sqrt(va / n);
    });
    return { rmse, spread };
  };
  return {
    forecast() { backend.copy(method.state, copy); },
    async analysis() {
      const t = await backend.read(truth);
      const f = score(await backend.read(copy), t), a = score(await backend.read(method.state), t);
      return { rmse: { forecast: f.rmse, analysis: a.rmse }, spread: { forecast: f.spread, analysis: a.spread }, crps: { forecast: 0, analysis: 0 }, rankHistogram: [], innovation: undefined };
    },
    dispose() { copy.dispose(); },
  };
}
