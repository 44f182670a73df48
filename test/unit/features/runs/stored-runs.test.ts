import { describe, expect, it } from 'vitest';
import { rememberRuns } from '../../../../app/features/runs/keep-runs.ts';
import { createRuns } from '../../../../app/features/runs/runs-state.ts';
import { blockKey, BLOCK_ROWS, readStoredRuns, recordKey } from '../../../../app/features/runs/stored-runs.ts';
import type { RunStore } from '../../../../app/features/runs/stored-runs.ts';
import { createNotices } from '../../../../app/page/notices.ts';
import { keptRun, rowsOf } from './kept.ts';

interface Memory extends RunStore {
  readonly entries: Map<string, unknown>;
  /** Keys in the order in which they were written. */
  readonly writes: string[];
}

/** A database that hands out copies, as the page's does. */
function memoryStore(): Memory {
  const entries = new Map<string, unknown>();
  const writes: string[] = [];
  return {
    entries,
    writes,
    put(stored) {
      for (const [key, value] of stored) {
        entries.set(key, structuredClone(value));
        writes.push(key);
      }
      return Promise.resolve();
    },
    remove(keys) {
      for (const key of keys) entries.delete(key);
      return Promise.resolve();
    },
    keys: () => Promise.resolve([...entries.keys()]),
    get: (key) => Promise.resolve(structuredClone(entries.get(key))),
  };
}

const yieldToEventLoop = (): Promise<void> => Promise.resolve();
/** Never by itself: tests ask for the writing. */
const wait = () => () => undefined;

/** A page with that storage, once its list was read. */
async function page(store: RunStore) {
  const runs = createRuns();
  const notices = createNotices();
  const remembered = rememberRuns(runs, notices, store, { yieldToEventLoop, wait });
  await remembered.read;
  return { runs, notices: notices.notices, ...remembered };
}

