/** `shoal bench`: how quick the kernels and a whole cycle are here, beside what was published. */
import { join, parse } from 'node:path';
import { SUITES, benchmarksOf, nearest } from '../../../engine/index.ts';
import type { BackendChoice, BackendName, Extent, Suite, TimeBudget } from '../../../engine/index.ts';
import { execute, oneThreadJobs, type BenchJob } from '../bench/execute.ts';
import { markdownOf, benchDocument, formatFindings, type BenchFindings } from '../bench/report.ts';
import { assertWritable, jsonTarget, markdownPath, writeDocument, writeText } from '../bench/target.ts';
import { tuneBackends } from '../tuning/report.ts';
import { EXIT, type CommonOptions, type Context, type ExitCode } from '../context.ts';
import { UsageError } from '../failure.ts';
import { programWords, thisMachine, versionsOf } from '../installation.ts';
import { decideBackend } from '../select-backend.ts';

export interface BenchOptions extends CommonOptions {
  readonly backend?: readonly BackendChoice[];
  readonly quick?: boolean;
  /** The file to which `stage` writes its picture. */
  readonly png?: string;
  readonly papers?: boolean;
  /** Picks the variants of the kernels again, and runs no benchmark. */
  readonly tune?: boolean;
  /** The file to write. */
  readonly markdown?: string;
  /** Threads of the `wasm` backend; default: as many as the machine has. */
  readonly threads?: number;
}

/** For each measurement of the small sizes. */
const QUICK_BUDGET: TimeBudget = { milliseconds: 100, longestMilliseconds: 4000 };

/** For which a comparison with the reference is worth waiting. */
const PATIENCE_SECONDS: Readonly<Record<Extent, number>> = { quick: 5, usual: 5, papers: 60 };

/** @returns the suites of these names, all without any. @throws UsageError for a name that is none */
export function selectSuites(names: readonly string[]): readonly Suite[] {
  for (const name of names) {
    if (SUITES.some((suite) => suite === name)) continue;
    const near = nearest(name, SUITES);
    const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
    throw new UsageError(`unknown suite '${name}'${hint}; suites are ${SUITES.join(', ')}`);
  }
  return names.length === 0 ? SUITES : SUITES.filter((suite) => names.includes(suite));
}

/** @throws UsageError where both are asked for */
export function selectExtent({ quick = false, papers = false }: BenchOptions): Extent {
  if (quick && papers) throw new UsageError('--quick and --papers: one of them, the small sizes or all tables');
  return quick ? 'quick' : papers ? 'papers' : 'usual';
}

type Decided = { readonly names: readonly BackendName[] } | { readonly exitCode: ExitCode };

/** WebGPU first: where it needs the program started again, that one does all the work. */
async function decideBackends(choices: readonly BackendChoice[], context: Context): Promise<Decided> {
  const decided = new Map<BackendChoice, BackendName>();
  const others = choices.filter((choice) => choice !== 'webgpu');
  for (const choice of new Set<BackendChoice>(others.length < choices.length ? ['webgpu', ...others] : others)) {
    const backing = await decideBackend(choice, context);
    if (backing.kind === 'done') return { exitCode: backing.exitCode as ExitCode };
    decided.set(choice, backing.name);
  }
  const names = choices.flatMap((choice) => decided.get(choice) ?? []);
  return { names: [...new Set(names)] };
}

/** `results.json` → `results.stopped.json`. */
function stoppedPath(path: string): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.stopped${ext}`);
}

interface Targets {
  readonly target: ReturnType<typeof jsonTarget>;
  readonly markdown: string | undefined;
}

/**
 * What was found goes to where it was asked for. That of a call that was stopped, which may have taken minutes, goes beside it: what
 * a call before has written there stays.
 *
 * @returns the files
 */
async function writeFindings(
  { terminal, argv, installation }: Context,
  findings: BenchFindings,
  complete: boolean,
  { target, markdown }: Targets,
): Promise<readonly string[]> {
  if (findings.backends.length === 0) return [];
  const document = benchDocument(findings);
  terminal.printJson(document);
  const placeOf = (path: string): string => (complete ? path : stoppedPath(path));
  const written: string[] = [];
  if (target?.kind === 'file') {
    written.push(placeOf(target.path));
    await writeDocument(placeOf(target.path), document);
  }
  if (markdown !== undefined) {
    written.push(placeOf(markdown));
    await writeText(placeOf(markdown), markdownOf(findings, `${programWords(installation)} ${argv.join(' ')}`));
  }
  for (const path of written) terminal.note(`written: ${path}`);
  return written;
}

/** @throws UsageError, BackendError, DeviceLostError */
async function bench(context: Context, given: readonly string[], options: BenchOptions): Promise<ExitCode> {
  const { terminal, installation } = context;
  if (options.tune && (given.length > 0 || options.quick || options.papers || options.markdown !== undefined)) {
    throw new UsageError('bench --tune runs no benchmark: omit the suites, --quick, --papers and --markdown');
  }
  const extent = selectExtent(options);
  const benchmarks = benchmarksOf(selectSuites(given), extent);
  const target = jsonTarget(options.json);
  if (target?.kind === 'file') await assertWritable(target.path);
  const markdown = options.markdown === undefined ? undefined : markdownPath(options.markdown);
  if (markdown !== undefined) await assertWritable(markdown, '--markdown');
  const decided = await decideBackends(options.backend ?? ['auto'], context);
  if ('exitCode' in decided) return decided.exitCode;

  const { threads } = options;
  if (options.tune) {
    return tuneBackends(context, decided.names, { bundleFolder: installation.bundleFolder, threads }, target);
  }
  const asked: readonly BenchJob[] = decided.names.map((backend) => ({
    backend,
    threads,
    benchmarks,
    ...(extent === 'quick' && { budget: QUICK_BUDGET }),
    variants: extent === 'papers',
  }));
  const jobs = extent === 'papers' ? [...asked, ...oneThreadJobs(asked, benchmarks)] : asked;
  const { complete, ...gathered } = await execute(context, jobs, PATIENCE_SECONDS[extent]);
  const findings: BenchFindings = {
    ...gathered,
    machine: { ...thisMachine(), versions: versionsOf(installation) },
  };
  for (const line of formatFindings(findings)) terminal.print(line);
  const written = await writeFindings(context, findings, complete, { target, markdown });
  if (!complete) {
    const wanted = jobs.reduce((sum, job) => sum + job.benchmarks.length, 0);
    const kept = written.length === 0 ? '' : `, which are in ${written.join(' and ')}`;
    const done = findings.rows.filter(({ variantOf }) => variantOf === null).length;
    terminal.warn(`stopped after ${done} of ${wanted} benchmarks${kept}`);
    return EXIT.interrupted;
  }
  for (const { name, backend, reason } of findings.failures) {
    terminal.warn(`shoal: ${name} could not be run on ${backend}: ${reason}`);
  }
  return findings.failures.length > 0 ? EXIT.failed : EXIT.done;
}

/** What is drawn, beside the suites of what is computed. */
const STAGE = 'stage';

export default async (context: Context, suites: readonly string[], options: BenchOptions): Promise<ExitCode> => {
  if (suites.length === 1 && suites[0] === STAGE) {
    const { default: benchStage } = await import('./bench-stage.ts');
    return benchStage(context, options);
  }
  if (suites.includes(STAGE)) throw new UsageError(`${STAGE} is timed by itself: shoal bench ${STAGE}`);
  if (options.png !== undefined) throw new UsageError(`--png is of shoal bench ${STAGE}`);
  return bench(context, suites, options);
};
