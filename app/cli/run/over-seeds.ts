/**
 * `shoal run --seeds`: a scenario with several seeds as a sweep of one point. It has the folders, processes and records of
 * `shoal sweep`, and a table that says which method is better.
 */
import { createHash } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import {
  describeProblem,
  durationText,
  groupCases,
  planSweep,
  summariseSeeds,
  sweepOverSeeds,
  describeAgainst,
  HEADLINE_REMARKS,
  formatRanges,
  nameWithUnit,
} from '../../../engine/index.ts';
import type { OverSeeds, SweepPlan, SeedsMeasure, SeedsRow, SweepMeasure } from '../../../engine/index.ts';
import { EXIT, type Context, type ExitCode, UsageError } from '../context.ts';
import { hdf5In } from '../thread.ts';
import { loadScenario, readBeside, scenarioPath, type LoadedScenario } from '../scenario-source.ts';
import { decideBackend } from '../select-backend.ts';
import { executeSweep, exitCodeOf, sayHowToContinue, warnOfFailures, type SweepEnding } from '../sweep/execute.ts';
import { estimateSweep, groupLimits, originOf, workersOf } from '../sweep/pool.ts';
import { claimSweepFolder, type PlannedSweep } from '../sweep/folder.ts';
import { inWords, formatComparisons, digits } from './comparison-table.ts';
import { checkRequirements, selectMethods, type RunOptions } from './options.ts';
import { formatTable } from '../table.ts';

const ABSENT = '–';

function isSkill(name: string): boolean {
  return name === 'skill' || name === 'skill_pattern';
}

/** `RMSE analysis` over `h (m)`, as in the table of one run. */
function headOf({ name, title }: SweepMeasure): string {
  const [, pattern = '', stage, variable] = /^rmse_(pattern_)?(forecast|analysis)_(.+)$/.exec(name) ?? [];
  const error = pattern === '' ? 'RMSE' : 'pattern RMSE';
  if (stage !== undefined && variable !== undefined) return `${error} ${stage}\n${nameWithUnit(variable)}`;
  return isSkill(name) ? name.replace('_', ' of\nthe ') : title;
}

function textOf({ name }: SweepMeasure): (value: number) => string {
  return isSkill(name) ? (value) => `${(100 * value).toFixed(1)} %` : digits;
}

/** The median, and beneath it the interval, which is nothing for a value that every seed gives. */
function cellOf({ measure, median }: SeedsMeasure): string {
  if (median === undefined) return ABSENT;
  const text = textOf(measure);
  const [estimate, low, high] = [median.estimate, median.low, median.high].map(text);
  return low === high ? estimate : `${estimate}\n${low} to ${high}`;
}

function divergedText({ diverged }: SeedsRow, complete: number): string {
  if (diverged.length === 0) return '';
  return `${diverged.length} of ${complete}\nseed ${formatRanges(diverged.map(({ seed }) => seed))}`;
}

/** What the numbers of the table are. */
function captionOf({ complete, rows, shown, headline }: OverSeeds): string {
  const all = rows.flatMap(({ measures }) => shown.flatMap(({ name }) => measures.get(name)?.median ?? []));
  const isSure = all.some(({ coverage, level }) => coverage >= level);
  const interval = isSure ? '95 % interval of the median' : 'range: six seeds or more are needed for a 95 % interval';
  const without = rows.some(({ diverged }) => diverged.length > 0)
    ? '; of a method, the seeds with which it did not diverge'
    : '';
  const medians = `Medians over ${complete.length} seeds (${formatRanges(complete)}${without}); beneath each, the ${interval}.`;
  const remark = HEADLINE_REMARKS[headline];
  return remark === '' ? medians : `${medians}\n${remark}`;
}

function formatMedians({ rows, shown, complete }: OverSeeds): string {
  const hasDiverged = rows.some(({ diverged }) => diverged.length > 0);
  return formatTable(
    ['method', ...shown.map(headOf), ...(hasDiverged ? ['diverged'] : [])],
    rows.map((row) => [
      row.method,
      ...shown.flatMap(({ name }) => row.measures.get(name) ?? []).map(cellOf),
      ...(hasDiverged ? [divergedText(row, complete.length)] : []),
    ]),
    { align: 'lr' },
  );
}

/** @returns a sentence for each method and variable that is worse than the free run */
export function worseLines({ worse }: OverSeeds): readonly string[] {
  return worse.map(
    ({ method, variable, comparison }) =>
      `${method}: its analysis of ${variable} is worse than the free run: ${describeAgainst(comparison)}`,
  );
}

/** @returns both tables and what has to be known to read them; of no complete seed, a line that says so */
export function formatOverSeeds(study: OverSeeds): string {
  if (study.complete.length === 0) return 'no seed is complete';
  const { comparisons, compared } = study;
  return [formatMedians(study), captionOf(study), formatComparisons({ over: 'seeds', comparisons }, compared)]
    .filter((part) => part !== '')
    .join('\n');
}

type SeedsOptions = RunOptions & Required<Pick<RunOptions, 'seeds'>>;

/** Digits of a folder's name that identify the settings. */
const DIGITS = 8;

