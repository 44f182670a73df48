/**
 * The self-check: what has to hold on every machine and backend, measured where it is asked for. Adjoints, gradient, equivalences,
 * operators and runs against the reference, exact solutions, a published benchmark; each with its number, its bar, and where the
 * bar comes from. The tests measure with the same code.
 */
import type { Backend } from '../compute/backend.ts';
import { DeviceLostError, StoppedError } from '../errors.ts';
import type { CheckCase, CheckedBackend, CheckResult } from './document.ts';
import { passes } from './measures.ts';

export type { CheckDocument, CheckedBackend, CheckProvenance, CheckResult, Evidence } from './document.ts';
export { checkDocument } from './document.ts';
export { shareOfBar, shownBar, shownNumber } from './measures.ts';

/** @returns every case, in the order in which they are run; loaded when they are first asked for */
export async function checkCases(): Promise<readonly CheckCase[]> {
  return (await import('./cases/index.ts')).CHECK_CASES;
}

export interface CheckListener {
  /** Said once, before the first case. @param cases how many there are */
  opened(backend: CheckedBackend, cases: number): void;
  begin(title: string): void;
  result(result: CheckResult): void;
}

export interface CheckOptions {
  /** All if omitted. */
  readonly cases?: readonly CheckCase[];
  readonly signal: AbortSignal;
  /** A turn of the thread: lets signals and messages in, which promises alone do not. */
  readonly turn: () => Promise<void>;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function execute(backend: Backend, checkCase: CheckCase, turn: () => Promise<void>): Promise<CheckResult> {
  const { id, title, claim, basis } = checkCase;
  const words = { id, title, claim, basis };
  const begin = performance.now();
  const seconds = (): number => (performance.now() - begin) / 1000;
  try {
    const found = await checkCase.measure({ backend, turn });
    if ('notApplicable' in found) {
      return { ...words, verdict: 'not-applicable', reason: found.notApplicable, evidence: [], seconds: seconds() };
    }
    const evidence = found.map((measurement) => ({ ...measurement, passed: passes(measurement) }));
    const passed = evidence.length > 0 && evidence.every((each) => each.passed);
    return { ...words, verdict: passed ? 'passed' : 'failed', evidence, seconds: seconds() };
  } catch (error) {
    if (error instanceof StoppedError || error instanceof DeviceLostError) throw error;
    return { ...words, verdict: 'failed', reason: messageOf(error), evidence: [], seconds: seconds() };
  }
}

/** @throws StoppedError where it was given up; DeviceLostError */
export async function runCheck(
  backend: Backend,
  listener: CheckListener,
  { cases: asked, signal, turn }: CheckOptions,
): Promise<void> {
  const nextTurn = async (): Promise<void> => {
    await turn();
    if (signal.aborted) throw new StoppedError('stopped');
  };
  const cases = asked ?? (await checkCases());
  const { name, adapter, precision, threads = null } = backend;
  listener.opened({ name, adapter, precision, threads }, cases.length);
  for (const checkCase of cases) {
    await nextTurn();
    listener.begin(checkCase.title);
    listener.result(await execute(backend, checkCase, nextTurn));
  }
}
