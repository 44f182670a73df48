/**
 * Runs cases and measures them: the whole of a sweep's computing, wherever it is hosted. Cases that differ in the settings of their
 * methods alone have the same truth, background, observations and free run: they are run as one experiment with all of their methods.
 * How cases are grouped changes no number, and says what is lost together when a process is.
 */
import type { Backend } from '../compute/backend.ts';
import type { OpenHdf5 } from '../files/hdf5-reader.ts';
import { AllDivergedError, DeviceLostError, errorOf } from '../errors.ts';
import { createExperiment } from '../experiment/index.ts';
import type { CycleDiagnostics, ExperimentEvent, MethodSummary } from '../experiment/index.ts';
import { fileReader } from '../run/index.ts';
import { recordedImpacts, withImpact } from '../impact/index.ts';
import { DEFAULT_MEMORY_BYTES, readScenarioFiles, recordedImpact, estimateMemory } from '../scenario/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { measureMethods, type MeasuredValues } from './measures.ts';
import type { PlannedCase, SweepPlan } from './plan.ts';
import type { PlannedAxis } from './axes.ts';
import type { MethodOutcome, SweepAxis, SweepCase, SweepResults } from './results.ts';

/** Cases that one experiment runs at most: what sharing saves is nearly all saved, and no more than these are lost together. */
const MOST_TOGETHER = 8;
/** What such an experiment may hold, bytes: 2 GiB. A case that needs more by itself runs by itself. */
const MOST_BYTES = 2 ** 31;
/** Bytes of a real if the model steps on the host, the most that there are. */
const ELEMENT_BYTES = 8;

export interface GroupLimits {
  /** Cases in a group at most. */
  readonly most?: number;
  /** What its experiment may hold. */
  readonly bytes?: number;
}

type Method = Scenario['methods'][number];

/** The experiment of several cases. */
interface SharedExperiment {
  /** With every distinct method of theirs, once each, under labels of its own. */
  readonly scenario: Scenario;
  /** What the random streams of a method are named by, by its label here: its label in the case. */
  readonly streamNameOf: (label: string) => string;
  /** By case, the label here of each of its methods, by its label in the case. */
  readonly labels: readonly ReadonlyMap<string, string>[];
}

/**
 * @param cases that have all but their methods in common, one at least
 * @returns the experiment that runs them all: of one case its own scenario
 */
function shareExperiment(cases: readonly PlannedCase[]): SharedExperiment {
  const [{ scenario }] = cases;
  if (cases.length === 1) {
    const own = new Map(cases[0].methods.map((label) => [label, label]));
    return { scenario, streamNameOf: (label) => label, labels: [own] };
  }
  const methods: Method[] = [];
  const bySettings = new Map<string, string>();
  const streams = new Map<string, string>();
  const labels = cases.map(({ scenario: { methods: own }, methods: wanted }) => {
    const chosen = own.filter(({ label }) => wanted.includes(label));
    return new Map(
      chosen.map((method): [string, string] => {
        const settings = JSON.stringify(method);
        const known = bySettings.get(settings);
        if (known !== undefined) return [method.label, known];
        const label = `${methods.length} ${method.label}`;
        bySettings.set(settings, label);
        streams.set(label, method.label);
        methods.push({ ...method, label });
        return [method.label, label];
      }),
    );
  });
  return { scenario: { ...scenario, methods }, streamNameOf: (label) => streams.get(label) ?? label, labels };
}

/** Whether cases have room beside one another. */
function fits(cases: readonly PlannedCase[], bytes: number): boolean {
  return estimateMemory(shareExperiment(cases).scenario, ELEMENT_BYTES) <= bytes;
}

/**
 * Groups cases that share their world and seed.
 *
 * @param wanted indices of cases, ascending
 * @returns indices of the cases of each group, in the order of their first ones
 */
export function groupCases(
  plan: SweepPlan,
  wanted: Iterable<number>,
  { most = MOST_TOGETHER, bytes = MOST_BYTES }: GroupLimits = {},
): readonly (readonly number[])[] {
  const { seeds, worlds } = plan;
  const together = new Map<number, number[]>();
  const groups: number[][] = [];
  const room = new Map<number, number>();
  for (const index of wanted) {
    const world = worlds[Math.floor(index / seeds.length)];
    const key = world * seeds.length + (index % seeds.length);
    const open = together.get(key);
    if (open && !room.has(world)) room.set(world, roomOf(plan.caseAt(open[0]), plan.caseAt(index), bytes));
    if (open && open.length < Math.min(most, room.get(world) ?? 1)) open.push(index);
    else {
      const group = [index];
      together.set(key, group);
      groups.push(group);
    }
  }
  return groups;
}

