/**
 * The observing networks: where each analysis observes, what is missing, and with which error. Everything random comes from
 * streams named for the network, so that adding a network changes no number of another.
 */
import type { Grid } from '../models/index.ts';
import { randomStream } from '../random/stream.ts';
import { createBuoys, networkDefinition } from '../networks/index.ts';
import type { Buoys, Positions } from '../networks/index.ts';
import type { ObservationNetwork, ObservedVariable, Scenario } from '../scenario/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';

/** The observations of one analysis before the truth is looked at; all arrays have `count` elements. */
export interface ObservationPlan extends Positions {
  readonly count: number;
  readonly variable: readonly ObservedVariable[];
  /** Index of the network in the scenario. */
  readonly network: Uint16Array;
  /** 1/σₒ, or 0 for an observation that is missing. */
  readonly inverseErrorStd: Float64Array;
  /** What is added to the observed truth: the error drawn for it. */
  readonly error: Float64Array;
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

/** Whether a network observes at the end of a cycle: at its listed times, or every so many cycles. */
function isDue({ every, times }: ObservationNetwork, cycle: number, windowSeconds: number): boolean {
  if (times.length === 0) return (cycle + 1) % every === 0;
  return times.some((time) => Math.abs(time / windowSeconds - (cycle + 1)) < SAME_TIME);
}

/** @returns the scenario's networks as one system; names that occur twice are told apart by their order */
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
  return {
    capacity: networks.reduce((sum, { sampler }) => sum + sampler.capacity, 0),
    drifters: drifting.length > 0 ? buoys : undefined,
    plan(cycle) {
      const due = networks
        .map((network, index) => ({ ...network, index }))
        .filter(({ specification }) => isDue(specification, cycle, windowSeconds))
        .map((network) => ({ ...network, ...network.sampler.positions(cycle) }));
      const count = due.reduce((sum, { x }) => sum + x.length, 0);
      const plan = {
        count,
        x: new Float64Array(count),
        y: new Float64Array(count),
        variable: [] as ObservedVariable[],
        network: new Uint16Array(count),
        inverseErrorStd: new Float64Array(count),
        error: new Float64Array(count),
        given: new Float64Array(count).fill(Number.NaN),
        threshold: new Float64Array(count),
      };
      let position = 0;
      for (const { specification, streamName, index, x, y, given } of due) {
        const { errorStandardDeviation: deviation, dropout, outliers, qualityControl, variable } = specification;
        const missing = randomStream(seed, `${streamName}.dropout`, cycle);
        const wrong = randomStream(seed, `${streamName}.outliers`, cycle);
        const noise = randomStream(seed, `${streamName}.error`, cycle);
        plan.x.set(x, position);
        plan.y.set(y, position);
        if (given) plan.given.set(given, position);
        for (let i = 0; i < x.length; i++, position++) {
          plan.variable.push(variable);
          plan.network[position] = index;
          plan.inverseErrorStd[position] = missing.uniform() < dropout ? 0 : 1 / deviation;
          plan.error[position] = noise.normal() * deviation * (wrong.uniform() < outliers.share ? outliers.factor : 1);
          plan.threshold[position] = qualityControl;
        }
      }
      return plan;
    },
    configure(specifications) {
      networks = networks.map((network, index) => ({ ...network, specification: specifications[index] }));
    },
  };
}
