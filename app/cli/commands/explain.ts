/** `shoal explain`: why the analysis of one cycle of a stored run is what it is, by the methods of that run. */
import { join, resolve } from 'node:path';
import {
  answersImpact,
  formatNpy,
  judgeVersions,
  methodDefinition,
  readRunCheckpoint,
  readRunRecord,
  readScenarioCopies,
  validateScenario,
  type Backend,
  type BackendChoice,
  type CovarianceTimes,
  type Explanation,
  type ExplanationKind,
  type ImpactQuestion,
  type MethodQuestion,
  type Run,
  type RunEvent,
  type RunJob,
  type RunRecord,
  type Scenario,
} from '../../../engine/index.ts';
import { disk } from '../../files/disk.ts';
import { EXIT, type CommonOptions, type Context, type ExitCode, type Terminal, UsageError } from '../context.ts';
import { questionsOf, documentOf, fieldsOf, linesOf, nested, wordsOf } from '../explain/report.ts';
import type { Cell, ExplainedMethod } from '../explain/report.ts';
import { cycleSums, reportImpact, type CycleSums, type ReportedImpact } from '../explain/impact.ts';
import { createNodeStorage } from '../node-storage.ts';
import { inFolder } from '../run/folder.ts';
import { listenForInterruption, createProgress } from '../run/progress.ts';
import { checkRequirements, selectMethods } from '../run/options.ts';
import { startRun } from '../run/start-run.ts';
import { openBackend } from '../open-backend.ts';
import { decideBackend } from '../select-backend.ts';
import { versionsOf } from '../installation.ts';

export interface ExplainOptions extends CommonOptions {
  readonly cycle: number;
  readonly at?: Cell;
  readonly times?: CovarianceTimes;
  readonly observation?: number;
  readonly value?: number;
  readonly variable?: string;
  readonly minimisation?: boolean;
  readonly impact?: number;
  readonly against?: ImpactQuestion['verification'];
  readonly since?: number;
  readonly method?: readonly string[];
  readonly kind?: readonly ExplanationKind[];
  readonly out?: string;
  readonly backend: BackendChoice;
  readonly threads?: number;
}

/** @throws UsageError, ScenarioError */
async function readRecord(folder: string): Promise<RunRecord> {
  const record = await inFolder(folder, readRunRecord(createNodeStorage(resolve(folder))));
  if (!record) throw new UsageError(`${folder}: not a run folder, there is no run.json in it`);
  // Anybody may have written it.
  const { scenario } = validateScenario(record.scenario, join(folder, 'run.json'));
  return { ...record, scenario };
}

/** @throws UsageError */
function assertCycle({ cycles }: RunRecord, cycle: number): void {
  if (cycle < cycles) return;
  throw new UsageError(`--cycle ${cycle}: the run has ${cycles} cycles, allowed: 0 to ${cycles - 1}`);
}

/** What the run is computed from again: its checkpoint if that is before the cycle, else its beginning. */
async function jobOf(folder: string, record: RunRecord, cycle: number, methods: readonly string[]): Promise<RunJob> {
  const storage = createNodeStorage(resolve(folder));
  const stored = await inFolder(folder, readRunCheckpoint(storage));
  return {
    scenario: record.scenario,
    files: await inFolder(folder, readScenarioCopies(storage, record)),
    source: join(folder, 'run.json'),
    methods,
    checkpoint: stored && stored.cycle <= cycle ? stored : undefined,
    misfit: 'begin',
  };
}

/** Warns if the numbers may differ from those of the folder. */
function tellDifferences(terminal: Terminal, context: Context, record: RunRecord, backend: Backend): void {
  const { refusal, warning } = judgeVersions(record.versions, versionsOf(context.installation));
  if (refusal !== undefined) terminal.note(`warning: the run was ${refusal}`);
  else if (warning !== undefined) terminal.note(`warning: ${warning}`);
  const { name, adapter } = record.backend;
  if (backend.name === name && backend.adapter === adapter) return;
  const now = `${backend.name} (${backend.adapter})`;
  terminal.note(
    `warning: the run was computed on ${name} (${adapter}), it is computed again on ${now}: last bits differ`,
  );
}

/** Runs until the cycle has been analysed. @returns whether it was, and not interrupted */
async function playTo(run: Run, cycle: number): Promise<boolean> {
  const interruption = listenForInterruption(() => run.stop());
  try {
    const outcome = await Promise.race([run.play(cycle + 1), interruption.outOfPatience]);
    return outcome !== 'out-of-patience' && !interruption.requested;
  } finally {
    interruption.dispose();
  }
}

