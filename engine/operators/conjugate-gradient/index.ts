/**
 * Conjugate gradients for a symmetric positive definite system whose matrix is known by what it does to a vector, with every
 * scalar on the device (Hestenes and Stiefel 1952): as many iterations are queued as were needed lately, those after the last
 * do nothing, and only where they did not do is the host waited for. The spectrum comes along for free, from the Lanczos matrix of the same scalars.
 */
import type { Backend, IndexField, RealField } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { LimitError } from '../../errors.ts';
import { dotProduct } from '../dot-product/index.ts';
import { lanczosMatrix, minimisationReport, type LanczosMatrix, type MinimisationReport } from './lanczos.ts';
import {
  HISTORY,
  historyLength,
  PROGRESS,
  STATUS,
  initialisationFields,
  iterationFields,
  referenceInitialisation,
  referenceIteration,
} from './reference.ts';
import type { InitialisationParameters, IterationParameters } from './reference.ts';

export { historyCode } from './devices.ts';
export { PROGRESS, STATUS } from './reference.ts';
export { ritzValues, tridiagonalEigenvalues } from './lanczos.ts';
export type { LanczosMatrix, MinimisationReport, OuterLoop } from './lanczos.ts';

/**
 * Starts from v = 0: `solution` = 0, `residual` = `direction` = `rightHandSide`, all `[length]`; resets `history` and `progress`
 * (reference.ts).
 * Cost: four arrays, and the right-hand side again for its norm; 2 flops an element.
 */
export const initialisation = defineOperator<InitialisationParameters, typeof initialisationFields>({
  name: 'conjugate-gradient-initialisation',
  fields: initialisationFields,
  cost: ({ length }, elementBytes) => ({ bytes: 5 * length * elementBytes, flops: 2 * length }),
  reference: referenceInitialisation,
  wasm: async () => (await import('./devices.ts')).initialisationWasm,
  webgpu: async () => (await import('./devices.ts')).initialisationWebGpu,
});

/**
 * One iteration, given `product` = M p, with p = `direction`:
 *
 *   α = rᵀr / pᵀAp;  v ← v + αp;  r ← r − αAp;  β = r₊ᵀr₊ / rᵀr;  p ← r + βp.
 *
 * It is a no-op once ‖r‖ ≤ tolerance·‖b‖, once the energy that an iteration still gains, ½αrᵀr, is below ε² of what the first
 * one gained (ε half a unit in the last place: v no longer changes), when pᵀAp is not positive, and after `maxIterations`.
 * Cost: p and Mp for the curvature, six arrays for the step, three for the direction; 12 flops an element.
 */
export const iteration = defineOperator<IterationParameters, typeof iterationFields>({
  name: 'conjugate-gradient-iteration',
  fields: iterationFields,
  cost: ({ length }, elementBytes) => ({ bytes: 11 * length * elementBytes, flops: 12 * length }),
  reference: referenceIteration,
  wasm: async () => (await import('./devices.ts')).iterationWasm,
  webgpu: async () => (await import('./devices.ts')).iterationWebGpu,
});

export interface MinimiserOptions {
  /** Elements of v. */
  readonly length: number;
  /** Elements of d. */
  readonly observations: number;
  /** ‖r‖/‖b‖ at which the minimum counts as found. */
  readonly tolerance: number;
  readonly maxIterations: number;
  /** Iterations between two looks at the residual where it is not known how many are needed: each waits for the device. */
  readonly checkEvery: number;
  /**
   * A = shift·I + M, where M is what `applyHessian` applies; 0 by default. 1 saves the pass that adds the identity in
   * I + GᵀG.
   */
  readonly shift?: number;
}

/** What a whole minimisation writes beside `solution`: reference.ts. */
export interface WholeMinimisation {
  readonly rightHandSide: RealField;
  readonly solution: RealField;
  readonly history: RealField;
  readonly progress: IndexField;
}

