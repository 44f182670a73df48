/**
 * The observing networks: where each analysis observes, what is missing, and with which error. Everything random comes from
 * streams named for the network, so that adding a network changes no number of another.
 */
import type { Grid } from '../models/index.ts';
import { createBuoys, networkDefinition } from '../networks/index.ts';
import type { Buoys, Positions } from '../networks/index.ts';
import type { Segment } from '../operators/standard-normal/index.ts';
import { randomStream, streamWords } from '../random/stream.ts';
import type { ObservationNetwork, ObservedVariable, Scenario } from '../scenario/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';

/** Where and what an analysis observes. */
interface Layout extends Positions {
  readonly count: number;
  readonly variable: readonly ObservedVariable[];
  /** Index of the network in the scenario. */
  readonly network: Uint16Array;
}

/**
 * The observations of one analysis before the truth is looked at; all arrays have `count` elements. Where nothing has moved
 * since the plan before, the layout's arrays are the same objects as there: nobody may write to them.
 */
export interface ObservationPlan extends Layout {
  /** 1/σₒ, or 0 for an observation that is missing. */
  readonly inverseErrorStd: Float64Array;
  /** Standard deviation of the error that is added to the observed truth: times a standard normal number. */
  readonly errorStd: Float64Array;
  /** The streams of these numbers, by network. */
  readonly errors: readonly Segment[];
  /** The value where a file gives it, otherwise NaN: then the truth is observed. */
  readonly given: Float64Array;
  /** Standard deviations beyond which an innovation is rejected; 0 keeps all. */
  readonly threshold: Float64Array;
}

export interface ObservingSystem {
  /** The largest count of any analysis. */
  readonly capacity: number;
  /** What the truth carries; undefined where no network drifts. */
  readonly drifters: Buoys | undefined;
  /** The observations of the analysis that ends cycle `cycle`. */
  plan(cycle: number): ObservationPlan;
  /** Goes on with other errors and times of the same networks. */
  configure(networks: readonly ObservationNetwork[]): void;
}

/** Times that differ by less than this share of a window are the same. */
const SAME_TIME = 1e-6;

/** A network that observes at an analysis, and where. */
interface DueNetwork {
  readonly specification: ObservationNetwork;
  /** In the scenario. */
  readonly index: number;
  readonly positions: Positions & { readonly given?: Float64Array };
}

function layOut(due: readonly DueNetwork[]): Layout {
  const count = due.reduce((sum, { positions }) => sum + positions.x.length, 0);
  const layout = { count, x: new Float64Array(count), y: new Float64Array(count), network: new Uint16Array(count) };
  const variable: ObservedVariable[] = [];
  for (const { specification, index, positions } of due) {
    const start = variable.length;
    layout.x.set(positions.x, start);
    layout.y.set(positions.y, start);
    layout.network.fill(index, start, start + positions.x.length);
    for (let i = 0; i < positions.x.length; i++) variable.push(specification.variable);
  }
  return { ...layout, variable };
}

function isSameLayout(a: readonly DueNetwork[], b: readonly DueNetwork[]): boolean {
  return (
    a.length === b.length &&
    a.every(
      ({ specification, positions }, i) =>
        positions === b[i].positions &&
        specification.variable === b[i].specification.variable &&
        a[i].index === b[i].index,
    )
  );
}

/** Whether a network observes at the end of a cycle: at its listed times, or every so many cycles. */
function isDue({ every, times }: ObservationNetwork, cycle: number, windowSeconds: number): boolean {
  if (times.length === 0) return (cycle + 1) % every === 0;
  return times.some((time) => Math.abs(time / windowSeconds - (cycle + 1)) < SAME_TIME);
}

/** @returns the scenario's networks as one system; names that occur twice are distinguished by their order */
export function createObservingSystem(scenario: Scenario, grid: Grid, files: ScenarioFiles): ObservingSystem {
  const { seed, experiment } = scenario;
  const windowSeconds = experiment.window;
  const drifting = scenario.observations.flatMap(({ network }) => {
    const observed = networkDefinition(network.kind).drifting?.(network);
    return observed ? [observed] : [];
  });
  const buoys = createBuoys(drifting, grid, { seed, windowSeconds });
  const occurrences = new Map<string, number>();
  let networks = scenario.observations.map((specification) => {
    const occurrence = occurrences.get(specification.name) ?? 0;
    occurrences.set(specification.name, occurrence + 1);
    const streamName = `observations.${specification.name}${occurrence === 0 ? '' : `.${occurrence}`}`;
    const { network } = specification;
    const context = { grid, windowSeconds, seed, streamName, files, buoys };
    return { specification, streamName, sampler: networkDefinition(network.kind).create(network, context) };
  });
  let latest: { readonly due: readonly DueNetwork[]; readonly layout: Layout } | undefined;
  return {
    capacity: networks.reduce((sum, { sampler }) => sum + sampler.capacity, 0),
    drifters: drifting.length > 0 ? buoys : undefined,
    plan(cycle) {
      const due = networks
        .map((network, index) => ({ ...network, index }))
        .filter(({ specification }) => isDue(specification, cycle, windowSeconds))
        .map((network) => ({ ...network, positions: network.sampler.positions(cycle) }));
      latest = { due, layout: latest && isSameLayout(latest.due, due) ? latest.layout : layOut(due) };
      const { layout } = latest;
      const plan = {
        ...layout,
        inverseErrorStd: new Float64Array(layout.count),
        errorStd: new Float64Array(layout.count),
        errors: [] as Segment[],
        given: new Float64Array(layout.count).fill(Number.NaN),
        threshold: new Float64Array(layout.count),
      };
      let start = 0;
      for (const { specification, streamName, positions } of due) {
        const { errorStandardDeviation: deviation, dropout, outliers, qualityControl } = specification;
        const missing = randomStream(seed, `${streamName}.dropout`, cycle);
        const wrong = randomStream(seed, `${streamName}.outliers`, cycle);
        plan.errors.push({ words: streamWords(seed, `${streamName}.error`, cycle), first: start });
        const end = start + positions.x.length;
        if (positions.given) plan.given.set(positions.given, start);
        plan.threshold.fill(qualityControl, start, end);
        for (let position = start; position < end; position++) {
          // Streams of what never happens are not drawn from.
          const isMissing = dropout > 0 && missing.uniform() < dropout;
          const isWrong = outliers.share > 0 && wrong.uniform() < outliers.share;
          plan.inverseErrorStd[position] = isMissing ? 0 : 1 / deviation;
          plan.errorStd[position] = deviation * (isWrong ? outliers.factor : 1);
        }
        start = end;
      }
      return plan;
    },
    configure(specifications) {
      networks = networks.map((network, index) => ({ ...network, specification: specifications[index] }));
    },
  };
}