/** @returns how many cases of a world fit together, where each further one needs as much as the second */
function roomOf(first: PlannedCase, second: PlannedCase, bytes: number): number {
  // Interventions name methods by their index, which others beside them would change.
  if (first.scenario.interventions.length > 0) return 1;
  const company = [first];
  while (company.length < MOST_TOGETHER) {
    company.push(renamed(second, company.length));
    if (!fits(company, bytes)) return company.length - 1;
  }
  return MOST_TOGETHER;
}

/** The same case with methods that are taken for others. */
function renamed(planned: PlannedCase, n: number): PlannedCase {
  const rename = (label: string): string => `${label} ${n}`;
  const methods = planned.scenario.methods.map((method) => ({ ...method, label: rename(method.label) }));
  return { ...planned, scenario: { ...planned.scenario, methods }, methods: planned.methods.map(rename) };
}

/** What came of a case, without its rows, which are in its folder. */
export type CaseSummary = Omit<CaseOutcome, 'rows' | 'variables'>;

/** What is kept of a case: with thousands of them, the measures that are asked for alone. */
export type KeptCase = Pick<SweepCase, 'state' | 'reason' | 'methods'>;

/** The record of a case that was not run yet. */
const WAITING: KeptCase = { state: 'waiting', reason: null, methods: [] };

function axisOf({ path, title }: PlannedAxis, index: number, plan: SweepPlan): SweepAxis {
  const values = new Map<string, unknown>();
  for (let first = 0; first < plan.count; first += plan.seeds.length) {
    const value = plan.valuesAt(first)[index];
    values.set(JSON.stringify(value), value);
  }
  return { path, title, values: [...values.values()] as SweepAxis['values'][number][] };
}

/** @returns what of a case the sweep's document has */
export function keepCase({ measures }: SweepPlan, { state, reason, methods }: CaseSummary): KeptCase {
  return {
    state,
    reason,
    methods: methods.map(({ method, state: ended, divergedAt, measures: measured }): MethodOutcome => ({
      method,
      state: ended,
      divergedAt,
      values: measures.map(({ name }) => measured[name] ?? null),
    })),
  };
}

/** @param keptOf what is kept of the case with that hash; undefined of one that waits */
export function assembleResults(plan: SweepPlan, keptOf: (hash: string) => KeptCase | undefined): SweepResults {
  const { name, scenario, origin, axes, seeds, methods, measures, count, hashes } = plan;
  return {
    format: 1,
    name,
    scenario: scenario as SweepResults['scenario'],
    backend: origin.backend,
    versions: origin.versions,
    axes: axes.map((axis, index) => axisOf(axis, index, plan)),
    seeds,
    methods,
    measures,
    cases: Array.from({ length: count }, (_, index) => ({
      hash: hashes[index],
      values: plan.valuesAt(index) as SweepCase['values'],
      seed: plan.seedAt(index),
      ...(keptOf(hashes[index]) ?? WAITING),
    })),
  };
}

/** What came of one method in a case. */
interface MeasuredMethod {
  /** Label. */
  readonly method: string;
  readonly kind: string;
  readonly members: number;
  readonly state: 'complete' | 'diverged';
  /** The cycle that it did not complete; null of one that is complete. */
  readonly divergedAt: number | null;
  /** All measures by name; none of one that diverged. */
  readonly measures: MeasuredValues;
}

/** What came of a case. */
export interface CaseOutcome {
  readonly hash: string;
  readonly state: 'complete' | 'failed';
  /** Why it could not be run. */
  readonly reason: string | null;
  /** Empty where it failed. */
  readonly methods: readonly MeasuredMethod[];
  /** Names of the model's variables. */
  readonly variables: readonly string[];
  /** Cycle by cycle, of each the methods in the scenario's order. */
  readonly rows: readonly CycleDiagnostics[];
}

export interface RunCasesOptions {
  /** Contents of the files that the scenarios name, by those names. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** Reads those that are NetCDF-4 where it can be stopped; where it is missing they are refused. */
  readonly openHdf5?: OpenHdf5 | undefined;
  /** Called with the experiments' events; methods have the labels that they have among those of all cases. */
  readonly listener?: (event: ExperimentEvent) => void;
  /** Awaited between cycles, so that its host can receive messages. */
  readonly yieldToEventLoop?: () => Promise<unknown>;
  readonly signal?: AbortSignal | undefined;
}

/** What an experiment has said. */
interface Told {
  readonly methods: readonly MethodSummary[];
  readonly variables: readonly string[];
  readonly rows: readonly CycleDiagnostics[];
  readonly diverged: ReadonlyMap<string, number>;
}

