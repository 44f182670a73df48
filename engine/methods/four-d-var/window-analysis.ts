/**
 * The analysis of incremental 4D-Var [courtier1994], strong constraint: of the increments δx₀ = V v at the beginning of the window, the
 * one that minimises
 *
 *   J(v) = ½ vᵀv + ½ ‖R^−½ (d − H M′ V v)‖²,
 *
 * d the departures of the trajectory from the background. Further outer loops (Gauss–Newton) linearise model and observations about
 * the trajectory that the loop before has come to, with d_n + G_n v_n for its departures (variational/outer-loops.ts). The
 * analysis is the trajectory from x₀ + δx₀; the next background follows from its end.
 */
import type { RealField } from '../../compute/backend.ts';
import { dotProduct } from '../../operators/dot-product/index.ts';
import { createMinimiser } from '../../operators/conjugate-gradient/index.ts';
import { perturbation } from '../../operators/ensemble/index.ts';
import type { LinearWindow } from '../../models/index.ts';
import { randomStream } from '../../random/stream.ts';
import type { ControlTransform } from '../covariances/index.ts';
import type { AnalysisReport, MethodContext, QueuedAnalysis, Method } from '../method.ts';
import type { Departures } from '../shared/departures.ts';
import type { WetIncrement } from '../shared/wet-increment.ts';
import {
  createWholeErrors,
  queueLoops,
  queueMinimisation,
  CHECK_EVERY,
  explainVariational,
  type IncrementalAnalysis,
  type IncrementalParts,
  type VariationalParts,
} from '../variational/index.ts';
import { explainWith } from '../explanation.ts';
import { createObservedWindow, type ObservedWindow } from './observed-window.ts';

/** What it is made of, which stays its owner's. */
export interface WindowAnalysisParts {
  readonly method: IncrementalParts['method'];
  readonly transform: ControlTransform;
  readonly window: LinearWindow;
  readonly wet: WetIncrement;
  /** The background at the beginning of the window. */
  readonly beginning: RealField;
  /** Departures of the background, each at its time. */
  readonly departures: Departures;
}

export interface WindowAnalysis extends IncrementalAnalysis {
  readonly observedWindow: ObservedWindow;
  /** Linearises the window if the analysis has not, there being no observations. @returns whether it has */
  linearised(): Promise<boolean>;
}

export async function createWindowAnalysis(
  context: MethodContext,
  { method, transform, window, wet, beginning, departures }: WindowAnalysisParts,
): Promise<WindowAnalysis> {
  const { backend, observations, positions } = context;
  const { label, minimisation, errorCorrelation } = method;
  const { outerLoops, ...stopping } = minimisation;
  const { length } = beginning;
  const { capacity } = observations;
  const minimiser = await createMinimiser(backend, {
    length: transform.length,
    observations: capacity,
    ...stopping,
    checkEvery: CHECK_EVERY,
    shift: 1,
  });
  const observedWindow = await createObservedWindow(context, { label, transform, window, wet, beginning });
  const seen = createWholeErrors(label, context, { ...observedWindow, linearise: () => undefined }, errorCorrelation);
  const addingState = await backend.prepare(perturbation, { members: 1, length });
  const addingObserved = await backend.prepare(perturbation, { members: 1, length: capacity });
  const weighing = await backend.prepare(dotProduct, { length: capacity, factor: 0.5 });
  const allocate = (name: string, size: number) => backend.allocate(`${label}.${name}`, 'real', size);
  const fields = {
    increment: allocate('increment', length),
    observed: allocate('observed', capacity),
    gradient: allocate('gradient', transform.length),
    solution: allocate('control', transform.length),
  };
  const own = {
    iterate: allocate('iterate', length),
    end: allocate('end', length),
    /** R^−½ d of the last outer loop but for R’s correlations, and what the analysis leaves. */
    scaled: allocate('scaled', capacity),
    left: allocate('left', capacity),
    cost: allocate('cost', 1),
  };
  const { increment, observed, solution } = fields;
  const { iterate, end, scaled, left } = own;

  /** ½‖R^−½ (y − H(x))‖² of departures, if it is reported. */
  function stageCost(of: RealField): Promise<number> | undefined {
    if (outerLoops === 1) return undefined;
    const white = seen.whiten(of);
    weighing.run({ x: white, y: white, result: own.cost });
    const staged = backend.stage(own.cost).then(([cost]) => cost);
    // A rejection is reported by whatever waits for it.
    staged.catch(() => undefined);
    return staged;
  }

  async function queue(state: RealField): Promise<QueuedAnalysis> {
    const faults: ((where: string) => Promise<void>)[] = [];
    const warning = await seen.follow(departures.inverseErrorStd);
    observedWindow.follow(departures.inverseErrorStd);
    faults.push(await observedWindow.linearise(beginning, end, scaled));
    const { complete, report } = await queueLoops(backend, outerLoops, {
      minimise: () => queueMinimisation({ minimiser, seen, fields }, scaled),
      async follow(isLast) {
        transform.apply(solution, increment);
        wet.project(increment, beginning);
        backend.copy(beginning, iterate);
        addingState.run({ noise: increment, ensemble: iterate });
        window.repair(iterate);
        if (isLast) {
          faults.push(await observedWindow.run(iterate, state, left));
          return { observationCost: stageCost(left) };
        }
        faults.push(await observedWindow.linearise(iterate, end, scaled));
        const observationCost = stageCost(scaled);
        observedWindow.product(solution, observed);
        addingObserved.run({ noise: observed, ensemble: scaled });
        return { observationCost };
      },
    });
    return {
      ...(complete && { complete }),
      async report(): Promise<AnalysisReport> {
        for (const conclude of faults) await conclude(`${label}, the trajectory of its analysis`);
        return { minimisation: await report(), ...(warning !== undefined && { warning }) };
      },
    };
  }

  async function linearised(): Promise<boolean> {
    if (positions().x.length > 0) return false;
    observedWindow.follow(departures.inverseErrorStd);
    const conclude = await observedWindow.linearise(beginning, end, scaled);
    await backend.collect();
    await conclude(label);
    return true;
  }

  return {
    queue,
    linearised,
    wet,
    seen,
    minimiser,
    observedWindow,
    white: () => seen.departures(scaled),
    scaled,
    // G is about the trajectory of the last outer loop until the next analysis.
    linearise: () => undefined,
    fields,
    dispose() {
      const made = [minimiser, observedWindow, seen, addingState, addingObserved, weighing];
      for (const each of [...made, ...Object.values(fields), ...Object.values(own)]) each.dispose();
    },
  };
}

