import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInWorker } from '../../../app/cli/run/engine-host.ts';
import type { EngineJob } from '../../../app/cli/run/engine-host.ts';
import { tinyScenario } from '../session/scenario.ts';

let folder = '';

/** A worker that has a checkpoint at once, counts as long as it lives, and waits like the engine's. */
const WORKER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const beats = new Int32Array(workerData.beats);
  setInterval(() => Atomics.add(beats, 0, 1), 5);
  parentPort.on('message', () => undefined);
  parentPort.postMessage({ type: 'checkpoint', checkpoint: { cycle: 1, arrays: {}, fingerprint: '' } });
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-engine-host-'));
  writeFileSync(join(folder, 'engine-worker.js'), WORKER);
});

afterAll(() => rmSync(folder, { recursive: true }));

it('ends the worker of a run whose checkpoint cannot be written', async () => {
  const beats = new SharedArrayBuffer(4);
  const job: EngineJob & { readonly beats: SharedArrayBuffer } = {
    scenario: tinyScenario(),
    scenarioPath: 'tiny.json',
    beats,
  };
  const full = new Error('no space is left on the device');
  const host = startInWorker(folder, job, {
    event: () => undefined,
    checkpoint: () => Promise.reject(full),
  });
  await expect(host.done).rejects.toBe(full);
  // Ending a thread takes a moment; one that lives on counts on.
  await sleep(200);
  const before = Atomics.load(new Int32Array(beats), 0);
  await sleep(200);
  expect(Atomics.load(new Int32Array(beats), 0)).toBe(before);
});
