/** `shoal check`: whether this installation computes what it should on this machine, with the evidence. */
import {
  checkDocument,
  runCheck,
  startService,
  StoppedError,
  shareOfBar,
  shownBar,
  shownNumber,
  type BackendChoice,
  type CheckDocument,
  type BackendName,
  type CheckedBackend,
  type CheckListener,
  type CheckResult,
  type Evidence,
} from '../../../engine/index.ts';
import { checkPage, headlineOf, VERDICTS } from '../../check/page.ts';
import { EXIT, type CommonOptions, type Context, type ExitCode, type Terminal, UsageError } from '../context.ts';
import { assertWritable, writeText } from '../targets.ts';
import { thisMachine, versionsOf } from '../installation.ts';
import { openBackend, type BackendPlace } from '../open-backend.ts';
import { decideBackend } from '../select-backend.ts';
import { setImmediate as turn } from 'node:timers/promises';
import { hearCheck, type CheckCommands, type CheckEvent } from '../../services/check.ts';
import { listenForInterruption, createBar } from '../run/progress.ts';
import type { EngineWorkerData } from '../run/early-thread.ts';
import { startThread } from '../thread.ts';
import { formatTable } from '../table.ts';

/** The number that is nearest to its bar, or farthest beyond it; a guard only where it fails. */
function nearestToItsBar(evidence: readonly Evidence[]): Evidence | undefined {
  return evidence
    .filter(({ guard, passed }) => !guard || !passed)
    .reduce<Evidence | undefined>(
      (nearest, each) => (!nearest || shareOfBar(each) > shareOfBar(nearest) ? each : nearest),
      undefined,
    );
}

/** One row a case. */
export function formatCheck(results: readonly CheckResult[]): string {
  const rows = results.map(({ verdict, title, evidence, reason, seconds }) => {
    const nearest = nearestToItsBar(evidence);
    return [
      VERDICTS[verdict].sign,
      title,
      evidence.length,
      nearest?.what ?? reason ?? '',
      nearest ? shownNumber(nearest.value) : '',
      nearest ? shownBar(nearest.bar) : '',
      seconds.toFixed(1),
    ];
  });
  return formatTable(['', 'check', 'numbers', 'the one nearest to its bar', 'found', 'bar', 's'], rows, {
    align: 'llrlrlr',
    widths: [null, 34, null, 42, null, null, null],
  });
}

/** Every number of a case with its bar, and where the bars come from. */
export function describeResult({ verdict, title, claim, basis, reason, evidence }: CheckResult): string[] {
  return [
    `${VERDICTS[verdict].sign} ${title}`,
    `  ${claim}`,
    ...(reason === undefined ? [] : [`  ${reason}`]),
    ...evidence.map(
      (each) => `  ${each.passed ? '✓' : '✗'} ${each.what}: ${shownNumber(each.value)}, bar ${shownBar(each.bar)}`,
    ),
    `  bars: ${basis}`,
  ];
}

interface CheckOutcome {
  /** Undefined where it was stopped before there was a backend. */
  readonly backend: CheckedBackend | undefined;
  /** Cases that were to be run. */
  readonly cases: number;
  readonly results: readonly CheckResult[];
  readonly stopped: boolean;
}

/** On the GPU in this thread, since the work is elsewhere; on the processor in a thread of its own. @throws StoppedError */
async function checkOn(
  name: BackendName,
  place: BackendPlace,
  listener: CheckListener,
  signal: AbortSignal,
): Promise<void> {
  if (name === 'webgpu') {
    const backend = await openBackend(name, place);
    try {
      await runCheck(backend, listener, { signal, turn: () => turn() });
    } finally {
      backend.dispose();
    }
    return;
  }
  const data: EngineWorkerData = { name, place };
  const service = startService<CheckCommands, CheckEvent>(
    startThread(place.bundleFolder, 'check-worker.js', data),
    (event) => hearCheck(event, listener),
  );
  const stop = (): void => service.end(new StoppedError('stopped'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    await service.call('check', undefined);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

async function executeCheck(terminal: Terminal, name: BackendName, place: BackendPlace): Promise<CheckOutcome> {
  const results: CheckResult[] = [];
  let backend: CheckedBackend | undefined;
  let cases = 0;
  const bar = createBar(terminal, '{bar} {value} of {total} | {step} | {duration_formatted}');
  const stopping = new AbortController();
  const interruption = listenForInterruption(() => {
    bar.stop();
    terminal.warn('stopping …');
    stopping.abort();
  });
  const listener: CheckListener = {
    opened(opened, count) {
      [backend, cases] = [opened, count];
      bar.start(count, 0, { step: 'starting' });
    },
    begin: (title) => bar.update({ step: title }),
    result(result) {
      results.push(result);
      bar.increment();
    },
  };
  try {
    const end = await Promise.race([checkOn(name, place, listener, stopping.signal), interruption.outOfPatience]);
    return { backend, cases, results, stopped: end === 'out-of-patience' };
  } catch (error) {
    if (!(error instanceof StoppedError || stopping.signal.aborted)) throw error;
    return { backend, cases, results, stopped: true };
  } finally {
    bar.stop();
    interruption.dispose();
  }
}

export interface CheckOptions extends CommonOptions {
  readonly backend: BackendChoice;
  /** Threads of the `wasm` backend; default: as many as the machine has. */
  readonly threads?: number;
  /** Where the page is written. */
  readonly out?: string;
}

/** The machine in its own words. */
function machineWords(): Record<string, string> {
  const { system, processor, cores, memoryBytes } = thisMachine();
  return { system, processor, cores: String(cores), memory: `${(memoryBytes / 2 ** 30).toFixed(1)} GiB` };
}

function verdictOf(document: CheckDocument): string {
  const { passed, results, backend } = document;
  const verdict = passed ? 'passed' : results.some((each) => each.verdict === 'failed') ? 'failed' : 'not-applicable';
  return `${VERDICTS[verdict].sign} ${headlineOf(document)} (${backend.adapter}).`;
}

/** @throws UsageError, BackendError, WriteError */
export default async function check(
  context: Context,
  _given: readonly string[],
  { backend: asked, threads, out, verbose = false }: CheckOptions,
): Promise<ExitCode> {
  const { terminal, installation } = context;
  if (out === '') throw new UsageError('--out: the file’s name is empty');
  if (out !== undefined) await assertWritable(out, '--out');
  const backing = await decideBackend(asked, context);
  if (backing.kind === 'done') return backing.exitCode;
  const date = new Date().toISOString();
  const { bundleFolder } = installation;
  const { backend, cases, results, stopped } = await executeCheck(terminal, backing.name, { bundleFolder, threads });
  if (!backend) return EXIT.interrupted;
  const provenance = { date, versions: versionsOf(installation), machine: machineWords(), backend, cases };
  const document = checkDocument(provenance, results);
  if (results.length > 0) terminal.print(formatCheck(results));
  for (const result of results) {
    if (verbose || result.verdict === 'failed') for (const line of describeResult(result)) terminal.print(line);
  }
  terminal.print(verdictOf(document));
  if (out !== undefined && !stopped) {
    await writeText(out, checkPage(document));
    terminal.print(`page: ${out}`);
  } else if (!verbose) {
    terminal.print('Every number, its bar and where that comes from: --verbose, --json, or --out check.html');
  }
  terminal.printJson(document);
  if (stopped) return EXIT.interrupted;
  return document.passed ? EXIT.done : EXIT.failed;
}
