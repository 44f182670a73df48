/**
 * Kernel times in a run folder: `kernels.ndjson`, a line a kernel and cycle, and `kernel-totals.json`, each kernel over the
 * whole run with the machine's ceilings. A run that keeps only its last cycles in the first has all of them in the second.
 */
import type { Ceilings } from '../compute/ceilings.ts';
import { addTimings, NO_KERNELS } from '../performance/kernel-totals.ts';
import type { KernelTotal, KernelTotals } from '../performance/kernel-totals.ts';
import type { KernelRecord } from '../performance/kernel-log.ts';
import { ratesOf } from '../performance/kernel-rates.ts';
import type { Problem } from '../scenario/index.ts';
import {
  amount,
  list,
  object,
  oneOf,
  optional,
  orNull,
  parseStored,
  parseStoredLines,
  positive,
  problemsWith,
  text,
  wholeFrom,
} from './stored-json.ts';
import type { Rules } from './stored-json.ts';
import { readText } from './storage.ts';
import type { Storage } from './storage.ts';

const RECORDS = 'kernels.ndjson';
const TOTALS = 'kernel-totals.json';

/** What a run knows of its kernels. */
export interface StoredKernels {
  /** By cycle and then by first call; of the last cycles, or of all. */
  readonly records: readonly KernelRecord[];
  readonly totals: KernelTotals;
  /** Of the machine that they were run on, where they were measured. */
  readonly ceilings: Ceilings | undefined;
}

export const NO_STORED_KERNELS: StoredKernels = { records: [], totals: NO_KERNELS, ceilings: undefined };

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
const FILE: Rules = { format: oneOf([1]), cycles: wholeFrom(0), ceilings: orNull(object), kernels: list };

interface TotalsFile {
  readonly format: 1;
  readonly cycles: number;
  readonly ceilings: Ceilings | null;
  readonly kernels: readonly KernelTotal[];
}

function totalsProblems(value: unknown): Problem[] {
  const problems = problemsWith(value, FILE);
  if (problems.length > 0) return problems;
  const { ceilings, kernels } = value as TotalsFile;
  return [
    ...(ceilings === null ? [] : problemsWith(ceilings, CEILINGS, ['ceilings'])),
    ...kernels.flatMap((total, index) => problemsWith(total, TOTAL, ['kernels', index])),
  ];
}

/** A record as folders had it before the least and the most were kept: the median stands for both. */
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

/** @returns the totals of records that are of all cycles of a run */
function totalsOf(records: readonly KernelRecord[]): KernelTotals {
  return addTimings(NO_KERNELS, records, new Set(records.map(({ cycle }) => cycle)).size);
}

/**
 * @returns the kernels of a folder; totals from the records where it has none of its own
 * @throws ScenarioError naming file, place, what was found and what is allowed
 */
export async function readKernels(storage: Storage): Promise<StoredKernels> {
  const lines = (await readText(storage, RECORDS)) ?? '';
  const records = parseStoredLines(lines, RECORDS, (value) => problemsWith(value, RECORD)).map(recordFrom);
  const written = await readText(storage, TOTALS);
  if (written === undefined) return { records, totals: totalsOf(records), ceilings: undefined };
  const { cycles, ceilings, kernels } = parseStored(written, TOTALS, totalsProblems) as TotalsFile;
  return { records, totals: { cycles, kernels: kernels.map(totalFrom) }, ceilings: ceilings ?? undefined };
}

/** Writes both files. */
export async function writeKernels(storage: Storage, { records, totals, ceilings }: StoredKernels): Promise<void> {
  await storage.writeWhole(RECORDS, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const kernels = totals.kernels.map((total) => {
    const { name, calls, totalMicroseconds, workgroup, ...rest } = total;
    const meanMicroseconds = totalMicroseconds / calls;
    return { name, calls, meanMicroseconds, totalMicroseconds, ...rest, ...ratesOf(total, ceilings), workgroup };
  });
  const file = { format: 1, cycles: totals.cycles, ceilings: ceilings ?? null, kernels };
  await storage.writeWhole(TOTALS, `${JSON.stringify(file, null, 2)}\n`);
}
