/** What a run will hold in memory, stated before it starts. */
import { LimitError } from '../errors.ts';
import { forcingDefinition, type SeenBy } from '../forcing/index.ts';
import { DROPS_AT_ONCE } from '../operators/falling-drops/index.ts';
import { answersImpact, assumptionsOf, membersOf, methodDefinition, type Sizes } from '../methods/index.ts';
import { modelKindDefinition } from '../model-kinds/index.ts';
import { networkDefinition } from '../networks/index.ts';
import type { Situation } from '../settings/index.ts';
import { gaugeRoomAt } from './gauges.ts';
import { innerMomentCount } from './networks.ts';
import { recordedImpact } from './schema-observations.ts';
import type { Method, Scenario } from './schema.ts';
import { situationOf, leastMembers, statesOf } from './situation.ts';
import { hasOwnModel, refinementOf } from './truth-model.ts';

/** What a run may hold, bytes, if the machine is not known: 16 GiB. */
export const DEFAULT_MEMORY_BYTES = 16 * 2 ** 30;

/** Bytes of a number on the host, and of an index. */
const HOST_BYTES = 8;
const INDEX_BYTES = 4;
/** Indices that a stream of errors takes. */
const SEGMENT_WORDS = 6;
/** States that the host holds while one is drawn: the truth, and of the member what it began with, its perturbation and it. */
const DRAWN_STATES = 6;

function sizesOf({ grid, variables, background, observations }: Situation, elementBytes: number): Sizes {
  const cells = grid.nx * grid.ny;
  return {
    cells,
    state: variables.length * cells,
    members: background.members,
    observations: Math.max(1, observations),
    elementBytes,
  };
}

/**
 * Bytes that a run holds when it holds most: while its members are drawn; while they are spun up, beside the fields of truth,
 * observations and methods; or beside those, and what the model works with, in a checkpoint (a copy of each state). Histories,
 * pictures and the program itself come on top, and what files hold.
 *
 * @param elementBytes of a real on the backend: 8 for the reference, 4 for the others
 * @param onHost whether the model steps on the host, as it does on the reference
 */
export function estimateMemory(scenario: Scenario, elementBytes: number, onHost = elementBytes === HOST_BYTES): number {
  const situation = situationOf(scenario);
  const sizes = sizesOf(situation, elementBytes);
  const { state, members } = sizes;
  const fields = scenario.methods.reduce(
    (sum, method) =>
      sum +
      methodBytes(method, sizes, situation) +
      shoreBytes(method, sizes, scenario) +
      measuredBytes(method, sizes) +
      // Of the members as they come, as they pass, and as they end; and the mean of these, and what is held against it.
      inTimeBytes(scenario, 3 * membersOf(method.kind, members) + 2, sizes),
    commonBytes(sizes, scenario),
  );
  const ensemble = members * state * elementBytes;
  const finer = refinementOf(scenario) ** 2;
  const states = finer + statesOf(scenario) + pastStatesOf(scenario);
  const work = onHost ? finer * schemeBytes(scenario, sizes) : 0;
  const drawing = ensemble + finer * DRAWN_STATES * state * HOST_BYTES;
  const spinUp = fields + ensemble + finer * state * HOST_BYTES + (scenario.truth.spinup > 0 ? work : 0);
  const checkpoint = fields + states * state * HOST_BYTES + work;
  return Math.max(drawing, spinUp, checkpoint + estimateImpactMemory(scenario, elementBytes, onHost));
}

/** States of all members on the host while impacts are found: of analysis and background, and of the forecasts from both. */
const IMPACT_STATES = 4;

/**
 * Bytes of the impacts that a run records, beside the run and its checkpoint: the forecasts that are kept, and, for one method after
 * the other, the free runs from its analysis and its background, and the method itself if these are compared with its analyses. They
 * are part of `estimateMemory`.
 *
 * @returns 0 if none are recorded
 */
