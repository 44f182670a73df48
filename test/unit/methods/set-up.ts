/** What the methods' tests share: a small basin, an ensemble in it, observations of it, and a method among them. */
import { executeAnalysis, createMethod } from '../../../engine/methods/index.ts';
import type { AnalysisReport, Method, MethodContext } from '../../../engine/methods/index.ts';
import { observedVariable } from '../../../engine/operators/observation/index.ts';
import type { Backend, Method as MethodSettings } from '../../../engine/index.ts';
import { between, normals } from '../../../engine/check/measures.ts';
import { basin, contextOf, lengthOf, method as settingsOf } from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';

export const [NX, MEMBERS, COUNT] = [9, 6, 12];
export const model = basin({ nx: NX, ny: 8 });
export const LENGTH = lengthOf(model);

/** Members about water at rest, [MEMBERS][η, hu, hv][8][NX]. */
export const forecast = normals(MEMBERS * LENGTH, 'methods.forecast').map((value) => 0.05 * value);

/** Surface heights at cell centres, observed to 2 cm. */
export function gauges(cells: readonly (readonly [number, number])[]): Observed {
  return {
    x: Float64Array.from(cells, ([x]) => x),
    y: Float64Array.from(cells, ([, y]) => y),
    variable: cells.map(() => 'eta'),
    values: between(cells.length, -0.1, 0.1, 'methods.values'),
    inverseErrorStd: new Float64Array(cells.length).fill(50),
  };
}

/** Far from each other. */
export const spread = gauges(Array.from({ length: COUNT }, (_, j) => [(2 * j) % NX, Math.floor((2 * j) / NX) * 3]));
/** All in one corner. */
export const crowded = gauges(Array.from({ length: COUNT }, (_, j) => [j % 4, Math.floor(j / 4)]));

export interface Held {
  readonly method: Method;
  /** Sets other observations, as many as before. */
  observe(observed: Observed): void;
  /** One cycle: the forecast, its departures and their analysis. @returns the analysis ensemble */
  analyse(cycle: number, ensemble?: Float64Array): Promise<{ state: Float64Array; report: AnalysisReport }>;
  dispose(): void;
}

/** Holds a method as the experiment does. */
export async function hold(backend: Backend, settings: MethodSettings, observed: Observed): Promise<Held> {
  let current = observed;
  const fixed = await contextOf(backend, model, observed, MEMBERS);
  const context: MethodContext = { ...fixed, positions: () => current };
  const method = await createMethod(settings, context);
  return {
    method,
    observe(next) {
      current = next;
      fixed.observations.set({ ...next, variable: next.variable.map((name) => observedVariable(name).code) });
    },
    async analyse(cycle, ensemble = forecast.subarray(0, method.members * LENGTH)) {
      backend.write(method.state, ensemble);
      method.departures.compute(method.state);
      const report = await executeAnalysis(backend, method, cycle);
      return { state: await backend.read(method.state), report };
    },
    dispose() {
      method.dispose();
      fixed.dispose();
    },
  };
}

/** @returns the analysis ensemble of a cycle, of what gauges far from each other observe */
export async function analysisOf(
  backend: Backend,
  settings: Parameters<typeof settingsOf>[0],
  cycle = 0,
): Promise<Float64Array> {
  const held = await hold(backend, settingsOf(settings), spread);
  const { state } = await held.analyse(cycle);
  held.dispose();
  return state;
}

/** @returns what a method carries whose inflation adapts itself */
export function factorOf({ inflation }: Method) {
  if (!inflation) throw new Error('the inflation does not adapt itself');
  return inflation;
}
