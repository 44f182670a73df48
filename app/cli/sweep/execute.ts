/** A sweep from the cases that are there to the last one, or to a signal; its tables are true whenever it ends. */
import type { SweepPlan, SweepResults } from '../../../engine/index.ts';
import { listenForInterruption } from '../run/progress.ts';
import { EXIT, type Terminal, type Context, type ExitCode } from '../context.ts';
import { removeCase, storedHashes, takeCase, writeCase } from './case-folders.ts';
import { resumeCommand, type SweepFolder } from './folder.ts';
import { runPool } from './pool.ts';
import { createSweepProgress, createTally, type Tally } from './progress.ts';
import type { WorkerStart } from './protocol.ts';

/** The end of a sweep's command: what failed, how it is continued, and the exit code. */
export function exitCodeOf(state: SweepEnding['state'], { failed }: Pick<Tally, 'failed'>): ExitCode {
  if (state === 'stopped') return EXIT.interrupted;
  return failed > 0 ? EXIT.failed : EXIT.done;
}

/** Warns of the cases that failed, once for each reason. */
export function warnOfFailures({ terminal }: Context, plan: SweepPlan, tally: Tally, wanted: readonly number[]): void {
  const counts = new Map<string, number>();
  for (const index of wanted) {
    const kept = tally.of(plan.hashes[index]);
    if (kept?.state === 'failed') counts.set(kept.reason ?? '', (counts.get(kept.reason ?? '') ?? 0) + 1);
  }
  for (const [reason, count] of counts) {
    terminal.warn(`shoal: ${count} ${count === 1 ? 'case' : 'cases'} failed: ${reason}`);
  }
}

/** Says how a sweep that was stopped is continued. @param path of its folder */
export function sayHowToContinue(context: Context, { done }: Tally, count: number, path: string): void {
  context.terminal.warn(`stopped after ${done} of ${count} cases; continue with:`);
  context.terminal.warn(`  ${resumeCommand(context, path)}`);
}

/** The tables are written again so often, milliseconds, … */
const WRITE_EVERY = 30_000;
/** … or so many times more seldom than writing them takes. */
const WRITE_SHARE = 20;

/** What is to be run, and by whom. */
export interface SweepWork {
  /** Indices of all cases that are asked for. */
  readonly wanted: readonly number[];
  /** Groups those that are not done. */
  readonly group: (todo: readonly number[]) => readonly (readonly number[])[];
  readonly workers: number;
  readonly start: Omit<WorkerStart, 'type' | 'folder' | 'paths' | 'origin'>;
  /** Failed cases are run again. */
  readonly retry: boolean;
  /** Whether the tables are written. */
  readonly tables: boolean;
}

export interface SweepEnding {
  readonly state: 'complete' | 'stopped';
  readonly tally: Tally;
  /** As written; undefined where no tables are. */
  readonly results: SweepResults | undefined;
}

/** Takes in the cases that are there and are not in the tally. What is damaged is removed with a warning, and is computed again. */
async function takeStored(
  { warn }: Pick<Terminal, 'warn'>,
  plan: SweepPlan,
  cases: string,
  wanted: readonly number[],
  tally: Tally,
  retry = false,
): Promise<void> {
  const stored = await storedHashes(cases);
  for (const index of wanted) {
    const hash = plan.hashes[index];
    if (!stored.has(hash) || tally.of(hash)) continue;
    const record = await takeCase(cases, hash, plan.methods, warn);
    if (retry && record?.state === 'failed') await removeCase(cases, hash);
    else if (record) tally.add(record);
  }
}

/** Reads what is there of the cases. */
export async function gather(
  terminal: Pick<Terminal, 'warn'>,
  plan: SweepPlan,
  { cases }: Pick<SweepFolder, 'cases'>,
  wanted: readonly number[],
  retry = false,
): Promise<Tally> {
  const tally = createTally(plan);
  await takeStored(terminal, plan, cases, wanted, tally, retry);
  return tally;
}

/** Writes the tables while cases come in, never twice at a time. */
function createWriter(folder: SweepFolder, tally: Tally) {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();
  const plan = (pause: number): void => {
    timer = setTimeout(() => {
      const begin = performance.now();
      writing = folder.write(tally.of).then(
        () => plan(Math.max(WRITE_EVERY, WRITE_SHARE * (performance.now() - begin))),
        // What keeps it from being written now is reported at the end.
        () => undefined,
      );
    }, pause);
  };
  return {
    begin: () => plan(WRITE_EVERY),
    async finish(): Promise<SweepResults> {
      clearTimeout(timer);
      await writing;
      clearTimeout(timer);
      return folder.write(tally.of);
    },
  };
}

/** @throws WriteError, BackendError */
export async function executeSweep(
  terminal: Terminal,
  plan: SweepPlan,
  folder: SweepFolder,
  { wanted, group, workers, start, retry, tables }: SweepWork,
): Promise<SweepEnding> {
  const { origin } = plan;
  const paths = plan.axes.map(({ path }) => path);
  const tally = await gather(terminal, plan, folder, wanted, retry);
  const before = tally.done;
  const todo = wanted.filter((index) => tally.of(plan.hashes[index]) === undefined);
  if (before > 0) terminal.note(`${folder.path}: ${before} of ${wanted.length} cases are done already`);
  const writer = createWriter(folder, tally);
  if (tables && todo.length > 0) await folder.write(tally.of);
  const progress = createSweepProgress(terminal, wanted.length, tally);
  const stopping = new AbortController();
  const interruption = listenForInterruption(() => {
    progress.end();
    terminal.warn('stopping …');
    stopping.abort();
  });
  const begin = new Date();
  try {
    if (tables) writer.begin();
    const running = runPool({
      workers,
      start: { ...start, type: 'start', folder: folder.cases, paths, origin },
      groups: group(todo),
      caseAt: (index) => plan.caseAt(index),
      onResult(result) {
        tally.add(result);
        progress.update();
      },
      writeFailed: (planned, outcome) =>
        writeCase(folder.cases, planned, outcome, { paths, origin, start: begin, end: new Date() }),
      signal: stopping.signal,
    });
    // After a second interrupt nothing more is reported.
    running.catch(() => undefined);
    await Promise.race([running, interruption.outOfPatience]);
    progress.end();
    // A process may have ended between writing a case and reporting it.
    if (tally.done < wanted.length) await takeStored(terminal, plan, folder.cases, wanted, tally);
    const results = tables ? await writer.finish() : undefined;
    return { state: tally.done < wanted.length ? 'stopped' : 'complete', tally, results };
  } catch (error) {
    // Complete cases stay reported, whatever ended the sweep.
    if (tables) await writer.finish().catch(() => undefined);
    throw error;
  } finally {
    progress.end();
    interruption.dispose();
  }
}
