/**
 * The observations of a run as one method takes them: of all networks alike its errors are so many times what these say, and
 * what is observed inside the window may be compared at another time. Where a method assumes nothing of its own they are those
 * that all share.
 */
import type { Backend, RealField } from '../compute/backend.ts';
import { assumptionsOf } from '../methods/index.ts';
import type { Assumptions, MethodContext } from '../methods/index.ts';
import type { ObservationOperator } from '../operators/observation/index.ts';
import type { Method as MethodSettings } from '../scenario/index.ts';
import { inverseOf } from './observation-plan.ts';
import type { Moment, ObservationPlan } from './observation-plan.ts';
import type { TruthObserver } from './truth-observer.ts';

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
  let sent: Float64Array | undefined;

  function of<Plan extends ObservationPlan>(plan: Plan): Plan {
    const { errorFactor } = assumed;
    if (errorFactor === 1) return plan;
    const assumedErrorStd = plan.assumedErrorStd.map((error) => errorFactor * error);
    return { ...plan, assumedErrorStd, inverseErrorStd: assumedErrorStd.map(inverseOf) };
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
      const values = new Float64Array(own.inverseErrorStd.length);
      values.set(plan.inverseErrorStd);
      if (sent?.every((value, j) => value === values[j])) return;
      backend.write(own.inverseErrorStd, values);
      sent = values;
    },
    of,
    timed(moments) {
      const { isInTime } = assumed;
      return isInTime === undefined ? moments : moments.map((moment) => ({ ...moment, isInTime }));
    },
    dispose: end,
  };
}