export function estimateImpactMemory(
  scenario: Scenario,
  elementBytes: number,
  onHost = elementBytes === HOST_BYTES,
): number {
  const { experiment, methods } = scenario;
  const asked = recordedImpact(experiment);
  const answering = methods.filter(answersImpact);
  if (!asked || answering.length === 0) return 0;
  const { cells, state, members } = sizesOf(situationOf(scenario), elementBytes);
  const kept = methods
    .filter(({ kind }) => methodDefinition(kind).assimilates)
    .reduce((sum, { kind }) => sum + membersOf(kind, members) * state * elementBytes, 0);
  const freeRun = { kind: 'free-run', label: 'from the analysis' } as const;
  const beside = answering.map((method) => {
    const moved = [...(asked.verification === 'analysis' ? [method] : []), freeRun, freeRun];
    const impact = { ...experiment.impact, lead: 'none' } as const;
    return estimateMemory({ ...scenario, methods: moved, experiment: { ...experiment, impact } }, elementBytes, onHost);
  });
  const ofForecasts = asked.lead === 0 ? 0 : Math.max(...beside);
  return kept + members * (IMPACT_STATES * state + cells) * HOST_BYTES + ofForecasts;
}

/** States of earlier cycles in a checkpoint, truths of then among them, and those that are read on their way there. */
function pastStatesOf({ methods, background, experiment }: Scenario): number {
  const lags = methods.flatMap((method) => ('lag' in method ? [Math.min(method.lag, experiment.cycles)] : []));
  const kept = lags.reduce((sum, lag) => sum + lag * (background.members + 1), 0);
  return kept === 0 ? 0 : kept + background.members;
}

/** States of a method that asks what one observation alone makes, and that a covariance column takes. */
const ASKING_STATES = 4;

/**
 * Bytes that a run holds beside `estimateMemory` while its analyses can be asked about: of each method that assimilates the forecast,
 * and once a question was asked a method like it with one observation, and work space. What is answered comes on top.
 */
export function estimateExplanationMemory(scenario: Scenario, elementBytes: number): number {
  const situation = situationOf(scenario);
  const sizes = sizesOf(situation, elementBytes);
  const { state, members } = sizes;
  return scenario.methods
    .filter(({ kind }) => methodDefinition(kind).assimilates)
    .reduce((sum, method) => {
      const forecast = membersOf(method.kind, members) * state * elementBytes;
      const alone = methodBytes(method, { ...sizes, observations: 1 }, situation);
      const asking = methodDefinition(method.kind).asking?.(method, sizes, situation) ?? 0;
      return sum + forecast + alone + (ASKING_STATES * state + asking) * elementBytes;
    }, 0);
}

/** What the model works with on the host: for the truth, for the members where any are stepped, and for each trajectory that it is linearised about. */
function schemeBytes({ model, methods, truth }: Scenario, { cells }: Sizes): number {
  const stepsMembers = truth.spinup > 0 || methods.some(({ kind }) => methodDefinition(kind).carries === 'ensemble');
  const linearising = methods.filter(({ kind }) => methodDefinition(kind).linearises).length;
  const kind = modelKindDefinition(model);
  const stepping = (stepsMembers ? 2 : 1) + linearising;
  const planes = stepping * kind.hostPlanes(model) + linearising * kind.linearHostPlanes(model);
  return planes * cells * HOST_BYTES;
}

/** Who sees what falls during a run, of its forcing and of each drop that an intervention lets fall. */
function seenByOf({ truth, interventions }: Scenario): readonly SeenBy[] {
  const { events } = forcingDefinition(truth.forcing.kind);
  const dropped = interventions.flatMap((each) => (each.kind === 'drop' ? [each.seenBy] : []));
  return events ? [events.seenBy(truth.forcing), ...dropped] : dropped;
}