/** Runs all methods of all cases in one experiment, to its end or to that of its last method. */
async function runShared(
  backend: Backend,
  { scenario, streamNameOf }: SharedExperiment,
  wanted: readonly string[],
  { files = {}, openHdf5, listener, yieldToEventLoop, signal }: RunCasesOptions,
): Promise<Told> {
  const rows: CycleDiagnostics[] = [];
  const diverged = new Map<string, number>();
  let methods: readonly MethodSummary[] = [];
  let variables: readonly string[] = [];
  const read = await readScenarioFiles(scenario, fileReader(files), scenario.name, openHdf5);
  const experiment = await createExperiment(backend, scenario, {
    files: read,
    methods: wanted,
    streamNameOf,
    signal,
    listener(event) {
      if (event.type === 'start') ({ methods, variables } = event);
      if (event.type === 'diagnostics') rows.push(event.diagnostics);
      if (event.type === 'diverged') diverged.set(event.method, event.cycle);
      listener?.(event);
    },
  });
  const hasImpacts = recordedImpact(scenario.experiment) !== undefined;
  const situation = { backend, scenario, files: read, memoryBytes: DEFAULT_MEMORY_BYTES, streamNameOf };
  experiment.keepForecasts(hasImpacts);
  try {
    while (experiment.nextCycle < experiment.cycles) {
      await yieldToEventLoop?.();
      signal?.throwIfAborted();
      const before = rows.length;
      await experiment.step();
      if (!hasImpacts) continue;
      const impacts = await recordedImpacts(experiment, situation);
      rows.push(...rows.splice(before).map((row) => withImpact(row, impacts, scenario)));
    }
  } catch (error) {
    // That each method has diverged is what came of the case.
    if (!(error instanceof AllDivergedError)) throw error;
  } finally {
    experiment.dispose();
  }
  return { methods, variables, rows, diverged };
}

/** Takes one case out of what all have said, its methods under their own labels. */
function outcomeOf(
  { hash, scenario }: PlannedCase,
  labels: ReadonlyMap<string, string>,
  { methods, variables, rows, diverged }: Told,
): CaseOutcome {
  const ownLabels = new Map([...labels].map(([own, shared]) => [shared, own]));
  const own = [...labels].flatMap(([label, shared]) => {
    const found = methods.find((method) => method.label === shared);
    return found ? [{ ...found, label }] : [];
  });
  const order = [...labels.keys()];
  const ownRows = rows
    .flatMap((row) => {
      const label = ownLabels.get(row.method);
      return label === undefined ? [] : [{ ...row, method: label }];
    })
    // Methods come in the order of whichever case had them first.
    .sort((a, b) => a.cycle - b.cycle || order.indexOf(a.method) - order.indexOf(b.method));
  const lost = new Set(own.map(({ label }) => label).filter((label) => diverged.has(labels.get(label) ?? label)));
  const measured = measureMethods(scenario, own, ownRows, lost);
  return {
    hash,
    state: 'complete',
    reason: null,
    methods: own.map(({ label, kind, members }) => {
      const divergedAt = diverged.get(labels.get(label) ?? label) ?? null;
      const state = divergedAt === null ? 'complete' : 'diverged';
      return { method: label, kind, members, state, divergedAt, measures: measured.get(label) ?? {} };
    }),
    variables,
    rows: ownRows,
  };
}

/** @returns the outcome of a case that could not be run. @param reason on one line */
export function failedCase({ hash }: Pick<PlannedCase, 'hash'>, reason: string): CaseOutcome {
  return { hash, state: 'failed', reason, methods: [], variables: [], rows: [] };
}

/**
 * Runs cases of one group as one experiment; where that cannot be, each by itself, so that what is wrong with one is not the
 * others' end. The numbers of a case are the same bits in any company.
 *
 * @param group cases that have all but their methods in common
 * @returns an outcome for each, in their order; what cannot be run is a failed one
 * @throws DeviceLostError, after which nothing can be run here; the signal's reason
 */
export async function runCases(
  backend: Backend,
  group: readonly PlannedCase[],
  options: RunCasesOptions = {},
): Promise<readonly CaseOutcome[]> {
  const shared = shareExperiment(group);
  const wanted = [...new Set(shared.labels.flatMap((labels) => [...labels.values()]))];
  try {
    const told = await runShared(backend, shared, wanted, options);
    return group.map((planned, index) => outcomeOf(planned, shared.labels[index], told));
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof DeviceLostError) throw error;
    if (group.length === 1) return [failedCase(group[0], errorOf(error).message.replaceAll(/\s*\n\s*/g, ' '))];
  }
  const outcomes: CaseOutcome[] = [];
  for (const planned of group) outcomes.push(...(await runCases(backend, [planned], options)));
  return outcomes;
}
