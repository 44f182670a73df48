import { describe, expect, it } from 'vitest';
import { runBytes, stateOf, thinned } from '../../../../app/features/runs/kept-run.ts';
import {
  createRuns,
  LONGEST_NAME,
  LONGEST_NOTE,
  MOST_OVERLAID,
  listWords,
} from '../../../../app/features/runs/runs-state.ts';
import type { RunsOptions } from '../../../../app/features/runs/runs-state.ts';
import { keptRun, rowsOf } from './kept.ts';

const ONE = runBytes(keptRun(1));

/** A list of so many runs, the newest on screen. */
function listOf(count: number, options: RunsOptions = {}) {
  const runs = createRuns(options);
  const dropped: number[] = [];
  runs.onDropped(({ number }) => dropped.push(number));
  for (let number = 1; number <= count; number += 1) {
    runs.onScreen.value = `run-${number}`;
    runs.put(keptRun(number));
  }
  const numbers = (): readonly number[] => runs.runs.value.map(({ number }) => number);
  return { runs, dropped, numbers };
}

describe('the bound of the list', () => {
  it('removes the oldest first, and reports each', () => {
    const { runs, dropped, numbers } = listOf(5, { limitBytes: 3.5 * ONE });
    expect(numbers()).toEqual([3, 4, 5]);
    expect(dropped).toEqual([1, 2]);
    expect(runs.dropped.value).toBe(2);
    expect(runs.bytes.value).toBeLessThanOrEqual(runs.limitBytes);
    expect(runs.bytes.value).toBe(3 * ONE);
  });

  it('keeps the baseline and the run on screen, and those whose curves are shown as long as there are others', () => {
    const { runs, numbers } = listOf(3, { limitBytes: 3.5 * ONE });
    runs.pin('run-1');
    runs.toggleOverlaid('run-2');
    runs.put(keptRun(4));
    // Run 4 is not on screen, and the only one that nobody has asked for.
    expect(numbers()).toEqual([1, 2, 3]);
    runs.toggleOverlaid('run-2');
    runs.onScreen.value = 'run-5';
    runs.put(keptRun(5));
    expect(numbers()).toEqual([1, 3, 5]);
    expect(runs.baselineRun.value?.number).toBe(1);
  });

  it('holds no more runs than it may, however small', () => {
    const { numbers } = listOf(6, { mostRuns: 4 });
    expect(numbers()).toEqual([3, 4, 5, 6]);
  });

  it('keeps of a long run every second cycle, every fourth, until it fits', () => {
    const rows = new Map([['letkf', rowsOf('letkf', 400)]]);
    const long = keptRun(1, { rows, cycles: 400, completed: 400 });
    const kept = thinned(long, runBytes(long) / 3);
    expect(kept.stride).toBe(4);
    expect(
      kept.rows
        .get('letkf')
        ?.slice(0, 3)
        .map(({ cycle }) => cycle),
    ).toEqual([0, 4, 8]);
    expect(kept.completed).toBe(400);
    expect(thinned(long, runBytes(long))).toBe(long);
    const { runs } = listOf(0, { limitBytes: runBytes(long) });
    runs.put(long);
    expect(runs.runs.value[0].stride).toBe(2);
  });

  it('is stated', () => {
    const mebibyte = 2 ** 20;
    expect(listWords(12, 3.1 * mebibyte, 64 * mebibyte)).toBe('12 runs, 3.1 of 64 MB');
    expect(listWords(1, 9000, 64 * mebibyte)).toBe('1 run, < 0.1 of 64 MB');
  });
});

describe('a run of the list', () => {
  it('is renamed and noted, in bounds', () => {
    const { runs } = listOf(1);
    runs.rename('run-1', '  tuned\nby hand ');
    runs.setNote('run-1', 'x'.repeat(LONGEST_NOTE + 5));
    expect(runs.runs.value[0].name).toBe('tuned by hand');
    expect(runs.runs.value[0].note.length).toBe(LONGEST_NOTE);
    runs.rename('run-1', 'y'.repeat(LONGEST_NAME + 5));
    expect(runs.runs.value[0].name.length).toBe(LONGEST_NAME);
  });

  it('is removed and brought back at its place, as the baseline that it was; the one on screen stays', () => {
    const { runs, numbers } = listOf(3);
    runs.pin('run-2');
    runs.remove('run-3');
    expect(numbers()).toEqual([1, 2, 3]);
    runs.remove('run-2');
    expect(numbers()).toEqual([1, 3]);
    expect(runs.baseline.value).toBeUndefined();
    expect(runs.overlaidIds.value).toEqual([]);
    expect(runs.bringBack()).toBe(true);
    expect(numbers()).toEqual([1, 2, 3]);
    expect(runs.baseline.value).toBe('run-2');
    expect(runs.bringBack()).toBe(false);
  });

  it('has a number that no other has, also after the newest was removed', () => {
    const { runs } = listOf(3);
    runs.onScreen.value = undefined;
    runs.remove('run-3');
    expect(runs.nextNumber()).toBe(4);
  });

  it('ends as its run did', () => {
    const diverged = [
      { method: 'free-run', cycle: 4 },
      { method: 'letkf', cycle: 7 },
    ];
    expect(stateOf(keptRun(1))).toBe('complete');
    expect(stateOf(keptRun(1, { completed: 12 }))).toBe('stopped');
    expect(stateOf(keptRun(1, { completed: 7, diverged }))).toBe('diverged');
  });
});

describe('curves', () => {
  it('are never those of the run on screen, and those that were chosen first go if there are too many', () => {
    const { runs } = listOf(6);
    const shown = (): readonly number[] => runs.overlaidRuns.value.map(({ number }) => number);
    runs.pin('run-1');
    for (const number of [2, 3, 4]) runs.toggleOverlaid(`run-${number}`);
    expect(shown()).toEqual([1, 3, 4]);
    expect(shown().length).toBe(MOST_OVERLAID);
    runs.onScreen.value = 'run-3';
    expect(shown()).toEqual([1, 4]);
    // The curves of a baseline come and go with it.
    runs.pin('run-2');
    expect(runs.overlaidIds.value).toEqual(['run-3', 'run-4', 'run-2']);
    runs.pin(undefined);
    expect(runs.overlaidIds.value).toEqual(['run-3', 'run-4']);
  });
});