/** Rates of what acts at every step, of each propagator on its backend, and of each source on the host. */
function drivingBytes(scenario: Scenario, { state, members, elementBytes }: Sizes): number {
  const { truth, methods } = scenario;
  const { source } = forcingDefinition(truth.forcing.kind);
  if (!source) return 0;
  const seenBy = source.seenBy(truth.forcing);
  const linearising = methods.filter(({ kind }) => methodDefinition(kind).linearises).map(() => 1);
  const ensembles = new Set([members, ...methods.map(({ kind }) => membersOf(kind, members))]);
  const driven = seenBy === 'truth' ? 0 : [...ensembles, ...linearising].reduce((sum, states) => sum + states);
  const sources = seenBy === 'each' ? members : Math.sign(driven);
  const ofTruth = refinementOf(scenario) ** 2 * state * (elementBytes + HOST_BYTES);
  return ofTruth + driven * state * elementBytes + sources * state * HOST_BYTES;
}

/** Truth and bed, the observation operator and where the entries of its tangent linears are, and what falls during the run. */
function commonBytes({ cells, state, members, observations, elementBytes }: Sizes, scenario: Scenario): number {
  const {
    observations: networks,
    grid: { nx, ny },
  } = scenario;
  const reals = (12 * observations + 2) * elementBytes;
  const indices = (42 * observations + state) * INDEX_BYTES;
  const { painted, removed } = gaugeRoomAt(scenario, Infinity);
  const streams = SEGMENT_WORDS * (painted + removed) * INDEX_BYTES;
  const drifting = networks.some(({ network }) => networkDefinition(network.kind).drifting?.(network)) ? 3 : 1;
  const seenBy = seenByOf(scenario);
  const isSeen = seenBy.some((who) => who !== 'truth');
  const finer = refinementOf(scenario) ** 2;
  const ownTruth = hasOwnModel(scenario) ? (finer * state + cells) * elementBytes : 0;
  /** Lines of drops, and which cells have water. */
  const fallingBytes = (states: number, refinement: number): number =>
    (states * DROPS_AT_ONCE * (nx + ny) * refinement + cells * refinement ** 2) * (elementBytes + HOST_BYTES);
  const ofMoments = inTimeBytes(scenario, 2, { observations, elementBytes });
  const moments = innerMomentCount(networks);
  const weights = moments === 0 ? 0 : 5 * (moments + 1) * observations * elementBytes;
  const falling =
    (seenBy.length > 0 ? fallingBytes(1, refinementOf(scenario)) : 0) +
    (isSeen ? fallingBytes(members, 1) + fallingBytes(1, 1) : 0);
  return (
    state * elementBytes +
    cells * HOST_BYTES +
    drifting * (reals + indices) +
    streams +
    falling +
    drivingBytes(scenario, { cells, state, members, observations, elementBytes }) +
    ownTruth +
    ofMoments +
    weights
  );
}

/** What was observed of states before the end of a window. @param reals of each observation */
function inTimeBytes(
  { observations: networks }: Scenario,
  reals: number,
  { observations, elementBytes }: Pick<Sizes, 'observations' | 'elementBytes'>,
): number {
  return innerMomentCount(networks) === 0 ? 0 : reals * observations * elementBytes;
}

/** Cells that spectra are taken of, at most. */
const MOST_SPECTRAL_CELLS = 128 ** 2;

/** The waves along each axis, and the band of each pair of them. */
function spectralBytes(cells: number): number {
  return Math.min(cells, MOST_SPECTRAL_CELLS) * (2 * HOST_BYTES + INDEX_BYTES);
}

/** The state of a method, its departures and its scores, and what its analysis holds. */
function methodBytes(method: Method, sizes: Sizes, situation: Situation): number {
  const { cells, state, members, observations, elementBytes } = sizes;
  const { kind } = method;
  const held = membersOf(kind, members);
  // Its own errors, where it takes others than all do.
  const errors = assumptionsOf(method).errorFactor === 1 ? 0 : observations;
  const shared = held * state + (held + 5) * observations + errors + 2 * cells;
  const { elements = 0, hostBytes = 0 } = methodDefinition(kind).memory?.(method, sizes, situation) ?? {};
  return (shared + elements) * elementBytes + hostBytes;
}

