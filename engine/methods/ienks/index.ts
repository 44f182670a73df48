/**
 * The iterative ensemble Kalman smoother in its transform form [bocquet2014]: the members at the beginning of a window of `lag`
 * cycles are analysed by what is observed at its end. They are moved through the window, observed, and moved again from where an
 * iteration of Gauss and Newton has put them, until that stays. Then the window moves on by one cycle. Nothing is localised.
 */
import { count, optionalSection, quantity, type Problem, type Situation } from '../../settings/index.ts';
import type { RealField } from '../../compute/backend.ts';
import type { ForecastFrames } from '../../models/index.ts';
import { anomalies, ensembleTransform, meanPreservingRotation, recentring } from '../../operators/ensemble/index.ts';
import { createObservedInTime } from '../../operators/observation/index.ts';
import { randomStream } from '../../random/stream.ts';
import { defineMethod, methodSchema, around, type SettingsOf } from '../definition.ts';
import { explainWith, type DegreesOfFreedom } from '../explanation.ts';
import type { Method, MethodContext } from '../method.ts';
import { assumedField } from '../shared/error-correlation-setting.ts';
import { createEnsembleState, createPastStates } from '../shared/ensemble-state.ts';
import { createTaperedColumn, lazily } from '../shared/explaining.ts';
import { NO_LOCALISATION } from '../shared/localisation.ts';
import { rotationField } from '../shared/relaxation.ts';
import { createGaussNewton, unchangedWeights, type MemberWeights } from './gauss-newton.ts';

/** The settings of the IEnKS. */
const ienksSchema = methodSchema(
  'ienks',
  {
    title: 'IEnKS',
    description:
      'Iterative ensemble Kalman smoother: the members at the beginning of a window are analysed and moved through it again, until they stay. It has no localisation.',
    gist: 'Iterative ensemble Kalman smoother: a window is analysed by its members alone, again and again.',
  },
  {
    lag: count({
      title: 'Lag',
      unit: 'cycles',
      description: 'Cycles from the beginning of the window to its end; each is one more ensemble that is kept.',
      minimum: 1,
      maximum: 16,
      default: 1,
    }),
    inflation: quantity({
      title: 'Inflation',
      description: 'Multiplies the covariance at the beginning of the window, not the anomalies; 1 for none.',
      minimum: 1,
      maximum: 100,
      default: 1,
    }),
    rotation: rotationField,
    minimisation: optionalSection(
      { title: 'Minimisation', description: 'When the iterations of Gauss and Newton end.' },
      {
        maxIterations: count({
          title: 'Iterations',
          description: 'At most; each after the first moves all members through the window once more.',
          minimum: 1,
          maximum: 50,
          default: 10,
        }),
        tolerance: quantity({
          title: 'Tolerance',
          description: 'Ends when the weights of the members change by less, root mean square.',
          above: 0,
          maximum: 1,
          default: 0.003,
        }),
      },
    ),
    assumed: assumedField,
  },
);

type IenksSettings = SettingsOf<typeof ienksSchema>;

/** Root mean square of a difference. */
function distance(a: Float64Array, b: Float64Array): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0) / a.length);
}

/** @returns w 1ᵀ + T U, [k][k]. @param rotation U, that of no rotation if undefined */
function transformOf({ mean, root }: MemberWeights, rotation: Float64Array | undefined): Float64Array {
  const k = mean.length;
  return root.map((own, at) => {
    const [row, column] = [Math.floor(at / k), at % k];
    if (!rotation) return mean[row] + own;
    let sum = mean[row];
    for (let l = 0; l < k; l++) sum += root[row * k + l] * rotation[l * k + column];
    return sum;
  });
}

