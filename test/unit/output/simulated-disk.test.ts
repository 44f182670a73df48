/**
 * The run folder on a disk that fails at every place where it can: whatever happens, the run continues afterwards and ends with
 * the same bytes, and nothing that is cut bears a name of its own.
 */
import { describe, expect, it } from 'vitest';
import { createNodeStorage } from '../../../app/cli/node-storage.ts';
import { isUnfinished, WriteError } from '../../../app/files/disk.ts';
import {
  createRunFolder,
  parseNpy,
  parseScenario,
  readRun,
  readRunRecord,
  readRunToContinue,
} from '../../../engine/index.ts';
import type {
  Checkpoint,
  CycleDiagnostics,
  ExperimentEvent,
  RunIdentity,
  Snapshot,
  Storage,
} from '../../../engine/index.ts';
import { decodeFrame, decodeSnapshot } from '../../../engine/output/fields/snapshot-record.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';
import { createSimulatedDisk } from '../../setup/simulated-disk.ts';
import type { Aftermath, SimulatedDisk, Trouble } from '../../setup/simulated-disk.ts';

const ROOT = '/run';
const CYCLES = 5;
const METHODS = ['free-run', 'letkf'];
const BED = new TextEncoder().encode('the bytes of an array');

const { scenario } = parseScenario(
  JSON.stringify({
    version: 3,
    name: 'small',
    model: { bathymetry: { kind: 'file', file: 'bed.npy' } },
    experiment: { cycles: CYCLES, spinup: 1 },
  }),
  'small.json',
);
const identity: RunIdentity = { scenario, seed: 1, backend: { name: 'reference', adapter: 'JavaScript' } };

function rowOf(method: string, cycle: number): CycleDiagnostics {
  return diagnosticsRow(method, cycle, { h: 0.1 + cycle / 3, hu: 1 / 7 });
}

const START: ExperimentEvent = {
  type: 'start',
  scenario: 'small',
  seed: 1,
  backend: identity.backend,
  methods: METHODS.map((label) => ({ label, kind: label, members: 4 })),
  variables: ['h', 'hu'],
  cycles: CYCLES,
  firstCycle: 0,
  memoryBytes: 1,
};

/** The state after the cycles before one: what a run must find again. */
function stateBefore(cycle: number): Checkpoint {
  const truth = Float64Array.from({ length: 6 }, (_, i) => Math.sin(cycle + i));
  return { cycle, fingerprint: 'f', arrays: { truth, 'method.letkf': truth.map((value) => -value) } };
}

function snapshotOf(cycle: number): Snapshot {
  const plane = { kind: 'host', values: Float32Array.of(cycle, 1, 2, 3) } as const;
  const state = { eta: plane, hu: plane, hv: plane };
  const none = new Float64Array(0);
  return {
    cycle,
    timeSeconds: cycle + 1,
    truth: state,
    methods: METHODS.map((method) => ({ method, forecast: state, analysis: state, spread: plane })),
    observations: {
      x: none,
      y: none,
      values: none,
      inverseErrorStd: none,
      network: new Uint16Array(0),
      variable: [],
      innovations: {},
    },
  };
}

function eventsOf(cycle: number): ExperimentEvent[] {
  const sample = { name: 'step', begin: 0, microseconds: 10 + cycle, clock: 'wall', bytes: 1000, flops: 500 } as const;
  return [
    { type: 'kernel', cycle, sample: { ...sample, begin: 10 * cycle + 1 } },
    {
      type: 'trace',
      cycle,
      origin: 0,
      at: 10 * cycle + 9,
      spans: [{ part: 'cycle', cycle, begin: 10 * cycle, milliseconds: 8, bytes: 0 }],
      counts: {
        waits: 1,
        submissions: 2,
        dispatches: 3,
        uploads: 4,
        uploadedBytes: 5,
        readbacks: 6,
        readBytes: 7,
      },
      clockErrorMicroseconds: 0,
    },
    ...METHODS.map((method): ExperimentEvent => ({ type: 'diagnostics', diagnostics: rowOf(method, cycle) })),
    { type: 'cycle', cycle, cycles: CYCLES },
  ];
}

/** Begins the run, or continues with it, and brings it to its end. @throws what goes wrong, after the last state was written */
async function carryOn(storage: Storage): Promise<void> {
  const record = await readRunRecord(storage);
  const continued = record && (await readRunToContinue(storage, scenario));
  const firstCycle = continued?.checkpoint?.cycle ?? 0;
  if (continued?.checkpoint) expect(continued.checkpoint).toEqual(stateBefore(firstCycle));
  if (continued?.record.state === 'complete' && firstCycle === CYCLES) return;
  const folder = createRunFolder(storage, {
    identity,
    versions: { shoal: '1' },
    now: () => new Date(0),
    ...(continued && { continued }),
    fields: { every: 1 },
    scenarioFiles: () => Promise.resolve(BED),
  });
  try {
    await folder.begin();
    folder.listen(START);
    // The run is a cycle ahead of its checkpoints.
    let saved = Promise.resolve();
    for (let cycle = firstCycle; cycle < CYCLES; cycle++) {
      for (const event of eventsOf(cycle)) folder.listen(event);
      await folder.keepStates(snapshotOf(cycle));
      if (cycle % 2 === 0) await saved;
      if (cycle % 2 === 1 || cycle === CYCLES - 1) saved = folder.save(stateBefore(cycle + 1));
      saved.catch(() => undefined);
    }
    await saved;
    await folder.finish('complete');
  } catch (error) {
    await folder.finish('failed', String(error)).catch(() => undefined);
    throw error;
  }
}

