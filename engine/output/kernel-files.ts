/**
 * Kernel times in a run folder: `kernels.ndjson`, a line a kernel and cycle, which grows, and `kernel-totals.json`, each kernel
 * over the whole run with the machine's ceilings. A run that keeps only its last cycles in the first has all of them in the
 * second, which then says apart what the cycles took that the first does not have.
 */
import type { Ceilings } from '../compute/backend.ts';
import { addTimings, NO_KERNELS, ratesOf } from '../performance/kernel-totals.ts';
import type { KernelTotal, KernelTotals, KernelRecord } from '../performance/kernel-totals.ts';
import type { Problem } from '../settings/index.ts';
import {
  readLines,
  amount,
  list,
  object,
  oneOf,
  optional,
  orNull,
  parseStored,
  parseStoredLine,
  positive,
  problemsWith,
  text,
  wholeFrom,
  readText,
} from './stored-files.ts';
import type { Rules, Extent, RunningChecksum, Storage } from './stored-files.ts';
import { z } from 'zod';
import { ScenarioError } from '../errors.ts';
import { titleEvents, type StoredTrace, type TracedCycle } from '../performance/trace-log.ts';
import { parseWrittenJson } from '../scenario/index.ts';
import type { RunIdentity } from './run-record.ts';

const TRACE_FILE = 'trace.json';
/** What every refusal ends with. */
const REMEDY = 'a run continues without it when it is removed';

/**
 * `trace.json`: what the host and the kernels did when, for Perfetto and chrome://tracing (Trace Event Format, the object form).
 * It is written whole or not at all, a line an event, and read again when its run continues.
 *
 * Whose trace it is.
 */
interface TraceIdentity extends Pick<RunIdentity, 'scenario' | 'backend'> {
  /** When the run began, ISO 8601: what the times of the trace count from. */
  readonly start: string;
}

const name = z.string().max(1000);
const place = { pid: z.number(), tid: z.number() };
/** Keys in the order in which they are written: an event that is read is written as it was. */
const args = z.record(z.string(), z.union([z.string(), z.number()]));
const time = z.number().min(0);
const metadataEvent = z.object({ name, ph: z.literal('M'), ...place, args });
const counterEvent = z.object({ name, ph: z.literal('C'), ...place, ts: time, args });
const completeEvent = z.object({
  name,
  ph: z.literal('X'),
  ...place,
  ts: time,
  dur: time,
  args: z.intersection(args, z.object({ cycle: z.number().int().min(0) })),
});
const traceSchema = z.object({
  traceEvents: z.array(z.discriminatedUnion('ph', [metadataEvent, counterEvent, completeEvent])),
  otherData: z.looseObject({
    /** In the order of the events. */
    cycles: z.array(z.object({ cycle: z.number().int().min(0), events: z.number().int().min(0) })),
    leftOut: z.object({ cycles: z.number().int().min(0), kernels: z.number().int().min(0) }),
    clockErrorMicroseconds: z.number().min(0),
  }),
});

function clockWords(microseconds: number): string {
  return microseconds > 0
    ? `the device's, laid over the host's to ${Number(microseconds.toPrecision(2))} µs by when work was submitted and its results arrived`
    : "the host's, performance.now() of the thread that computes";
}

/** @returns the file's content */
export function formatTrace({ cycles, leftOut, clockErrorMicroseconds }: StoredTrace, identity: TraceIdentity): string {
  const { scenario, backend, start } = identity;
  const threads = new Set(cycles.flatMap((traced) => traced.threads));
  const titles = titleEvents(threads, `${backend.name} (${backend.adapter})`).map((event) => JSON.stringify(event));
  const otherData = {
    program: 'Shoal',
    scenario: scenario.name,
    seed: scenario.seed,
    backend: backend.name,
    adapter: backend.adapter,
    start,
    clockOfTheHost: 'performance.now() of the thread that computes, laid after the start of the run',
    clockOfTheKernels: clockWords(clockErrorMicroseconds),
    clockErrorMicroseconds,
    kernels:
      'of the cycles whose kernels were timed one by one, with all parts of the cycle; in the others passes are merged',
    counters: 'of each cycle: since the numbers of the cycle before were reported',
    leftOut,
    cycles: cycles.map(({ cycle, lines }) => ({ cycle, events: lines.length })),
  };
  const lines = [...titles, ...cycles.flatMap((traced) => traced.lines)];
  return `{"displayTimeUnit":"ms","otherData":${JSON.stringify(otherData)},"traceEvents":[\n${lines.join(',\n')}\n]}\n`;
}

