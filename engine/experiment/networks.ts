/**
 * The observing networks: where each analysis observes, what is missing, and with which error. Everything random comes from
 * streams named for the network, so that adding a network changes no number of another.
 */
import type { Grid } from '../models/index.ts';
import { createBuoys, networkDefinition } from '../networks/index.ts';
import type { Buoys, Positions, Sampler } from '../networks/index.ts';
import type { Segment } from '../operators/standard-normal/index.ts';
import { randomStream, streamWords } from '../random/stream.ts';
import { gaugeRoomAt, gaugesAt, streamNamesOf } from '../scenario/index.ts';
import type { ObservationNetwork, ObservedVariable, Scenario } from '../scenario/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import type { Layout, ObservationPlan, ObservationRoom, Observer, PlanParts } from './observation-plan.ts';
import { createPaintedNetwork } from './painted-network.ts';

export interface ObservingSystem {
  /** As it is configured. */
  readonly room: ObservationRoom;
  /** The largest count of the scenario's own networks. */
  readonly capacity: number;
  /** What the truth carries; undefined where no network drifts. */
  readonly drifters: Buoys | undefined;
  /** The observations of the analysis that ends cycle `cycle`. */
  plan(cycle: number): ObservationPlan;
  /**
   * Goes on with other errors and times of the same networks, and with the gauges that stand in a cycle.
   *
   * @param now with the settings of the cycle, and with its interventions
   */
  configure(now: Scenario, cycle: number): void;
}

/** Times that differ by less than this share of a window are the same. */
const SAME_TIME = 1e-6;

function layOut(observers: readonly Observer[]): Layout {
  const count = observers.reduce((sum, { positions }) => sum + positions.x.length, 0);
  const layout = { count, x: new Float64Array(count), y: new Float64Array(count), network: new Uint16Array(count) };
  const all: ObservedVariable[] = [];
  for (const { index, positions, variable } of observers) {
    const start = all.length;
    layout.x.set(positions.x, start);
    layout.y.set(positions.y, start);
    layout.network.fill(index, start, start + positions.x.length);
    for (let i = 0; i < positions.x.length; i++) all.push(typeof variable === 'string' ? variable : variable[i]);
  }
  return { ...layout, variable: all };
}

function isSameLayout(a: readonly Observer[], b: readonly Observer[]): boolean {
  return (
    a.length === b.length &&
    a.every(
      ({ index, positions, variable }, i) =>
        positions === b[i].positions && variable === b[i].variable && index === b[i].index,
    )
  );
}

/** Whether a network observes at the end of a cycle: at its listed times, or every so many cycles. */
function isDue({ every, times }: ObservationNetwork, cycle: number, windowSeconds: number): boolean {
  if (times.length === 0) return (cycle + 1) % every === 0;
  return times.some((time) => Math.abs(time / windowSeconds - (cycle + 1)) < SAME_TIME);
}

/** A network of the scenario, and which of its places are left. */
interface RunningNetwork {
  readonly specification: ObservationNetwork;
  readonly index: number;
  readonly streamName: string;
  readonly sampler: Sampler;
  /** Ascending, with their places; undefined where none was taken away. */
  readonly left: { readonly indices: readonly number[]; readonly positions: Positions } | undefined;
}

/** What is left of a network that stands still. */
function leftOf({ standing }: Sampler, removed: ReadonlySet<number> | undefined): RunningNetwork['left'] {
  if (!standing || !removed) return undefined;
  const indices = Array.from(standing.x, (_, index) => index).filter((index) => !removed.has(index));
  const { x, y } = standing;
  return {
    indices,
    positions: {
      x: Float64Array.from(indices, (index) => x[index]),
      y: Float64Array.from(indices, (index) => y[index]),
    },
  };
}

/**
 * The numbers of a stream at some of its places.
 *
 * @param indices of the numbers, ascending; the first ones where they are left out
 * @param start position of the first of them
 */
function segmentsOf(words: Segment['words'], indices: readonly number[] | undefined, start: number): Segment[] {
  if (!indices) return [{ words, first: start }];
  return indices.flatMap((index, i) =>
    i > 0 && indices[i - 1] === index - 1 ? [] : [{ words, first: start + i, skipped: index }],
  );
}

