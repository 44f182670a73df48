/**
 * What came of each case, in one file of a line a case: its measures, and cycle by cycle the errors and spreads. It is all that claims
 * and results are taken from, so that they can be written again without a run, and small enough to be carried from one machine
 * to another.
 */
import { appendFile, readFile } from 'node:fs/promises';
import { csvParse } from 'd3-dsv';
import type { CaseSummary } from '../../engine/index.ts';

/** Columns of diagnostics.csv that claims may name. */
const KEPT_COLUMN = /^(rmse|spread|mean_error)_|^(inflation|innovation_chi_square|jb|jo)$|^energy_/;
const DIGITS = 6;

type Values = Readonly<Record<string, number | null>>;

export interface MeasuredMethod {
  readonly method: string;
  readonly state: 'complete' | 'diverged';
  /** Means over the cycles after the spin-up, by name. */
  readonly measures: Values;
  /** Columns of diagnostics.csv, a number a cycle; empty for a scan. */
  readonly cycles: Readonly<Record<string, readonly (number | null)[]>>;
}

export interface MeasuredCase {
  readonly hash: string;
  readonly reason: string | null;
  readonly methods: readonly MeasuredMethod[];
}

function short(value: number | null): number | null {
  return value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(DIGITS));
}

/** @returns a name of a measure as it is written today: `rmse.analysis.h` becomes `rmse_analysis_h` */
export function measureKey(name: string): string {
  return name.replaceAll(/[.-]/g, '_');
}

function cyclesOf(csv: string): ReadonlyMap<string, Record<string, (number | null)[]>> {
  const byMethod = new Map<string, Record<string, (number | null)[]>>();
  const rows = csvParse(csv);
  const columns = rows.columns.filter((column) => KEPT_COLUMN.test(column));
  for (const row of rows) {
    const own = byMethod.get(row['method']) ?? Object.fromEntries(columns.map((column) => [column, []]));
    byMethod.set(row['method'], own);
    for (const column of columns) own[column].push(row[column] === '' ? null : short(Number(row[column])));
    // Of a list by network each has a column, impact_0 and so on.
    const impacts = row['impact'] ? row['impact'].split(' ') : [];
    for (const [network, impact] of impacts.entries()) (own[`impact_${network}`] ??= []).push(short(Number(impact)));
  }
  return byMethod;
}

/** @param csv diagnostics.csv of the case; undefined if nothing is claimed about single cycles */
export function measuredCase({ hash, reason, methods }: CaseSummary, csv?: string): MeasuredCase {
  const cycles = csv === undefined ? undefined : cyclesOf(csv);
  return {
    hash,
    reason,
    methods: methods.map(({ method, state, measures }) => ({
      method,
      state,
      measures: Object.fromEntries(Object.entries(measures).map(([name, value]) => [measureKey(name), short(value)])),
      cycles: cycles?.get(method) ?? {},
    })),
  };
}

/** The file, and what it holds by hash. */
export interface Journal {
  readonly known: ReadonlyMap<string, MeasuredCase>;
  add(measured: MeasuredCase): Promise<void>;
}

async function linesOf(file: string): Promise<readonly string[]> {
  try {
    return (await readFile(file, 'utf8')).split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Opens the file, or begins it; a last line that was cut off is not counted. */
export async function openJournal(file: string): Promise<Journal> {
  const known = new Map<string, MeasuredCase>();
  for (const line of await linesOf(file)) {
    try {
      const measured = JSON.parse(line) as MeasuredCase;
      known.set(measured.hash, measured);
    } catch {
      // Cut off when the machine was.
    }
  }
  return {
    known,
    async add(measured) {
      if (known.has(measured.hash)) return;
      known.set(measured.hash, measured);
      // The line before may have been cut off.
      await appendFile(file, `\n${JSON.stringify(measured)}`);
    },
  };
}
