/**
 * The list in the page's own storage: of each run a record of what is known about it, and its diagnostics in blocks, written once
 * they are full. What is read may be damaged or of another version: a run that cannot be read is omitted, with a notice.
 */
import { reasonOf } from '../../page/notices.ts';
import { createStore, delMany, get, keys, setMany } from 'idb-keyval';
import { z } from 'zod';
import { cyclesOf, formatDiagnostics, isRecord, parseDiagnostics, validateScenario } from '../../../engine/index.ts';
import type { CycleDiagnostics } from '../../../engine/index.ts';
import { completedCycles, type KeptRun, type RunRows } from './kept-run.ts';
import { LONGEST_NAME, LONGEST_NOTE, MOST_RUNS } from './runs-state.ts';

/** Rows of a block: written and read without holding up the page. */
export const BLOCK_ROWS = 128;

const recordSchema = z.object({
  number: z.int().positive(),
  name: z.string().max(LONGEST_NAME),
  note: z.string().max(LONGEST_NOTE),
  raw: z.looseObject({}),
  files: z.record(z.string(), z.instanceof(Uint8Array)),
  command: z.object({ line: z.string(), needs: z.string().optional() }),
  methods: z.array(z.object({ label: z.string(), kind: z.string(), members: z.int().positive() })),
  backend: z.object({ name: z.string(), adapter: z.string() }),
  versions: z.record(z.string(), z.string()),
  diverged: z.array(z.object({ method: z.string(), cycle: z.int().nonnegative() })),
  stride: z.int().positive(),
  start: z.string(),
  end: z.string(),
  /** Variables of the rows, in the order of the columns. */
  variables: z.array(z.string()),
  rows: z.int().nonnegative(),
  isBaseline: z.boolean(),
});

type StoredRecord = z.output<typeof recordSchema>;

/** What the storage has under a key. */
export type StoredEntry = readonly [key: string, value: unknown];

/** The page's database, or a stand-in. */
export interface RunStore {
  put(stored: readonly StoredEntry[]): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  keys(): Promise<readonly string[]>;
  get(key: string): Promise<unknown>;
}

/** In the page's database. */
export function createRunStore(): RunStore {
  const store = createStore('shoal.runs', 'runs');
  return {
    put: (stored) => setMany(stored as [string, unknown][], store),
    remove: (keys) => delMany([...keys], store),
    keys: () => keys<string>(store),
    get: (key) => get<unknown>(key, store),
  };
}

/** The key of a run's record, and of its block of that number. */
export function recordKey(id: string): string {
  return `${id}/run`;
}

export function blockKey(id: string, block: number): string {
  return `${id}/${block}`;
}

/** Cycle by cycle, methods in the order of the run: what a longer run has more is at the end. */
function inOrder(rows: RunRows): CycleDiagnostics[] {
  return [...rows.values()].flat().sort((a, b) => a.cycle - b.cycle);
}

export interface StoredForm {
  readonly record: StoredEntry;
  /** By their numbers. */
  readonly blocks: number;
  readonly block: (number: number) => string;
}

/** @returns the run as it is stored; a block is written when it is asked for */
export function storedForm(run: KeptRun, isBaseline: boolean): StoredForm {
  const { id, number, name, note, raw, files, command, methods, backend, versions, diverged, stride, start, end } = run;
  const rows = inOrder(run.rows);
  const variables = Object.keys(rows[0]?.rmse.analysis ?? {});
  const record: Omit<StoredRecord, 'files'> & Pick<KeptRun, 'files'> = {
    number,
    name,
    note,
    raw: { ...raw },
    files,
    command: { line: command.line, ...(command.needs !== undefined && { needs: command.needs }) },
    methods: [...methods],
    backend,
    versions: { ...versions },
    diverged: diverged.map(({ method, cycle }) => ({ method, cycle })),
    stride,
    start,
    end,
    variables,
    rows: rows.length,
    isBaseline,
  };
  return {
    record: [recordKey(id), record],
    blocks: Math.ceil(rows.length / BLOCK_ROWS),
    block: (index) => formatDiagnostics(variables, rows.slice(index * BLOCK_ROWS, (index + 1) * BLOCK_ROWS)),
  };
}

