/**
 * The minimisation of one analysis from inside, iteration by iteration: as the run carried it out, and without its preconditioner.
 *
 * The run minimises in control space, δx = V v, where the Hessian of J is A = I + GᵀG, G = R^−½ H V. With the correlations
 * C = S B S, S = diag(1/σ_b), and δx = S⁻¹ C ζ, that is v = Vᵀ S ζ, where ζ has no unit, the same J is
 *
 *   J(ζ) = ½ ζᵀ C ζ + ½ ‖d − G Vᵀ S ζ‖²,   with its minimum where   S V A Vᵀ S ζ = S V Gᵀ d.
 *
 * Its minimum is the same increment. Conjugate gradients on this system in the plain inner product are those on A with VᵀS²V
 * for a preconditioner in place of the identity: what is not 1 in the spectrum of C stretches that of A, by cond(C) at most.
 * The inner product ζᵀCζ instead would lead back to control space [derber1989]. In δx itself, with B⁻¹, it is (VᵀS²V)⁻¹ that
 * is used there, which stretches as much and asks for the inverse of V; there is none where the background is dry or a
 * variable has no errors of its own.
 */
import type { RealField } from '../../compute/backend.ts';
import { QuestionError } from '../../errors.ts';
import { createMinimiser, ritzValues } from '../../operators/conjugate-gradient/index.ts';
import type { MinimisationReport, LanczosMatrix, Look } from '../../operators/conjugate-gradient/index.ts';
import { diagonal } from '../../operators/diagonal/index.ts';
import { perturbation } from '../../operators/ensemble/index.ts';
import { variableOf } from '../explanation.ts';
import type { MethodQuestion, MinimisationCourse, MinimisationExplanation } from '../explanation.ts';
import type { MethodContext } from '../method.ts';
import type { VariationalParts } from './incremental-analysis.ts';
import { controlSystem } from './outer-loops.ts';

/** Ritz values of an iteration, at most. */
const MOST_RITZ_VALUES = 64;

/** What is kept of the iterations of a minimisation while it is followed, within a bound. */
interface KeptIteration {
  readonly iteration: number;
  readonly plane: Float32Array;
  /** Largest of its absolute values. */
  readonly largest: number;
  readonly ritzValues: Float64Array;
}

/**
 * Follows a minimisation, and keeps of its iterations from 1 on all, or every second, fourth, … and the last.
 *
 * @param most that are kept, 2 or more
 * @param readIncrement of the iterate that the minimisation has come to
 * @param goesOn is asked after each iteration, from 0 on
 */
export async function followKeeping(
  follow: (look: (seen: Look) => Promise<boolean>) => Promise<MinimisationReport>,
  most: number,
  readIncrement: () => Promise<Float32Array>,
  goesOn: (iteration: number) => Promise<boolean>,
): Promise<{ readonly report: MinimisationReport; readonly kept: readonly KeptIteration[] }> {
  let kept: KeptIteration[] = [];
  let every = 1;
  const keep = async (iteration: number, lanczos: LanczosMatrix): Promise<void> => {
    const plane = await readIncrement();
    const largest = plane.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    kept.push({ iteration, plane, largest, ritzValues: ritzValues(lanczos, MOST_RITZ_VALUES) });
  };
  let last: Look | undefined;
  const report = await follow(async (seen) => {
    last = seen;
    const { iteration, lanczos } = seen;
    if (iteration > 0 && iteration % every === 0) {
      if (kept.length === most) {
        every *= 2;
        kept = kept.filter((one) => one.iteration % every === 0);
      }
      if (iteration % every === 0) await keep(iteration, lanczos);
    }
    return goesOn(iteration);
  });
  if (last && last.iteration > (kept.at(-1)?.iteration ?? 0)) {
    // In the place of the one next to it if there is no other.
    kept = kept.slice(0, most - 1);
    await keep(last.iteration, last.lanczos);
  }
  return { report, kept };
}

