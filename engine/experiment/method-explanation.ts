/**
 * Why the latest analysis of a method is what it is: the forecast that it began with, kept while somebody wants to ask, the
 * questions that the method answers out of it, and those that an analysis of one observation alone answers.
 */
import type { Backend, RealField } from '../compute/backend.ts';
import { CaseError, NotKeptError, QuestionError } from '../errors.ts';
import { methodDefinition } from '../methods/index.ts';
import type {
  AskedObservation,
  CovarianceTimes,
  ExplainedObservation,
  Explanation,
  ExplanationKind,
  Method,
  MethodQuestion,
  ObservationExplanation,
  ObservedDistribution,
  ObservedPositions,
  ObservedPosterior,
  SingleObservationIncrement,
} from '../methods/index.ts';
import type { Model } from '../models/index.ts';
import { unitOf } from '../scenario/index.ts';
import type { LoneAnalyser, LoneAnalysis, LoneNetwork, TakenObservations } from './taken-observations.ts';
import type { CycleObservations } from './truth-observer.ts';

/** What an analysis made of its forecast and its observations, on the host. */
export interface AnalysedCycle {
  readonly members: number;
  /** [members][variable][y][x] */
  readonly forecast: Float64Array;
  readonly analysis: Float64Array;
  /** What was observed, as the method takes it. */
  readonly positions: ObservedPositions;
  /** y − mean H(x) of the forecast, and 1/σₒ: 0 of what was not used. [p] */
  readonly innovation: Float64Array;
  readonly inverseErrorStd: Float64Array;
  /** H of the members of the analysis, [members][p]. */
  readonly observed: Float64Array;
}

/** @throws QuestionError for times outside the window, and inside it where the method does not linearise the model */
function assertTimes(times: CovarianceTimes | undefined, { kind }: Pick<Method, 'kind'>): void {
  for (const share of times ? [times.field, times.cell] : []) {
    if (!(share >= 0 && share <= 1))
      throw new QuestionError(`found the time ${share}, allowed: 0 to 1, shares of a window`);
    const { title, linearises } = methodDefinition(kind);
    if (share < 1 && !linearises) {
      throw new QuestionError(
        `${title} has one covariance, at the end of the window; 4D-Var has one at every time of it`,
      );
    }
  }
}

export interface MethodExplanation {
  /** Queues a copy of the forecast of a cycle, which the state of the method is now. */
  keep(cycle: number): void;
  /** Frees what was kept, and what was made to answer with it. */
  forget(): void;
  /** The settings of the method have changed: what was made by the former ones is freed. */
  reset(): void;
  /**
   * @param cycle whose analysis the method's state is
   * @returns undefined where the method has no answer
   * @throws QuestionError for a variable, a cell or an observation that there is not; NotKeptError where the forecast was not kept
   */
  answer<Kind extends ExplanationKind>(
    question: MethodQuestion<Kind>,
    cycle: number,
    observations: CycleObservations | undefined,
  ): Promise<Explanation<Kind> | undefined>;
  /**
   * @param cycle whose analysis the method's state is. @param count of its observations
   * @throws QuestionError if no cycle has been run, NotKeptError if its forecast was not kept
   */
  analysed(cycle: number, count: number): Promise<AnalysedCycle>;
  dispose(): void;
}

export interface MethodExplanationParts {
  readonly backend: Backend;
  readonly model: Model;
  readonly method: Method;
  /** What is observed, as the method takes it. */
  readonly taken: Pick<TakenObservations, 'of' | 'observations' | 'positions'>;
  /** Shared by the methods. */
  readonly network: () => Promise<LoneNetwork>;
  /** A method of the settings of now in that network. */
  readonly createLone: (network: LoneNetwork) => Promise<LoneAnalyser>;
}

/** An observation that was asked about, and how far its innovation may be. */
interface Resolved {
  readonly observation: ExplainedObservation;
  readonly threshold: number;
}

