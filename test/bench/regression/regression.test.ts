/**
 * Kernels of the `wasm` backend beside the reference, in one run: their ratios are printed, and a gross loss fails. Times alone say
 * nothing on a machine that others use; the ratio of interleaved minima does.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchmarkNamed, createReferenceBackend, createWasmBackend } from '../../../engine/index.ts';
import type { Backend, Workload } from '../../../engine/index.ts';
import { startKernelThread } from '../../setup/kernel-threads.ts';
import { timeInterleaved } from './interleaved.ts';
import type { Runs } from './interleaved.ts';
import { RECORDED_RATIOS } from './kernels.ts';

/** A ratio below this share of the recorded one is a loss: machines and engines differ by less. */
const GROSS = 0.5;
/** What looks like a loss is timed again before it is one. */
const ATTEMPTS = 3;
const TIMING = { budgetMilliseconds: 400, leastBatches: 30 };

function runsOf(backend: Backend, workload: Workload): Runs {
  return async (count) => {
    workload.reset();
    for (let n = 0; n < count; n++) {
      if (n > 0 && n % 16 === 0) workload.reset();
      const done = workload.run();
      if (done) await done;
    }
    await backend.settle();
  };
}

describe('the wasm kernels on one thread', () => {
  let wasm: Backend;
  let reference: Backend;
  const lines: string[] = [];
  beforeAll(async () => {
    wasm = await createWasmBackend({ threads: 1, startThread: startKernelThread });
    reference = createReferenceBackend();
  });
  afterAll(() => {
    wasm.dispose();
    reference.dispose();
    process.stdout.write(`${lines.join('\n')}\n`);
  });

  it.each(RECORDED_RATIOS)('$benchmark is not far below $ratio times the reference', async ({ benchmark, ratio }) => {
    const found = benchmarkNamed(benchmark);
    if (!found) throw new Error(`there is no benchmark ${benchmark}`);
    const workloads = [await found.open(reference), await found.open(wasm)] as const;
    let best = 0;
    try {
      for (let attempt = 0; attempt < ATTEMPTS && best < GROSS * ratio; attempt++) {
        const times = await timeInterleaved(runsOf(reference, workloads[0]), runsOf(wasm, workloads[1]), TIMING);
        best = Math.max(best, times.first / times.second);
      }
    } finally {
      for (const workload of workloads) workload.dispose();
    }
    lines.push(`${benchmark}: ${best.toFixed(1)} times the reference, ${ratio} when it was recorded`);
    expect(best).toBeGreaterThan(GROSS * ratio);
  });
});
