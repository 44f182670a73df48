import { expect, it } from 'vitest';
import type { Checkpoint } from '../../../engine/index.ts';
import { createCheckpointRing } from '../../../engine/index.ts';

/** One of 80 bytes. */
const at = (cycle: number): Checkpoint => ({ cycle, arrays: { truth: new Float64Array(10) }, fingerprint: '' });

it('keeps the bound: the first and the newest stay, the past thins out', () => {
  const ring = createCheckpointRing(800);
  for (let cycle = 0; cycle <= 100; cycle += 4) {
    ring.add(at(cycle));
    expect(ring.bytes).toBeLessThanOrEqual(800);
  }
  expect(ring.cycles).toHaveLength(10);
  expect(ring.cycles[0]).toBe(0);
  expect(ring.cycles.slice(-3)).toEqual([92, 96, 100]);
});

it('gives the nearest one from which a cycle can be reached, or none', () => {
  const ring = createCheckpointRing();
  ring.add(at(8));
  ring.add(at(4));
  expect(ring.cycles).toEqual([4, 8]);
  expect([3, 4, 7, 8, 99].map((cycle) => ring.before(cycle)?.cycle)).toEqual([undefined, 4, 4, 8, 8]);
});

it('replaces one of the same cycle, drops what came later, and keeps none that is larger than its bound', () => {
  const ring = createCheckpointRing(100);
  ring.add({ ...at(4), arrays: { truth: new Float64Array(99) } });
  expect(ring.cycles).toEqual([]);
  ring.add(at(4));
  ring.add({ ...at(4), fingerprint: 'another' });
  expect([ring.cycles, ring.before(4)?.fingerprint]).toEqual([[4], 'another']);
  ring.dropAfter(3);
  expect(ring.cycles).toEqual([]);
});