describe('the list in the page’s storage', () => {
  it('comes back as it was, with names, notes, files, the baseline, and every number of every row', async () => {
    const store = memoryStore();
    const first = await page(store);
    const files = { 'bed.npy': new Uint8Array([1, 2, 3]) };
    const diverged = [{ method: 'letkf', cycle: 19 }];
    const kept = [
      keptRun(1, { name: 'tuned', note: 'Line 1\nline 2, "quoted"', files, diverged }),
      keptRun(2, { stride: 2 }),
    ];
    for (const run of kept) first.runs.put(run);
    first.runs.pin('run-1');
    await first.settled();

    const second = await page(store);
    expect(second.runs.runs.value).toEqual(kept);
    expect(second.runs.baseline.value).toBe('run-1');
    // A first look at another run is not disturbed.
    expect(second.runs.overlaidIds.value).toEqual([]);
    expect(second.notices.value).toEqual([]);
  });

  it('writes full blocks once, and of a run that continues what is new', async () => {
    const store = memoryStore();
    const { runs, settled } = await page(store);
    const cycles = BLOCK_ROWS + 10;
    const rows = rowsOf('letkf', cycles);
    const upTo = (count: number) => new Map([['letkf', rows.slice(0, count)]]);
    runs.put(keptRun(1, { rows: upTo(cycles - 5), cycles }));
    await settled();
    expect(store.writes).toEqual([blockKey('run-1', 0), blockKey('run-1', 1), recordKey('run-1')]);
    runs.put(keptRun(1, { rows: upTo(cycles), cycles }));
    await settled();
    expect(store.writes.slice(3)).toEqual([blockKey('run-1', 1), recordKey('run-1')]);
    await settled();
    expect(store.writes.length).toBe(5);
    const { runs: read } = await readStoredRuns(store, yieldToEventLoop);
    expect(read[0].rows).toEqual(upTo(cycles));
  });

  it('leaves nothing of a run that was removed or thinned', async () => {
    const store = memoryStore();
    const { runs, settled } = await page(store);
    const rows = rowsOf('letkf', 2 * BLOCK_ROWS + 1);
    runs.put(keptRun(1, { rows: new Map([['letkf', rows]]) }));
    await settled();
    expect(store.entries.size).toBe(4);
    runs.put(keptRun(1, { rows: new Map([['letkf', rows.slice(0, 3)]]), stride: 128 }));
    await settled();
    expect([...store.entries.keys()].sort()).toEqual([blockKey('run-1', 0), recordKey('run-1')]);
    runs.remove('run-1');
    await settled();
    expect(store.entries.size).toBe(0);
  });

  it.each<[string, (entries: Map<string, unknown>) => void, RegExp]>([
    ['a record of another form', (entries) => entries.set(recordKey('run-1'), { number: 1, raw: 5 }), /Run 1: /],
    ['no object at all', (entries) => entries.set(recordKey('run-1'), 'gone'), /^A run: /],
    ['a scenario that is none', (entries) => change(entries, { raw: { version: 3 } }), /Run 1: .*name/],
    ['rows that are missing', (entries) => entries.delete(blockKey('run-1', 0)), /Run 1: found no rows from 0 on/],
    ['rows that were cut', (entries) => cut(entries), /Run 1: found 19 rows, 20 were written/],
    [
      'rows of a method that it does not have',
      (entries) => change(entries, { methods: [] }),
      /Run 1: found rows of letkf/,
    ],
    ['a number that is none', (entries) => spoil(entries), /Run 1: .*line 3: time_s: found "x"/],
  ])('omits what cannot be read, says why, and keeps the others: %s', async (_, damage, message) => {
    const store = memoryStore();
    const first = await page(store);
    const rows = new Map([['letkf', rowsOf('letkf', 20)]]);
    first.runs.put(keptRun(1, { rows }));
    first.runs.put(keptRun(2));
    await first.settled();
    damage(store.entries);

    const second = await page(store);
    expect(second.runs.runs.value.map(({ number }) => number)).toEqual([2]);
    expect(second.notices.value.map(({ kind, lines }) => [kind, lines.length])).toEqual([['warning', 1]]);
    expect(second.notices.value[0].lines[0]).toMatch(message);
    // It is not reported again.
    expect([...store.entries.keys()].every((key) => key.startsWith('run-2/'))).toBe(true);
  });

  it('continues without a storage, and says so once', async () => {
    const refusing: RunStore = {
      put: () => Promise.reject(new Error('the disk is full')),
      remove: () => Promise.reject(new Error('the disk is full')),
      keys: () => Promise.reject(new Error('no database')),
      get: () => Promise.reject(new Error('no database')),
    };
    const { runs, settled, notices } = await page(refusing);
    runs.put(keptRun(1));
    await settled();
    runs.setNote('run-1', 'still here');
    await settled();
    expect(runs.runs.value[0].note).toBe('still here');
    expect(notices.value.map(({ title, lines, count }) => [title, lines, count])).toEqual([
      ['The list of runs is kept until this window is closed', ['It cannot be stored: the disk is full'], 1],
    ]);
  });
});

function change(entries: Map<string, unknown>, changes: object): void {
  entries.set(recordKey('run-1'), { ...Object(entries.get(recordKey('run-1'))), ...changes });
}

function changeRows(entries: Map<string, unknown>, edit: (lines: string[]) => string[]): void {
  const lines = String(entries.get(blockKey('run-1', 0)))
    .trimEnd()
    .split('\n');
  entries.set(blockKey('run-1', 0), `${edit(lines).join('\n')}\n`);
}

function cut(entries: Map<string, unknown>): void {
  changeRows(entries, (lines) => lines.slice(0, -1));
}

function spoil(entries: Map<string, unknown>): void {
  changeRows(entries, (lines) =>
    lines.map((line, index) => (index === 2 ? line.replace('letkf,1,2,', 'letkf,1,x,') : line)),
  );
}