interface Minimisation {
  /** Queues `product` = M `direction`; it must write all of `product` and leave `direction` alone. */
  readonly applyHessian: (direction: RealField, product: RealField) => void;
  /** Queues all iterations at once, in place of one after the other, with the same results; if there is a kernel for it. */
  readonly whole?: (fields: WholeMinimisation) => void;
  /** b: minus the gradient of J at v = 0. Left as it is. */
  readonly gradient: RealField;
  /** v, written. */
  readonly solution: RealField;
  /** d: its half squared norm is J(0). */
  readonly departures: RealField;
}

/** A minimisation whose iterations are queued, as many as were needed lately and some more. */
interface QueuedMinimisation {
  /**
   * To be called when a `collect` has followed: continues, waiting, where more iterations are needed. Until then neither `solution`
   * may be used nor anything that `applyHessian` uses be changed. Undefined where no more are needed or allowed.
   */
  readonly complete?: () => Promise<void>;
  /** When that is done and a `collect` has followed. */
  report(): Promise<MinimisationReport>;
}

/** What is known after an iteration, while `solution` is its iterate. */
export interface Look {
  /** Completed; 0 before the first. */
  readonly iteration: number;
  readonly lanczos: LanczosMatrix;
}

export interface Minimiser {
  /** One at a time. It waits for nothing, but where the backend is immediate. */
  queue(minimisation: Minimisation): Promise<QueuedMinimisation>;
  /** Queues, completes and waits for the report. */
  minimise(minimisation: Minimisation): Promise<MinimisationReport>;
  /**
   * One iteration after the other, waiting after each, with the numbers that the same iterations have when they are queued.
   *
   * @param look is called before the first iteration and after each that changed `solution`; it says whether to continue
   */
  follow(
    minimisation: Omit<Minimisation, 'whole'>,
    look: (seen: Look) => Promise<boolean>,
  ): Promise<MinimisationReport>;
  dispose(): void;
}

/** Cycles by whose iterations the next one's are estimated, and how many more are queued: a share and a few. */
const REMEMBERED = 4;
const MARGIN = { share: 0.1, iterations: 2 } as const;

/** How many iterations will do, by those that were needed lately. */
function createExpectation(unknown: number, most: number) {
  let needed: readonly number[] = [];
  return {
    get iterations() {
      if (needed.length === 0) return Math.min(most, unknown);
      const largest = Math.max(...needed);
      return Math.min(most, Math.ceil(largest * (1 + MARGIN.share)) + MARGIN.iterations);
    },
    learn(iterations: number) {
      needed = [...needed, iterations].slice(-REMEMBERED);
    },
  };
}

/** @throws LimitError when an option is not in its range */
function validate({ length, observations, tolerance, maxIterations, checkEvery }: MinimiserOptions): void {
  for (const [name, found] of Object.entries({ length, observations, maxIterations, checkEvery })) {
    if (!Number.isInteger(found) || found < 1) {
      throw new LimitError(`the minimiser's ${name} is ${found}; it must be an integer of at least 1`);
    }
  }
  if (!(tolerance > 0 && tolerance < 1)) {
    throw new LimitError(`the minimiser's tolerance is ${tolerance}; it must lie between 0 and 1`);
  }
}

function isRunning(progress: Uint32Array): boolean {
  return progress[PROGRESS.status] === STATUS.running;
}

