/**
 * Minimises J(v) = ½vᵀv + ½‖d − G v‖² = ½‖d‖² − bᵀv + ½vᵀAv, that is, solves A v = b with A = I + GᵀG and b = Gᵀd, on any
 * backend; d are the departures of the observations and G what the control sees of them, both scaled by their errors.
 */
import type { Backend, RealField } from '../../compute/backend.ts';
import { LimitError } from '../../errors.ts';
import { historyLength, PROGRESS, STATUS } from './layout.ts';
import { dotProduct } from '../dot-product/index.ts';
import { advance, begin } from './operators.ts';
import { minimisationReport } from './report.ts';
import type { MinimisationReport } from './report.ts';

export interface MinimiserOptions {
  /** Elements of v. */
  readonly length: number;
  /** Elements of d. */
  readonly observations: number;
  /** ‖r‖/‖b‖ at which the minimum counts as found. */
  readonly tolerance: number;
  readonly maxIterations: number;
  /** Iterations between two looks at the residual, each of which waits for the device. */
  readonly checkEvery: number;
  /**
   * A = shift·I + M, where M is what `applyHessian` applies; 0 by default. 1 saves the pass that adds the identity in
   * I + GᵀG.
   */
  readonly shift?: number;
}

export interface Minimisation {
  /** Queues `product` = M `direction`; it must write all of `product` and leave `direction` alone. */
  readonly applyHessian: (direction: RealField, product: RealField) => void;
  /** b: minus the gradient of J at v = 0. Left as it is. */
  readonly gradient: RealField;
  /** v, written. */
  readonly solution: RealField;
  /** d: its half squared norm is J(0). */
  readonly departures: RealField;
}

export interface Minimiser {
  /** One at a time. Waits for the device every `checkEvery` iterations and at the end. */
  minimise(minimisation: Minimisation): Promise<MinimisationReport>;
  dispose(): void;
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

export async function createMinimiser(backend: Backend, options: MinimiserOptions): Promise<Minimiser> {
  validate(options);
  const { length, observations, tolerance, maxIterations, checkEvery, shift = 0 } = options;
  const beginning = await backend.prepare(begin, { length });
  const advancing = await backend.prepare(advance, { length, shift, tolerance, maxIterations });
  const weighing = await backend.prepare(dotProduct, { length: observations, factor: 0.5 });
  const costAtZero = backend.allocate('minimiser.costAtZero', 'real', 1);
  const residual = backend.allocate('minimiser.residual', 'real', length);
  const direction = backend.allocate('minimiser.direction', 'real', length);
  const product = backend.allocate('minimiser.product', 'real', length);
  const history = backend.allocate('minimiser.history', 'real', historyLength(maxIterations));
  const progress = backend.allocate('minimiser.progress', 'index', PROGRESS.length);

  return {
    async minimise({ applyHessian, gradient, solution, departures }) {
      weighing.run({ x: departures, y: departures, result: costAtZero });
      beginning.run({ rightHandSide: gradient, solution, residual, direction, history, progress });
      let queued = 0;
      let seen: Uint32Array = Uint32Array.of(0, STATUS.running, 0);
      while (queued < maxIterations && seen[PROGRESS.status] === STATUS.running) {
        const end = Math.min(maxIterations, queued + checkEvery);
        for (; queued < end; queued++) {
          applyHessian(direction, product);
          advancing.run({ product, solution, residual, direction, history, progress });
        }
        seen = await backend.read(progress);
      }
      const iterations = seen[PROGRESS.completed];
      const recorded = await backend.read(history, 0, historyLength(iterations));
      const [initial] = await backend.read(costAtZero);
      return minimisationReport(recorded, iterations, seen[PROGRESS.status] === STATUS.converged, initial);
    },
    dispose() {
      for (const prepared of [beginning, advancing, weighing]) prepared.dispose();
      for (const field of [costAtZero, residual, direction, product, history, progress]) field.dispose();
    },
  };
}