/** Increments kept of a minimisation, at most, and their bytes. */
const MOST_PLANES = 60;
const PLANE_BYTES = 32 * 2 ** 20;
/** Iterations without preconditioning where the question does not say, and those that it may say. */
const PLAIN_ITERATIONS = 60;
const MOST_ITERATIONS = 1000;
/** Tolerance of the plain minimiser itself, which it never reaches: the residual in control space ends it. */
const UNREACHED = 1e-18;

/** V and its adjoint about a background. */
export interface ControlSpace {
  /** Queues `control` = Vᵀ of the analysis' `increment`, which it may change. */
  toControl(background: RealField, control: RealField): void;
  /** Queues the analysis' `increment` = V `control`. */
  toIncrement(control: RealField, background: RealField): void;
}

/** [kept][y][x] */
function joined(planes: readonly Float32Array[], cells: number): Float32Array {
  const all = new Float32Array(planes.length * cells);
  planes.forEach((plane, index) => all.set(plane, index * cells));
  return all;
}

function courseOf(
  { iterations, converged, cost }: Pick<MinimisationReport, 'iterations' | 'converged' | 'cost'>,
  backgroundCost: readonly number[],
  residual: readonly number[],
  kept: readonly KeptIteration[],
  cells: number,
): MinimisationCourse {
  return {
    iterations,
    converged,
    cost: Float64Array.from(cost),
    backgroundCost: Float64Array.from(backgroundCost),
    observationCost: Float64Array.from(cost, (total, k) => total - backgroundCost[k]),
    residual: Float64Array.from(residual),
    kept: Uint32Array.from(kept, ({ iteration }) => iteration),
    increments: joined(
      kept.map(({ plane }) => plane),
      cells,
    ),
    largest: kept.reduce((most, one) => Math.max(most, one.largest), 0),
    ritzValues: kept.map((one) => one.ritzValues),
  };
}

/** @throws QuestionError */
function checkedIterations(iterations = PLAIN_ITERATIONS): number {
  if (Number.isInteger(iterations) && iterations >= 1 && iterations <= MOST_ITERATIONS) return iterations;
  throw new QuestionError(`found ${iterations} iterations, allowed: 1 to ${MOST_ITERATIONS}`);
}

/** S V A Vᵀ S on states of the backend. */
async function createPlainSystem(
  { backend }: MethodContext,
  { transform, analysis }: VariationalParts,
  space: ControlSpace,
  background: RealField,
  deviations: Float64Array,
) {
  const { seen } = analysis;
  const { increment, observed } = analysis.fields;
  const { length } = increment;
  const fields = {
    inverseDeviation: backend.allocate('plain.inverseDeviation', 'real', length),
    control: backend.allocate('plain.control', 'real', transform.length),
    product: backend.allocate('plain.product', 'real', transform.length),
  };
  const { inverseDeviation, control, product } = fields;
  backend.write(
    inverseDeviation,
    deviations.map((deviation) => (deviation > 0 ? 1 / deviation : 0)),
  );
  const scaling = await backend.prepare(diagonal, { length, batch: 1 });
  const adding = await backend.prepare(perturbation, { members: 1, length: transform.length });
  const system = {
    control,
    /** GᵀG v, of the v that `control` is. */
    product,
    /** Queues `control` = v = Vᵀ S ζ, and `product` = GᵀG v. */
    toControl(zeta: RealField): void {
      scaling.run({ scale: inverseDeviation, input: zeta, output: increment });
      space.toControl(background, control);
      seen.product(control, observed);
      seen.adjoint(observed, product);
    },
    /** Queues `state` = S V `vector`, of control space. */
    fromControl(vector: RealField, state: RealField): void {
      space.toIncrement(vector, background);
      scaling.run({ scale: inverseDeviation, input: increment, output: state });
    },
    applyHessian(zeta: RealField, result: RealField): void {
      system.toControl(zeta);
      adding.run({ noise: product, ensemble: control });
      system.fromControl(control, result);
    },
    dispose() {
      for (const owned of [scaling, adding, ...Object.values(fields)]) owned.dispose();
    },
  };
  return system;
}