async function askAll(
  run: Run,
  methods: readonly { readonly label: string; readonly kind: string }[],
  questions: readonly MethodQuestion[],
  diverged: ReadonlyMap<string, string>,
): Promise<ExplainedMethod[]> {
  const explained: ExplainedMethod[] = [];
  for (const { label, kind } of methods) {
    const { assimilates, linearises } = methodDefinition(kind);
    const absent = assimilates ? diverged.get(label) : 'observations do not change it';
    const answers: Record<string, Explanation | undefined> = {};
    if (absent === undefined) {
      for (const question of questions) {
        // Others than 4D-Var have no covariance inside the window.
        if (question.kind === 'covariance-column' && question.times && !linearises) continue;
        answers[question.kind] = await run.ask({ kind: 'explanation', method: label, question });
      }
    }
    explained.push({ label, kind, answers, ...(absent !== undefined && { absent }) });
  }
  return explained;
}

/** What is asked about impacts, if anything is. @throws UsageError for what cannot be asked, or by none of the methods */
function impactQuestionOf(
  { impact: lead, against, since, cycle }: ExplainOptions,
  methods: Scenario['methods'],
): Omit<ImpactQuestion, 'method'> | undefined {
  if (lead === undefined) {
    if (against !== undefined) throw new UsageError('--against: name the forecast that is compared by --impact n');
    if (since !== undefined) throw new UsageError('--since: name the forecast that impacts are on by --impact n');
    return undefined;
  }
  if (since !== undefined && since >= cycle) {
    throw new UsageError(`--since ${since}: means are over the cycles up to --cycle ${cycle}; give one before it`);
  }
  if (lead === 0 && against === 'analysis') {
    throw new UsageError('--impact 0: an analysis is compared with the truth alone; give 1 or more with it');
  }
  if (!methods.some(answersImpact)) {
    throw new UsageError('--impact: none of the methods is an ensemble filter, such as the LETKF');
  }
  return { lead, verification: against ?? 'truth' };
}

/** Impacts of the cycles from one to before another, summed, by the labels of methods; undefined if the run was interrupted. */
async function askSums(
  run: Run,
  methods: readonly Scenario['methods'][number][],
  question: Omit<ImpactQuestion, 'method'>,
  scenario: Scenario,
  {
    since,
    cycle,
    diverged,
  }: Pick<ExplainOptions, 'since' | 'cycle'> & { readonly diverged: { has(label: string): boolean } },
): Promise<ReadonlyMap<string, readonly CycleSums[]> | undefined> {
  const sums = new Map<string, CycleSums[]>();
  for (let at = since ?? cycle; at < cycle; at++) {
    if (!(await playTo(run, at))) return undefined;
    for (const { label } of methods) {
      const found = !diverged.has(label) && (await run.ask({ kind: 'impact', method: label, ...question }));
      if (found) sums.set(label, [...(sums.get(label) ?? []), cycleSums(found, scenario)]);
    }
  }
  return sums;
}

/** What the observations changed about a later forecast, by each method that can say it and has not diverged. */
async function askImpacts(
  run: Run,
  methods: readonly ExplainedMethod[],
  question: Omit<ImpactQuestion, 'method'>,
  scenario: Scenario,
  earlier: ReadonlyMap<string, readonly CycleSums[]>,
): Promise<ReportedImpact[]> {
  const reported: ReportedImpact[] = [];
  for (const [index, { label, kind, absent }] of methods.entries()) {
    const found = absent === undefined && (await run.ask({ kind: 'impact', method: label, ...question }));
    if (!found) continue;
    const file = fileNameOf(label, index, 'impact', 'csv');
    reported.push(reportImpact({ label, kind }, methods, found, scenario, file, earlier.get(label)));
  }
  return reported;
}

/** @returns a name that is one file's on every system */
function fileNameOf(label: string, index: number, field: string, extension = 'npy'): string {
  return `${index}-${label.replaceAll(/[^\w-]+/g, '_')}-${field}.${extension}`;
}