/** The cycles with their events, as they were written. @throws ScenarioError if there are more or fewer events */
function byCycle({ traceEvents, otherData }: z.output<typeof traceSchema>): TracedCycle[] {
  const events = traceEvents.filter(({ ph }) => ph !== 'M');
  let from = 0;
  const cycles = otherData.cycles.map(({ cycle, events: count }): TracedCycle => {
    const own = events.slice(from, from + count);
    from += count;
    const threads = own.filter(({ ph }) => ph === 'X').map(({ pid, tid }) => `${pid} ${tid}`);
    return { cycle, lines: own.map((event) => JSON.stringify(event)), threads: [...new Set(threads)] };
  });
  if (from !== events.length) throw refusal(`found ${events.length} events, its cycles have ${from}`, ['traceEvents']);
  return cycles;
}

/** @throws ScenarioError where it is no JSON */
function parsed(text: string): unknown {
  try {
    return parseWrittenJson(text, TRACE_FILE);
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    throw new ScenarioError(error.problems.map((each) => ({ ...each, message: `${each.message}; ${REMEDY}` })));
  }
}

function refusal(message: string, path: readonly (string | number)[] = []): ScenarioError {
  return new ScenarioError([{ file: TRACE_FILE, path: [...path], message: `${message}; ${REMEDY}` }]);
}

/** @returns undefined if there is none. @throws ScenarioError naming the place and what is wrong there */
export async function readTrace(storage: Storage): Promise<StoredTrace | undefined> {
  const text = await readText(storage, TRACE_FILE);
  if (text === undefined) return undefined;
  const { data, error } = traceSchema.safeParse(parsed(text));
  if (!data) {
    const [{ path, message }] = error.issues;
    throw refusal(
      message,
      path.map((key) => (typeof key === 'symbol' ? String(key) : key)),
    );
  }
  const { leftOut, clockErrorMicroseconds } = data.otherData;
  return { cycles: byCycle(data), leftOut, clockErrorMicroseconds };
}

export async function writeTrace(storage: Storage, trace: StoredTrace, identity: TraceIdentity): Promise<void> {
  await storage.writeWhole(TRACE_FILE, formatTrace(trace, identity));
}

export const KERNEL_RECORDS_FILE = 'kernels.ndjson';
const TOTALS = 'kernel-totals.json';

/** What a run knows of its kernels. */
export interface StoredKernels {
  /** By cycle and then by first call; of the last cycles, or of all. */
  readonly records: readonly KernelRecord[];
  readonly totals: KernelTotals;
  /** Ceilings of the machine that they were run on, if measured. */
  readonly ceilings: Ceilings | undefined;
}

/** What `kernel-totals.json` says. */
export interface StoredTotals {
  readonly totals: KernelTotals;
  /** Those of the totals that are of no record. */
  readonly unrecorded: KernelTotals;
  readonly ceilings: Ceilings | undefined;
}

const WORK: Rules = {
  name: text,
  calls: wholeFrom(1),
  totalMicroseconds: amount,
  clock: oneOf(['device', 'wall']),
  bytes: amount,
  flops: amount,
  workgroup: optional(orNull(list)),
};
const RECORD: Rules = {
  ...WORK,
  cycle: wholeFrom(0),
  medianMicroseconds: amount,
  minimumMicroseconds: optional(amount),
  maximumMicroseconds: optional(amount),
};
const TOTAL: Rules = { ...WORK, minimumMicroseconds: amount, maximumMicroseconds: amount };
const CEILINGS: Rules = {
  copyGigabytesPerSecond: positive,
  fmaGigaflopsPerSecond: positive,
  dispatchMicroseconds: amount,
  clock: oneOf(['device', 'wall']),
  tickMicroseconds: amount,
};
const SUM: Rules = { cycles: wholeFrom(0), kernels: list };
const FILE: Rules = { format: oneOf([1]), ...SUM, ceilings: orNull(object), unrecorded: optional(object) };

interface TotalsFile extends KernelTotals {
  readonly format: 1;
  readonly ceilings: Ceilings | null;
  readonly unrecorded?: KernelTotals;
}

function totalsProblems(value: unknown): Problem[] {
  const problems = problemsWith(value, FILE);
  if (problems.length > 0) return problems;
  const { ceilings, kernels, unrecorded } = value as TotalsFile;
  const wrong = unrecorded === undefined ? [] : problemsWith(unrecorded, SUM, ['unrecorded']);
  return [
    ...(ceilings === null ? [] : problemsWith(ceilings, CEILINGS, ['ceilings'])),
    ...kernels.flatMap((total, index) => problemsWith(total, TOTAL, ['kernels', index])),
    ...(unrecorded === undefined || wrong.length > 0 ? wrong : unrecordedProblems(unrecorded)),
  ];
}

