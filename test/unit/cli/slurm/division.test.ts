/** How a sweep is divided into tasks. */
import { describe, expect, it } from 'vitest';
import { availableMemory } from '../../../../app/cli/sweep/pool.ts';
import { UsageError } from '../../../../app/cli/context.ts';
import { divide } from '../../../../app/cli/slurm/request.ts';
import { casesOfChunk, groupsOf } from '../../../../app/cli/sweep/definition-source.ts';
import { planSmall } from '../../sweep/small-sweep.ts';

describe('the tasks of a sweep', () => {
  it('have all of its cases, each once, and those that share a world together', async () => {
    const plan = await planSmall({ grid: { 'methods[letkf].inflation': [1, 1.1] }, seeds: { from: 1, count: 10 } });
    const { chunkCount, workload } = divide(plan, 2, 4);
    expect(chunkCount).toBe(5);
    expect(workload.caseSeconds).toBe(Math.max(...plan.seconds));
    expect(workload.chunkSeconds).toBeCloseTo(2 * (plan.seconds[0] + plan.seconds[1]), 12);
    const parts = Array.from({ length: 5 }, (_, index) => casesOfChunk(groupsOf(plan), { part: index + 1, of: 5 }));
    expect(parts.flat().toSorted((a, b) => a - b)).toStrictEqual([...Array(20).keys()]);
    expect(parts[0]).toStrictEqual([0, 1, 10, 11]);
    expect(() => casesOfChunk(groupsOf(plan), { part: 6, of: 5 })).toThrow('allowed: parts from 1 to 5');
  });

  it('are no more than there are groups, and one where the sweep is over in minutes', async () => {
    const plan = await planSmall({ grid: { 'methods[letkf].inflation': [1, 1.1] }, seeds: { from: 1, count: 10 } });
    expect(divide(plan, 2, 1).chunkCount).toBe(10);
    expect(divide(plan, 2, undefined).chunkCount).toBe(1);
  });

  it('last about five minutes each, if nothing else is said', async () => {
    const plan = await planSmall({ seeds: { from: 1, count: 100 } });
    const slow = { ...plan, seconds: plan.seconds.map(() => 60) };
    // 6000 s over two cores of the reference backend.
    expect(divide(slow, 2, undefined).chunkCount).toBe(10);
  });

  it('are no more than Slurm takes', async () => {
    const errors = [0.01, 0.02];
    const plan = await planSmall({
      grid: { 'observations[0].errorStandardDeviation': errors },
      seeds: { from: 1, count: 600 },
    });
    expect(() => divide(plan, 2, 1)).toThrow(UsageError);
    expect(() => divide(plan, 2, 1)).toThrow(
      'makes 1200 tasks of 1200 cases, allowed: 1000; use --chunk-size 2 or more',
    );
    expect(divide(plan, 2, 2).chunkCount).toBe(600);
  });
});

describe('memory', () => {
  it('is no more than Slurm gives a task', () => {
    expect(availableMemory({ SLURM_MEM_PER_NODE: '100' })).toBe(100 * 2 ** 20);
    expect(availableMemory({})).toBeGreaterThan(100 * 2 ** 20);
  });
});
