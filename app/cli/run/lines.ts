/** Which runs a command carries out of one scenario: its own, one of its branches, or all of them, each in its folder. */
import { join } from 'node:path';
import { branchScenario, branchTitle, nearest, type RunRecord, type Scenario } from '../../../engine/index.ts';
import { UsageError } from '../failure.ts';
import { findFolder, freshFolder, namesIn, type FoundFolder } from './folder.ts';

/** One run: the scenario's own, or a branch as the scenario that it is. */
export interface RunLine {
  /** The branch's title; undefined for the scenario's own run. */
  readonly branch: string | undefined;
  readonly scenario: Scenario;
}

export interface LineChoice {
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
