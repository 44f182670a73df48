/**
 * What `shoal run` is asked for: which methods, which of the scenario's runs (its own, one of its branches, all of them), each in
 * which folder, and what they need of this machine.
 */
import {
  DEFAULT_MEMORY_BYTES,
  checkEffort,
  checkMemory,
  cyclesOf,
  describeEffort,
  estimateEffort,
  estimateMemory,
  nearest,
  branchScenario,
  branchTitle,
} from '../../../engine/index.ts';
import type { BackendChoice, Backend, Scenario, RunRecord } from '../../../engine/index.ts';
import { type CommonOptions, UsageError } from '../context.ts';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { findFolder, freshFolder, namesIn, type FoundFolder } from './folder.ts';

/**
 * @returns labels of the methods that names select, in the scenario's order; undefined for all
 * @throws UsageError for a name that is neither label nor kind
 */
export function selectMethods({ methods }: Scenario, names: readonly string[] | undefined): string[] | undefined {
  if (!names) return undefined;
  for (const name of names) {
    if (methods.some(({ label, kind }) => name === label || name === kind)) continue;
    const known = [...new Set(methods.flatMap(({ label, kind }) => [label, kind]))];
    const near = nearest(name, known);
    const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
    throw new UsageError(`--method ${name}: the scenario has no such method; it has ${known.join(', ')}${hint}`);
  }
  return methods.filter(({ label, kind }) => names.includes(label) || names.includes(kind)).map(({ label }) => label);
}

/** @throws LimitError when this machine has not the memory, or the run would take more than a day and is not to */
export function checkRequirements(
  scenario: Scenario,
  { name, elementBytes }: Backend,
  methods: readonly string[] | undefined,
  allowLong: boolean,
): void {
  const machine = totalmem();
  // A GPU does not report its memory: assume that of a small one, or that of the machine.
  checkMemory(scenario, elementBytes, name !== 'webgpu' ? machine : Math.max(machine, DEFAULT_MEMORY_BYTES));
  if (!allowLong) checkEffort(estimateEffort(scenario, methods), name, 'start it with --allow-long');
}

/** @returns cells, members, methods and cycles, and about how much memory and time they take, on one line */
export function describeRequirements(
  scenario: Scenario,
  { name, elementBytes }: Backend,
  methods: readonly string[] | undefined,
): string {
  const { grid, background } = scenario;
  const mebibytes = Math.ceil(estimateMemory(scenario, elementBytes) / 2 ** 20);
  const count = methods?.length ?? scenario.methods.length;
  const size = `${grid.nx} × ${grid.ny} cells, ${background.members} members, ${count} ${count === 1 ? 'method' : 'methods'}`;
  const effort = describeEffort(estimateEffort(scenario, methods), name);
  const cycles = cyclesOf(scenario);
  return `${scenario.name}: ${size}, ${cycles} ${cycles === 1 ? 'cycle' : 'cycles'}; about ${mebibytes} MiB; ${effort}`;
}

export interface RunOptions extends CommonOptions {
  readonly backend: BackendChoice;
  /** Threads of the `wasm` backend; default: as many as the machine has. */
  readonly threads?: number;
  readonly method?: readonly string[];
  readonly out?: string;
  readonly set?: readonly string[];
  readonly seed?: number;
  /** Runs the scenario with each of them, as a sweep. */
  readonly seeds?: readonly number[];
  /** Processes; only with `seeds`. One for each core if omitted. */
  readonly workers?: number;
  readonly resume?: boolean;
  /** Name of a branch, or its number, counted from 1: it is run alone. */
  readonly branch?: string;
  /** The scenario's own run and all of its branches. */
  readonly branches?: boolean;
  /** Whether the states of its cycles are kept, and with those of members. */
  readonly fields?: 'mean' | 'members' | 'none';
  /** From 0; all if omitted. */
  readonly members?: readonly number[];
  /** Keeps every n-th cycle only. */
  readonly every?: number;
  /** Records what observations change about the forecast so many cycles later. */
  readonly impact?: number;
  /** Also a run that is estimated to take more than a day. */
  readonly allowLong?: boolean;
}

