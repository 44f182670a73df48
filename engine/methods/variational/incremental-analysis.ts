/**
 * A variational analysis in control space, whatever V is: the increment δx = V v that minimises
 *
 *   J(v) = ½ vᵀv + ½ ‖R^−½ (d − H V v)‖²,   that is   (I + Vᵀ Hᵀ R⁻¹ H V) v = Vᵀ Hᵀ R⁻¹ d,
 *
 * by conjugate gradients from v = 0, R diagonal, or whole where errors are correlated (outer-loops.ts). H is linearised about the
 * background, and in further outer loops about what the one before has come to (outer-loops.ts). Where the background is dry
 * land, V has no increments: its rows there are 0.
 */
import type { RealField } from '../../compute/backend.ts';
import { createMinimiser, type Minimiser } from '../../operators/conjugate-gradient/index.ts';
import { perturbation } from '../../operators/ensemble/index.ts';
import { count, optionalSection, quantity } from '../../settings/index.ts';
import type { ControlTransform } from '../covariances/index.ts';
import type { AnalysisReport, MethodContext, QueuedAnalysis } from '../method.ts';
import type { Departures } from '../shared/departures.ts';
import type { ErrorCorrelationChoice } from '../shared/error-correlation-setting.ts';
import { createWetIncrement, type WetIncrement } from '../shared/wet-increment.ts';
import { createObservedControl, type ObservedControl, type ObservedControlParts } from './observed-control.ts';
import {
  queueLoops,
  queueMinimisation,
  createRelinearisation,
  createWholeErrors,
  type WholeErrors,
} from './outer-loops.ts';
import type { z } from 'zod';

const minimisationHelp = { title: 'Minimisation', description: 'Conjugate gradients in control space.' };

const stoppingFields = {
  tolerance: quantity({
    title: 'Tolerance',
    description: 'Stops when the residual has fallen to this share of the first one.',
    above: 0,
    below: 1,
    default: 1e-4,
  }),
  maxIterations: count({
    title: 'Most iterations',
    description: 'Stops after this many iterations in any case.',
    minimum: 1,
    maximum: 10_000,
    default: 60,
  }),
};

/** The settings of a minimisation that nothing is linearised for again. */
export const singleMinimisationField = optionalSection(minimisationHelp, stoppingFields);

/** The settings of a minimisation. */
export const minimisationField = optionalSection(minimisationHelp, {
  ...stoppingFields,
  outerLoops: count({
    title: 'Outer loops',
    description:
      'Minimisations of an analysis, each with what is observed linearised about the last one’s result: it matters for speeds.',
    minimum: 1,
    maximum: 20,
    default: 1,
  }),
});

type Minimisation = z.output<typeof minimisationField>;

/** Iterations between two looks at the residual where more are needed than lately. */
export const CHECK_EVERY = 5;

export interface IncrementalAnalysis {
  /** Queues `state`, the background with its departures computed, ← the analysis. */
  queue(state: RealField): Promise<QueuedAnalysis>;
  readonly wet: WetIncrement;
  /** G = R^−½ H V. */
  readonly seen: Pick<WholeErrors, 'product' | 'adjoint' | 'byObservation' | 'minimise' | 'whitenInto'>;
  readonly minimiser: Minimiser;
  /** R^−½ d of the last outer loop of the latest analysis. */
  readonly white: () => RealField;
  /** The same d by the observations’ deviations alone. */
  readonly scaled: RealField;
  /** Queues H linearised for a background as the last outer loop of the latest analysis had it. */
  linearise(background: RealField): void;
  /** Work space, free between two analyses. */
  readonly fields: {
    readonly increment: RealField;
    readonly observed: RealField;
    readonly gradient: RealField;
    readonly solution: RealField;
  };
  dispose(): void;
}

/** What it is made of, which stays its owner's. */
export interface IncrementalParts {
  readonly method: {
    readonly label: string;
    readonly minimisation: Minimisation;
    readonly errorCorrelation: ErrorCorrelationChoice;
  };
  readonly transform: ControlTransform;
  /** Departures of the background, which is one state. */
  readonly departures: Departures;
  /** What is observed of a control vector; if omitted, H of the increment that it makes. */
  readonly observe?: ((parts: ObservedControlParts) => Promise<ObservedControl>) | undefined;
}