/** @throws LimitError when a field does not fit the backend */
async function createIenks(method: IenksSettings, context: MethodContext): Promise<Method> {
  const { backend, observations, positions, members, seed, window } = context;
  const { label, lag, inflation, minimisation } = method;
  const { capacity } = observations;
  const ensemble = await createEnsembleState(label, context, members, { inflation });
  const { state, departures, length } = ensemble;
  const past = createPastStates(backend, label, state, lag);
  const iterate = createGaussNewton(members, inflation);
  const inTime = await createObservedInTime(backend, observations, members);
  const size = { members, length };
  const splitting = await backend.prepare(anomalies, size);
  const turning = await backend.prepare(ensembleTransform, size);
  const joining = await backend.prepare(recentring, size);
  const allocate = (name: string, elements: number) => backend.allocate(`${label}.${name}`, 'real', elements);
  const fields = {
    mean: allocate('mean', length),
    /** X */
    anomalies: allocate('anomalies', members * length),
    /** Anomalies of an iteration; work space between two analyses. */
    turned: allocate('turned', members * length),
    transform: allocate('transform', members ** 2),
    observed: allocate('observed', members * capacity),
    misfit: allocate('misfit', 1),
  };
  const status = backend.allocate(`${label}.status`, 'index', 1);
  backend.write(status, [0]);
  const column = lazily(() =>
    createTaperedColumn(label, context, { halfWidth: NO_LOCALISATION, inflation }, fields.turned),
  );
  const nothing: DegreesOfFreedom = { value: 0, standardError: 0, observations: 0 };
  let degreesOfFreedom = nothing;
  let hasWarned = false;

  const shares = [...new Set(window.shares)];
  /** What is observed inside the last cycle of the window. */
  const frames: ForecastFrames = {
    count: shares.length,
    shares,
    exact: true,
    take(at) {
      window.shares.forEach((share, index) => {
        if (share === shares[at]) inTime.see(state, index + 1);
      });
    },
  };

  /** Queues the members at the beginning of the window. */
  function begin(weights: MemberWeights, rotation?: Float64Array): void {
    const { mean, turned, transform } = fields;
    backend.write(transform, transformOf(weights, rotation));
    turning.run({ ensemble: fields.anomalies, transform, transformed: turned });
    joining.run({ mean, anomalies: turned, ensemble: state });
  }

  /**
   * Queues the members' way from the beginning of the window to its end.
   *
   * @param isObserved whether they are on their way; the others are kept
   * @returns faults that are known when a `collect` has followed
   */
  async function follow(cycle: number, isObserved: boolean) {
    const faults: ((context: string) => Promise<void>)[] = [];
    for (let back = past.kept.length - 1; back >= 0; back--) {
      if (!isObserved) backend.copy(state, past.kept[back]);
      const isSeen = isObserved && back === 0 && shares.length > 0;
      faults.push(await window.repeat(state, cycle - back, isSeen ? frames : undefined));
    }
    return faults;
  }

  function rotationOf(cycle: number): Float64Array | undefined {
    if (!method.rotation) return undefined;
    const stream = randomStream(seed, `methods.${context.streamName ?? label}.rotation`, cycle);
    return meanPreservingRotation(
      members,
      Float64Array.from({ length: (members - 1) ** 2 }, () => stream.normal()),
    );
  }

  /** @returns G, undefined if a trajectory has left the numbers */
  async function seenBy(field: RealField): Promise<Float64Array | undefined> {
    const seen = Float64Array.from(await backend.read(field));
    return seen.every(Number.isFinite) ? seen : undefined;
  }

  async function analyse(cycle: number) {
    const { maxIterations, tolerance } = minimisation;
    splitting.run({ ensemble: past.kept.at(-1) ?? state, mean: fields.mean, anomalies: fields.anomalies });
    const values = Float64Array.from(await backend.read(observations.values));
    const inverseErrorStd = Float64Array.from(await backend.read(departures.inverseErrorStd));
    const faults: ((context: string) => Promise<void>)[] = [];
    let weights = unchangedWeights(members);
    let change = Infinity;
    let seen = await seenBy(departures.observedEnsemble);
    for (let iteration = 1; seen && change > tolerance && iteration <= maxIterations; iteration++) {
      if (iteration > 1) {
        begin(weights);
        faults.push(...(await follow(cycle, true)));
        inTime.observe(state, fields.observed);
        seen = await seenBy(fields.observed);
        if (!seen) break;
      }
      const step = iterate(weights, { seen, values, inverseErrorStd });
      if (iteration === 1) backend.write(fields.misfit, [step.misfit]);
      change = distance(step.weights.mean, weights.mean);
      weights = step.weights;
      const used = inverseErrorStd.filter((inverse) => inverse > 0).length;
      degreesOfFreedom = { value: step.degreesOfFreedom, standardError: 0, observations: used };
    }
    if (seen) {
      begin(weights, rotationOf(cycle));
      faults.push(...(await follow(cycle, false)));
    }
    return { faults, isAtRest: maxIterations === 1 || change <= tolerance };
  }

  return {
    label,
    kind: method.kind,
    members,
    state,
    departures,
    misfit: { value: fields.misfit, status },
    initialise: ensemble.initialise,
    explain: explainWith({
      'covariance-column': async (question, forecast) => (await column.get()).answer(question, forecast),
      'degrees-of-freedom': () => Promise.resolve(positions().x.length > 0 ? degreesOfFreedom : nothing),
    }),
    past,
    async analyse(cycle) {
      const { faults, isAtRest } = await analyse(cycle);
      return {
        async report() {
          for (const conclude of faults) await conclude(`${label}, the trajectories of its analysis`);
          if (isAtRest || hasWarned) return {};
          hasWarned = true;
          const { maxIterations, tolerance } = minimisation;
          const warning = `after ${maxIterations} iterations the weights of the members still change by more than ${tolerance}; raise minimisation.maxIterations, or observe more often`;
          return { warning };
        },
      };
    },
    dispose() {
      for (const owned of [ensemble, past, inTime, splitting, turning, joining, status, column]) owned.dispose();
      for (const field of Object.values(fields)) field.dispose();
    },
  };
}

