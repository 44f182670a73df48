import { beforeEach, describe, expect, it } from 'vitest';
import { KERNEL_CYCLES } from '../../../../app/document/run/run-kernels.ts';
import { createRunStates } from '../../../../app/document/run-view.ts';
import type { Ceilings } from '../../../../engine/index.ts';
import { diagnosticsOf, infoOf, scenarioOf, snapshotOf } from './fake-run.ts';

const { course } = createRunStates();
const {
  addDiagnostics,
  addKernels,
  addSnapshot,
  analysisCycles,
  ceilings,
  clearRun,
  currentDiagnostics,
  currentSnapshot,
  cycle,
  cycleDomain,
  diagnostics,
  followNewest,
  history,
  info,
  kernels,
  loopRange,
  machineCeilings,
  newestCycle,
  oldestCycle,
  onForget,
  restoreKernels,
  showCycle,
  storedAfter,
  storedBefore,
  styles,
} = course;

beforeEach(() => {
  onForget(() => undefined);
  clearRun();
});

it('another run begins without the loop and the zoom of the one before', () => {
  loopRange.value = { from: 1, to: 2 };
  cycleDomain.value = [40, 60];
  clearRun();
  expect([loopRange.value, cycleDomain.value]).toStrictEqual([undefined, undefined]);
});

describe('stored cycles', () => {
  it('are shown as they come while the newest is followed', () => {
    for (const each of [-1, 0, 1]) addSnapshot(snapshotOf(each));
    expect([cycle.value, oldestCycle.value, newestCycle.value]).toStrictEqual([1, -1, 1]);
    expect(analysisCycles.value).toStrictEqual([0, 1]);
    followNewest.value = false;
    addSnapshot(snapshotOf(2));
    expect(cycle.value).toBe(1);
    expect(currentSnapshot.value?.cycle).toBe(1);
  });

  it('are bounded in memory, keep the first and the newest, and say which are released', () => {
    const forgotten: number[] = [];
    onForget((snapshot) => forgotten.push(snapshot.cycle));
    // Ten planes of 4 bytes a cell: 100 MiB a snapshot.
    const cells = (100 * 2 ** 20) / 40;
    const large = snapshotOf(0, cells);
    for (let each = -1; each < 8; each += 1) addSnapshot({ ...large, cycle: each });
    expect(history.value.bytes).toBeLessThanOrEqual(history.value.limitBytes);
    expect([oldestCycle.value, newestCycle.value]).toStrictEqual([-1, 7]);
    expect(forgotten.length).toBe(9 - history.value.snapshots.length);
    expect(forgotten.length).toBeGreaterThan(0);
    // Steps pass over the gaps.
    const stored = history.value.snapshots.map((snapshot) => snapshot.cycle);
    expect(storedAfter(stored[0])).toBe(stored[1]);
    expect(storedBefore(stored[1])).toBe(stored[0]);
    expect(storedAfter(7)).toBeUndefined();
    showCycle(forgotten[0]);
    expect(stored).toContain(cycle.value);
  });

  it('have a nearest one for any cycle', () => {
    for (const each of [-1, 0, 1]) addSnapshot(snapshotOf(each));
    showCycle(77);
    expect(cycle.value).toBe(1);
    showCycle(-77);
    expect(cycle.value).toBe(-1);
    showCycle(0.4);
    expect(cycle.value).toBe(0);
  });
});

describe('diagnostics', () => {
  it('are those of the last time that a cycle was run', () => {
    addDiagnostics([diagnosticsOf('letkf', 0), diagnosticsOf('free-run', 0)]);
    addDiagnostics([diagnosticsOf('letkf', 1)]);
    addDiagnostics([diagnosticsOf('letkf', 2)]);
    const again = { ...diagnosticsOf('letkf', 1), timeSeconds: 99 };
    addDiagnostics([again]);
    expect(diagnostics.value.get('letkf')?.map((row) => row.timeSeconds)).toStrictEqual([1, 99]);
    expect(diagnostics.value.get('free-run')).toHaveLength(1);
    addSnapshot(snapshotOf(1));
    expect([...currentDiagnostics.value.keys()]).toStrictEqual(['letkf']);
  });

  it('keep kernels of a bounded number of cycles', () => {
    for (let each = 0; each < KERNEL_CYCLES + 5; each += 1) addKernels(each, []);
    expect(kernels.value.recent).toHaveLength(KERNEL_CYCLES);
    expect(kernels.value.recent[0].cycle).toBe(5);
  });
});

describe('kernels', () => {
  const sample = { name: 'step', begin: 0, clock: 'wall', bytes: 8, flops: 2 } as const;
  const add = (of: number, microseconds: number): void => addKernels(of, [{ ...sample, microseconds }]);

  it('are added up over the whole run, of which only the last cycles stay by themselves', () => {
    for (let each = 0; each < KERNEL_CYCLES + 5; each += 1) add(each, each + 1);
    const cycles = KERNEL_CYCLES + 5;
    expect(kernels.value.totals).toMatchObject({
      cycles,
      kernels: [{ calls: cycles, minimumMicroseconds: 1, maximumMicroseconds: cycles, bytes: 8 * cycles }],
    });
  });

  it('of cycles that are run again take the place of the earlier ones, and those of the first begin again', () => {
    for (const each of [0, 1, 2]) add(each, 10);
    add(1, 4);
    expect(kernels.value.recent.map((each) => each.cycle)).toStrictEqual([0, 1]);
    expect(kernels.value.totals).toMatchObject({ cycles: 2, kernels: [{ calls: 2, totalMicroseconds: 14 }] });
    add(0, 3);
    expect(kernels.value.totals).toMatchObject({ cycles: 1, kernels: [{ calls: 1, maximumMicroseconds: 3 }] });
  });

  it('of an opened run are measured against its own machine until the run continues here', () => {
    const here = { copyGigabytesPerSecond: 1, fmaGigaflopsPerSecond: 2, dispatchMicroseconds: 3, tickMicroseconds: 4 };
    const mine: Ceilings = { ...here, clock: 'wall' };
    const theirs: Ceilings = { ...mine, copyGigabytesPerSecond: 100 };
    add(0, 5);
    restoreKernels({ ...kernels.value, ceilings: theirs });
    machineCeilings.value = mine;
    expect(ceilings.value).toBe(theirs);
    restoreKernels({ ...kernels.value, ceilings: undefined });
    expect(ceilings.value).toBeUndefined();
    add(1, 5);
    expect(ceilings.value).toBe(mine);
    expect(kernels.value.totals.cycles).toBe(2);
    clearRun();
    expect(ceilings.value).toBeUndefined();
    expect(kernels.value.totals.cycles).toBe(0);
  });
});

describe('styles of methods', () => {
  it('distinguish methods of one kind, without colour too', () => {
    const scenario = scenarioOf(2);
    const methods = ['letkf', 'second', 'third'].map((label) => ({ label, kind: 'letkf', members: 4 }));
    info.value = { ...infoOf(scenario), methods };
    expect(new Set(styles.value.map(({ dark }) => dark)).size).toBe(3);
    expect(new Set(styles.value.map(({ dash }) => dash)).size).toBe(3);
    expect(styles.value.map(({ title }) => title)).toStrictEqual(['LETKF', 'second', 'third']);
  });
});
