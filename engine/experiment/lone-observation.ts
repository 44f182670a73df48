/**
 * The analysis of one observation alone: a method of the same settings beside the one of the run, with a network of one place, from
 * the same forecast. It is what a run gives that has only this observation.
 */
import type { Backend, RealField } from '../compute/backend.ts';
import { executeAnalysis } from '../methods/index.ts';
import type { ExplainedObservation, Method, MethodContext } from '../methods/index.ts';
import type { Model } from '../models/index.ts';
import { ensembleMean, perturbation } from '../operators/ensemble/index.ts';
import { createObservationOperator, observedVariable } from '../operators/observation/index.ts';

/** A network of one place, which all methods can be asked with, one after the other. */
export interface LoneNetwork {
  readonly context: Pick<MethodContext, 'observations' | 'threshold' | 'positions'>;
  /** @param threshold standard deviations beyond which the innovation is rejected; 0 keeps it. @throws CaseError outside the grid */
  set(observation: ExplainedObservation, threshold: number): void;
  /** H of every member of a state, [members]. */
  observe(state: RealField, members: number): Promise<Float64Array>;
  /** The row of H at a state, [variable][y][x]; good until it is asked for again. */
  row(state: RealField): RealField;
  dispose(): void;
}

/** @param members the member counts of the methods */
export async function createLoneNetwork(
  backend: Backend,
  model: Model,
  members: readonly number[],
): Promise<LoneNetwork> {
  const { grid, surface, bed } = model;
  const observed = { grid, surface, bed, variables: model.variables.map(({ name }) => name) };
  const operator = await createObservationOperator(backend, observed, { capacity: 1, members: [1, ...members] });
  const tangent = operator.linearised('lone');
  const fields = {
    threshold: backend.allocate('lone.threshold', 'real', 1),
    one: backend.allocate('lone.one', 'real', 1),
    observed: backend.allocate('lone.observed', 'real', Math.max(1, ...members)),
    row: backend.allocate('lone.row', 'real', model.variables.length * grid.nx * grid.ny),
  };
  backend.write(fields.one, [1]);
  let positions: ReturnType<MethodContext['positions']> = {
    x: new Float64Array(0),
    y: new Float64Array(0),
    variable: [],
    inverseErrorStd: new Float64Array(0),
  };
  return {
    context: { observations: operator, threshold: fields.threshold, positions: () => positions },
    set({ variable, x, y, value, errorStd }, threshold) {
      const [placeX, placeY, inverseErrorStd] = [x, y, 1 / errorStd].map((number) => Float64Array.of(number));
      const { code } = observedVariable(variable);
      operator.set({ x: placeX, y: placeY, variable: [code], values: [value], inverseErrorStd });
      positions = { x: placeX, y: placeY, variable: [variable], inverseErrorStd };
      backend.write(fields.threshold, [threshold]);
    },
    async observe(state, count) {
      operator.observe(state, count, fields.observed);
      return backend.read(fields.observed, 0, count);
    },
    row(state) {
      tangent.linearise(state, fields.one);
      tangent.adjoint(fields.one, fields.row);
      return fields.row;
    },
    dispose() {
      for (const owned of [tangent, operator, ...Object.values(fields)]) owned.dispose();
    },
  };
}

/** What one observation alone makes of a forecast. */
export interface LoneAnalysis {
  readonly isUsed: boolean;
  /** H of the forecast's members and of the analysis', [members]. */
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** Variance of the forecast at the observation as the method uses it. */
  readonly variance: number;
  /** σₒ as the method uses it: larger than stated where that would be lost in rounding. */
  readonly errorStd: number;
  /** Increment of the mean, [variable][y][x]; undefined if it was not requested. */
  readonly increment: Float64Array | undefined;
}

export interface LoneAnalyser {
  /**
   * Analyses the observation that the network has.
   *
   * @param inflation the factor, [1], that the analysis is made with, where it adapts itself
   */
  analyse(
    forecast: RealField,
    cycle: number,
    wantsIncrement: boolean,
    inflation: RealField | undefined,
  ): Promise<LoneAnalysis>;
  dispose(): void;
}

/** @param create a method of the run's settings, with the network's context */
export async function createLoneAnalyser(
  backend: Backend,
  network: LoneNetwork,
  create: () => Promise<Method>,
): Promise<LoneAnalyser> {
  const method = await create();
  const { members, state, departures } = method;
  const length = state.length / members;
  const increment = backend.allocate(`${method.label}.loneIncrement`, 'real', length);
  const subtracting = await backend.prepare(perturbation, { members, length, factor: -1 });
  const averaging = await backend.prepare(ensembleMean, { members, length });
  return {
    async analyse(forecast, cycle, wantsIncrement, inflation) {
      backend.copy(forecast, state);
      method.carried?.take();
      if (inflation && method.inflation) backend.copy(inflation, method.inflation.next);
      departures.compute(state);
      const [before, variance, inverse] = [
        await backend.read(departures.observedEnsemble),
        await backend.read(departures.variance),
        await backend.read(departures.inverseErrorStd),
      ];
      await executeAnalysis(backend, method, cycle);
      const after = await network.observe(state, members);
      if (wantsIncrement) {
        // The differences first, in which the large part of both cancels.
        subtracting.run({ noise: forecast, ensemble: state });
        averaging.run({ ensemble: state, mean: increment });
      }
      return {
        isUsed: inverse[0] > 0,
        before,
        after,
        variance: variance[0],
        errorStd: 1 / inverse[0],
        increment: wantsIncrement ? await backend.read(increment) : undefined,
      };
    },
    dispose() {
      for (const owned of [method, increment, subtracting, averaging]) owned.dispose();
    },
  };
}
