/**
 * The observing networks: where each analysis observes, what is missing, and with which error. Everything random comes from
 * streams named for the network, so that adding a network changes no number of another.
 */
import type { Grid } from '../models/index.ts';
import { createBuoys, networkDefinition, type Buoys, type Positions, type Sampler } from '../networks/index.ts';
import type { Segment } from '../operators/standard-normal/index.ts';
import { randomStream, streamWords } from '../random/stream.ts';
import { gaugeRoomAt, gaugesAt, momentsOf, streamNamesOf } from '../scenario/index.ts';
import type { ObservationNetwork, ObservedVariable, Scenario } from '../scenario/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import type { ErrorCorrelation } from '../methods/index.ts';
import { createErrorCorrelation, type ErrorDraw } from './correlated-errors.ts';
import { innerMoments, looksOf, inverseOf, createPaintedNetwork } from './observation-plan.ts';
import type {
  Look,
  Layout,
  Moment,
  ObservationPlan,
  ObservationRoom,
  Observer,
  PlanErrors,
  PlanNumbers,
} from './observation-plan.ts';

export interface ObservingSystem {
  /** As it is configured. */
  readonly room: ObservationRoom;
  /** The largest count of the scenario's own networks. */
  readonly capacity: number;
  /** What the truth carries; undefined where no network drifts. */
  readonly drifters: Buoys | undefined;
  /** Moments inside the window of a cycle at which something is observed, by share; each with its index in plans. */
  momentsOf(cycle: number): readonly (Moment & { readonly moment: number })[];
  /** What drifts is where it is observed when `share` of the window of a cycle has passed. */
  reach(cycle: number, share: number): void;
  /** The observations of cycle `cycle`; of a later cycle, the places are the current ones. */
  plan(cycle: number): ObservationPlan;
  /**
   * Continues with other errors and times of the same networks, and with the gauges of a cycle.
   *
   * @param now with the settings of the cycle, and with its interventions
   */
  configure(now: Scenario, cycle: number): void;
}

/** Times that differ by less than this share of a window are the same. */
const SAME_TIME = 1e-6;

function layOut(observers: readonly Observer[]): Layout {
  const count = observers.reduce((sum, { positions }) => sum + positions.x.length, 0);
  const layout = {
    count,
    x: new Float64Array(count),
    y: new Float64Array(count),
    network: new Uint16Array(count),
    share: new Float64Array(count),
    moment: new Uint32Array(count),
  };
  const all: ObservedVariable[] = [];
  for (const { index, positions, variable, share, moment } of observers) {
    const start = all.length;
    layout.share.fill(share, start, start + positions.x.length);
    layout.moment.fill(moment, start, start + positions.x.length);
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
      ({ index, positions, variable, share, moment }, i) =>
        positions === b[i].positions &&
        variable === b[i].variable &&
        index === b[i].index &&
        share === b[i].share &&
        moment === b[i].moment,
    )
  );
}

/** Whether observers of one layout complete it as those before did. */
function isSame(before: readonly Observer[], now: readonly Observer[]): boolean {
  return now.every(({ steady }, i) => steady !== undefined && steady === before[i].steady);
}

function atEach(observers: readonly Observer[], visit: (observer: Observer, start: number) => void): void {
  let start = 0;
  for (const observer of observers) {
    visit(observer, start);
    start += observer.positions.x.length;
  }
}

function numbersOf(observers: readonly Observer[], { count }: Layout, cycle: number): PlanNumbers {
  const numbers = {
    assumedErrorStd: new Float64Array(count),
    inverseErrorStd: new Float64Array(count),
    errorStd: new Float64Array(count),
    correlatedError: new Float64Array(count),
    given: new Float64Array(count).fill(Number.NaN),
    threshold: new Float64Array(count),
  };
  atEach(observers, (observer, start) => observer.complete(numbers, start, cycle));
  return numbers;
}

/** Whether a network observes at the end of a cycle: at its listed times, or every so many cycles. */
function isDue({ every, times }: ObservationNetwork, cycle: number, windowSeconds: number): boolean {
  if (times.length === 0) return (cycle + 1) % every === 0;
  return times.some((time) => Math.abs(time / windowSeconds - (cycle + 1)) < SAME_TIME);
}