/** One run: the scenario's own, or a branch as the scenario that it is. */
export interface RunLine {
  /** The branch's title; undefined for the scenario's own run. */
  readonly branch: string | undefined;
  readonly scenario: Scenario;
}

interface LineChoice {
  /** Name of a branch, or its number, counted from 1. */
  readonly branch?: string;
  /** The scenario's own run and all branches. */
  readonly branches?: boolean;
  readonly out?: string;
  readonly resume?: boolean;
}

/** @throws UsageError where no branch has that name or number */
function branchIndex(scenario: Scenario, asked: string): number {
  const { branches } = scenario;
  const named = branches.findIndex(({ name }) => name === asked);
  if (named >= 0) return named;
  const index = /^\d+$/.test(asked) ? Number(asked) - 1 : -1;
  if (branches[index]) return index;
  if (branches.length === 0) throw new UsageError(`--branch ${asked}: the scenario has no branches`);
  const near = nearest(
    asked,
    branches.flatMap(({ name }) => name ?? []),
  );
  const known = branches.map((_, number) => `${number + 1} (${branchTitle(scenario, number)})`).join(', ');
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  throw new UsageError(`--branch ${asked}: the scenario has no such branch; it has ${known}${hint}`);
}

function lineOfBranch(scenario: Scenario, index: number): RunLine {
  return { branch: branchTitle(scenario, index), scenario: branchScenario(scenario, index) };
}

/** @returns the runs that are asked for, the scenario's own first. @throws UsageError */
export function linesOf(
  scenario: Scenario,
  { branch, branches = false }: LineChoice,
): readonly [RunLine, ...(readonly RunLine[])] {
  const own: RunLine = { branch: undefined, scenario };
  if (branch !== undefined) return [lineOfBranch(scenario, branchIndex(scenario, branch))];
  return branches ? [own, ...scenario.branches.map((_, index) => lineOfBranch(scenario, index))] : [own];
}

/** Where a run's results go. */
export interface LineFolder {
  /** Record of the run to continue; undefined for a new run. */
  readonly record: RunRecord | undefined;
  /** Asked for when the run begins: a folder that gets its name by itself is made then. */
  readonly place: () => Promise<FoundFolder>;
}

function lineFolder(found: FoundFolder, parent?: () => Promise<string>): LineFolder {
  const { path, record } = found;
  return {
    record,
    place: async () => (parent && path !== undefined ? { path: join(await parent(), path), record } : found),
  };
}

/**
 * @returns a folder for each run: with --branches inside of one folder, `main` and `branch-1`, `branch-2`, …
 * @throws UsageError when a new run would overwrite something, or there is nothing to resume; ScenarioError; WriteError
 */
export async function foldersOf(
  lines: readonly [RunLine, ...(readonly RunLine[])],
  { branches = false, out, resume = false }: LineChoice,
): Promise<readonly LineFolder[]> {
  const [{ scenario }] = lines;
  if (!branches) return [lineFolder(await findFolder(scenario, { ...(out !== undefined && { out }), resume }))];
  const names = lines.map((_, index) => (index === 0 ? 'main' : `branch-${index}`));
  if (out === undefined) {
    if (resume) throw new UsageError('--branches --resume: name the folder by --out');
    let made: Promise<string> | undefined;
    return names.map((path) =>
      lineFolder({ path, record: undefined }, () => (made ??= freshFolder(scenario, new Date()))),
    );
  }
  const paths = names.map((name) => join(out, name));
  const begun = await Promise.all(paths.map(async (path) => (await namesIn(path)) !== undefined));
  if (resume && !begun.includes(true)) throw new UsageError(`${out}: nothing to resume, there is no run in it`);
  return Promise.all(
    lines.map(async (line, index) =>
      lineFolder(await findFolder(line.scenario, { out: paths[index], resume: resume && begun[index] })),
    ),
  );
}
