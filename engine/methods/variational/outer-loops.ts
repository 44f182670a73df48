/**
 * The outer loops of a variational analysis, each a minimisation and what its result leads to. Everything is queued as far as it need
 * not be waited for: where a minimisation takes more iterations than lately, the rest is queued when it is complete.
 *
 * What they need beside the minimisation (Gauss–Newton, [courtier1994]): after loop n the state is x_n = x_b + V v_n. With H_n linearised
 * about it and d_n = y − H(x_n), the next loop minimises
 *
 *   J(v) = ½ vᵀv + ½ ‖R^−½ (d_n + H_n V v_n − H_n V v)‖²
 *
 * from v = 0: the minimisation of the first loop with other departures. Where H is linear they are the first ones again.
 */
import type { Backend, RealField } from '../../compute/backend.ts';
import type {
  Minimiser,
  MinimisationReport,
  OuterLoop,
  WholeMinimisation,
} from '../../operators/conjugate-gradient/index.ts';
import { dotProduct } from '../../operators/dot-product/index.ts';
import { perturbation } from '../../operators/ensemble/index.ts';
import { innovation } from '../../operators/observation/index.ts';
import type { MethodContext } from '../method.ts';
import type { Departures } from '../shared/departures.ts';
import type { ErrorCorrelationChoice } from '../shared/error-correlation-setting.ts';
import { createWhitenedErrors } from '../shared/whitened-errors.ts';
import type { ObservedControl } from './observed-control.ts';

/**
 * G = R^−½ H V and R^−½ d of a minimisation, whatever R is taken for. Where errors are independent, what is scaled by their
 * deviations is left as it is; where R is taken whole, R = D C D, R^−½ is L⁻¹ D⁻¹ with L Lᵀ = C (shared/whitened-errors.ts).
 */
export interface WholeErrors {
  /**
   * Takes up the errors of the cycle, once its departures are queued.
   *
   * @param inverseErrorStd of what is used, [capacity]
   * @returns the warnings about them that are new
   */
  follow(inverseErrorStd: RealField): Promise<string | undefined>;
  /** Queues R^−½ d of D⁻¹ d. @returns it, good until asked for again */
  departures(scaled: RealField): RealField;
  /** The same in work space: good until the next use of any other. */
  whiten(scaled: RealField): RealField;
  /** The same into a field of the caller. Undefined if the errors are taken for independent. */
  readonly whitenInto?: (scaled: RealField, white: RealField) => void;
  /** Queues L⁻ᵀ of what R^−½ has made, an observation at a time as it is observed. @returns it, in the same work space */
  byObservation(white: RealField): RealField;
  /** Queues `observed` = G `control`. */
  product(control: RealField, observed: RealField): void;
  /** Queues `control` = Gᵀ `observed`, which it leaves as it is. */
  adjoint(observed: RealField, control: RealField): void;
  /** Queues a whole minimisation, where one kernel does it. */
  readonly minimise?: (fields: WholeMinimisation) => void;
  dispose(): void;
}

/** @param seen with rows scaled by the deviations; it stays its owner's */
export function createWholeErrors(
  label: string,
  context: MethodContext,
  seen: ObservedControl,
  taken: ErrorCorrelationChoice,
): WholeErrors {
  if (taken === 'ignored') {
    return {
      ...seen,
      follow: () => Promise.resolve(undefined),
      departures: (scaled) => scaled,
      whiten: (scaled) => scaled,
      byObservation: (white) => white,
      dispose: () => undefined,
    };
  }
  const { backend, observations } = context;
  const errors = createWhitenedErrors(label, context);
  const allocate = (name: string) => backend.allocate(`${label}.${name}`, 'real', observations.capacity);
  const [white, work] = [allocate('white'), allocate('scaledAlone')];
  const whitened = (scaled: RealField, output: RealField): RealField => {
    errors.whiten(scaled, output);
    return output;
  };
  return {
    follow: (inverseErrorStd) => errors.follow(inverseErrorStd),
    departures: (scaled) => whitened(scaled, white),
    whiten: (scaled) => whitened(scaled, work),
    whitenInto: (scaled, output) => errors.whiten(scaled, output),
    byObservation(observed) {
      errors.whitenAdjoint(observed, work);
      return work;
    },
    product(control, observed) {
      seen.product(control, work);
      errors.whiten(work, observed);
    },
    adjoint(observed, control) {
      errors.whitenAdjoint(observed, work);
      seen.adjoint(work, control);
    },
    dispose() {
      for (const owned of [errors, white, work]) owned.dispose();
    },
  };
}

export interface Relinearisation {
  /** x_n, about which H is linearised last. */
  readonly iterate: RealField;
  /** D⁻¹ (d_n + H_n V v_n), D the deviations of the observations. [capacity] */
  readonly departures: RealField;
  /** Queues `iterate` = `background` + `increment`, H linearised about it, and the departures of the next loop. */
  advance(loop: {
    readonly background: RealField;
    /** V v_n. */
    readonly increment: RealField;
    /** v_n. */
    readonly control: RealField;
  }): void;
  /** Queues and stages ½ ‖R^−½ (y − H(x))‖² of a state. To be awaited when a `collect` has followed. */
  stageCost(state: RealField): Promise<number>;
  dispose(): void;
}

