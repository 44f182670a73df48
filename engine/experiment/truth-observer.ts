/** Looks at the hidden truth through the observing networks, and sets each cycle's observations on the backend. */
import type { Backend, RealField } from '../compute/backend.ts';
import type { ForecastFrames, Model } from '../models/index.ts';
import {
  createObservationOperator,
  observedVariable,
  createObservedInTime,
  measurement,
} from '../operators/observation/index.ts';
import type { ObservationOperator, ObservedModel } from '../operators/observation/index.ts';
import { SUB_STEPS, type VelocityReader } from '../networks/index.ts';
import { scenarioAt, type Scenario } from '../scenario/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import { createObservingSystem } from './networks.ts';
import type { Moment, ObservationPlan, ObservationRoom } from './observation-plan.ts';
import { perturbation } from '../operators/ensemble/index.ts';
import { segmentTable, standardNormal } from '../operators/standard-normal/index.ts';

/** Where the observations of an analysis are made and kept on the backend, with room for so many of them. */
interface ObservationFields {
  readonly room: ObservationRoom;
  /** H, with this cycle's observations set. */
  readonly operator: ObservationOperator;
  /** Standard deviations beyond which an innovation is rejected, by observation; 0 keeps all. */
  readonly threshold: RealField;
  /** Queues what is observed of the truth at a moment inside the window. */
  see(truth: RealField, moment: number): void;
  /** Queues the values: H(truth) with errors drawn for it, or what a file gives; 0 in the padding. */
  measure(plan: ObservationPlan, truth: RealField): void;
  dispose(): void;
}

function padded(values: Float64Array, length: number): Float64Array {
  const all = new Float64Array(length);
  all.set(values);
  return all;
}

/** @param members the member counts that will be observed beside the truth's one */
async function createObservationFields(
  backend: Backend,
  observed: ObservedModel,
  members: readonly number[],
  room: ObservationRoom,
): Promise<ObservationFields> {
  const capacity = Math.max(1, room.observations);
  const segments = Math.max(1, room.segments);
  const operator = await createObservationOperator(backend, observed, {
    capacity,
    members: [1, ...members],
    moments: room.moments.length,
  });
  const inTime = await createObservedInTime(backend, operator, 1);
  const measuring = await backend.prepare(measurement, { observations: capacity });
  const drawing = await backend.prepare(standardNormal, { length: capacity, segments });
  const streams = backend.allocate('observations.streams', 'index', segmentTable([], segments).length);
  const normal = backend.allocate('observations.normal', 'real', capacity);
  const threshold = backend.allocate('observations.threshold', 'real', capacity);
  const observedTruth = backend.allocate('observations.truth', 'real', capacity);
  const term = backend.allocate('observations.term', 'real', capacity);
  const isGiven = backend.allocate('observations.isGiven', 'index', capacity);
  const together = room.isCorrelated
    ? {
        errors: backend.allocate('observations.correlated', 'real', capacity),
        adding: await backend.prepare(perturbation, { members: 1, length: capacity }),
      }
    : undefined;
  /** The plan whose numbers were written last. */
  let written: ObservationPlan | undefined;

  /** Writes what a value is made of: the truth and an error of so many times a standard normal number, or what a file gives. */
  function writeTerms({ count, errorStd, given }: ObservationPlan): void {
    const known = new Float64Array(capacity).fill(1);
    const terms = new Float64Array(capacity);
    for (let j = 0; j < count; j++) {
      const isKnown = !Number.isNaN(given[j]);
      known[j] = Number(isKnown);
      terms[j] = isKnown ? given[j] : errorStd[j];
    }
    backend.write(isGiven, known);
    backend.write(term, terms);
  }

  return {
    room,
    operator,
    threshold,
    see: (truth, moment) => inTime.see(truth, moment),
    measure(plan, truth) {
      const { errorStd, errors, given } = plan;
      if (written?.errorStd !== errorStd || written.given !== given) writeTerms(plan);
      if (written?.threshold !== plan.threshold) backend.write(threshold, padded(plan.threshold, capacity));
      written = plan;
      backend.write(streams, segmentTable(errors, segments));
      drawing.run({ streams, output: normal });
      inTime.observe(truth, observedTruth);
      measuring.run({ observed: observedTruth, normal, term, isGiven, values: operator.values });
      if (together) {
        // A value that a file gives has its error already.
        const errors = plan.correlatedError.map((error, j) => (Number.isNaN(given[j]) ? error : 0));
        backend.write(together.errors, padded(errors, capacity));
        together.adding.run({ noise: together.errors, ensemble: operator.values });
      }
    },
    dispose() {
      for (const owned of [
        inTime,
        operator,
        measuring,
        drawing,
        streams,
        normal,
        threshold,
        observedTruth,
        term,
        isGiven,
      ])
        owned.dispose();
      together?.errors.dispose();
      together?.adding.dispose();
    },
  };
}

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
  /** H, with this cycle's observations set: methods share it, until room is made. */
  readonly operator: ObservationOperator;
  /** Standard deviations beyond which an innovation is rejected, by observation; 0 keeps all. [capacity] */
  readonly threshold: RealField;
  /** Where the observations are that are set; undefined before the first. */
  readonly latest: ObservationPlan | undefined;
  /**
   * Before the truth's forecast of a window: what looks at the truth on its way, so that drifters move with it, and what is observed
   * inside the window is. Its frames are its own: others may look as well.
   */
  follow(cycle: number): Promise<readonly ForecastFrames[]>;
  /** The moments inside the window of a cycle at which something is observed, each with its index, from 1 on, by share. */
  momentsOf(cycle: number): readonly (Moment & { readonly moment: number })[];
  /** Those of all cycles: 1, 2, … of plans. */
  readonly moments: readonly Moment[];
  /** Brings what drifts to the end of the window, and queues what is observed of the truth there. */
  observe(cycle: number): Promise<QueuedObservations>;
  /**
   * Continues with other errors and times of the same networks, and with the gauges of a cycle.
   *
   * @param now with the settings of the cycle, and with its interventions
   */
  configure(now: Scenario, cycle: number): void;
  /** Whether what is configured needs other room than there is: nothing can be observed before it is made. */
  readonly lacksRoom: boolean;
  /** Makes room, in place of what there was; nobody may hold `operator` or `threshold` from before. */
  makeRoom(): Promise<void>;
  /** Places of what drifts, for a checkpoint, and their return. */
  drifters(): Float64Array;
  restoreDrifters(positions: Float64Array): void;
  dispose(): void;
}

