/**
 * Finished runs beside each other: which are of the same settings and differ by their seed, what differs between the settings,
 * and over what their methods can be paired. Errors can be compared where truth and observations are the same: of one seed
 * cycle by cycle, of several seed by seed.
 */
import { comparedVariables, settingsDifferences, settingsText, worldText } from '../scenario/index.ts';
import type { Scenario, SettingDifference } from '../scenario/index.ts';
import type { MethodDivergence, MethodSummary } from '../experiment/index.ts';
import { methodDefinition } from '../methods/index.ts';
import { compareByCycles, compareBySeeds } from './cycle-series.ts';
import type { ComparedMethods, Contender, CycleValues } from './cycle-series.ts';
import type { RunRecord, RunState, Versions } from './run-record.ts';
import { summaryTerms, type RunSummary } from './summary.ts';

/** A run, or the case of a sweep, with what it is called where it is compared. */
export interface ComparedRun {
  readonly name: string;
  readonly scenario: Scenario;
  readonly seed: number;
  readonly backend: RunRecord['backend'];
  readonly versions: Versions;
  readonly state: RunState;
  readonly cycles: number;
  readonly completedCycles: number;
  readonly methods: readonly MethodSummary[];
  readonly diverged: readonly Pick<MethodDivergence, 'method' | 'cycle'>[];
  /** SHA-256 of the files that the scenario names, by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly summary: RunSummary;
}

/** @param name what it is called among others. @param summary of its rows */
export function comparedRunOf(name: string, record: RunRecord, summary: RunSummary): ComparedRun {
  const { scenario, seed, backend, versions, state, cycles, completedCycles, methods, diverged = [] } = record;
  const files = Object.entries(record.scenarioFiles ?? {}).map(([file, { sha256 }]) => [file, sha256]);
  return {
    name,
    scenario,
    seed,
    backend,
    versions,
    state,
    cycles,
    completedCycles,
    methods,
    diverged,
    files: Object.fromEntries(files),
    summary,
  };
}

/** Runs of the same settings on the same kind of backend, one for each seed. */
export interface RunGroup {
  /** From 1. */
  readonly number: number;
  readonly runs: readonly ComparedRun[];
  /** Against the first group. */
  readonly differences: readonly SettingDifference[];
}

export type RunsComparison = GroupedRuns & Pairing;

interface GroupedRuns {
  /** Groups of the runs that have a complete cycle. */
  readonly groups: readonly RunGroup[];
  /** The others. */
  readonly empty: readonly ComparedRun[];
  /** The variables by which methods are compared; of the first run. */
  readonly compared: readonly string[];
  /** What is omitted, and why; a sentence each. */
  readonly leftOut: readonly string[];
}

/** No methods are compared. */
export interface NotCompared {
  readonly over: undefined;
  readonly comparisons: { readonly least: undefined; readonly pairs: readonly [] };
}

type Pairing = (ComparedMethods | NotCompared) & {
  /** Why they are compared so, or why not. */
  readonly why: string;
  /** Seeds of the pairs; empty without pairs. */
  readonly seeds: readonly number[];
};

const NO_COMPARISONS = { least: undefined, pairs: [] } as const;

/** By their contents: a file that the scenario names may be another under the same name. */
function filesText({ files }: ComparedRun): string {
  return JSON.stringify(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Labels of the methods that were run, which may be a selection. */
function labelsOf({ methods }: ComparedRun): string {
  return methods.map(({ label }) => label).join(', ');
}

function groupText(run: ComparedRun): string {
  return JSON.stringify([settingsText(run.scenario), filesText(run), run.backend.name, labelsOf(run)]);
}

function differing(path: string, before: string, after: string): readonly SettingDifference[] {
  return before === after ? [] : [{ path, before, after, words: `${path} ${before} → ${after}` }];
}

/** What differs beside the scenario. */
function otherDifferences(before: ComparedRun, after: ComparedRun): readonly SettingDifference[] {
  const files = {
    path: 'scenario-files',
    before: undefined,
    after: undefined,
    words: 'the content of the files it names',
  };
  return [
    ...differing('backend', before.backend.name, after.backend.name),
    ...differing('methods that were run', labelsOf(before), labelsOf(after)),
    ...(filesText(before) === filesText(after) ? [] : [files]),
  ];
}

function groupRuns(runs: readonly ComparedRun[]): { readonly groups: readonly RunGroup[]; readonly twice: string[] } {
  const byText = new Map<string, ComparedRun[]>();
  const twice: string[] = [];
  for (const run of runs) {
    const text = groupText(run);
    const group = byText.get(text) ?? [];
    byText.set(text, group);
    const same = group.find(({ seed }) => seed === run.seed);
    if (same) twice.push(`${run.name} is omitted: its settings, seed and backend are those of ${same.name}.`);
    else group.push(run);
  }
  const groups = [...byText.values()].map((members, index) => {
    const [run] = members;
    const [first] = runs;
    const differences = [...settingsDifferences(first.scenario, run.scenario), ...otherDifferences(first, run)];
    return { number: index + 1, runs: members, differences };
  });
  return { groups, twice };
}

/** Whether it came to its end, if that was that methods diverged. */
function hasEnded({ state }: ComparedRun): boolean {
  return state === 'complete' || state === 'diverged';
}

function divergedIn({ diverged }: ComparedRun, label: string): boolean {
  return diverged.some(({ method }) => method === label);
}

/** A method of a group: by its label, and the group's number if there are several. */
function contendersOf<Values>(
  groups: readonly RunGroup[],
  valuesOf: (group: RunGroup, label: string) => Values | undefined,
): Contender<Values>[] {
  return groups.flatMap((group) => {
    const [{ methods }] = group.runs;
    const nameOf = (label: string): string => (groups.length === 1 ? label : `${label} [${group.number}]`);
    const freeRun = methods.find(({ kind }) => !methodDefinition(kind).assimilates);
    return methods.flatMap(({ label }): Contender<Values>[] => {
      const values = valuesOf(group, label);
      if (values === undefined) return [];
      const contender = { name: nameOf(label), freeRun: freeRun && nameOf(freeRun.label), values };
      return [group.number === 1 ? contender : { ...contender, first: `${label} [1]` }];
    });
  });
}

function overCycles(groups: readonly RunGroup[], seed: number): Pairing {
  const contenders = contendersOf(groups, (group, label): CycleValues | undefined => {
    const run = group.runs.find((each) => each.seed === seed);
    return run && !divergedIn(run, label) ? run.summary.errors(label) : undefined;
  });
  const backends = new Set(groups.map(({ runs }) => runs[0].backend.name));
  const rounding = backends.size > 1 ? ', but for the rounding of their backends' : '';
  return {
    over: 'cycles',
    why: `paired over the cycles they have in common, since truth and observations are the same (seed ${seed}${rounding})`,
    seeds: [seed],
    comparisons: compareByCycles(contenders),
  };
}

/** Mean over the cycles after the spin-up, of several variables the geometric mean; null where the method diverged. */
function errorOf(run: ComparedRun, label: string, compared: readonly string[]): number | null {
  if (divergedIn(run, label)) return null;
  const found = run.summary.results(run.methods).find(({ method }) => method === label);
  const errors = compared.map((variable) => found?.rmse.analysis[variable] ?? Number.NaN);
  const product = errors.reduce((all, error) => all * error, 1);
  return Number.isFinite(product) ? product ** (1 / errors.length) : null;
}

function overSeeds(groups: readonly RunGroup[], seeds: readonly number[], compared: readonly string[]): Pairing {
  const contenders = contendersOf(groups, (group, label) =>
    seeds.map((seed) => {
      const run = group.runs.find((each) => each.seed === seed);
      return run ? errorOf(run, label, compared) : null;
    }),
  );
  const difference =
    groups.length === 1 ? 'the runs differ by their seed alone' : 'truth and observations follow from the seed alike';
  return {
    over: 'seeds',
    why: `paired over ${seeds.length} seeds, since ${difference}`,
    seeds,
    comparisons: compareBySeeds(contenders),
  };
}

function cannot(why: string): Pairing {
  return { over: undefined, why: `not compared: ${why}`, seeds: [], comparisons: NO_COMPARISONS };
}

/** The seeds of which each group has a run. */
function commonSeeds(groups: readonly RunGroup[], counts: (run: ComparedRun) => boolean): number[] {
  const [first, ...others] = groups.map(({ runs }) => runs.filter(counts).map(({ seed }) => seed));
  return first.filter((seed) => others.every((seeds) => seeds.includes(seed))).sort((a, b) => a - b);
}

/** Which cycles the means of a group's runs are over. */
function meansOf({ runs: [{ scenario, cycles }] }: RunGroup): string {
  return `${summaryTerms(scenario).spinup} ${cycles}`;
}

function pair(groups: readonly RunGroup[], compared: readonly string[]): Pairing {
  const worldOf = ({ runs: [run] }: RunGroup): string => worldText(run.scenario) + filesText(run);
  const elsewhere = groups.find((group) => worldOf(group) !== worldOf(groups[0]));
  if (elsewhere) {
    const whose = `truth or observations of [${elsewhere.number}] are not those of [1]`;
    return cannot(`${whose}, and errors against another truth say nothing`);
  }
  const ended = commonSeeds(groups, hasEnded);
  if (ended.length > 1) {
    const other = groups.find((group) => meansOf(group) !== meansOf(groups[0]));
    if (other) return cannot(`the means of [${other.number}] are over other cycles than those of [1]`);
    return overSeeds(groups, ended, compared);
  }
  const seeds = commonSeeds(groups, () => true);
  if (seeds.length === 0) return cannot('there is no seed of which each of them has a run');
  if (groups.length > 1) return overCycles(groups, ended[0] ?? seeds[0]);
  const unfinished = groups[0].runs.some((run) => !hasEnded(run));
  return cannot(unfinished ? 'fewer than two runs have come to their end' : 'there is one run only');
}

/** What of the runs has no part in a pairing. */
function withoutPart(groups: readonly RunGroup[], { over, seeds }: Pairing): string[] {
  if (over === undefined) return [];
  return groups.flatMap(({ runs }) =>
    runs.flatMap((run) => {
      const { seed, state } = run;
      if (!seeds.includes(seed)) {
        const why =
          over === 'seeds' && !hasEnded(run) ? `it is not at its end (${state})` : `seed ${seed} is not in all of them`;
        return [`${run.name} has no part in it: ${why}.`];
      }
      const diverged = over === 'cycles' ? run.diverged : [];
      return diverged.map(
        ({ method, cycle }) => `${method} of ${run.name} has no part in it: it diverged in cycle ${cycle}.`,
      );
    }),
  );
}

/** @param runs two or more, each with a name of its own */
export function compareRuns(runs: readonly ComparedRun[]): RunsComparison {
  const empty = runs.filter(({ completedCycles }) => completedCycles === 0);
  const { groups, twice } = groupRuns(runs.filter((run) => !empty.includes(run)));
  const compared = comparedVariables(runs[0].scenario);
  const pairing = groups.length === 0 ? cannot('none of them has a complete cycle') : pair(groups, compared);
  return { groups, empty, compared, ...pairing, leftOut: [...twice, ...withoutPart(groups, pairing)] };
}

/** @returns the versions that are not the same in all runs, a clause each */
export function versionDifferences(runs: readonly Pick<ComparedRun, 'versions'>[]): readonly string[] {
  const names = new Set(runs.flatMap(({ versions }) => Object.keys(versions)));
  return [...names].flatMap((name) => {
    const found = [...new Set(runs.map(({ versions }) => versions[name] ?? 'none'))];
    return found.length > 1 ? [`${name} ${found.join(', ')}`] : [];
  });
}