export async function createMinimiser(backend: Backend, options: MinimiserOptions): Promise<Minimiser> {
  validate(options);
  const { length, observations, tolerance, maxIterations, checkEvery, shift = 0 } = options;
  const beginning = await backend.prepare(initialisation, { length });
  const advancing = await backend.prepare(iteration, { length, shift, tolerance, maxIterations });
  const weighing = await backend.prepare(dotProduct, { length: observations, factor: 0.5 });
  const costAtZero = backend.allocate('minimiser.costAtZero', 'real', 1);
  const residual = backend.allocate('minimiser.residual', 'real', length);
  const direction = backend.allocate('minimiser.direction', 'real', length);
  const product = backend.allocate('minimiser.product', 'real', length);
  const history = backend.allocate('minimiser.history', 'real', historyLength(maxIterations));
  const progress = backend.allocate('minimiser.progress', 'index', PROGRESS.length);

  const expectation = createExpectation(checkEvery, maxIterations);

  async function queue({
    applyHessian,
    whole,
    gradient,
    solution,
    departures,
  }: Minimisation): Promise<QueuedMinimisation> {
    let queued = 0;
    /** @returns whether more are allowed */
    const iterate = (count: number): boolean => {
      for (const end = Math.min(maxIterations, queued + count); queued < end; queued++) {
        applyHessian(direction, product);
        advancing.run({ product, solution, residual, direction, history, progress });
      }
      return queued < maxIterations;
    };
    const look = async (): Promise<Uint32Array> => {
      const staged = backend.stage(progress);
      await backend.collect();
      return staged;
    };
    /** Waits for the device after every so many iterations. */
    const goOn = async (): Promise<void> => {
      while (iterate(checkEvery) && isRunning(await look()));
    };
    const stageReport = async (staged: Promise<Uint32Array>): Promise<MinimisationReport> => {
      const [seen, recorded, [initial]] = await Promise.all([
        staged,
        backend.stage(history),
        backend.stage(costAtZero),
      ]);
      const iterations = seen[PROGRESS.completed];
      if (!isRunning(seen) || iterations === maxIterations) expectation.learn(iterations);
      return minimisationReport(recorded, iterations, seen[PROGRESS.status] === STATUS.converged, initial);
    };

    weighing.run({ x: departures, y: departures, result: costAtZero });
    if (whole) {
      whole({ rightHandSide: gradient, solution, history, progress });
      queued = maxIterations;
    } else {
      beginning.run({ rightHandSide: gradient, solution, residual, direction, history, progress });
      if (backend.immediate) await goOn();
      else iterate(expectation.iterations);
    }
    const first = handled(backend.stage(progress));
    let report = handled(stageReport(first));
    if (backend.immediate || queued === maxIterations) return { report: () => report };
    return {
      async complete() {
        if (!isRunning(await first)) return;
        await goOn();
        report = handled(stageReport(handled(backend.stage(progress))));
      },
      report: () => report,
    };
  }

  async function follow(
    { applyHessian, gradient, solution, departures }: Omit<Minimisation, 'whole'>,
    look: (seen: Look) => Promise<boolean>,
  ): Promise<MinimisationReport> {
    weighing.run({ x: departures, y: departures, result: costAtZero });
    beginning.run({ rightHandSide: gradient, solution, residual, direction, history, progress });
    const [initial] = await backend.read(costAtZero);
    for (let begun = 0; ; begun++) {
      const seen = await backend.read(progress);
      const iteration = seen[PROGRESS.completed];
      const recorded = await backend.read(history, 0, HISTORY.stride * (iteration + 1));
      // An iteration that was begun may have found that there is nothing left to do.
      const isNew = iteration === begun;
      const goesOn = isNew && (await look({ iteration, lanczos: lanczosMatrix(recorded, iteration) }));
      if (!goesOn || !isRunning(seen) || iteration === maxIterations) {
        return minimisationReport(recorded, iteration, seen[PROGRESS.status] === STATUS.converged, initial);
      }
      applyHessian(direction, product);
      advancing.run({ product, solution, residual, direction, history, progress });
    }
  }

  return {
    queue,
    follow,
    async minimise(minimisation) {
      const queued = await queue(minimisation);
      await backend.collect();
      await queued.complete?.();
      await backend.collect();
      return queued.report();
    },
    dispose() {
      for (const prepared of [beginning, advancing, weighing]) prepared.dispose();
      for (const field of [costAtZero, residual, direction, product, history, progress]) field.dispose();
    },
  };
}

/** A rejection of what is staged is reported by whatever waits for it. */
function handled<Value>(staged: Promise<Value>): Promise<Value> {
  staged.catch(() => undefined);
  return staged;
}
