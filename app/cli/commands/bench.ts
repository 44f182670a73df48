/**
 * `shoal bench`: how quick the kernels and a whole cycle are here, beside what was published; with what a call that was stopped has
 * kept, if it is of the same kind.
 */
import { basename, isAbsolute, resolve } from 'node:path';
import {
  SUITES,
  PAPERS,
  benchmarksOf,
  benchmarksOn,
  nearest,
  type BackendChoice,
  type BackendName,
  type BenchRequest,
  type Extent,
  type Suite,
  type TimeBudget,
  benchDocumentSchema,
  decodeUtf8,
  parseWrittenJson,
  type BenchDocument,
} from '../../../engine/index.ts';
import { execute, oneThreadJobs, type BenchJob, type Gathered } from '../bench/execute.ts';
import { markdownOf, benchDocument, formatFindings, type BenchFindings } from '../bench/report.ts';
import { papersMarkdown } from '../bench/papers-report.ts';
import {
  EXIT,
  describeFailure,
  UsageError,
  isSystemError,
  type CommonOptions,
  type Context,
  type ExitCode,
} from '../context.ts';
import { assertWritable, jsonTarget, markdownPath, stoppedPath, writeDocument, writeText } from '../targets.ts';
import { disk } from '../../files/disk.ts';
import { tuneBackends } from '../tuning/report.ts';
import { programWords, thisMachine, versionsOf } from '../installation.ts';
import { decideBackend } from '../select-backend.ts';
import { readRegularFile } from '../../files/regular-file.ts';

/** Every row of every paper takes a tenth of it. */
const MOST_BYTES = 8 * 2 ** 20;

/** @returns a document of `--json`. @throws UsageError that names the file and what is wrong in it */
export async function readBenchDocument(path: string): Promise<BenchDocument> {
  const { data, error } = benchDocumentSchema.safeParse(
    parseWrittenJson(decodeUtf8(await readRegularFile(path, MOST_BYTES), path), path),
  );
  if (data) return data;
  const [{ path: place, message }] = error.issues;
  throw new UsageError(`${path} holds no results of shoal bench: ${place.map(String).join('.')}: ${message}`);
}

function requestText({ suites, extent, backends, threads }: BenchRequest): string {
  return `${suites.join(' ')}; ${extent}; ${backends.join(' ')}${threads === null ? '' : `, ${threads} threads`}`;
}

/** What has to be the same for rows of two calls to be laid side by side, each in words. */
function conditionsOf(
  { system, processor, cores, versions }: BenchFindings['machine'],
  asked: BenchRequest | null,
): readonly (readonly [what: string, value: string])[] {
  const listed = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    ['machine', `${processor}, ${cores} cores, ${system}`],
    ['version', listed.join(', ')],
    ['set of options', asked === null ? 'unknown' : requestText(asked)],
  ];
}

/**
 * What a call with the same `--json` has kept before it was stopped.
 *
 * @param path of `--json`
 * @returns undefined if there is nothing
 * @throws UsageError where it comes from another machine, version or options
 */
