/** Looks at the hidden truth through the observing networks, and sets each cycle's observations on the backend. */
import type { Backend, Field, RealField } from '../compute/backend.ts';
import type { ForecastFrames, Model } from '../models/index.ts';
import { createObservationOperator, measurement, observedVariable } from '../operators/observation/index.ts';
import type { ObservationOperator, ObservedModel } from '../operators/observation/index.ts';
import { segmentTable, standardNormal } from '../operators/standard-normal/index.ts';
import { SUB_STEPS } from '../networks/index.ts';
import type { VelocityReader } from '../networks/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import { createObservingSystem } from './networks.ts';
import type { ObservationPlan } from './networks.ts';

/** What a cycle observed, on the host: places in grid units, values as assimilated, 0 in `inverseErrorStd` where missing. */
export interface CycleObservations extends ObservationPlan {
  readonly values: Float64Array;
}

/** Observations that are made on the backend. */
interface QueuedObservations {
  readonly plan: ObservationPlan;
  /** Known when a `collect` has followed. */
  readonly values: Promise<Float64Array>;
}

export interface TruthObserver {
  /** H, with this cycle's observations set: methods share it. */
  readonly operator: ObservationOperator;
  /** Standard deviations beyond which an innovation is rejected, by observation; 0 keeps all. [capacity] */
  readonly threshold: RealField;
  /** Where the observations are that are set; undefined before the first. */
  readonly latest: ObservationPlan | undefined;
  /**
   * Before the truth's forecast of a window: what looks at the truth on its way, so that drifters move with it; undefined where
   * nothing drifts. Its frames are its own: others may look as well.
   */
  follow(): Promise<ForecastFrames | undefined>;
  /** Brings what drifts to the end of the window, and queues what is observed of the truth there. */
  observe(cycle: number): Promise<QueuedObservations>;
  /** Goes on with other errors and times of the same networks. */
  configure(networks: Scenario['observations']): void;
  /** Places of what drifts, for a checkpoint, and their return. */
  drifters(): Float64Array;
  restoreDrifters(positions: Float64Array): void;
  dispose(): void;
}

/** @param members the member counts that will be observed beside the truth's one */
export async function createTruthObserver(
  backend: Backend,
  scenario: Scenario,
  files: ScenarioFiles,
  model: Model,
  truth: RealField,
  members: readonly number[],
): Promise<TruthObserver> {
  const { grid, surface, bed } = model;
  const observed = { grid, surface, bed, variables: model.variables.map(({ name }) => name) };
  const system = createObservingSystem(scenario, grid, files);
  const capacity = Math.max(1, system.capacity);
  const operator = await createObservationOperator(backend, observed, { capacity, members: [1, ...members] });
  const measuring = await backend.prepare(measurement, { observations: capacity });
  const networks = Math.max(1, scenario.observations.length);
  const drawing = await backend.prepare(standardNormal, { length: capacity, segments: networks });
  const streams = backend.allocate('observations.streams', 'index', segmentTable([], networks).length);
  const normal = backend.allocate('observations.normal', 'real', capacity);
  const threshold = backend.allocate('observations.threshold', 'real', capacity);
  const observedTruth = backend.allocate('observations.truth', 'real', capacity);
  const term = backend.allocate('observations.term', 'real', capacity);
  const isGiven = backend.allocate('observations.isGiven', 'index', capacity);
  const { drifters } = system;
  const velocities = drifters ? await createVelocityReader(backend, observed, truth, capacity) : undefined;
  let latest: ObservationPlan | undefined;
  let codes: { readonly variable: ObservationPlan['variable']; readonly values: Uint32Array } | undefined;
  /** What was written last to a field that seldom changes. */
  const sent = new Map<Field, Float64Array>();

  const send = (field: Field, values: Float64Array): void => {
    const before = sent.get(field);
    if (before && values.every((value, j) => value === before[j])) return;
    backend.write(field, values);
    sent.set(field, values);
  };

  /** Queues the values: H(truth) with errors drawn for it, or what a file gives; 0 in the padding. */
  function measure({ count, errorStd, errors, given }: ObservationPlan): void {
    const known = new Float64Array(capacity).fill(1);
    const terms = new Float64Array(capacity);
    for (let j = 0; j < count; j++) {
      const isKnown = !Number.isNaN(given[j]);
      known[j] = Number(isKnown);
      terms[j] = isKnown ? given[j] : errorStd[j];
    }
    send(isGiven, known);
    send(term, terms);
    backend.write(streams, segmentTable(errors, networks));
    drawing.run({ streams, output: normal });
    operator.observe(truth, 1, observedTruth);
    measuring.run({ observed: observedTruth, normal, term, isGiven, values: operator.values });
  }

  /** Codes of the plan's variables, which are the same array as long as nothing moves. */
  function codesOf({ variable }: ObservationPlan): ArrayLike<number> {
    if (codes?.variable !== variable) {
      codes = { variable, values: Uint32Array.from(variable, (name) => observedVariable(name).code) };
    }
    return codes.values;
  }

  return {
    operator,
    threshold,
    get latest() {
      return latest;
    },
    async follow() {
      if (!drifters || !velocities) return undefined;
      await drifters.leave(velocities.read);
      return {
        count: SUB_STEPS - 1,
        exact: true,
        take: (_index, share) => drifters.carry(share, velocities.read),
      };
    },
    async observe(cycle) {
      if (drifters && velocities) await drifters.carry(1, velocities.read);
      const plan = system.plan(cycle);
      const { count, x, y, inverseErrorStd } = plan;
      operator.place({ x, y, variable: codesOf(plan), inverseErrorStd });
      measure(plan);
      send(threshold, padded(plan.threshold, capacity));
      latest = plan;
      return { plan, values: backend.stage(operator.values, 0, count) };
    },
    configure: (networks) => system.configure(networks),
    drifters: () => drifters?.state() ?? new Float64Array(0),
    restoreDrifters: (positions) => drifters?.restore(positions),
    dispose() {
      for (const owned of [operator, measuring, drawing, streams, normal, threshold, observedTruth, term, isGiven])
        owned.dispose();
      velocities?.dispose();
    },
  };
}

function padded(values: Float64Array, length: number): Float64Array {
  const all = new Float64Array(length);
  all.set(values);
  return all;
}

/** Reads u and v of the truth at places, for what drifts with it. */
async function createVelocityReader(backend: Backend, observed: ObservedModel, truth: RealField, count: number) {
  const capacity = 2 * count;
  const operator = await createObservationOperator(backend, observed, { capacity, members: [1] });
  const result = backend.allocate('drifters.velocity', 'real', capacity);
  const [u, v] = ['u', 'v'].map((name) => observedVariable(name).code);
  return {
    read: (async ({ x, y }) => {
      const buoys = x.length;
      operator.set({
        x: Float64Array.from([...x, ...x]),
        y: Float64Array.from([...y, ...y]),
        variable: Array.from({ length: 2 * buoys }, (_, i) => (i < buoys ? u : v)),
        values: new Float64Array(2 * buoys),
        inverseErrorStd: new Float64Array(2 * buoys),
      });
      operator.observe(truth, 1, result);
      const velocities = await backend.read(result, 0, 2 * buoys);
      return { u: velocities.slice(0, buoys), v: velocities.slice(buoys) };
    }) satisfies VelocityReader,
    dispose() {
      operator.dispose();
      result.dispose();
    },
  };
}