/** Random control vectors from which deviations inside the window and at its end are estimated: each to about 1/√(2n), 6 %. */
const DEVIATION_SAMPLES = 128;

/** √diag M′ B M′ᵀ at a time of the window, estimated. @returns [variable][y][x] */
async function sampledDeviations(
  { backend, seed }: MethodContext,
  transform: ControlTransform,
  length: number,
): Promise<Float64Array> {
  const stream = randomStream(seed, 'explanations.deviations', 0);
  const control = backend.allocate('deviations.control', 'real', transform.length);
  const increment = backend.allocate('deviations.increment', 'real', length);
  const squares = new Float64Array(length);
  for (let sample = 0; sample < DEVIATION_SAMPLES; sample++) {
    backend.write(
      control,
      Float64Array.from({ length: transform.length }, () => (stream.uniform() < 0.5 ? -1 : 1)),
    );
    transform.apply(control, increment);
    const made = await backend.read(increment);
    for (let i = 0; i < length; i++) squares[i] += made[i] ** 2;
  }
  control.dispose();
  increment.dispose();
  return squares.map((sum) => Math.sqrt(sum / DEVIATION_SAMPLES));
}

interface WindowExplanation {
  readonly explain: Method['explain'];
  readonly analysedVariance: NonNullable<Method['analysedVariance']>;
  /** To be called before an analysis: what was estimated about the trajectory before holds no more. */
  forget(): void;
}

/** What answers are made of, which stays its owner's; the covariance is that of the analysis. */
interface WindowParts extends Omit<VariationalParts, 'transform' | 'backgroundDeviations' | 'during'> {
  readonly analysis: WindowAnalysis;
}

export function explainWindow(context: MethodContext, parts: WindowParts): WindowExplanation {
  const { analysis } = parts;
  const { length } = analysis.fields.increment;
  /** By share of the window, about the trajectory that it is linearised about. */
  let deviations = new Map<number, Float64Array>();
  const during = (share: number) => {
    const then = analysis.observedWindow.transformTo(share);
    const backgroundDeviations = async (): Promise<Float64Array> => {
      const known = deviations;
      const found = known.get(share) ?? (await sampledDeviations(context, then, length));
      known.set(share, found);
      return found;
    };
    return { transform: then, backgroundDeviations };
  };
  const explanation = explainVariational(context, { ...parts, ...during(1), during });
  const explain = explainWith(explanation.answers);
  const forget = (): void => {
    deviations = new Map();
  };
  return {
    async explain(question, forecast) {
      if (await analysis.linearised()) forget();
      return explain(question, forecast);
    },
    analysedVariance: (row, forecast) => explanation.analysedVariance(row, forecast),
    forget,
  };
}
