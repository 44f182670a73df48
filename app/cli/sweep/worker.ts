/**
 * A process that runs cases, group by group, and writes their folders. It ends when whoever started it is gone, however that came;
 * what a terminal sends to all is the parent's affair.
 */
import { dirname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { BackendError, errorOf, extentOf, failedCase, runCases } from '../../../engine/index.ts';
import type { Backend, CaseOutcome, CaseSummary, PlannedCase } from '../../../engine/index.ts';
import { WriteError } from '../../files/disk.ts';
import { scenarioFileReader } from '../scenario-source.ts';
import { openBackend } from '../select-backend.ts';
import { writeCase } from './case-folders.ts';
import type { BrokenWorker, FromWorker, ToWorker, WorkerStart } from './protocol.ts';

const say = (message: FromWorker): void => void process.send?.(message);

function brokenBy(thrown: unknown): BrokenWorker {
  const { message } = errorOf(thrown);
  if (thrown instanceof WriteError) return { kind: 'write', message, path: thrown.path };
  return { kind: thrown instanceof BackendError ? 'backend' : 'other', message };
}

/** The files of a case as they were when it was planned. */
interface NamedFiles {
  readonly contents: Readonly<Record<string, Uint8Array>>;
  /** One that has another content by now. */
  readonly changed: string | undefined;
}

async function filesOf({ scenario, files }: PlannedCase, source: string): Promise<NamedFiles> {
  const read = scenarioFileReader(scenario, source);
  const contents: Record<string, Uint8Array> = {};
  let changed: string | undefined;
  for (const [name, sha256] of Object.entries(files)) {
    contents[name] = await read(name);
    if ((await extentOf(contents[name])).sha256 !== sha256) changed = name;
  }
  return { contents, changed };
}

async function outcomesOf(
  backend: Backend,
  cases: readonly PlannedCase[],
  source: string,
): Promise<readonly CaseOutcome[]> {
  const { contents, changed } = await filesOf(cases[0], source);
  if (changed !== undefined) {
    const reason = `${dirname(source)}/${changed} has another content than when the sweep was planned`;
    return cases.map((planned) => failedCase(planned, reason));
  }
  // Between cycles it is heard that nobody waits any more.
  return runCases(backend, cases, { files: contents, breathe: () => turn() });
}

async function carryOut(
  backend: Backend,
  { folder, source, paths, origin }: WorkerStart,
  cases: readonly PlannedCase[],
): Promise<readonly CaseSummary[]> {
  const start = new Date();
  const outcomes = await outcomesOf(backend, cases, source);
  const end = new Date();
  for (const [index, outcome] of outcomes.entries()) {
    await writeCase(folder, cases[index], outcome, { paths, origin, start, end });
  }
  return outcomes.map(({ rows: _rows, variables: _variables, ...result }) => result);
}

async function work(start: WorkerStart): Promise<void> {
  const backend = await openBackend(start.backend, start);
  process.on('message', (message: ToWorker) => {
    if (message.type !== 'job') return;
    carryOut(backend, start, message.cases).then(
      (results) => say({ type: 'done', results }),
      (error: unknown) => say({ type: 'broken', error: brokenBy(error) }),
    );
  });
  say({ type: 'ready' });
}

process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);
process.on('disconnect', () => process.exit());
process.once('message', (message: ToWorker) => {
  if (message.type !== 'start') return;
  work(message).catch((error: unknown) => say({ type: 'broken', error: brokenBy(error) }));
});