export async function keptBefore(
  path: string,
  machine: BenchFindings['machine'],
  asked: BenchRequest,
): Promise<BenchDocument | undefined> {
  const stopped = stoppedPath(path);
  let kept;
  try {
    kept = await readBenchDocument(stopped);
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const wanted = conditionsOf(machine, asked);
  for (const [at, [what, found]] of conditionsOf(kept.machine, kept.asked).entries()) {
    const [, allowed] = wanted[at];
    if (found === allowed) continue;
    throw new UsageError(
      `--resume: ${stopped} has another ${what}: found ${found}, allowed: ${allowed}; omit --resume to begin again`,
    );
  }
  return kept;
}

export interface BenchOptions extends CommonOptions {
  readonly backend?: readonly BackendChoice[];
  readonly quick?: boolean;
  /** The file to which `stage` writes its picture. */
  readonly png?: string;
  readonly papers?: boolean;
  /** Continues a call with the same `--json` that was stopped. */
  readonly resume?: boolean;
  /** Picks the variants of the kernels again, and runs no benchmark. */
  readonly tune?: boolean;
  /** The file to write. */
  readonly markdown?: string;
  /** Files of `--json`, of a machine each, whose tables are written in place of timing. */
  readonly from?: readonly string[];
  /** Threads of the `wasm` backend; default: as many as the machine has. */
  readonly threads?: number;
}

/** For each measurement of the small sizes. */
const QUICK_BUDGET: TimeBudget = { milliseconds: 100, longestMilliseconds: 4000 };

/** For which a comparison with the reference is worth waiting. */
const PATIENCE_SECONDS: Readonly<Record<Extent, number>> = { quick: 5, usual: 5, papers: 60 };

/** What the papers' tables may take, seconds: below twenty minutes, and below two. */
const PAPERS_SECONDS = { thorough: 1080, quick: 100 } as const;

/**
 * @param names of suites and, with the extent `papers`, of papers
 * @returns the suites of these names; without names all, with that extent those of the papers
 * @throws UsageError for a name that is none
 */
export function selectSuites(names: readonly string[], extent: Extent): readonly Suite[] {
  const suites: readonly string[] = names.map((name) => PAPERS.find(({ id }) => id === name)?.suite ?? name);
  for (const name of suites) {
    if (SUITES.some((suite) => suite === name)) continue;
    const near = nearest(name, SUITES);
    const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
    throw new UsageError(`unknown suite '${name}'${hint}; suites are ${SUITES.join(', ')}`);
  }
  if (suites.length > 0) return SUITES.filter((suite) => suites.includes(suite));
  return extent === 'papers' ? PAPERS.map(({ suite }) => suite) : SUITES;
}

/** @returns the rows that are timed: with both options those of the papers, each in less time */
export function selectExtent({ quick = false, papers = false }: BenchOptions): Extent {
  return papers ? 'papers' : quick ? 'quick' : 'usual';
}

type Decided = { readonly names: readonly BackendName[] } | { readonly exitCode: ExitCode };

/** WebGPU first: where it needs the program started again, that one does all the work. */
async function decideBackends(choices: readonly BackendChoice[], context: Context): Promise<Decided> {
  const decided = new Map<BackendChoice, BackendName>();
  const others = choices.filter((choice) => choice !== 'webgpu');
  for (const choice of new Set<BackendChoice>(others.length < choices.length ? ['webgpu', ...others] : others)) {
    const backing = await decideBackend(choice, context);
    if (backing.kind === 'done') return { exitCode: backing.exitCode };
    decided.set(choice, backing.name);
  }
  const names = choices.flatMap((choice) => decided.get(choice) ?? []);
  return { names: [...new Set(names)] };
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

/** The extent as a document names it. */
function nameOf(options: BenchOptions): string {
  const extent = selectExtent(options);
  return extent === 'papers' && options.quick ? 'papers, quick' : extent;
}

/** Keeps what was found so far in a file, so that a call that is killed can be resumed. */
function keeper({ terminal }: Context, path: string, about: Pick<BenchFindings, 'machine' | 'asked'>) {
  let writing = Promise.resolve();
  return {
    keep: ({ complete: _complete, ...found }: Gathered): Promise<void> => {
      writing = writing
        .then(() => writeDocument(path, benchDocument({ ...found, ...about })))
        // What was measured is worth more than that it is kept.
        .catch((error: unknown) => terminal.warn(`shoal: ${describeFailure(error).lines.join('; ')}`));
      return writing;
    },
    settled: () => writing,
  };
}

/** Writes the papers’ tables with what was measured on several machines. @throws UsageError */
async function writeTables(
  { terminal, installation, argv }: Context,
  given: readonly string[],
  { from, papers, quick, resume, json, markdown }: BenchOptions & { readonly from: readonly string[] },
): Promise<ExitCode> {
  if (!papers || markdown === undefined || quick || resume || json || given.length > 0) {
    throw new UsageError('bench --from times nothing: it is used as bench --papers --from <file> --markdown <file>');
  }
  const path = markdownPath(markdown);
  await assertWritable(path, '--markdown');
  const documents = await Promise.all(from.map(readBenchDocument));
  // The tables are for others, who do not have this machine's folders.
  const words = argv.map((word) => (isAbsolute(word) ? basename(word) : word));
  await writeText(path, papersMarkdown(documents, `${programWords(installation)} ${words.join(' ')}`));
  terminal.note(`written: ${path}`);
  return EXIT.done;
}

/** @throws UsageError, BackendError, DeviceLostError */
async function bench(context: Context, given: readonly string[], options: BenchOptions): Promise<ExitCode> {
  const { terminal, installation } = context;
  if (
    options.tune &&
    (given.length > 0 || options.quick || options.papers || options.resume || options.markdown !== undefined)
  ) {
    throw new UsageError('bench --tune runs no benchmark: omit the suites, --quick, --papers, --resume and --markdown');
  }
  if (options.from !== undefined) return writeTables(context, given, { ...options, from: options.from });
  const extent = selectExtent(options);
  const suites = selectSuites(given, extent);
  const benchmarks = benchmarksOf(suites, extent);
  const target = jsonTarget(options.json);
  if (target?.kind === 'file') await assertWritable(target.path);
  if (options.resume && target?.kind !== 'file') {
    throw new UsageError('--resume needs --json <file>, the one that the stopped call was to write');
  }
  const markdown = options.markdown === undefined ? undefined : markdownPath(options.markdown);
  if (markdown !== undefined) await assertWritable(markdown, '--markdown');
  const decided = await decideBackends(options.backend ?? ['auto'], context);
  if ('exitCode' in decided) return decided.exitCode;

  const { threads } = options;
  if (options.tune) {
    return tuneBackends(context, decided.names, { bundleFolder: installation.bundleFolder, threads }, target);
  }
  /** All rows of the papers in a tenth of the time: without variants, the reference’s one thread and most comparisons. */
  const isHasty = extent === 'papers' && options.quick === true;
  const asked: readonly BenchJob[] = decided.names.map((backend) => ({
    backend,
    threads,
    benchmarks: benchmarksOn(benchmarks, backend),
    ...(extent === 'quick' && { budget: QUICK_BUDGET }),
    variants: extent === 'papers' && !isHasty,
  }));
  const yardsticks = extent === 'papers' ? oneThreadJobs(asked, benchmarks) : [];
  const jobs = [...asked, ...yardsticks.filter(({ backend }) => !isHasty || backend !== 'reference')];
  const request: BenchRequest = { suites, extent: nameOf(options), backends: decided.names, threads: threads ?? null };
  const machine = { ...thisMachine(), versions: versionsOf(installation) };
  const file = target?.kind === 'file' ? target.path : undefined;
  const before = options.resume && file !== undefined ? await keptBefore(file, machine, request) : undefined;
  if (options.resume)
    terminal.note(
      before ? `${before.rows.length} rows are there already` : 'nothing was kept before: from the beginning',
    );
  const kept = file === undefined ? undefined : keeper(context, stoppedPath(file), { machine, asked: request });
  const { complete, ...gathered } = await execute(context, jobs, {
    patienceSeconds: PATIENCE_SECONDS[isHasty ? 'quick' : extent],
    isHasty,
    ...(extent === 'papers' && { totalSeconds: PAPERS_SECONDS[isHasty ? 'quick' : 'thorough'] }),
    ...(before && { before }),
    ...(kept && { keep: kept.keep }),
  });
  await kept?.settled();
  const findings: BenchFindings = { ...gathered, machine, asked: request };
  for (const line of formatFindings(findings)) terminal.print(line);
  const written = await writeFindings(context, findings, complete, { target, markdown });
  if (complete && file !== undefined) await disk.remove(resolve(stoppedPath(file)));
  if (!complete) {
    const wanted = jobs.flatMap((job) => job.benchmarks.map(({ name }) => name));
    if (file !== undefined) terminal.note('the same command with --resume continues from there');
    const where = written.length === 0 ? '' : `, which are in ${written.join(' and ')}`;
    const done = findings.rows.filter(({ name }) => wanted.includes(name)).length;
    terminal.warn(`stopped after ${done} of ${wanted.length} benchmarks${where}`);
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