function unrecordedProblems({ kernels }: KernelTotals): Problem[] {
  return kernels.flatMap((total, index) => problemsWith(total, TOTAL, ['unrecorded', 'kernels', index]));
}

/** A record as folders had it before the least and the most were kept: the median replaces both. */
function recordFrom(value: unknown): KernelRecord {
  const record = value as KernelRecord;
  const { minimumMicroseconds = record.medianMicroseconds, maximumMicroseconds = record.medianMicroseconds } =
    record as Partial<KernelRecord>;
  return { ...record, minimumMicroseconds, maximumMicroseconds, workgroup: record.workgroup ?? null };
}

function totalFrom(total: KernelTotal): KernelTotal {
  const { name, calls, minimumMicroseconds, maximumMicroseconds, totalMicroseconds, clock, bytes, flops } = total;
  const times = { minimumMicroseconds, maximumMicroseconds, totalMicroseconds };
  return { name, calls, ...times, clock, bytes, flops, workgroup: total.workgroup ?? null };
}

/** Adds up records that come by cycle. */
export interface RecordSums {
  add(record: KernelRecord): void;
  readonly totals: KernelTotals;
}

/** @param before what came before the records */
export function createRecordSums(before: KernelTotals = NO_KERNELS): RecordSums {
  let totals = before;
  /** Records of one cycle, which are added together. */
  let waiting: KernelRecord[] = [];
  const addWaiting = (): void => {
    if (waiting.length > 0) totals = addTimings(totals, waiting);
    waiting = [];
  };
  return {
    add(record) {
      if (waiting.length > 0 && waiting[0].cycle !== record.cycle) addWaiting();
      waiting.push(record);
    },
    get totals() {
      addWaiting();
      return totals;
    },
  };
}

/** @returns a line of `kernels.ndjson`, with its end */
export function formatKernelRecord(record: KernelRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/**
 * Reads the records one by one.
 *
 * @param committed all of the file if omitted
 * @param take is given each record; false: this one and those behind it are not kept
 * @returns of the records that are kept
 * @throws ScenarioError naming file, line, what was found and what is allowed
 */
export function readKernelRecords(
  storage: Storage,
  committed: Extent | undefined,
  take: (record: KernelRecord) => boolean | void,
): Promise<RunningChecksum> {
  return readLines(storage, KERNEL_RECORDS_FILE, committed, (line, number) => {
    if (line.trim() === '') return true;
    const stored = parseStoredLine(line, KERNEL_RECORDS_FILE, number, (value) => problemsWith(value, RECORD));
    return take(recordFrom(stored));
  });
}

/** @throws ScenarioError naming file, place, what was found and what is allowed */
export async function readKernelTotals(storage: Storage): Promise<StoredTotals | undefined> {
  const written = await readText(storage, TOTALS);
  if (written === undefined) return undefined;
  const { cycles, ceilings, kernels, unrecorded } = parseStored(written, TOTALS, totalsProblems) as TotalsFile;
  return {
    totals: { cycles, kernels: kernels.map(totalFrom) },
    unrecorded: unrecorded ? { cycles: unrecorded.cycles, kernels: unrecorded.kernels.map(totalFrom) } : NO_KERNELS,
    ceilings: ceilings ?? undefined,
  };
}

/**
 * @param committed all of the records if omitted
 * @returns the kernels of a folder; totals from the records where it has none of its own
 * @throws ScenarioError naming file, place, what was found and what is allowed
 */
export async function readKernels(storage: Storage, committed: Extent | undefined): Promise<StoredKernels> {
  const records: KernelRecord[] = [];
  const sums = createRecordSums();
  await readKernelRecords(storage, committed, (record) => {
    records.push(record);
    sums.add(record);
  });
  const stored = await readKernelTotals(storage);
  return { records, totals: stored?.totals ?? sums.totals, ceilings: stored?.ceilings };
}

export async function writeKernelTotals(
  storage: Storage,
  { totals, unrecorded, ceilings }: StoredTotals,
): Promise<void> {
  const sum = ({ cycles, kernels }: KernelTotals): object => ({
    cycles,
    kernels: kernels.map((total) => {
      const { name, calls, totalMicroseconds, workgroup, ...rest } = total;
      const meanMicroseconds = totalMicroseconds / calls;
      return { name, calls, meanMicroseconds, totalMicroseconds, ...rest, ...ratesOf(total, ceilings), workgroup };
    }),
  });
  const { cycles, kernels } = sum(totals) as TotalsFile;
  const file = {
    format: 1,
    cycles,
    ceilings: ceilings ?? null,
    kernels,
    ...(unrecorded.cycles > 0 && { unrecorded: sum(unrecorded) }),
  };
  await storage.writeWhole(TOTALS, `${JSON.stringify(file, null, 2)}\n`);
}