export default async function explain(
  context: Context,
  [folder]: readonly string[],
  options: ExplainOptions,
): Promise<ExitCode> {
  const { terminal, installation } = context;
  const { cycle, at: cell, times, observation, value, variable, minimisation, kind: kinds, out } = options;
  const record = await readRecord(folder);
  const { scenario } = record;
  assertCycle(record, cycle);
  const questions = questionsOf(
    { cell, times, observation, value, variable, minimisation, kinds, impact: options.impact !== undefined },
    scenario,
  );
  const labels =
    selectMethods(scenario, options.method ?? record.selected) ?? scenario.methods.map(({ label }) => label);
  const methods = scenario.methods.filter(({ label }) => labels.includes(label));
  const impactQuestion = impactQuestionOf(options, methods);
  const choice = options.backend === 'auto' ? record.backend.name : options.backend;
  const backing = await decideBackend(choice, context);
  if (backing.kind === 'done') return backing.exitCode;
  const { bundleFolder } = installation;
  const backend = await openBackend(backing.name, { bundleFolder, threads: 1 });
  const progress = createProgress(terminal);
  const diverged = new Map<string, string>();
  const event = (each: RunEvent): void => {
    if (each.type === 'ready' || each.type === 'states' || each.type === 'failed') return;
    progress.listen(each);
    if (each.type === 'warning') terminal.note(`warning: ${each.message}`);
    if (each.type === 'diverged') diverged.set(each.method, `diverged in cycle ${each.cycle}`);
    if (each.type !== 'start') return;
    for (const [label, at] of Object.entries(each.diverged ?? {})) diverged.set(label, `diverged in cycle ${at}`);
  };
  let run: Run | undefined;
  try {
    tellDifferences(terminal, context, record, backend);
    checkRequirements(scenario, backend, labels, true);
    const job = await jobOf(folder, record, options.since ?? cycle, labels);
    run = startRun({ bundleFolder, threads: options.threads }, backend, job, {
      observers: [{ forecasts: true, event }],
    });
    const before = { since: options.since, cycle, diverged };
    const earlier = impactQuestion ? await askSums(run, methods, impactQuestion, scenario, before) : new Map();
    if (!earlier || !(await playTo(run, cycle))) return EXIT.interrupted;
    progress.end();
    const explained = await askAll(run, methods, questions, diverged);
    const impacts = impactQuestion ? await askImpacts(run, explained, impactQuestion, scenario, earlier) : [];
    const { nx, ny } = scenario.grid;
    const words = wordsOf(explained);
    const files =
      out === undefined
        ? undefined
        : [...(await writeFields(out, explained, scenario.grid)), ...(await writeTables(out, impacts))];
    const document = explained.map((method, index) =>
      documentOf(method, (field, values) =>
        files === undefined ? nested(values, scenario.grid) : { file: fileNameOf(method.label, index, field) },
      ),
    );
    const where = [
      ...(cell ? [`cell ${cell.x},${cell.y}`] : []),
      ...(observation === undefined ? [] : [`observation ${observation}`]),
    ].join(', ');
    terminal.print([`${scenario.name}, cycle ${cycle}${where === '' ? '' : `: ${where}`}`, ...words].join('\n'));
    for (const line of linesOf(explained, { nx, ny })) terminal.print(line);
    for (const { words: sentence, tables } of impacts) terminal.print([sentence, ...tables].join('\n'));
    if (files) terminal.print(`fields: ${files.join(', ')}`);
    const { name, adapter } = backend;
    terminal.printJson({
      run: folder,
      scenario: scenario.name,
      seed: record.seed,
      backend: { name, adapter },
      grid: { nx, ny },
      cycle,
      cell: cell ?? null,
      words,
      methods: document,
      ...(impactQuestion && { impacts: impacts.map(({ document: each }) => each) }),
      ...(files && { files }),
    });
    return EXIT.done;
  } finally {
    progress.end();
    run?.dispose();
    backend.dispose();
  }
}

/** @returns the names of the files, beside those of the fields */
async function writeTables(out: string, impacts: readonly ReportedImpact[]): Promise<string[]> {
  const target = resolve(out);
  await disk.makeFolder(target);
  const storage = createNodeStorage(target);
  for (const { file, csv } of impacts) await storage.writeWhole(file, new TextEncoder().encode(csv));
  return impacts.map(({ file }) => join(out, file));
}

async function writeFields(
  out: string,
  explained: readonly ExplainedMethod[],
  { nx, ny }: { readonly nx: number; readonly ny: number },
): Promise<string[]> {
  const target = resolve(out);
  await disk.makeFolder(target);
  const storage = createNodeStorage(target);
  const written: string[] = [];
  for (const [index, { label, answers }] of explained.entries()) {
    for (const [field, values] of Object.entries(fieldsOf(answers))) {
      const name = fileNameOf(label, index, field);
      await storage.writeWhole(
        name,
        formatNpy([values.length / (nx * ny), ny, nx], values, values instanceof Float32Array ? 'f4' : 'f8'),
      );
      written.push(join(out, name));
    }
  }
  return written;
}
