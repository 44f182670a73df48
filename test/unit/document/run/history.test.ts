import { describe, expect, it } from 'vitest';
import {
  createHistory,
  type History,
  DEFAULT_HISTORY_BYTES,
  MOTION_SHARE,
  snapshotBytes,
} from '../../../../app/document/run/history.ts';
import type { Kept, Plane, Snapshot, StatePlanes } from '../../../../engine/index.ts';

const CELLS = 10;
const none = new Float64Array(0);

function snapshot(
  cycle: number,
  plane: () => Plane = () => ({ kind: 'host', values: new Float32Array(CELLS) }),
): Snapshot {
  const state = (): StatePlanes => ({ eta: plane(), hu: plane(), hv: plane() });
  return {
    cycle,
    timeSeconds: cycle + 1,
    truth: state(),
    methods: [{ method: 'letkf', analysis: state(), forecast: state(), spread: plane() }],
    observations: {
      x: none,
      y: none,
      variable: [],
      network: new Uint16Array(0),
      values: none,
      inverseErrorStd: none,
      innovations: {},
    },
  };
}

/** Three states of three planes and a spread. */
const BYTES = 10 * CELLS * 4;

function cyclesOf(history: History): readonly number[] {
  return history.now().snapshots.map(({ cycle }) => cycle);
}

describe('the memory of the history', () => {
  it('is 512 MiB by default', () => {
    expect(createHistory().now().limitBytes).toBe(DEFAULT_HISTORY_BYTES);
    expect(DEFAULT_HISTORY_BYTES).toBe(536_870_912);
  });

  it('counts planes in memory, and a device buffer once for all of its planes', () => {
    expect(snapshotBytes(snapshot(0))).toBe(BYTES);
    const buffer = { size: 4096 } as GPUBuffer;
    const plane = { kind: 'device', buffer, byteOffset: 0, cells: CELLS, lease: { over: false } } as const;
    expect(snapshotBytes(snapshot(0, () => plane))).toBe(4096);
  });

  it('stays within its bound over thousands of cycles, releasing what it drops', () => {
    const released: number[] = [];
    const limitBytes = 40 * BYTES;
    const history = createHistory({ limitBytes, release: ({ cycle }) => released.push(cycle) });
    for (let cycle = -1; cycle < 3000; cycle++) {
      history.add(snapshot(cycle));
      expect(history.now().bytes).toBeLessThanOrEqual(limitBytes);
    }
    expect(cyclesOf(history)).toHaveLength(40);
    expect(history.now().bytes).toBe(40 * BYTES);
    expect(released).toHaveLength(3001 - 40);
    expect(new Set([...released, ...cyclesOf(history)]).size).toBe(3001);
  });

  it('takes in the motion of the newest cycles only, within its share of the bound', () => {
    const released: string[] = [];
    const limitBytes = 200 * BYTES;
    const history = createHistory({
      limitBytes,
      release: (kept) => released.push(`${'surfaces' in kept ? 'motion' : 'snapshot'} ${String(kept.cycle)}`),
    });
    for (let cycle = 0; cycle < 100; cycle++) {
      const eta: Plane = { kind: 'host', values: new Float32Array(CELLS * 10) };
      history.add(snapshot(cycle), { cycle, surfaces: [{ method: undefined, frames: [{ share: 0.5, eta }] }] });
    }
    expect([...history.now().motions.keys()]).toEqual(Array.from({ length: 50 }, (_, n) => 50 + n));
    expect(history.now().bytes).toBe(100 * BYTES + 50 * BYTES);
    expect(MOTION_SHARE * limitBytes).toBe(50 * BYTES);
    expect(released).toEqual(Array.from({ length: 50 }, (_, n) => `motion ${String(n)}`));
    history.clear();
    expect([history.now().bytes, history.now().motions.size, released.length]).toEqual([0, 0, 200]);
  });

  it('keeps the first, the newest half complete, and thins the past evenly', () => {
    const history = createHistory({ limitBytes: 40 * BYTES });
    for (let cycle = -1; cycle < 400; cycle++) history.add(snapshot(cycle));
    const cycles = cyclesOf(history);
    expect(cycles[0]).toBe(-1);
    expect(cycles.slice(-19)).toEqual(Array.from({ length: 19 }, (_, i) => 381 + i));
    const gaps = cycles.slice(1).map((cycle, i) => cycle - cycles[i]);
    // 381 cycles by 20 entries: none is much further from the next than on average.
    expect(Math.max(...gaps)).toBeLessThanOrEqual(64);
  });

  it('keeps the first and the newest even where they alone are too large', () => {
    const history = createHistory({ limitBytes: 1 });
    for (const cycle of [-1, 0, 1]) history.add(snapshot(cycle));
    expect(cyclesOf(history)).toEqual([-1, 1]);
  });
});

describe('what is stored', () => {
  it('stays what it was when more is stored', () => {
    const history = createHistory();
    for (const cycle of [-1, 8, 4]) history.add(snapshot(cycle));
    const before = history.now();
    history.add(snapshot(5));
    expect(before.snapshots.map(({ cycle }) => cycle)).toEqual([-1, 4, 8]);
    expect(cyclesOf(history)).toEqual([-1, 4, 5, 8]);
  });

  it('is replaced by a snapshot of the same cycle, and released when cleared', () => {
    const released: Kept[] = [];
    const history = createHistory({ release: (dropped) => released.push(dropped) });
    const [first, second] = [snapshot(2), snapshot(2)];
    history.add(first);
    history.add(second);
    expect(history.now().snapshots).toEqual([second]);
    expect(released).toEqual([first]);
    history.clear();
    expect(released).toEqual([first, second]);
    expect(history.now().bytes).toBe(0);
    expect(cyclesOf(history)).toEqual([]);
  });
});