export async function createIncrementalAnalysis(
  context: MethodContext,
  { method, transform, departures, observe = (parts) => createObservedControl(context, parts) }: IncrementalParts,
): Promise<IncrementalAnalysis> {
  const { backend, model, observations } = context;
  const { label, minimisation, errorCorrelation } = method;
  const { outerLoops, ...stopping } = minimisation;
  const length = model.variables.length * model.grid.nx * model.grid.ny;
  const minimiser = await createMinimiser(backend, {
    length: transform.length,
    observations: observations.capacity,
    ...stopping,
    checkEvery: CHECK_EVERY,
    shift: 1,
  });
  const tangent = observations.linearised(label);
  const wet = await createWetIncrement(context, transform.thinDepth);
  const adding = await backend.prepare(perturbation, { members: 1, length });
  const fields = {
    increment: backend.allocate(`${label}.increment`, 'real', length),
    observed: backend.allocate(`${label}.observed`, 'real', observations.capacity),
    gradient: backend.allocate(`${label}.gradient`, 'real', transform.length),
    solution: backend.allocate(`${label}.control`, 'real', transform.length),
  };
  const { increment, solution } = fields;
  const scaledControl = await observe({
    label,
    transform,
    wet,
    tangent,
    increment,
    // With R whole an iteration has more to do than the one kernel knows.
    minimisation: errorCorrelation === 'ignored' ? stopping : undefined,
  });
  const seen = createWholeErrors(label, context, scaledControl, errorCorrelation);
  const outer =
    outerLoops > 1
      ? await createRelinearisation(label, context, { departures, seen: scaledControl, errors: seen })
      : undefined;
  const { inverseErrorStd } = departures;
  const lastScaled = outer?.departures ?? departures.scaled;

  /** Queues `increment` = V `solution`. */
  function toIncrement(background: RealField): void {
    transform.apply(solution, increment);
    wet.project(increment, background);
  }

  /** A state's ½‖R^−½ (y − H(x))‖² if it is reported. */
  function stageCost(state: RealField): Promise<number> | undefined {
    const cost = outer?.stageCost(state);
    // A rejection is reported by whatever waits for it.
    cost?.catch(() => undefined);
    return cost;
  }

  async function queue(state: RealField): Promise<QueuedAnalysis> {
    const warning = await seen.follow(inverseErrorStd);
    scaledControl.linearise(state, inverseErrorStd);
    let { scaled } = departures;
    const { complete, report } = await queueLoops(backend, outerLoops, {
      minimise: () => queueMinimisation({ minimiser, seen, fields }, scaled),
      follow(isLast) {
        toIncrement(state);
        if (!outer || isLast) {
          adding.run({ noise: increment, ensemble: state });
          return Promise.resolve({ observationCost: stageCost(state) });
        }
        outer.advance({ background: state, increment, control: solution });
        scaled = outer.departures;
        return Promise.resolve({ observationCost: stageCost(outer.iterate) });
      },
    });
    return {
      ...(complete && { complete }),
      report: async (): Promise<AnalysisReport> => ({
        minimisation: await report(),
        ...(warning !== undefined && { warning }),
      }),
    };
  }

  return {
    queue,
    wet,
    seen,
    minimiser,
    white: () => seen.departures(lastScaled),
    scaled: lastScaled,
    linearise: (background) => scaledControl.linearise(background, inverseErrorStd, outer?.iterate),
    fields,
    dispose() {
      for (const owned of [minimiser, wet, tangent, seen, scaledControl, adding, ...Object.values(fields)])
        owned.dispose();
      outer?.dispose();
    },
  };
}

/** A covariance of the background's errors. */
export interface ErrorCovariance {
  /** V, of which it is the square. */
  readonly transform: ControlTransform;
  /** √diag VVᵀ at a forecast, [variable][y][x]. */
  readonly backgroundDeviations: (forecast: RealField) => Promise<Float64Array>;
}

/** What answers are made of, which stays its owner's. */
export interface VariationalParts extends ErrorCovariance {
  readonly analysis: IncrementalAnalysis;
  /** The analysis, [members][variable][y][x]. */
  readonly state: RealField;
  readonly members: number;
  readonly departures: Departures;
  readonly minimisation: { readonly tolerance: number };
  /** Queues what `transform` knows of a forecast, as its analysis has it. @returns the background, [variable][y][x] */
  readonly begin: (forecast: RealField) => RealField;
  /** V when a share of the window has passed, where the method knows one for each. */
  readonly during?: (share: number) => ErrorCovariance;
}