/** The same settings, methods, seeds and backend have the same folder, where what is done is found again. */
function usualFolder({ name, seeds, hashes }: SweepPlan): string {
  const settings = createHash('sha256').update(hashes.join('\n')).digest('hex').slice(0, DIGITS);
  return join('sweeps', `${name.replaceAll(/[^\w-]+/g, '-')}-${seeds.length}-seeds-${settings}`);
}

/** @throws UsageError */
function assertNoSeedSet({ set = [] }: RunOptions): void {
  const given = set.find((assignment) => /^\s*seed\s*=/.test(assignment));
  if (given !== undefined) throw new UsageError(`--set ${given}: the seeds are those of --seeds`);
}

/** Plans the sweep, and says what it will take. @throws ScenarioError, LimitError */
async function plan(
  context: Context,
  { scenario, raw, path }: LoadedScenario,
  backend: Parameters<typeof originOf>[1],
  { seeds, method, allowLong = false }: SeedsOptions,
): Promise<PlannedSweep> {
  const methods = selectMethods(scenario, method);
  const sweep = sweepOverSeeds(scenario, seeds, methods);
  const origin = await originOf(context, backend, (opened) => checkRequirements(scenario, opened, methods, allowLong));
  const folder = dirname(resolve(path));
  const readFile = (name: string, most: number): Promise<Uint8Array> => readBeside(join(folder, name), most);
  const base = { raw, file: path, readFile, openHdf5: hdf5In(context.installation.bundleFolder) };
  return { sweep, base, plan: await planSweep(sweep, base, origin) };
}

function outlook(planned: SweepPlan, workers: number): string {
  const { seconds, bytes } = estimateSweep(planned, workers);
  const processes = `${workers} ${workers === 1 ? 'process' : 'processes'}`;
  return `${planned.name}: ${planned.seeds.length} seeds, ${processes}; ${durationText(seconds)}, about ${Math.ceil(bytes / 2 ** 20)} MiB`;
}

function documentOf(
  { name, seeds, origin }: SweepPlan,
  study: OverSeeds,
  { folder, state, warnings }: { folder: string; state: SweepEnding['state']; warnings: readonly string[] },
) {
  const { complete, failures, compared, rows, comparisons, worse } = study;
  return {
    scenario: name,
    seeds,
    backend: origin.backend,
    folder,
    state,
    complete,
    failures,
    compared,
    methods: rows.map(({ method, diverged, measures }) => ({
      method,
      diverged,
      measures: Object.fromEntries(
        [...measures.values()].map(({ measure: { name: measure, unit }, median, bySeed }) => [
          measure,
          { unit, median: median ?? null, bySeed },
        ]),
      ),
    })),
    comparisons: inWords({ over: 'seeds', comparisons }),
    worseThanFreeRun: worse,
    warnings,
  };
}

/** @throws ScenarioError, UsageError, BackendError, LimitError, WriteError */
export async function runOverSeeds(context: Context, given: string, options: SeedsOptions): Promise<ExitCode> {
  const { terminal, installation } = context;
  assertNoSeedSet(options);
  const loaded = await loadScenario(await scenarioPath(installation.root, given), options);
  const backing = await decideBackend(options.backend, context);
  if (backing.kind === 'done') return backing.exitCode;
  for (const note of loaded.notes) terminal.note(`${loaded.path}: ${note}`);
  const warnings = loaded.warnings.map(describeProblem);
  for (const warning of warnings) terminal.note(`warning: ${warning}`);
  const planned = await plan(context, loaded, backing.name, options);
  const workers = workersOf(options.workers, planned.plan);
  terminal.note(outlook(planned.plan, workers));
  const { resume = false, out = usualFolder(planned.plan) } = options;
  const folder = await claimSweepFolder(planned, { out, resume, shared: false });
  try {
    const wanted = [...Array(planned.plan.count).keys()];
    const ending = await executeSweep(terminal, planned.plan, folder, {
      wanted,
      group: (todo) => groupCases(planned.plan, todo, groupLimits(todo.length, workers)),
      workers,
      start: {
        backend: backing.name,
        threads: options.threads ?? (workers > 1 ? 1 : undefined),
        bundleFolder: installation.bundleFolder,
        source: loaded.path,
      },
      retry: false,
      tables: true,
    });
    return report(context, planned.plan, ending, { wanted, folder: folder.path, warnings });
  } finally {
    await folder.release();
  }
}

function report(
  context: Context,
  planned: SweepPlan,
  { state, tally, results }: SweepEnding,
  { wanted, folder, warnings }: { wanted: readonly number[]; folder: string; warnings: readonly string[] },
): ExitCode {
  const { terminal } = context;
  if (!results) return exitCodeOf(state, tally);
  const study = summariseSeeds(results);
  terminal.print(formatOverSeeds(study));
  terminal.print(`sweep folder: ${folder}`);
  terminal.printJson(documentOf(planned, study, { folder, state, warnings }));
  for (const line of worseLines(study)) terminal.warn(line);
  warnOfFailures(context, planned, tally, wanted);
  if (state === 'stopped') sayHowToContinue(context, tally, wanted.length, folder);
  const hasDiverged = study.rows.some(({ diverged }) => diverged.length > 0);
  const code = exitCodeOf(state, tally);
  return code === EXIT.done && hasDiverged ? EXIT.failed : code;
}