/**
 * Contents by path in the folder: without files that were never finished, arrays of a checkpoint that is no more (their removal
 * may be lost), and what says when.
 */
function published({ files }: SimulatedDisk): Map<string, unknown> {
  const decoder = new TextDecoder('latin1');
  const { cycle } = JSON.parse(decoder.decode(files.get(`${ROOT}/checkpoint.json`)));
  const isOfThis = (path: string): boolean => !/\/checkpoint\//.test(path) || path.includes(`/checkpoint/${cycle}/`);
  const named = [...files]
    .filter(([path]) => !isUnfinished(path) && isOfThis(path))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    named.map(([path, bytes]): [string, unknown] => {
      const text = decoder.decode(bytes);
      if (path !== `${ROOT}/run.json`) return [path, text];
      const { resumed: _resumed, ...record } = JSON.parse(text);
      return [path, record];
    }),
  );
}

/** Whether there is nothing but whole records of states. */
function wholeRecords(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return true;
  const { totalBytes } = decodeFrame(bytes, 'fields.bin');
  decodeSnapshot(bytes.subarray(0, totalBytes), 'fields.bin');
  return wholeRecords(bytes.subarray(totalBytes));
}

/** What is cut under a name of its own. @param growing whether to look also at what is behind the committed length */
function cutFiles({ files }: SimulatedDisk, growing: boolean): string[] {
  const isWhole = (path: string, bytes: Uint8Array): boolean => {
    const text = new TextDecoder().decode(bytes);
    if (path.endsWith('bed.npy')) return bytes.length === BED.length;
    if (path.endsWith('.npy')) return parseNpy(bytes, path).data.length === 6;
    if (path.endsWith('.json')) return typeof JSON.parse(text) === 'object';
    if (!growing) return true;
    if (path.endsWith('.bin')) return wholeRecords(bytes);
    const lines = text.split('\n');
    if (lines.pop() !== '') return false;
    if (path.endsWith('.ndjson')) return lines.every((line) => typeof JSON.parse(line) === 'object');
    return lines.every((line) => line.split(',').length === lines[0].split(',').length);
  };
  return [...files]
    .filter(([path, bytes]) => {
      try {
        return !isUnfinished(path) && !isWhole(path, bytes);
      } catch {
        return true;
      }
    })
    .map(([path]) => path);
}

async function undisturbed(): Promise<{ readonly files: Map<string, unknown>; readonly operations: number }> {
  const disk = createSimulatedDisk(ROOT);
  await carryOn(createNodeStorage(ROOT, disk.system));
  return { files: published(disk), operations: disk.operations };
}

/** Makes one thing fail in a run, and then finishes it. */
async function afterTrouble(trouble: Trouble, aftermath: Aftermath, second?: Trouble): Promise<Map<string, unknown>> {
  const disk = createSimulatedDisk(ROOT);
  const storage = createNodeStorage(ROOT, disk.system);
  for (const each of [trouble, ...(second ? [second] : [])]) {
    disk.trouble(each);
    const error = await carryOn(storage).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    disk.trouble(undefined);
    const isDown = each.kind === 'down';
    if (isDown) disk.restart(aftermath);
    expect(isDown || error === undefined || error instanceof WriteError).toBe(true);
    expect(cutFiles(disk, !isDown)).toEqual([]);
    // Whoever looks at the folder now finds the rows of whole cycles, at least those that its record speaks of.
    const stored = await readRun(storage);
    const cycles = (stored?.rows.length ?? 0) / METHODS.length;
    expect(Number.isInteger(cycles) && cycles >= (stored?.record.completedCycles ?? 0)).toBe(true);
  }
  await carryOn(storage);
  return published(disk);
}

describe('a run folder', () => {
  it.each<[Trouble['kind'], Aftermath]>([
    ['refused', 'kept'],
    ['full', 'kept'],
    ['down', 'kept'],
    ['down', 'lost'],
    ['down', 'torn'],
  ])('ends with the same bytes wherever an operation is %s, what was not flushed being %s', async (kind, aftermath) => {
    const whole = await undisturbed();
    expect(whole.operations).toBeGreaterThan(60);
    for (let at = 1; at <= whole.operations; at++) {
      expect(await afterTrouble({ kind, at }, aftermath), `operation ${at}`).toEqual(whole.files);
    }
  });

  it.each<Aftermath>(['kept', 'lost', 'torn'])('survives a second fall while it continues, %s', async (aftermath) => {
    const whole = await undisturbed();
    for (let at = 7; at <= whole.operations; at += 13) {
      for (let again = 1; again <= 40; again += 3) {
        const files = await afterTrouble({ kind: 'down', at }, aftermath, { kind: 'down', at: again });
        expect(files, `operation ${at}, then ${again}`).toEqual(whole.files);
      }
    }
  });
});