/**
 * @param firstCycle the cycle that comes next
 * @param members the member counts that will be observed beside the truth's one
 */
export async function createTruthObserver(
  backend: Backend,
  scenario: Scenario,
  files: ScenarioFiles,
  model: Model,
  truth: RealField,
  { firstCycle, members }: { readonly firstCycle: number; readonly members: readonly number[] },
): Promise<TruthObserver> {
  const { grid, surface, bed } = model;
  const observed = { grid, surface, bed, variables: model.variables.map(({ name }) => name) };
  const system = createObservingSystem(scenario, grid, files);
  system.configure(scenarioAt(scenario, firstCycle), firstCycle);
  let fields = await createObservationFields(backend, observed, members, system.room);
  const { drifters } = system;
  const velocities = drifters
    ? await createVelocityReader(backend, observed, truth, Math.max(1, system.capacity))
    : undefined;
  let latest: ObservationPlan | undefined;
  let codes: { readonly variable: ObservationPlan['variable']; readonly values: Uint32Array } | undefined;

  /** Codes of the plan's variables, which are the same array as long as nothing moves. */
  function codesOf({ variable }: ObservationPlan): ArrayLike<number> {
    if (codes?.variable !== variable) {
      codes = { variable, values: Uint32Array.from(variable, (name) => observedVariable(name).code) };
    }
    return codes.values;
  }

  function place(plan: ObservationPlan): void {
    const { x, y, inverseErrorStd, moment } = plan;
    fields.operator.place({ x, y, variable: codesOf(plan), inverseErrorStd, moment });
  }

  return {
    get operator() {
      return fields.operator;
    },
    get threshold() {
      return fields.threshold;
    },
    get latest() {
      return latest;
    },
    async follow(cycle) {
      const moments = system.momentsOf(cycle);
      const observing: ForecastFrames = {
        count: moments.length,
        shares: moments.map(({ share }) => share),
        exact: true,
        async take(index) {
          const { share, moment } = moments[index];
          if (drifters && velocities) await drifters.carry(share, velocities.read);
          system.reach(cycle, share);
          place(system.plan(cycle));
          fields.see(truth, moment);
        },
      };
      const onlookers = moments.length > 0 ? [observing] : [];
      if (!drifters || !velocities) return onlookers;
      await drifters.leave(velocities.read);
      const drifting: ForecastFrames = {
        count: SUB_STEPS - 1,
        exact: true,
        take: (_index, share) => drifters.carry(share, velocities.read),
      };
      return [drifting, ...onlookers];
    },
    momentsOf: (cycle) => system.momentsOf(cycle),
    get moments() {
      return fields.room.moments;
    },
    async observe(cycle) {
      if (drifters && velocities) await drifters.carry(1, velocities.read);
      const plan = system.plan(cycle);
      const { count } = plan;
      const { operator } = fields;
      place(plan);
      fields.measure(plan, truth);
      latest = plan;
      return { plan, values: backend.stage(operator.values, 0, count) };
    },
    configure: (now, cycle) => system.configure(now, cycle),
    get lacksRoom() {
      const { observations, segments, moments } = system.room;
      const { room } = fields;
      return observations !== room.observations || segments !== room.segments || !areSame(moments, room.moments);
    },
    async makeRoom() {
      fields.dispose();
      fields = await createObservationFields(backend, observed, members, system.room);
    },
    drifters: () => drifters?.state() ?? new Float64Array(0),
    restoreDrifters: (positions) => drifters?.restore(positions),
    dispose() {
      fields.dispose();
      velocities?.dispose();
    },
  };
}

function areSame(a: readonly Moment[], b: readonly Moment[]): boolean {
  return (
    a.length === b.length && a.every(({ share, isInTime }, i) => share === b[i].share && isInTime === b[i].isInTime)
  );
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