/** What methods make of errors where the scenario does not say. */
const AS_STATED = { errorFactor: 1, thinning: 1 };

/** Errors of all of a network's places that are correlated by their distances. */
interface ErrorsTogether extends ErrorCorrelation {
  /** Draws what they have in common. */
  readonly draw: ErrorDraw;
}

function errorsTogether(
  { errorCorrelation }: ObservationNetwork,
  { standing, swath }: Sampler,
  grid: Grid,
): ErrorsTogether | undefined {
  const places = swath ?? standing;
  if (!errorCorrelation || !places) return undefined;
  const { x, y } = places;
  // A swath is in metres, fixed places in cells.
  const { dx, dy } = swath ? { dx: 1, dy: 1 } : grid;
  const { between, draw } = createErrorCorrelation(
    { x: Float64Array.from(x, (value) => dx * value), y: Float64Array.from(y, (value) => dy * value) },
    {
      x: grid.periodicX ? grid.nx * grid.dx : undefined,
      y: grid.periodicY ? grid.ny * grid.dy : undefined,
    },
    errorCorrelation,
  );
  return { count: x.length, draw, between };
}

/** Errors of the remaining places. */
function errorsOfThose(errors: ErrorsTogether | undefined, left: RunningNetwork['left']): ErrorCorrelation | undefined {
  if (!errors || !left) return errors;
  const { indices } = left;
  return { count: indices.length, between: (a, b) => errors.between(indices[a], indices[b]) };
}

/** A network of the scenario, and which of its places are left. */
interface RunningNetwork {
  readonly specification: ObservationNetwork;
  readonly index: number;
  readonly streamName: string;
  readonly sampler: Sampler;
  /** Draws correlated errors; undefined if they are independent. */
  readonly drawErrors: ErrorDraw | undefined;
  /** How those of the places that are left do. */
  readonly errors: ErrorCorrelation | undefined;
  /** Ascending, with their places; undefined if none was taken away. */
  readonly left: { readonly indices: readonly number[]; readonly positions: Positions } | undefined;
}

/** The remaining part of a fixed network. */
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
 * @param indices of the numbers, ascending; the first ones if omitted
 * @param start position of the first of them
 */
function segmentsOf(words: Segment['words'], indices: readonly number[] | undefined, start: number): Segment[] {
  if (!indices) return [{ words, first: start }];
  return indices.flatMap((index, i) =>
    i > 0 && indices[i - 1] === index - 1 ? [] : [{ words, first: start + i, skipped: index }],
  );
}

/** Whether nothing is drawn or read for each place and cycle but independent errors. */
function isSteady({ dropout, outliers, errorCorrelation }: ObservationNetwork, { given }: Observer['positions']) {
  return dropout === 0 && outliers.share === 0 && !errorCorrelation && !given;
}

