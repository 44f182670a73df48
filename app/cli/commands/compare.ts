/** `shoal compare`: finished runs in one table, what differs between their settings, and how their methods compare. */
import { compareRuns, shown, versionDifferences, worseThanFreeRun } from '../../../engine/index.ts';
import type { ComparedRun, MethodResult, RunGroup, RunsComparison, SettingDifference } from '../../../engine/index.ts';
import { EXIT, type Context, type ExitCode, UsageError } from '../context.ts';
import { formatComparisons, inWords, formatResults } from '../run/comparison-table.ts';
import { assertDifferent, readComparedRun } from '../run/folder.ts';

/** @throws UsageError where a folder is given twice, by whatever name, or only one is given */
async function assertSeveral(folders: readonly string[]): Promise<void> {
  await assertDifferent(folders);
  if (folders.length < 2) {
    throw new UsageError(
      `${folders[0]}: one run folder, two or more are needed; "shoal run" compares the methods of one`,
    );
  }
}

/** What a run is called beside a method's label: its group's number if there are several, its seed where the group has several. */
function shortName({ number, runs }: RunGroup, { seed }: ComparedRun, groups: number): string {
  return `${groups > 1 ? ` [${number}]` : ''}${runs.length > 1 ? ` seed ${seed}` : ''}`;
}

/** The table of a run, a row a method of each run. */
function formatRuns({ groups, compared }: RunsComparison): string {
  const diverged = new Map<string, number>();
  const rows = groups.flatMap((group) =>
    group.runs.flatMap((run): MethodResult[] => {
      const name = shortName(group, run, groups.length);
      for (const { method, cycle } of run.diverged) diverged.set(method + name, cycle);
      return run.summary.results(run.methods).map((result) => ({ ...result, method: result.method + name }));
    }),
  );
  const runs = groups.flatMap((group) => group.runs);
  const isPattern = runs.length > 0 && runs.every(({ summary }) => summary.headline === 'pattern');
  return formatResults(rows, compared, diverged, isPattern ? 'pattern' : 'total');
}

function describeRun({ name, scenario, seed, backend, state, completedCycles, cycles }: ComparedRun): string {
  const end = state === 'complete' ? `${cycles} cycles` : `${state} after ${completedCycles} of ${cycles} cycles`;
  return `${name}: ${scenario.name}, seed ${seed}, ${backend.name}, ${end}`;
}

/** A value as the file has it. */
function written(value: unknown): string {
  return value === undefined ? 'not there' : shown(typeof value === 'string' ? value : JSON.stringify(value));
}

/** By its path: `methods[letkf].inflation: 1.1 → 1.5`. */
function differenceLine({ path, before, after, words }: SettingDifference): string {
  if (before === undefined && after === undefined) return words;
  return `${path}: ${written(before)} → ${written(after)}`;
}

function describeGroup({ number, runs, differences }: RunGroup, isFirst: boolean): string[] {
  const lines = runs.map((run) => `[${number}] ${describeRun(run)}`);
  if (isFirst) return lines;
  const found = differences.map((difference) => `      ${differenceLine(difference)}`);
  return [
    ...lines,
    `    differs from [1] in ${differences.length === 1 ? 'one setting' : `${differences.length} settings`}:`,
    ...found,
  ];
}

/** What is to be known of the runs before their numbers are believed; a sentence each. */
function remarksOf({ groups, empty, leftOut }: RunsComparison): string[] {
  const runs = groups.flatMap((group) => group.runs);
  const worse = runs.flatMap(({ name, scenario, methods, summary, diverged }) =>
    worseThanFreeRun(scenario, methods, summary, diverged).map(({ words }) => `${name}: ${words}`),
  );
  const unfinished = runs.filter(({ state }) => state !== 'complete');
  const versions = versionDifferences(runs);
  return [
    ...empty.map(({ name, state }) => `${name} has no complete cycle (${state}), and nothing to compare.`),
    ...unfinished.map(
      ({ name, state, completedCycles, cycles }) =>
        `${name} is not complete (${state} after ${completedCycles} of ${cycles} cycles): its means are over those.`,
    ),
    ...(versions.length > 0
      ? [`The runs are of other versions, whose numbers may differ: ${versions.join('; ')}.`]
      : []),
    ...worse,
    ...leftOut,
  ];
}

function documentOf(found: RunsComparison, remarks: readonly string[]) {
  const { groups, compared, over, why, seeds } = found;
  return {
    compared,
    runs: groups.flatMap(({ number, runs }) =>
      runs.map(({ name, scenario, summary, ...run }) => ({
        folder: name,
        number,
        scenario: scenario.name,
        ...run,
        headline: summary.headline,
        methods: summary.results(run.methods),
        worseThanFreeRun: worseThanFreeRun(scenario, run.methods, summary, run.diverged),
      })),
    ),
    differences: groups.slice(1).map(({ number, differences }) => ({ number, settings: differences })),
    over: over ?? null,
    why,
    seeds,
    comparisons: found.over === undefined ? null : inWords(found),
    remarks,
  };
}

/** @throws UsageError, ScenarioError */
export default async function compare({ terminal }: Context, folders: readonly string[]): Promise<ExitCode> {
  await assertSeveral(folders);
  const runs: ComparedRun[] = [];
  for (const folder of folders) runs.push(await readComparedRun(folder));
  const found = compareRuns(runs);
  const { groups, compared, over, why } = found;
  const remarks = remarksOf(found);
  groups.forEach((group, index) => {
    for (const line of describeGroup(group, index === 0)) terminal.print(line);
  });
  if (groups.length > 0) terminal.print(formatRuns(found));
  terminal.print(`${why[0].toUpperCase()}${why.slice(1)}.`);
  if (found.over !== undefined) terminal.print(formatComparisons(found, compared));
  for (const remark of remarks) terminal.print(remark);
  terminal.printJson(documentOf(found, remarks));
  return over === undefined ? EXIT.failed : EXIT.done;
}
