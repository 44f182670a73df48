/** Worker processes that end by themselves: what they take with them, and what they do not. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WorkerError } from '../../../../app/cli/context.ts';
import { runPool } from '../../../../app/cli/sweep/pool.ts';
import { BackendError } from '../../../../engine/index.ts';
import type { CaseOutcome, CaseSummary, PlannedCase } from '../../../../engine/index.ts';

/** A worker that does what the hash of a case says, and notes which jobs it got. */
const WORKER = `
const { appendFileSync, existsSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const say = (message) => process.send(message);
const once = (hash) => { const path = join(__dirname, hash); const before = existsSync(path); writeFileSync(path, ''); return !before; };
process.on('disconnect', () => process.exit());
process.on('message', (message) => {
  if (message.type === 'start') {
    if (message.source === 'no backend') say({ type: 'broken', error: { kind: 'backend', message: 'no such backend' } });
    else if (message.source === 'no start') process.exit(7);
    else if (message.source === 'no first start' && once('started')) process.kill(process.pid, 'SIGKILL');
    else say({ type: 'ready' });
    return;
  }
  const hashes = message.cases.map(({ hash }) => hash);
  appendFileSync(join(__dirname, 'jobs'), hashes.join(' ') + '\\n');
  for (const hash of hashes) {
    if (hash.startsWith('kills') || (hash.startsWith('once') && once(hash))) return process.kill(process.pid, 'SIGKILL');
    if (hash.startsWith('throws')) throw new Error('the worst');
    if (hash.startsWith('waits')) return;
  }
  say({ type: 'done', results: hashes.map((hash) => ({ hash, state: 'complete', reason: null, methods: [] })) });
});
`;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-pool-'));
  writeFileSync(join(folder, 'sweep-worker.js'), WORKER);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Told {
  readonly results: readonly CaseSummary[];
  readonly written: readonly CaseOutcome[];
  readonly jobs: readonly string[];
}

/** @param groups hashes of the cases of each */
async function run(
  groups: readonly (readonly string[])[],
  { source = '', workers = 2, signal = new AbortController().signal } = {},
): Promise<Told> {
  const hashes = groups.flat();
  const results: CaseSummary[] = [];
  const written: CaseOutcome[] = [];
  await runPool({
    workers,
    start: {
      type: 'start',
      backend: 'reference',
      bundleFolder: folder,
      folder,
      source,
      paths: [],
      origin: { backend: { name: 'reference', adapter: '' }, versions: {} },
    },
    groups: groups.map((group) => group.map((hash) => hashes.indexOf(hash))),
    caseAt: (index) => ({ hash: hashes[index] }) as PlannedCase,
    onResult: (result) => results.push(result),
    writeFailed: (_planned, outcome) => Promise.resolve(void written.push(outcome)),
    signal,
  });
  return { results, written, jobs: jobsGiven().trim().split('\n') };
}

/** What the workers have noted so far. */
function jobsGiven(): string {
  const path = join(folder, 'jobs');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function statesOf({ results }: Told): Readonly<Record<string, string>> {
  return Object.fromEntries(results.map(({ hash, state, reason }) => [hash, reason ?? state]));
}

describe('a pool of processes', () => {
  it('gives every case to one of them', async () => {
    const told = await run([['a', 'b'], ['c'], ['d'], ['e']]);
    expect(statesOf(told)).toEqual({ a: 'complete', b: 'complete', c: 'complete', d: 'complete', e: 'complete' });
    expect(told.jobs.toSorted()).toEqual(['a b', 'c', 'd', 'e']);
  });

  it('tries a case once more whose process was killed, and those of its company alone', async () => {
    const told = await run([['a', 'once'], ['b']], { workers: 1 });
    expect(statesOf(told)).toEqual({ a: 'complete', once: 'complete', b: 'complete' });
    expect(told.jobs).toEqual(['a once', 'a', 'once', 'b']);
    expect(told.written).toEqual([]);
  });

  it('records a case as failed that ends its process twice, by the signal or the last words', async () => {
    const told = await run([['a', 'kills'], ['throws'], ['b']]);
    expect(statesOf(told)).toMatchObject({ a: 'complete', b: 'complete' });
    expect(statesOf(told)['kills']).toBe('its process was twice ended by SIGKILL');
    expect(statesOf(told)['throws']).toMatch(/^its process was twice ended with exit code 1: /);
    expect(Object.fromEntries(told.written.map(({ hash, state }) => [hash, state]))).toEqual({
      kills: 'failed',
      throws: 'failed',
    });
  });

  it('gives up where no process can begin', async () => {
    await expect(run([['a']], { source: 'no backend' })).rejects.toThrow(new BackendError('no such backend'));
    await expect(run([['a']], { source: 'no start' })).rejects.toThrow(
      /^worker processes end before they are ready, the last was ended with exit code 7; use fewer of them \(--workers 1\)/,
    );
    await expect(run([['a']], { source: 'no start' })).rejects.toThrow(WorkerError);
  });

  it('starts a process once more that was killed before it was ready', async () => {
    const told = await run([['a'], ['b']], { source: 'no first start', workers: 1 });
    expect(statesOf(told)).toEqual({ a: 'complete', b: 'complete' });
  });

  it('ends its processes at a signal', async () => {
    const stopping = new AbortController();
    const running = run([['waits'], ['a'], ['b']], { signal: stopping.signal });
    await expect.poll(jobsGiven, { timeout: 30_000, interval: 10 }).toContain('waits');
    stopping.abort();
    expect((await running).results.map(({ hash }) => hash)).not.toContain('waits');
  });
});
