/**
 * The observations of a run as one method takes them: of all networks alike its errors are so many times what these say, and
 * what is observed inside the window may be compared at another time. Where a method assumes nothing of its own they are those
 * that all share.
 */
import type { Backend, RealField } from '../compute/backend.ts';
import { assumptionsOf, executeAnalysis } from '../methods/index.ts';
import type { Assumptions, MethodContext, ExplainedObservation, Method } from '../methods/index.ts';
import type { ObservationOperator } from '../operators/observation/index.ts';
import type { Method as MethodSettings } from '../scenario/index.ts';
import { inverseOf, type Moment, type ObservationPlan } from './observation-plan.ts';
import type { TruthObserver } from './truth-observer.ts';
import type { Model } from '../models/index.ts';
import { ensembleMean, perturbation } from '../operators/ensemble/index.ts';
import { createObservationOperator, observedVariable } from '../operators/observation/index.ts';

/**
 * The analysis of one observation alone: a method of the same settings beside the one of the run, with a network of one place, from
 * the same forecast. It is what a run gives that has only this observation.
 *
 * A network of one place, which all methods can be asked with, one after the other.
 */
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
   * @param of the method of the run: the factor that its analysis is made with, where that adapts itself, and the beginning of its
   *   window
   */
  analyse(
    forecast: RealField,
    cycle: number,
    wantsIncrement: boolean,
    of: Pick<Method, 'inflation' | 'beginning'>,
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
    async analyse(forecast, cycle, wantsIncrement, { inflation, beginning }) {
      backend.copy(forecast, state);
      method.carried?.take();
      if (inflation && method.inflation) backend.copy(inflation.used, method.inflation.next);
      if (beginning && method.beginning) backend.copy(beginning, method.beginning);
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

type Taken = Pick<MethodContext, 'observations' | 'positions'>;

export interface TakenObservations extends Taken {
  /** Takes them as a method of such settings does, in the room that there is now: nobody may hold what they were before. */
  begin(settings: MethodSettings): Taken;
  /** Takes up what a cycle observes, when it is set. */
  follow(): void;
  /** What is observed, with the errors that the method takes it to have. */
  of<Plan extends ObservationPlan>(plan: Plan): Plan;
  /** The moments inside a window, with whether the method is compared as it is then. */
  timed<Inside extends Moment>(moments: readonly Inside[]): readonly Inside[];
  dispose(): void;
}

const NONE = new Float64Array(0);
const NOWHERE = { x: NONE, y: NONE, variable: [], inverseErrorStd: NONE };

/** The same network, of which others take the errors for something else. @param inverseErrorStd 1/σₒ, [capacity] */
function withErrors(shared: ObservationOperator, inverseErrorStd: RealField): ObservationOperator {
  return {
    ...shared,
    get count() {
      return shared.count;
    },
    get isAsynchronous() {
      return shared.isAsynchronous;
    },
    inverseErrorStd,
    linearised(label) {
      const tangent = shared.linearised(label);
      return { ...tangent, linearise: (state, scale = inverseErrorStd) => tangent.linearise(state, scale) };
    },
  };
}

/** @returns those that all share, until it is begun with a method's settings */
export function createTakenObservations(
  backend: Backend,
  observer: Pick<TruthObserver, 'operator' | 'latest'>,
): TakenObservations {
  let assumed: Assumptions = { isInTime: undefined, errorFactor: 1 };
  let own: { readonly operator: ObservationOperator; readonly inverseErrorStd: RealField } | undefined;
  /** What was made of the latest plan, and is on the backend. */
  let latest: { readonly plan: ObservationPlan; readonly taken: ObservationPlan } | undefined;
  /** The errors that are taken in place of these, which are the same object as long as they do not change. */
  let errors:
    | ({ readonly stated: Float64Array } & Pick<ObservationPlan, 'assumedErrorStd' | 'inverseErrorStd'>)
    | undefined;
  let sent: Float64Array | undefined;

  function of<Plan extends ObservationPlan>(plan: Plan): Plan {
    const { errorFactor } = assumed;
    const { assumedErrorStd: stated } = plan;
    if (errorFactor === 1) return plan;
    if (errors?.stated !== stated) {
      const assumedErrorStd = stated.map((error) => errorFactor * error);
      errors = { stated, assumedErrorStd, inverseErrorStd: assumedErrorStd.map(inverseOf) };
    }
    const { assumedErrorStd, inverseErrorStd } = errors;
    return { ...plan, assumedErrorStd, inverseErrorStd };
  }

  function planNow(): ObservationPlan | undefined {
    const plan = observer.latest;
    if (!plan) return undefined;
    if (latest?.plan !== plan) latest = { plan, taken: of(plan) };
    return latest.taken;
  }

  function end(): void {
    own?.inverseErrorStd.dispose();
    own = undefined;
    latest = undefined;
    errors = undefined;
    sent = undefined;
  }

  const observations = (): ObservationOperator => own?.operator ?? observer.operator;
  const positions: MethodContext['positions'] = () => planNow() ?? NOWHERE;

  return {
    get observations() {
      return observations();
    },
    positions,
    begin(next) {
      end();
      assumed = assumptionsOf(next);
      if (assumed.errorFactor !== 1) {
        const { operator: shared } = observer;
        const inverseErrorStd = backend.allocate(`${next.label}.inverseErrorStd`, 'real', shared.capacity);
        own = { operator: withErrors(shared, inverseErrorStd), inverseErrorStd };
      }
      return { observations: observations(), positions };
    },
    follow() {
      const plan = planNow();
      if (!own || !plan) return;
      if (sent === plan.inverseErrorStd) return;
      const values = new Float64Array(own.inverseErrorStd.length);
      values.set(plan.inverseErrorStd);
      backend.write(own.inverseErrorStd, values);
      sent = plan.inverseErrorStd;
    },
    of,
    timed(moments) {
      const { isInTime } = assumed;
      return isInTime === undefined ? moments : moments.map((moment) => ({ ...moment, isInTime }));
    },
    dispose: end,
  };
}
