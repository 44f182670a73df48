/** A run of any length: memory is flat, and what is written is what is kept. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createMemoryStorage, createRunFolder, readRunToContinue } from '../../../engine/index.ts';
import type { Checkpoint, CycleDiagnostics, RunFolder, Scenario, Storage } from '../../../engine/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

const CYCLES = 4000;
const SAVED_EVERY = 50;
const scenario = tinyScenario({ experiment: { cycles: CYCLES, window: 0.5, spinup: 10 } });

function row(cycle: number): CycleDiagnostics {
  const values = { h: 1 / (cycle + 3) };
  const stages = { forecast: values, analysis: values };
  // As large as that of a large ensemble: what is kept would be seen.
  const rankHistogram = { h: Array.from({ length: 500 }, (_, i) => i + cycle) };
  return {
    method: 'letkf',
    cycle,
    timeSeconds: cycle / 2,
    rmse: stages,
    spread: stages,
    crps: stages,
    fairCrps: stages,
    rankHistogram,
    innovation: undefined,
    minimisation: undefined,
    milliseconds: { forecast: 1, analysis: 2 },
  };
}

function checkpointBefore(cycle: number): Checkpoint {
  return { cycle, fingerprint: 'f', arrays: { truth: Float64Array.of(cycle) } };
}

function folderIn(storage: Storage, of: Scenario): RunFolder {
  const identity = { scenario: of, seed: of.seed, backend: { name: 'reference', adapter: 'JavaScript' } } as const;
  return createRunFolder(storage, { identity, versions: {}, now: () => new Date(0) });
}

/** @param saved called after each save with the cycles that are done */
async function runAll(folder: RunFolder, saved: (cycles: number) => void): Promise<void> {
  await folder.begin();
  folder.listen({
    type: 'start',
    scenario: scenario.name,
    seed: scenario.seed,
    backend: { name: 'reference', adapter: 'JavaScript' },
    methods: [{ label: 'letkf', kind: 'letkf', members: 4 }],
    variables: ['h'],
    cycles: CYCLES,
    firstCycle: 0,
    memoryBytes: 1,
  });
  const sample = { name: 'step', begin: 0, microseconds: 10, clock: 'wall', bytes: 1000, flops: 500 } as const;
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    folder.listen({ type: 'kernel', cycle, sample });
    folder.listen({ type: 'diagnostics', diagnostics: row(cycle) });
    folder.listen({ type: 'cycle', cycle, cycles: CYCLES });
    if ((cycle + 1) % SAVED_EVERY !== 0) continue;
    await folder.save(checkpointBefore(cycle + 1));
    saved(cycle + 1);
  }
}

function heapMebibytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

it('is written once, a line after the other, and each save costs the same', async () => {
  const memory = createMemoryStorage();
  let appended = 0;
  let whole = 0;
  const storage: Storage = {
    ...memory,
    append: (path, after, content) => {
      appended += content.byteLength;
      return memory.append(path, after, content);
    },
    writeWhole: (path, content) => {
      whole += content.length;
      return memory.writeWhole(path, content);
    },
  };
  const costs: number[] = [];
  await runAll(folderIn(storage, scenario), () => {
    costs.push(whole);
    whole = 0;
  });
  const size = (name: string): number => memory.files.get(name)?.byteLength ?? 0;
  expect(appended).toBe(size('diagnostics.csv') + size('kernels.ndjson'));
  // The numbers of cycles and bytes have a digit or two more in the end.
  expect(costs.at(-1)).toBeLessThan(1.02 * costs[1]);
  expect(
    (await readRunToContinue(memory, scenario))?.summary.results([{ label: 'letkf', kind: 'letkf', members: 4 }]),
  ).toMatchObject([{ method: 'letkf', cycles: CYCLES }]);
});

it('takes no more memory in the end than in the beginning', async () => {
  const nowhere: Storage = {
    read: () => Promise.resolve(undefined),
    writeWhole: () => Promise.resolve(),
    append: () => Promise.resolve(),
    list: () => Promise.resolve([]),
    remove: () => Promise.resolve(),
  };
  let early = 0;
  let late = 0;
  await runAll(folderIn(nowhere, scenario), (cycles) => {
    if (cycles === 500) early = heapMebibytes();
    if (cycles === CYCLES) late = heapMebibytes();
  });
  // The rows of 3500 cycles would be 14 MiB.
  expect(late - early).toBeLessThan(3);
});

it('may wait long to be written: hundreds of thousands of lines at once', async () => {
  const storage = createMemoryStorage();
  const folder = folderIn(storage, scenario);
  await folder.begin();
  for (let cycle = 0; cycle < 100; cycle++) {
    for (let kernel = 0; kernel < 2000; kernel++) {
      const sample = { name: `k${kernel}`, begin: 0, microseconds: 1, clock: 'wall', bytes: 1, flops: 1 } as const;
      folder.listen({ type: 'kernel', cycle, sample });
    }
    folder.listen({ type: 'cycle', cycle, cycles: CYCLES });
  }
  expect(await storage.read('kernels.ndjson')).toBeUndefined();
  await folder.save();
  const written = new TextDecoder().decode(await storage.read('kernels.ndjson'));
  expect(written.split('\n')).toHaveLength(200_001);
});
