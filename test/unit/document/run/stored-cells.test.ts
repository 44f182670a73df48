/** Probes of an opened run: what is read of its file for them, how far, and what is not read. */
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { storedCellsText } from '../../../../app/figures/probe-series.ts';
import { createStoredCells } from '../../../../app/document/run/stored-cells.ts';
import { createRecordedCycles } from '../../../../app/document/run/recorded-cycles.ts';
import type { RecordedSource } from '../../../../app/document/run/recorded-cycles.ts';
import { snapshotBytes } from '../../../../app/document/run/history.ts';
import { settle, snapshotOf } from './fake-run.ts';
import { PlaybackEnded } from '../../../../app/document/run/recorded-cycles.ts';

/** A file of six cycles, of which memory has room for three, and what was asked of it. */
function fileOf(members: readonly number[], broken: readonly number[] = []) {
  const asked: [number, readonly number[]][] = [];
  const source: RecordedSource = {
    cycles: [0, 1, 2, 3, 4, 5],
    every: 1,
    members,
    file: 'fields.nc',
    read: (cycle) => Promise.resolve(snapshotOf(cycle)),
    readCells(cycle, cells) {
      asked.push([cycle, cells]);
      if (broken.includes(cycle)) return Promise.reject(new Error('damaged'));
      const reading = { cycle, timeSeconds: cycle + 1, methods: {} };
      const { observations } = snapshotOf(cycle);
      return Promise.resolve(
        cells.map((cell) => ({ reading: { ...reading, truth: 10 * cycle + cell }, observations })),
      );
    },
    onFailure: () => undefined,
    close: () => undefined,
  };
  const recorded = createRecordedCycles(3 * snapshotBytes(snapshotOf(0)));
  const cells = signal<readonly number[]>([]);
  const { series } = createStoredCells(recorded, () => cells.value);
  const truthAt = (cell: number): number[] =>
    [...(series.value.cells.get(cell)?.values() ?? [])].map(({ reading }) => reading.truth);
  return { source, recorded, cells, series, asked, truthAt };
}

describe('probes of an opened run', () => {
  it('have the members of every cycle, and ask for each plane once', async () => {
    const { source, recorded, cells, series, asked, truthAt } = fileOf([0, 2]);
    cells.value = [3, 7];
    recorded.attach(source);
    await settle();
    expect(asked).toEqual([0, 1, 2, 3, 4, 5].map((cycle) => [cycle, [3, 7]]));
    expect(truthAt(7)).toEqual([7, 17, 27, 37, 47, 57]);
    expect(series.value).toMatchObject({ wanted: 6, done: 6, unreadable: 0 });
    // Of another probe only that one is asked for; of one that is taken away nothing is kept.
    asked.length = 0;
    cells.value = [7, 5];
    await settle();
    expect(asked.map(([, each]) => each)).toEqual(Array.from({ length: 6 }, () => [5]));
    expect([...series.value.cells.keys()]).toEqual([7, 5]);
    // What the run computes again is of another course.
    recorded.dropFrom(4);
    expect(truthAt(7)).toEqual([7, 17, 27, 37]);
  });

  it('have what memory has no room for, where the run kept no members', async () => {
    const { source, recorded, cells, series, asked } = fileOf([]);
    recorded.attach(source);
    await settle();
    expect(asked).toEqual([]);
    cells.value = [3];
    await settle();
    const inMemory = recorded.loaded.value.map(({ cycle }) => cycle);
    expect(inMemory).toHaveLength(3);
    expect(asked.map(([cycle]) => cycle)).toEqual(source.cycles.filter((cycle) => !inMemory.includes(cycle)));
    expect(series.value).toMatchObject({ wanted: 3, done: 3 });
  });

  it('go without cycles that cannot be read, and stop where the run leaves the screen', async () => {
    const { source, recorded, cells, series, asked, truthAt } = fileOf([0], [1]);
    cells.value = [3];
    recorded.attach(source);
    await settle();
    expect([truthAt(3), series.value.unreadable, series.value.done]).toEqual([[3, 23, 33, 43, 53], 1, 6]);
    asked.length = 0;
    recorded.attach({ ...source, readCells: () => Promise.reject(new PlaybackEnded('it was closed')) });
    await settle();
    recorded.attach(source);
    await settle();
    expect(truthAt(3)).toEqual([3, 23, 33, 43, 53]);
    asked.length = 0;
    recorded.clear();
    await settle();
    expect([asked, series.value.wanted, truthAt(3)]).toEqual([[], 0, []]);
  });

  it('say which members there are, and how far the file is read', () => {
    const kept = { file: 'fields.nc', members: [0, 1, 2, 5] };
    expect(storedCellsText(kept, { wanted: 240, done: 40, unreadable: 0 })).toBe(
      'Of cycles in fields.nc there are the members 0-2,5. Read so far: 40 of 240 cycles.',
    );
    expect(storedCellsText({ ...kept, members: [] }, { wanted: 9, done: 9, unreadable: 2 })).toBe(
      'The run kept no members in fields.nc: of its cycles there are truth and means. 2 cycles cannot be read.',
    );
  });
});
