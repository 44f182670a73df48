/** A run in a thread of the command line: what becomes of the thread. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startThread } from '../../../app/cli/thread.ts';
import { openRun } from '../../../engine/index.ts';
import type { RunJob, RunStarterPort, RunWriter } from '../../../engine/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

let folder = '';

/** A thread that has a checkpoint at once, counts as long as it lives, and waits like the engine's. */
const WORKER = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ name, argument }) => {
    if (name !== 'open') return;
    const beats = new Int32Array(argument.files.beats);
    setInterval(() => Atomics.add(beats, 0, 1), 5);
    const prepared = { cycle: 1, arrays: {}, fingerprint: '' };
    parentPort.postMessage({ type: 'event', event: { type: 'commit', writer: 0, number: 0, prepared } });
  });
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-thread-'));
  writeFileSync(join(folder, 'waits.cjs'), WORKER);
  writeFileSync(join(folder, 'ends.cjs'), 'process.exit(0)');
  writeFileSync(join(folder, 'breaks.cjs'), "throw new Error('a bit fell over')");
});

afterAll(() => rmSync(folder, { recursive: true }));

/** A job whose files are a counter that the thread shares. */
function jobOf(beats: SharedArrayBuffer): RunJob {
  const files = { beats: beats as unknown as Uint8Array };
  return { scenario: tinyScenario(), files, source: 'tiny.json', misfit: 'refuse' };
}

it('ends the thread of a run whose checkpoint cannot be written', async () => {
  const beats = new SharedArrayBuffer(4);
  const full = new Error('no space is left on the device');
  const writer: RunWriter = {
    schedule: { kind: 'safety' },
    prepare: 'checkpoint',
    waits: true,
    atEnd: true,
    commit: () => Promise.reject(full),
  };
  const port: RunStarterPort = startThread(folder, 'waits.cjs');
  const run = openRun(port, jobOf(beats), { writers: [writer] });
  await expect(run.play()).rejects.toBe(full);
  // Ending a thread takes a moment; one that lives on counts on.
  await sleep(200);
  const before = Atomics.load(new Int32Array(beats), 0);
  await sleep(200);
  expect(Atomics.load(new Int32Array(beats), 0)).toBe(before);
});

it.each([
  ['ends.cjs', 'the thread of ends.cjs ended before its work did'],
  ['breaks.cjs', 'a bit fell over'],
])('rejects what waits for a thread that is gone: %s', async (script, message) => {
  const events: string[] = [];
  const port: RunStarterPort = startThread(folder, script);
  const observers = [{ event: ({ type }: { readonly type: string }) => void events.push(type) }];
  const run = openRun(port, jobOf(new SharedArrayBuffer(4)), { observers });
  await expect(run.play()).rejects.toThrow(message);
  expect(events).toEqual(['failed']);
  await expect(run.step()).rejects.toThrow(message);
});