/** Operations of a step of a cell, about. */
const STEP_OPERATIONS = 200;
/** Iterations of an analysis where the window is not linear, about. */
const USUAL_ITERATIONS = 3;
/** Inflation that is proposed, and the least above 1 that is worth a run. */
const PROPOSED_INFLATION = 1.08;
const LEAST_INFLATION = 1.0025;

/** A basin has more waves than there are members; on a ring some twenty are enough. */
function warnings(
  { inflation }: IenksSettings,
  { model, background: { members }, observations }: Situation,
): Problem[] {
  const found: Problem[] = [];
  if (model.boundary && observations >= members) {
    const message = `has no localisation: ${members} members fit ${members - 1} directions to up to ${observations} observations`;
    found.push({ path: [], message });
  }
  if (inflation === 1) found.push({ path: ['inflation'], message: '1: the spread will fall below the error' });
  return found;
}

export const ienks = defineMethod(ienksSchema, {
  appearance: {
    shades: [
      ['#8fb8ff', '#2b5bb5'],
      ['#c0d6ff', '#1d3f80'],
    ],
    dash: '5 2 5 2 14 2',
    marker: 'octagon',
  },
  carries: 'ensemble',
  assimilates: true,
  trustsSpread: true,
  smooths: true,
  takesErrors: () => 'independent',
  warnings,
  memory({ lag }, { members, state, observations }, { moments }) {
    // The members of each cycle and the truth of then; mean, anomalies and work space; what members observe, inside the window too.
    const kept = lag * (members + 1) * state;
    const seen = (moments > 0 ? 3 : 1) * members * observations;
    return { elements: kept + (2 * members + 1) * state + seen + members ** 2 };
  },
  effort({ lag, minimisation }, { grid, variables, steps, background, observations }) {
    const { members } = background;
    const cells = grid.nx * grid.ny;
    const iterations = Math.min(USUAL_ITERATIONS, minimisation.maxIterations);
    const moving = lag * steps * STEP_OPERATIONS * members * cells + 2 * members ** 2 * variables.length * cells;
    return { each: iterations * (moving + 4 * members ** 2 * observations), once: 0 };
  },
  spreadSource: ({ inflation }) =>
    inflation > 1 ? { what: `inflation ${inflation}`, remedy: 'Lower it.' } : undefined,
  proposal: () => ({ inflation: PROPOSED_INFLATION }),
  tuning: ({ inflation }) => ({
    settings: [
      around({ path: 'inflation', present: inflation, factor: 4, origin: 1, least: LEAST_INFLATION, most: 100 }),
    ],
    larger: 'more inflation',
    smaller: 'less inflation',
  }),
  create: createIenks,
});