function squaredNorm(vector: Float64Array): number {
  return vector.reduce((sum, value) => sum + value * value, 0);
}

export function explainMinimisation(
  context: MethodContext,
  parts: VariationalParts,
  space: ControlSpace,
): (question: MethodQuestion<'minimisation'>, forecast: RealField) => Promise<MinimisationExplanation> {
  const { backend, model, positions, observations } = context;
  const { analysis, minimisation, begin, backgroundDeviations } = parts;
  const { seen, minimiser, white } = analysis;
  const { increment, gradient, solution } = analysis.fields;
  const cells = model.grid.nx * model.grid.ny;
  const most = Math.max(2, Math.min(MOST_PLANES, Math.floor(PLANE_BYTES / (4 * cells))));

  /** The plane of one variable of V `control`. */
  function incrementOf(control: RealField, background: RealField, variable: number): Promise<Float32Array> {
    space.toIncrement(control, background);
    return backend.readSingle(increment, variable * cells, cells);
  }

  /** As the run carried it out. */
  async function preconditioned(background: RealField, variable: number): Promise<MinimisationCourse> {
    const { report, kept } = await followKeeping(
      (look) => minimiser.follow(controlSystem(analysis, white()), look),
      most,
      () => incrementOf(solution, background, variable),
      () => Promise.resolve(true),
    );
    return courseOf(report, report.backgroundCost, report.residual, kept, cells);
  }

  async function plain(
    background: RealField,
    variable: number,
    maxIterations: number,
    deviations: Float64Array,
  ): Promise<MinimisationCourse> {
    const system = await createPlainSystem(context, parts, space, background, deviations);
    const zeta = backend.allocate('plain.zeta', 'real', increment.length);
    const rightHandSide = backend.allocate('plain.rightHandSide', 'real', increment.length);
    const plainMinimiser = await createMinimiser(backend, {
      length: increment.length,
      observations: observations.capacity,
      tolerance: UNREACHED,
      maxIterations,
      checkEvery: 1,
    });
    try {
      system.fromControl(gradient, rightHandSide);
      const initial = await backend.read(gradient);
      const first = Math.sqrt(squaredNorm(initial));
      const backgroundCost: number[] = [];
      const residual: number[] = [];
      /** J_b and ∇J in control space, where both minimisations can be compared. */
      const look = async (): Promise<boolean> => {
        system.toControl(zeta);
        const [control, product] = [await backend.read(system.control), await backend.read(system.product)];
        backgroundCost.push(0.5 * squaredNorm(control));
        const left = Math.sqrt(squaredNorm(initial.map((value, i) => value - control[i] - product[i])));
        residual.push(first > 0 ? left / first : 0);
        return residual[residual.length - 1] > minimisation.tolerance;
      };
      const { report, kept } = await followKeeping(
        (each) =>
          plainMinimiser.follow(
            {
              applyHessian: (direction, result) => system.applyHessian(direction, result),
              gradient: rightHandSide,
              solution: zeta,
              departures: white(),
            },
            each,
          ),
        most,
        async () => {
          system.toControl(zeta);
          return incrementOf(system.control, background, variable);
        },
        look,
      );
      const converged = residual[residual.length - 1] <= minimisation.tolerance;
      return courseOf({ ...report, converged }, backgroundCost, residual, kept, cells);
    } finally {
      for (const owned of [system, zeta, rightHandSide, plainMinimiser]) owned.dispose();
    }
  }

  return async ({ variable: name = model.variables[0].name, iterations }, forecast) => {
    const variable = variableOf(model, name);
    const maxIterations = checkedIterations(iterations);
    if (positions().x.length === 0) throw new QuestionError('the cycle has no observations: nothing was minimised');
    const index = model.variables.indexOf(variable);
    const background = begin(forecast);
    const deviations = await backgroundDeviations(forecast);
    analysis.linearise(background);
    seen.adjoint(white(), gradient);
    return {
      variable,
      tolerance: minimisation.tolerance,
      preconditioned: await preconditioned(background, index),
      plain: await plain(background, index, maxIterations, deviations),
    };
  };
}