function byMethod({ methods }: StoredRecord, rows: readonly CycleDiagnostics[]): RunRows {
  const found = new Map<string, CycleDiagnostics[]>(methods.map(({ label }) => [label, []]));
  for (const row of rows) {
    const list = found.get(row.method);
    if (!list) throw new Error(`found rows of ${row.method}, which the run does not have`);
    if (row.cycle <= (list.at(-1)?.cycle ?? -1)) throw new Error(`found cycle ${row.cycle} of ${row.method} twice`);
    list.push(row);
  }
  return new Map([...found].filter(([, list]) => list.length > 0));
}

/** @throws Error, ScenarioError that say what is wrong */
async function readRun(
  id: string,
  stored: unknown,
  blockOf: (number: number) => Promise<unknown>,
  yieldToEventLoop: () => Promise<void>,
): Promise<{ readonly run: KeptRun; readonly isBaseline: boolean }> {
  const { data: record, error } = recordSchema.safeParse(stored);
  if (!record) throw new Error(z.prettifyError(error));
  const { scenario } = validateScenario(record.raw, 'the scenario');
  const rows: CycleDiagnostics[] = [];
  for (let block = 0; block * BLOCK_ROWS < record.rows; block += 1) {
    const text = await blockOf(block);
    if (typeof text !== 'string')
      throw new Error(`found no rows from ${block * BLOCK_ROWS} on, allowed: ${record.rows}`);
    rows.push(...parseDiagnostics(text, 'the rows'));
    await yieldToEventLoop();
  }
  if (rows.length < record.rows) throw new Error(`found ${rows.length} rows, ${record.rows} were written`);
  const { isBaseline, variables: _variables, rows: count, command, ...kept } = record;
  // A block may have been written after the record.
  const known = byMethod(record, rows.slice(0, count));
  const { line, needs } = command;
  const run = {
    ...kept,
    id,
    command: { line, needs },
    scenario,
    rows: known,
    cycles: cyclesOf(scenario),
    completed: completedCycles(known),
  };
  return { run, isBaseline };
}

export interface ReadRuns {
  /** Oldest first. */
  readonly runs: readonly KeptRun[];
  readonly baseline: string | undefined;
  /** Keys of what cannot be read, or belongs to nothing. */
  readonly broken: readonly string[];
  /** Why runs cannot be read, a line each. */
  readonly problems: readonly string[];
}

/** @param yieldToEventLoop lets the page do something else between two blocks */
export async function readStoredRuns(store: RunStore, yieldToEventLoop: () => Promise<void>): Promise<ReadRuns> {
  const all = await store.keys();
  const ids = all.flatMap((key) => (key.endsWith('/run') ? [key.slice(0, -'/run'.length)] : []));
  const found: KeptRun[] = [];
  const problems: string[] = [];
  let baseline: string | undefined;
  for (const id of ids.slice(-MOST_RUNS)) {
    const stored = await store.get(recordKey(id));
    try {
      const { run, isBaseline } = await readRun(
        id,
        stored,
        (block) => store.get(blockKey(id, block)),
        yieldToEventLoop,
      );
      found.push(run);
      if (isBaseline) baseline = id;
    } catch (error) {
      const number = isRecord(stored) && typeof stored['number'] === 'number' ? `Run ${stored['number']}` : 'A run';
      problems.push(`${number}: ${reasonOf(error)}`);
    }
  }
  const read = new Set(found.map(({ id }) => id));
  const broken = all.filter((key) => !read.has(key.slice(0, key.lastIndexOf('/'))));
  return { runs: found.sort((a, b) => a.number - b.number), baseline, broken, problems };
}