function observerOf(
  { specification, index, streamName, left, drawErrors, errors }: RunningNetwork,
  seed: number,
  { share, moment, before }: Look,
  positions: Observer['positions'],
): Observer {
  return {
    index,
    share,
    moment,
    positions,
    variable: specification.variable,
    steady: isSteady(specification, positions) ? (left ?? specification) : undefined,
    complete(numbers, start, at) {
      const { errorStandardDeviation: deviation, dropout, outliers, qualityControl } = specification;
      const { errorFactor, thinning } = specification.assumed ?? AS_STATED;
      const correlated = specification.errorCorrelation?.share ?? 0;
      const together = drawErrors?.(randomStream(seed, `${streamName}.correlated`, at, before));
      const missing = randomStream(seed, `${streamName}.dropout`, at, before);
      const wrong = randomStream(seed, `${streamName}.outliers`, at, before);
      const end = start + positions.x.length;
      if (positions.given) numbers.given.set(positions.given, start);
      numbers.threshold.fill(qualityControl, start, end);
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
        const isUsed = !isMissing && own % thinning === 0;
        numbers.assumedErrorStd[position] = isUsed ? errorFactor * deviation : 0;
        numbers.inverseErrorStd[position] = inverseOf(numbers.assumedErrorStd[position]);
        const error = deviation * (isWrong ? outliers.factor : 1);
        numbers.errorStd[position] = error * Math.sqrt(1 - correlated);
        if (together) numbers.correlatedError[position] = error * Math.sqrt(correlated) * together[own];
      }
    },
    draw(into, start, at) {
      if (errors) into.correlated.push({ first: start, errors });
      into.errors.push(...segmentsOf(streamWords(seed, `${streamName}.error`, at, before), left?.indices, start));
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
  const together = scenario.observations.map((network, index) => errorsTogether(network, samplers[index], grid));
  const looks = scenario.observations.map((network) => momentsOf(network).length);
  const capacity = samplers.reduce((sum, sampler, index) => sum + looks[index] * sampler.capacity, 0);
  const streams = looks.reduce((sum, count) => sum + count, 0);
  let networks: readonly RunningNetwork[] = [];
  /** Places of what drifted where it was observed inside the window of a cycle. */
  const passed = new Map<string, Positions>();
  let passedIn = -1;
  let painted: Observer | undefined;
  let moments: readonly Moment[] = [];
  let room: ObservationRoom = { observations: 0, segments: 0, moments: [], isCorrelated: false };
  let latest:
    | { readonly observers: readonly Observer[]; readonly layout: Layout; readonly numbers: PlanNumbers }
    | undefined;

  function configure(now: Scenario, cycle: number): void {
    const gauges = gaugesAt(now, cycle);
    const forGauges = gaugeRoomAt(now, cycle);
    networks = samplers.map((sampler, index) => {
      const left = leftOf(sampler, gauges.removed.get(index));
      return {
        specification: now.observations[index],
        index,
        streamName: streamNames[index],
        sampler,
        drawErrors: together[index]?.draw,
        errors: errorsOfThose(together[index], left),
        left,
      };
    });
    painted = gauges.painted.length === 0 ? undefined : createPaintedNetwork(gauges.painted, samplers.length, seed);
    moments = innerMoments(now.observations);
    room = {
      observations: capacity + forGauges.painted,
      segments: streams + forGauges.painted + Math.max(...looks, 1) * forGauges.removed,
      moments,
      isCorrelated: together.some((errors) => errors !== undefined),
    };
  }

  const dueIn = (cycle: number): readonly RunningNetwork[] =>
    networks.filter(({ specification }) => isDue(specification, cycle, windowSeconds));

  /** Where a network observes: what drifts, where it was then. */
  function positionsOf({ index, sampler, left }: RunningNetwork, { share, before }: Look, cycle: number) {
    return left?.positions ?? passed.get(`${index} ${share}`) ?? sampler.positions(cycle, share, before);
  }

  configure(scenario, -1);
  return {
    get room() {
      return room;
    },
    capacity,
    drifters: drifting.length > 0 ? buoys : undefined,
    momentsOf(cycle) {
      const looking = dueIn(cycle).flatMap(({ specification }) => looksOf(specification, moments));
      return moments.flatMap((each, i) =>
        looking.some(({ moment }) => moment === i + 1) ? [{ ...each, moment: i + 1 }] : [],
      );
    },
    reach(cycle, share) {
      if (passedIn !== cycle) passed.clear();
      passedIn = cycle;
      for (const { specification, index, sampler } of dueIn(cycle)) {
        const { network } = specification;
        if (!networkDefinition(network.kind).drifting || !momentsOf(specification).includes(share)) continue;
        const { x, y } = sampler.positions(cycle, share);
        passed.set(`${index} ${share}`, { x: x.slice(), y: y.slice() });
      }
    },
    plan(cycle) {
      if (passedIn !== cycle) passed.clear();
      const observers: Observer[] = dueIn(cycle).flatMap((network) =>
        looksOf(network.specification, moments).map((look) =>
          observerOf(network, seed, look, positionsOf(network, look, cycle)),
        ),
      );
      if (painted) observers.push(painted);
      const known = latest && isSameLayout(latest.observers, observers) ? latest : undefined;
      const layout = known?.layout ?? layOut(observers);
      const numbers = known && isSame(known.observers, observers) ? known.numbers : numbersOf(observers, layout, cycle);
      latest = { observers, layout, numbers };
      const drawn: PlanErrors = { errors: [], correlated: [] };
      atEach(observers, (observer, start) => observer.draw(drawn, start, cycle));
      return { ...layout, ...numbers, ...drawn };
    },
    configure,
  };
}