export async function createRelinearisation(
  label: string,
  { backend, observations, model }: MethodContext,
  {
    departures: first,
    seen,
    errors,
  }: {
    readonly departures: Departures;
    readonly seen: ObservedControl;
    readonly errors: Pick<WholeErrors, 'whiten'>;
  },
): Promise<Relinearisation> {
  const { capacity } = observations;
  const length = model.variables.length * model.grid.nx * model.grid.ny;
  const allocate = (name: string, size: number) => backend.allocate(`${label}.outer.${name}`, 'real', size);
  const fields = {
    iterate: allocate('iterate', length),
    observed: allocate('observed', capacity),
    misfit: allocate('misfit', capacity),
    scaled: allocate('scaled', capacity),
    departures: allocate('departures', capacity),
    cost: allocate('cost', 1),
  };
  const departing = await backend.prepare(innovation, { observations: capacity });
  const moving = await backend.prepare(perturbation, { members: 1, length });
  const adding = await backend.prepare(perturbation, { members: 1, length: capacity });
  const weighing = await backend.prepare(dotProduct, { length: capacity, factor: 0.5 });

  /** Queues `scaled` = D⁻¹ (y − H(x)), of the observations that the first loop uses. */
  function depart(state: RealField, scaled: RealField): void {
    const { observed, misfit } = fields;
    const { inverseErrorStd, valuesAtAnalysis: values } = first;
    observations.observe(state, 1, observed);
    departing.run({ values, observed, inverseErrorStd, innovation: misfit, scaled });
  }

  return {
    iterate: fields.iterate,
    departures: fields.departures,
    advance({ background, increment, control }) {
      const { iterate, observed, departures } = fields;
      backend.copy(background, iterate);
      moving.run({ noise: increment, ensemble: iterate });
      depart(iterate, departures);
      seen.linearise(background, first.inverseErrorStd, iterate);
      seen.product(control, observed);
      adding.run({ noise: observed, ensemble: departures });
    },
    async stageCost(state) {
      depart(state, fields.scaled);
      const white = errors.whiten(fields.scaled);
      weighing.run({ x: white, y: white, result: fields.cost });
      const [cost] = await backend.stage(fields.cost);
      return cost;
    },
    dispose() {
      for (const owned of [departing, moving, adding, weighing, ...Object.values(fields)]) owned.dispose();
    },
  };
}

/** What a minimisation works with: G = R^−½ H V, and work space. */
interface MinimisedParts {
  readonly seen: Pick<WholeErrors, 'product' | 'adjoint' | 'minimise'>;
  readonly fields: { readonly observed: RealField; readonly gradient: RealField; readonly solution: RealField };
}

/** @returns (I + GᵀG) `solution` = `gradient`, for a minimiser that adds the identity. @param departures R^−½ d, [capacity] */
export function controlSystem({ seen, fields }: MinimisedParts, departures: RealField) {
  const { observed, gradient, solution } = fields;
  return {
    applyHessian(direction: RealField, result: RealField): void {
      seen.product(direction, observed);
      seen.adjoint(observed, result);
    },
    ...(seen.minimise && { whole: seen.minimise }),
    gradient,
    solution,
    departures,
  };
}

/** What a loop minimises with. */
interface LoopParts extends MinimisedParts {
  readonly minimiser: Minimiser;
  readonly seen: MinimisedParts['seen'] & Pick<WholeErrors, 'departures'>;
}

/** Queues `solution` = (I + GᵀG)⁻¹ Gᵀ R^−½ d. @param scaled d over the deviations of the observations, [capacity] */
export function queueMinimisation(parts: LoopParts, scaled: RealField): ReturnType<Minimiser['queue']> {
  const { minimiser, seen, fields } = parts;
  const white = seen.departures(scaled);
  seen.adjoint(white, fields.gradient);
  return minimiser.queue(controlSystem(parts, white));
}

/** What is known after a loop: ½‖R^−½ (y − H(x))‖² of its result if there are several loops. */
interface AfterLoop {
  readonly observationCost: Promise<number> | undefined;
}

export interface LoopSteps {
  /** Queues the minimisation of the next loop. */
  readonly minimise: () => ReturnType<typeof queueMinimisation>;
  /** Queues what the result of a loop leads to: the analysis, or the departures of the next loop. */
  readonly follow: (isLast: boolean) => Promise<AfterLoop>;
}

/** Queues `count` loops. @returns what completes them, after a `collect`, and what they report once they are complete */
export async function queueLoops(backend: Backend, count: number, { minimise, follow }: LoopSteps) {
  const loops: (AfterLoop & { readonly report: () => Promise<MinimisationReport> })[] = [];

  async function begin(): Promise<(() => Promise<void>) | undefined> {
    const queued = await minimise();
    const { complete } = queued;
    const next = async (): Promise<(() => Promise<void>) | undefined> => {
      const isLast = loops.length + 1 === count;
      loops.push({ ...(await follow(isLast)), report: () => queued.report() });
      return isLast ? undefined : begin();
    };
    if (!complete) return next();
    return async () => {
      await complete();
      const rest = await next();
      if (!rest) return;
      await backend.collect();
      await rest();
    };
  }

  const complete = await begin();
  return {
    ...(complete && { complete }),
    /** @returns the last loop's minimisation, with what each loop came to if there are several */
    report: async (): Promise<MinimisationReport> => {
      const told = await Promise.all(
        loops.map(async ({ report, observationCost }) => ({
          report: await report(),
          observationCost: await observationCost,
        })),
      );
      const last = told[told.length - 1].report;
      if (count === 1) return last;
      return {
        ...last,
        outerLoops: told.map(({ report, observationCost = Number.NaN }): OuterLoop => ({
          iterations: report.iterations,
          cost: (report.backgroundCost.at(-1) ?? Number.NaN) + observationCost,
        })),
      };
    },
  };
}
