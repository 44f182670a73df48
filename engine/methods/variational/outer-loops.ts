/**
 * The outer loops of a variational analysis, each a minimisation and what its result leads to. Everything is queued as far as it need
 * not be waited for: where a minimisation takes more iterations than lately, the rest is queued when it is complete.
 */
import type { Backend, RealField } from '../../compute/backend.ts';
import type { Minimiser, MinimisationReport, OuterLoop } from '../../operators/conjugate-gradient/index.ts';
import type { WholeErrors } from './relinearisation.ts';

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