/** Bytes of a model whose cells fall dry: the forecast that an analysis is held against, and what increments of thin water are made with. */
function shoreBytes({ kind }: Method, { state, members, elementBytes }: Sizes, { model }: Scenario): number {
  const runsDry = modelKindDefinition(model).runsDry?.(model) ?? false;
  if (!runsDry || !methodDefinition(kind).assimilates) return 0;
  return (membersOf(kind, members) + 3) * state * elementBytes;
}

/** What a method's consistency is measured with: means, departures of the analysis, and what spectra are made with. */
function measuredBytes({ kind }: Method, { cells, state, members, observations, elementBytes }: Sizes): number {
  const held = membersOf(kind, members);
  const reals = 2 * state + 2 * cells + (held + 4) * observations;
  return reals * elementBytes + observations * INDEX_BYTES + spectralBytes(cells);
}

/** @returns that the run needs more memory than there is, with what would fit, or undefined */
export function memoryProblem(scenario: Scenario, elementBytes: number, limitBytes: number): string | undefined {
  const needed = estimateMemory(scenario, elementBytes);
  if (needed <= limitBytes) return undefined;
  const { grid, background, methods } = scenario;
  const fits = [membersThatFit(scenario, elementBytes, limitBytes), gridThatFits(scenario, elementBytes, limitBytes)];
  const remedies = fits.filter((remedy) => remedy !== undefined);
  return (
    `needs about ${bytesText(needed)} (${grid.nx} × ${grid.ny} cells, ${background.members} members, ${methods.length} methods, ` +
    `${elementBytes} bytes a number), allowed: ${bytesText(limitBytes)}` +
    (remedies.length === 0 ? '' : `; ${remedies.join(' or ')} would fit`)
  );
}

/** @throws LimitError naming the estimate, the limit and what would fit */
export function checkMemory(scenario: Scenario, elementBytes: number, limitBytes: number): void {
  const problem = memoryProblem(scenario, elementBytes, limitBytes);
  if (problem !== undefined) throw new LimitError(`the run ${problem}`);
}

/** @returns bytes in the largest binary unit that they fill, with three digits */
function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  const power = Math.max(0, Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10)));
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${units[power]}`;
}

function membersThatFit(scenario: Scenario, elementBytes: number, limitBytes: number): string | undefined {
  const least = leastMembers(scenario);
  const withMembers = (members: number): Scenario => ({ ...scenario, background: { ...scenario.background, members } });
  const most = largest(
    scenario.background.members,
    (members) => estimateMemory(withMembers(members), elementBytes) <= limitBytes,
  );
  return most >= least ? `${most} members` : undefined;
}

/** A share of 64 of an axis; one row stays one. */
function shorter(cells: number, share: number): number {
  return cells === 1 ? 1 : Math.floor((cells * share) / 64);
}

function gridThatFits(scenario: Scenario, elementBytes: number, limitBytes: number): string | undefined {
  const { nx, ny } = scenario.grid;
  const shrunk = (share: number): Scenario['grid'] => ({
    ...scenario.grid,
    nx: shorter(nx, share),
    ny: shorter(ny, share),
  });
  const most = largest(63, (share) => estimateMemory({ ...scenario, grid: shrunk(share) }, elementBytes) <= limitBytes);
  const grid = shrunk(most);
  return grid.nx >= 4 && (ny === 1 || grid.ny >= 4) ? `${grid.nx} × ${grid.ny} cells` : undefined;
}

/** The largest whole number up to `most` that fits, found by halving; 0 if none does. */
function largest(most: number, fits: (value: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