/** @throws QuestionError if there is no such observation, or a number is out of range */
function resolve(asked: AskedObservation, cycle: number, observations: CycleObservations | undefined): Resolved {
  if (!('index' in asked)) return { observation: { ...checked(asked), index: undefined }, threshold: 0 };
  const count = observations?.count ?? 0;
  const { index } = asked;
  if (!observations || !(Number.isInteger(index) && index >= 0 && index < count)) {
    const has = count === 0 ? 'has none' : `has 0 … ${count - 1}`;
    throw new QuestionError(`found the observation ${index}, cycle ${cycle} ${has}`);
  }
  const inverse = observations.inverseErrorStd[index];
  const { value = observations.values[index], errorStd = 1 / inverse } = asked;
  if (inverse === 0 && (asked.value === undefined || asked.errorStd === undefined)) {
    throw new QuestionError(`the observation ${index} is missing in cycle ${cycle}; give a value and an error for it`);
  }
  const { x, y, variable, threshold } = observations;
  const observation = { index, variable: variable[index], x: x[index], y: y[index], value, errorStd };
  return { observation: checked(observation), threshold: threshold[index] };
}

/** @throws QuestionError */
function checked<Observation extends Omit<ExplainedObservation, 'index'>>(observation: Observation): Observation {
  const { value, errorStd } = observation;
  if (!Number.isFinite(value)) throw new QuestionError(`found the value ${value}, allowed: finite numbers`);
  if (!(errorStd > 0 && Number.isFinite(errorStd))) {
    throw new QuestionError(`found the error ${errorStd}, allowed: numbers above 0`);
  }
  return observation;
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function sampleDeviation(values: Float64Array): number {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/** An empty array for a method with one state: a new one, since answers are transferred. */
function nothing(): Float64Array {
  return new Float64Array(0);
}

/** @throws QuestionError if nothing can be observed there, or no such variable */
function place(network: LoneNetwork, observation: ExplainedObservation, threshold: number): void {
  try {
    network.set(observation, threshold);
  } catch (error) {
    throw error instanceof CaseError ? new QuestionError(error.message) : error;
  }
}

/** The forecast at an observation, its members inflated as the method uses them. */
function priorOf({ before, variance }: LoneAnalysis, statesErrors: boolean): ObservedDistribution {
  const mean = meanOf(before);
  const deviation = statesErrors ? Math.sqrt(variance) : undefined;
  if (before.length === 1) return { mean, deviation, members: nothing() };
  const raw = sampleDeviation(before);
  const factor = raw > 0 ? Math.sqrt(variance) / raw : 1;
  return { mean, deviation, members: before.map((value) => mean + factor * (value - mean)) };
}

/** @param deviation if the method has no members to estimate it */
function posteriorOf(
  seen: Float64Array,
  prior: ObservedDistribution,
  innovation: number,
  deviation: number | undefined,
): ObservedPosterior {
  const mean = meanOf(seen);
  const gain = innovation === 0 ? undefined : (mean - prior.mean) / innovation;
  if (seen.length === 1) return { mean, deviation, members: nothing(), gain };
  return { mean, deviation: sampleDeviation(seen), members: seen, gain };
}

export function createMethodExplanation(parts: MethodExplanationParts): MethodExplanation {
  const { backend, model, method, taken, network: sharedNetwork, createLone } = parts;
  const { assimilates } = methodDefinition(method.kind);
  let forecast: RealField | undefined;
  let keptCycle: number | undefined;
  let analyser: LoneAnalyser | undefined;

  async function analyseAlone(
    { observation, threshold }: Resolved,
    kept: RealField,
    cycle: number,
    wantsIncrement: boolean,
  ): Promise<{ readonly lone: LoneAnalysis; readonly network: LoneNetwork }> {
    const network = await sharedNetwork();
    place(network, observation, threshold);
    analyser ??= await createLone(network);
    return { lone: await analyser.analyse(kept, cycle, wantsIncrement, method), network };
  }

  /**
   * Moves an observation that was made before the analysis to the analysis time. It keeps the departure from the forecast that it
   * had at its own time.
   */
  async function movedOn(
    resolved: Resolved,
    kept: RealField,
    observations: CycleObservations | undefined,
  ): Promise<Resolved> {
    const { observation, threshold } = resolved;
    const { index } = observation;
    if (index === undefined || !observations || observations.moment[index] === 0) return resolved;
    const network = await sharedNetwork();
    place(network, observation, threshold);
    const { observedEnsemble, innovation } = method.departures;
    const seen = await backend.read(observedEnsemble);
    const then = Float64Array.from({ length: method.members }, (_, l) => seen[l * innovation.length + index]);
    const shift = meanOf(await network.observe(kept, method.members)) - meanOf(then);
    return { observation: { ...observation, value: observation.value + shift }, threshold };
  }

  async function singleObservation(
    resolved: Resolved,
    kept: RealField,
    cycle: number,
  ): Promise<SingleObservationIncrement> {
    const { lone } = await analyseAlone(resolved, kept, cycle, true);
    const { isUsed, increment = nothing() } = lone;
    return { observation: resolved.observation, isUsed, increment, variables: model.variables };
  }

  async function oneNumber(
    resolved: Resolved,
    kept: RealField,
    cycle: number,
    observations: CycleObservations | undefined,
  ): Promise<ObservationExplanation> {
    const { observation } = resolved;
    const { lone, network } = await analyseAlone(resolved, kept, cycle, false);
    const { analysedVariance } = method;
    const statesErrors = method.members > 1 || analysedVariance !== undefined;
    const prior = priorOf(lone, statesErrors);
    const innovation = observation.value - prior.mean;
    const total = Math.sqrt(lone.variance + observation.errorStd ** 2);
    // The textbook's, for one number and its own errors.
    const aloneVariance = lone.isUsed
      ? (lone.variance * lone.errorStd ** 2) / (lone.variance + lone.errorStd ** 2)
      : lone.variance;
    const hasObservations = (observations?.count ?? 0) > 0;
    const seen = await network.observe(method.state, method.members);
    const togetherVariance =
      analysedVariance && (hasObservations ? await analysedVariance(network.row(kept), kept) : lone.variance);
    return {
      observation,
      unit: unitOf(observation.variable),
      isUsed: lone.isUsed,
      prior,
      innovation,
      normalisedInnovation: statesErrors ? innovation / total : undefined,
      alone: posteriorOf(lone.after, prior, innovation, analysedVariance && Math.sqrt(aloneVariance)),
      together: posteriorOf(
        seen,
        prior,
        innovation,
        togetherVariance === undefined ? undefined : Math.sqrt(Math.max(0, togetherVariance)),
      ),
    };
  }

  function forecastOf(cycle: number): RealField {
    if (forecast && keptCycle === cycle) return forecast;
    if (cycle < 0) throw new QuestionError('no cycle has been run: there is no analysis to ask about');
    throw new NotKeptError(
      `the forecast of cycle ${cycle} is not kept; ask for forecasts before the cycle is run, or run it again from before it`,
    );
  }

  return {
    keep(cycle) {
      if (!assimilates) return;
      forecast ??= backend.allocate(`${method.label}.forecast`, 'real', method.state.length);
      backend.copy(method.state, forecast);
      keptCycle = cycle;
    },
    forget() {
      forecast?.dispose();
      forecast = undefined;
      keptCycle = undefined;
      this.reset();
    },
    reset() {
      analyser?.dispose();
      analyser = undefined;
    },
    async answer<Kind extends ExplanationKind>(
      question: MethodQuestion<Kind>,
      cycle: number,
      observed: CycleObservations | undefined,
    ) {
      // The free run is not changed by anything observed.
      if (!assimilates) return undefined;
      const kept = forecastOf(cycle);
      const observations = observed && taken.of(observed);
      const asked = question as MethodQuestion;
      switch (asked.kind) {
        case 'single-observation':
          return singleObservation(
            await movedOn(resolve(asked.observation, cycle, observations), kept, observations),
            kept,
            cycle,
          );
        case 'observation':
          return oneNumber(
            await movedOn(resolve(asked.observation, cycle, observations), kept, observations),
            kept,
            cycle,
            observations,
          );
        case 'covariance-column':
          assertTimes(asked.times, method);
          return method.explain(asked, kept);
        case 'weights':
        case 'influence':
        case 'degrees-of-freedom':
        case 'minimisation':
          return method.explain(asked, kept);
        default:
          return asked satisfies never;
      }
    },
    async analysed(cycle, count) {
      const kept = forecastOf(cycle);
      const { members, state, departures } = method;
      const { capacity } = taken.observations;
      const field = backend.allocate(`${method.label}.observedAnalysis`, 'real', members * capacity);
      try {
        taken.observations.observe(state, members, field);
        const seen = await backend.read(field);
        return {
          members,
          forecast: await backend.read(kept),
          analysis: await backend.read(state),
          positions: taken.positions(),
          innovation: await backend.read(departures.innovation, 0, count),
          inverseErrorStd: await backend.read(departures.inverseErrorStd, 0, count),
          observed: Float64Array.from(
            { length: members * count },
            (_, at) => seen[Math.floor(at / count) * capacity + (at % count)],
          ),
        };
      } finally {
        field.dispose();
      }
    },
    dispose() {
      this.forget();
    },
  };
}
