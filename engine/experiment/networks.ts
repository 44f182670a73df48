/**
 * The observing networks: where each analysis observes, what is missing, and with which error. Everything random comes from
 * streams named for the network, so that adding a network changes no number of another.
 */
import type { Grid } from '../models/index.ts';
import type { Segment } from '../operators/standard-normal/index.ts';
import { randomStream, streamWords } from '../random/stream.ts';
import { createDrifters } from './drifters.ts';
import type { Drifters } from './drifters.ts';
import { lengths, positionsOf, randomPositions } from './positions.ts';
import type { Positions } from './positions.ts';
import type { Network, ObservationNetwork, ObservedVariable, Scenario, ScenarioFiles } from '../scenario/index.ts';

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
  readonly drifters: Drifters | undefined;
  /** The observations of the analysis that ends cycle `cycle`. */
  plan(cycle: number): ObservationPlan;
  /** Goes on with other errors and times of the same networks. */
  configure(networks: readonly ObservationNetwork[]): void;
}

/** One network: its places at an analysis, and how they change. */
interface Sampler {
  readonly capacity: number;
  positions(cycle: number): Positions & { readonly given?: Float64Array };
}

const DEGREE = Math.PI / 180;
/** Times that differ by less than this share of a window are the same. */
const SAME_TIME = 1e-6;

/** The remainder that lies in [0, length). */
function modulo(value: number, length: number): number {
  const remainder = value % length;
  return remainder < 0 ? remainder + length : remainder;
}

function fixed(positions: Positions): Sampler {
  return { capacity: positions.x.length, positions: () => positions };
}

/**
 * A swath behind a moving head. Its places lie `spacing` apart along and across the track; those that leave the basin come
 * in again at the other side.
 */
function track(spec: Extract<Network, { kind: 'track' }>, grid: Grid, windowSeconds: number): Sampler {
  const { start, heading, speed, length, width, spacing } = spec;
  const [lengthX, lengthY] = lengths(grid);
  const [alongX, alongY] = [Math.cos(heading * DEGREE), Math.sin(heading * DEGREE)];
  const rows = Math.floor(length / spacing);
  const side = Math.floor(width / 2 / spacing);
  return {
    capacity: (rows + 1) * (2 * side + 1),
    positions(cycle) {
      const head = speed * windowSeconds * (cycle + 1);
      const points: [number, number][] = [];
      for (let row = 0; row <= rows; row++) {
        for (let column = -side; column <= side; column++) {
          const along = head - row * spacing;
          const across = column * spacing;
          points.push([
            modulo((start[0] + along * alongX - across * alongY) / grid.dx, lengthX),
            modulo((start[1] + along * alongY + across * alongX) / grid.dy, lengthY),
          ]);
        }
      }
      return positionsOf(points);
    },
  };
}

function listed(
  spec: Extract<Network, { kind: 'file' }>,
  grid: Grid,
  windowSeconds: number,
  files: ScenarioFiles,
): Sampler {
  const byCycle = new Map<number, [x: number, y: number, value: number][]>();
  const { count, x, y, time, value } = files.table(spec.file);
  for (let i = 0; i < count; i++) {
    const cycle = Math.round(time[i] / windowSeconds) - 1;
    const rows = byCycle.get(cycle) ?? [];
    rows.push([x[i] / grid.dx, y[i] / grid.dy, value[i]]);
    byCycle.set(cycle, rows);
  }
  return {
    capacity: [...byCycle.values()].reduce((most, { length }) => Math.max(most, length), 0),
    positions(cycle) {
      const rows = byCycle.get(cycle) ?? [];
      return { ...positionsOf(rows.map(([x, y]) => [x, y])), given: Float64Array.from(rows, ([, , value]) => value) };
    },
  };
}

function createSampler(
  spec: Network,
  streamName: string,
  scenario: Scenario,
  grid: Grid,
  files: ScenarioFiles,
  drifters: Drifters | undefined,
): Sampler {
  const { seed } = scenario;
  switch (spec.kind) {
    case 'regular': {
      const points: [number, number][] = [];
      for (let y = spec.offset[1]; y < grid.ny; y += spec.stride[1]) {
        for (let x = spec.offset[0]; x < grid.nx; x += spec.stride[0]) points.push([x, y]);
      }
      return fixed(positionsOf(points));
    }
    case 'random':
      return spec.redraw
        ? {
            capacity: spec.count,
            positions: (cycle) => randomPositions(spec.count, grid, seed, `${streamName}.places`, cycle),
          }
        : fixed(randomPositions(spec.count, grid, seed, `${streamName}.places`, 0));
    case 'points':
      return fixed(positionsOf(spec.points.map(([x, y]) => [x / grid.dx, y / grid.dy])));
    case 'track':
      return track(spec, grid, scenario.experiment.window);
    case 'drifters':
      return {
        capacity: spec.count,
        // What lies in these arrays moves: each analysis has an object of its own.
        positions: () => drifters?.positions(spec.fleet, spec.count) ?? positionsOf([]),
      };
    case 'file':
      return listed(spec, grid, scenario.experiment.window, files);
    default:
      return spec satisfies never;
  }
}

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
  const drifters = createDrifters(scenario, grid);
  const occurrences = new Map<string, number>();
  let networks = scenario.observations.map((specification) => {
    const occurrence = occurrences.get(specification.name) ?? 0;
    occurrences.set(specification.name, occurrence + 1);
    const streamName = `observations.${specification.name}${occurrence === 0 ? '' : `.${occurrence}`}`;
    return {
      specification,
      streamName,
      sampler: createSampler(specification.network, streamName, scenario, grid, files, drifters),
    };
  });
  let latest: { readonly due: readonly DueNetwork[]; readonly layout: Layout } | undefined;
  return {
    capacity: networks.reduce((sum, { sampler }) => sum + sampler.capacity, 0),
    drifters,
    plan(cycle) {
      const due = networks
        .map((network, index) => ({ ...network, index }))
        .filter(({ specification }) => isDue(specification, cycle, experiment.window))
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
