/** The self-check of one backend, to its end or to Ctrl-C. */
import { setImmediate as turn } from 'node:timers/promises';
import { runCheck, startService, StoppedError, shareOfBar, shownBar, shownNumber } from '../../../engine/index.ts';
import type { BackendName, CheckedBackend, CheckListener, CheckResult, Evidence } from '../../../engine/index.ts';
import { hearCheck, type CheckCommands, type CheckEvent } from '../../services/check.ts';
import { listenForInterruption } from '../run/interruption.ts';
import { createBar } from '../run/progress.ts';
import type { EngineWorkerData } from '../run/start-run.ts';
import { openBackend, type BackendPlace } from '../select-backend.ts';
import type { Terminal } from '../context.ts';
import { startThread } from '../thread.ts';
import Table from 'cli-table3';
import { VERDICTS } from '../../check/page.ts';

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
  const table = new Table({
    head: ['', 'check', 'numbers', 'the one nearest to its bar', 'found', 'bar', 's'],
    colAligns: ['left', 'left', 'right', 'left', 'right', 'left', 'right'],
    colWidths: [null, 34, null, 42, null, null, null],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const { verdict, title, evidence, reason, seconds } of results) {
    const nearest = nearestToItsBar(evidence);
    table.push([
      VERDICTS[verdict].sign,
      title,
      evidence.length,
      nearest?.what ?? reason ?? '',
      nearest ? shownNumber(nearest.value) : '',
      nearest ? shownBar(nearest.bar) : '',
      seconds.toFixed(1),
    ]);
  }
  return table.toString();
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

export interface CheckOutcome {
  /** Undefined where it was stopped before there was a backend. */
  readonly backend: CheckedBackend | undefined;
  /** Cases that were to be run. */
  readonly cases: number;
  readonly results: readonly CheckResult[];
  readonly stopped: boolean;
}

/** On the GPU in this thread, since the work is elsewhere; on the processor in a thread of its own. @throws StoppedError */
async function check(
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

export async function executeCheck(terminal: Terminal, name: BackendName, place: BackendPlace): Promise<CheckOutcome> {
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
    const end = await Promise.race([check(name, place, listener, stopping.signal), interruption.outOfPatience]);
    return { backend, cases, results, stopped: end === 'out-of-patience' };
  } catch (error) {
    if (!(error instanceof StoppedError || stopping.signal.aborted)) throw error;
    return { backend, cases, results, stopped: true };
  } finally {
    bar.stop();
    interruption.dispose();
  }
}