function observerOf(
  { specification, index, streamName, sampler, left }: RunningNetwork,
  seed: number,
  cycle: number,
): Observer {
  const positions: Observer['positions'] = left?.positions ?? sampler.positions(cycle);
  return {
    index,
    positions,
    variable: specification.variable,
    complete(plan, start, at) {
      const { errorStandardDeviation: deviation, dropout, outliers, qualityControl } = specification;
      const missing = randomStream(seed, `${streamName}.dropout`, at);
      const wrong = randomStream(seed, `${streamName}.outliers`, at);
      plan.errors.push(...segmentsOf(streamWords(seed, `${streamName}.error`, at), left?.indices, start));
      const end = start + positions.x.length;
      if (positions.given) plan.given.set(positions.given, start);
      plan.threshold.fill(qualityControl, start, end);
      let drawn = 0;
      for (let position = start; position < end; position++) {
        const own = left?.indices[position - start] ?? position - start;
        let isMissing = false;
        let isWrong = false;
        // Those of places that were taken away are drawn as well. Streams of what never happens are not drawn from.
        for (; drawn <= own; drawn++) {
          isMissing = dropout > 0 && missing.uniform() < dropout;
          isWrong = outliers.share > 0 && wrong.uniform() < outliers.share;
        }
        plan.inverseErrorStd[position] = isMissing ? 0 : 1 / deviation;
        plan.errorStd[position] = deviation * (isWrong ? outliers.factor : 1);
      }
    },
  };
}

/** @returns the scenario's networks as one system, as they are before anything is changed */
export function createObservingSystem(scenario: Scenario, grid: Grid, files: ScenarioFiles): ObservingSystem {
  const { seed, experiment } = scenario;
  const windowSeconds = experiment.window;
  const drifting = scenario.observations.flatMap(({ network }) => {
    const observed = networkDefinition(network.kind).drifting?.(network);
    return observed ? [observed] : [];
  });
  const buoys = createBuoys(drifting, grid, { seed, windowSeconds });
  const streamNames = streamNamesOf(scenario.observations);
  const samplers = scenario.observations.map(({ network }, index) =>
    networkDefinition(network.kind).create(network, {
      grid,
      windowSeconds,
      seed,
      streamName: streamNames[index],
      files,
      buoys,
    }),
  );
  const capacity = samplers.reduce((sum, sampler) => sum + sampler.capacity, 0);
  let networks: readonly RunningNetwork[] = [];
  let painted: Observer | undefined;
  let room: ObservationRoom = { observations: 0, segments: 0 };
  let latest: { readonly observers: readonly Observer[]; readonly layout: Layout } | undefined;

  function configure(now: Scenario, cycle: number): void {
    const gauges = gaugesAt(now, cycle);
    const forGauges = gaugeRoomAt(now, cycle);
    networks = samplers.map((sampler, index) => ({
      specification: now.observations[index],
      index,
      streamName: streamNames[index],
      sampler,
      left: leftOf(sampler, gauges.removed.get(index)),
    }));
    painted = gauges.painted.length === 0 ? undefined : createPaintedNetwork(gauges.painted, samplers.length, seed);
    room = {
      observations: capacity + forGauges.painted,
      segments: samplers.length + forGauges.painted + forGauges.removed,
    };
  }

  configure(scenario, -1);
  return {
    get room() {
      return room;
    },
    capacity,
    drifters: drifting.length > 0 ? buoys : undefined,
    plan(cycle) {
      const observers: Observer[] = networks
        .filter(({ specification }) => isDue(specification, cycle, windowSeconds))
        .map((network) => observerOf(network, seed, cycle));
      if (painted) observers.push(painted);
      latest = {
        observers,
        layout: latest && isSameLayout(latest.observers, observers) ? latest.layout : layOut(observers),
      };
      const { layout } = latest;
      const parts: PlanParts = {
        inverseErrorStd: new Float64Array(layout.count),
        errorStd: new Float64Array(layout.count),
        errors: [],
        given: new Float64Array(layout.count).fill(Number.NaN),
        threshold: new Float64Array(layout.count),
      };
      let start = 0;
      for (const observer of observers) {
        observer.complete(parts, start, cycle);
        start += observer.positions.x.length;
      }
      return { ...layout, ...parts };
    },
    configure,
  };
}
