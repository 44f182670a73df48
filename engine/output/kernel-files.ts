/**
 * Kernel times in a run folder: `kernels.ndjson`, a line a kernel and cycle, which grows, and `kernel-totals.json`, each kernel
 * over the whole run with the machine's ceilings. A run that keeps only its last cycles in the first has all of them in the
 * second, which then says apart what the cycles took that the first does not have.
 */
import type { Ceilings } from '../compute/backend.ts';
import { addTimings, NO_KERNELS, ratesOf } from '../performance/kernel-totals.ts';
import type { KernelTotal, KernelTotals } from '../performance/kernel-totals.ts';

import type { KernelRecord } from '../performance/kernel-log.ts';

import type { Problem } from '../settings/index.ts';
import type { Extent, RunningChecksum, Storage } from './storage.ts';
import { readText } from './storage.ts';
import { readLines } from './growing-file.ts';
import {
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
} from './stored-json.ts';
import type { Rules } from './stored-json.ts';

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
