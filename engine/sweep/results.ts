/**
 * `sweep.json` of a sweep's folder: every case with its outcome, as the command line writes it and the map reads it. A key stays
 * once it is there.
 */
import { z } from 'zod';
import { csvFormatRows } from 'd3-dsv';
import { toSpreadsheetText } from '../words.ts';
import { validateScenario } from '../scenario/index.ts';
import { parsePath } from '../settings/index.ts';
import { comparePaired, median, medianInterval, type Goal, type Interval } from '../statistics/index.ts';

/** One method with one combination of values of the settings that it follows. */
export interface SweepRow {
  readonly method: string;
  /** One for each axis; undefined of a setting of another method, which changes nothing of this one. */
  readonly values: readonly unknown[];
  /** Index of its first case. */
  readonly first: number;
  /** The median over the seeds that came through, and the interval of the median of all seeds; undefined if none did. */
  readonly median: Interval | undefined;
  /** Seeds that were run, those with which it diverged, and those of cases that failed. */
  readonly seeds: number;
  readonly diverged: number;
  readonly failed: number;
  /** By seed, in their order; null if there is none. */
  readonly bySeed: readonly (number | null)[];
  /**
   * Whether it is the best among the settings of its method in one and the same world, or not significantly different by a paired
   * comparison over the seeds. Undefined where that says nothing: too few seeds, no better or worse, or no significant difference.
   */
  readonly isBest: boolean | undefined;
}

/** Where the axes are settings of one method, its label. */
function ownersOf({ axes, scenario, name }: SweepResults): readonly (string | undefined)[] {
  const { methods } = validateScenario(scenario, name).scenario;
  return axes.map(({ path }) => {
    const [section, index] = parsePath(path) ?? [];
    return section === 'methods' && typeof index === 'number' ? methods[index]?.label : undefined;
  });
}

/** How far a value is from what good looks like: less is better; what diverged is farthest. */
function distance(value: number | null, { best }: SweepMeasure): number {
  if (value === null) return Infinity;
  if (best === 'most') return -value;
  return typeof best === 'object' ? Math.abs(value - best.near) : value;
}

interface Unmarked extends Omit<SweepRow, 'isBest'> {
  /** By which rows are put in order: the median distance over the seeds that were run. */
  readonly rank: number;
  /** By seed, whether its case came to an outcome. */
  readonly hasRun: readonly boolean[];
  /** Values of what is no method's: rows of different worlds are answers to different questions. */
  readonly world: string;
}

function withMark(
  { rank: _rank, hasRun: _hasRun, world: _world, ...row }: Unmarked,
  isBest: boolean | undefined,
): SweepRow {
  return { ...row, isBest };
}

/** Marks the first row and those that are not significantly different from it. @param rows of one method and world, the best first */
function marked(rows: readonly Unmarked[], { best }: SweepMeasure): readonly SweepRow[] {
  if (best === 'none') return rows.map((row) => withMark(row, undefined));
  const goal: Goal = best;
  // A case that failed says nothing about its settings.
  const valuesOf = (row: Unmarked, other: Unmarked): readonly (number | null)[] =>
    row.bySeed.filter((_, seed) => row.hasRun[seed] && other.hasRun[seed]);
  const verdicts = rows.map((row) => comparePaired(valuesOf(rows[0], row), valuesOf(row, rows[0]), { goal })?.verdict);
  const isTold = verdicts.includes('a') && !verdicts.includes('b');
  return rows.map((row, index) => withMark(row, isTold ? index === 0 || verdicts[index] === 'undecided' : undefined));
}

/**
 * @param measure its index among the sweep's
 * @returns a row for each method and combination, methods in their order, worlds in that of the cases; of each the best first
 */
export function sweepRows(results: SweepResults, measure = 0): readonly SweepRow[] {
  const { measures, methods, cases, seeds } = results;
  const owners = ownersOf(results);
  return methods.flatMap((method) => {
    const rows = new Map<string, Unmarked>();
    for (let first = 0; first < cases.length; first += seeds.length) {
      const of = (isOurs: (owner: string | undefined) => boolean): readonly unknown[] =>
        cases[first].values.map((value, axis) => (isOurs(owners[axis]) ? value : undefined));
      const values = of((owner) => owner === undefined || owner === method);
      const key = JSON.stringify(values);
      const world = JSON.stringify(of((owner) => owner === undefined));
      if (!rows.has(key)) rows.set(key, rowOf(results, measure, method, { first, values, world }));
    }
    const byWorld = new Map<string, Unmarked[]>();
    for (const row of rows.values()) {
      const own = byWorld.get(row.world);
      if (own) own.push(row);
      else byWorld.set(row.world, [row]);
    }
    return [...byWorld.values()].flatMap((own) =>
      marked(
        own.toSorted((a, b) => (a.rank === b.rank ? a.first - b.first : a.rank - b.rank)),
        measures[measure],
      ),
    );
  });
}

function rowOf(
  { cases, seeds, measures }: SweepResults,
  measure: number,
  method: string,
  place: Pick<Unmarked, 'first' | 'values' | 'world'>,
): Unmarked {
  const own = cases.slice(place.first, place.first + seeds.length);
  const outcomes = own.map(({ methods }) => methods.find((outcome) => outcome.method === method));
  const bySeed = outcomes.map((outcome) => outcome?.values[measure] ?? null);
  const found = bySeed.filter((value) => value !== null);
  const run = outcomes.filter((outcome) => outcome !== undefined);
  const distances = run.map(({ values }) => distance(values[measure], measures[measure]));
  return {
    ...place,
    method,
    hasRun: outcomes.map((outcome) => outcome !== undefined),
    median: found.length === 0 ? undefined : medianInterval(found),
    rank: distances.length === 0 ? Infinity : median(distances),
    seeds: run.length,
    diverged: run.filter(({ state }) => state === 'diverged').length,
    failed: own.filter(({ state }) => state === 'failed').length,
    bySeed,
  };
}

/** A number or a word as it is; a section as JSON. */
function cell(value: unknown): string {
  if (typeof value === 'string') return toSpreadsheetText(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

/** @returns the file's text; a case that is not complete has one row without a method */
export function formatResultsTable({ axes, measures, cases }: SweepResults): string {
  const header = ['hash', ...axes.map(({ path }) => path), 'seed', 'method', 'state', 'diverged_at', 'reason'];
  const none = measures.map(() => '');
  const rows = cases.flatMap(({ hash, values, seed, state, reason, methods }): string[][] => {
    const place = [hash, ...values.map(cell), String(seed)];
    if (state !== 'complete') return [[...place, '', state, '', toSpreadsheetText(reason ?? ''), ...none]];
    return methods.map(({ method, state: ended, divergedAt, values: measured }) => [
      ...place,
      toSpreadsheetText(method),
      ended,
      String(divergedAt ?? ''),
      '',
      ...measured.map((value) => String(value ?? '')),
    ]);
  });
  return `${csvFormatRows([[...header, ...measures.map(({ name }) => name)], ...rows])}\n`;
}

/** How many cases a sweep may have. */
export const MOST_CASES = 100_000;
/** How many settings a sweep may vary. */
export const MOST_AXES = 8;

const text = z.string().min(1);
const whole = z.int().min(0);

/** A value that a setting takes: a number in most sweeps, a word (a kind, a covariance), a flag, or a whole section. */
const valueSchema = z.json();

/** Outcome of one method in one case. */
const methodOutcomeSchema = z.object({
  /** Label. */
  method: text,
  state: z.enum(['complete', 'diverged']),
  /** The cycle that it did not complete; null of one that is complete. */
  divergedAt: whole.nullable(),
  /** In the order of the sweep's `measures`; null where it diverged, or where a measure does not apply (the spread of one state). */
  values: z.array(z.number().nullable()).readonly(),
});

const caseSchema = z.object({
  /** Hash of what determines the numbers: also the name of the case's folder. */
  hash: z.string().regex(/^[0-9a-f]{16,64}$/),
  /** One for each axis, in their order. */
  values: z.array(valueSchema).readonly(),
  seed: whole,
  /** `waiting`: not run yet, or lost with its process. `failed`: could not be run, for the reason. */
  state: z.enum(['complete', 'failed', 'waiting']),
  reason: text.nullable(),
  /** Empty where the case is not complete. */
  methods: z.array(methodOutcomeSchema).readonly(),
});

const axisSchema = z.object({
  /** Path of the setting, `methods[2].inflation`. */
  path: text,
  /** What it is called, with its unit, for axes of charts. */
  title: text,
  /** Every value that occurs, in the order of the definition. */
  values: z.array(valueSchema).min(1).readonly(),
});

const measureSchema = z.object({
  /** `rmse_analysis_h`, `skill`, `spread_error_forecast_h`. */
  name: text,
  title: text,
  /** Empty where it has none. */
  unit: z.string(),
  /**
   * What good looks like: the least, the most, or as near to a value as can be (1 of χ²/p and spread over error); none of what is
   * neither good nor bad by itself (the spread).
   */
  best: z.union([z.literal('least'), z.literal('most'), z.object({ near: z.number() }), z.literal('none')]),
});

export const sweepResultsSchema = z.object({
  format: z.literal(1),
  name: text,
  /** As its file has it, before the values of a case are set in it: for opening a case. */
  scenario: z.record(z.string(), z.json()),
  backend: z.object({ name: z.enum(['reference', 'wasm', 'webgpu']), adapter: z.string() }),
  versions: z.record(z.string(), z.string()),
  axes: z.array(axisSchema).max(MOST_AXES).readonly(),
  seeds: z.array(whole).min(1).readonly(),
  /** Labels of the methods that were run, in the scenario's order. */
  methods: z.array(text).min(1).readonly(),
  measures: z.array(measureSchema).min(1).readonly(),
  /** By the order of the plan: the last axis fastest but for the seed, which is fastest of all. */
  cases: z.array(caseSchema).max(MOST_CASES).readonly(),
});

export type SweepResults = Readonly<z.infer<typeof sweepResultsSchema>>;
export type SweepCase = SweepResults['cases'][number];
export type SweepAxis = SweepResults['axes'][number];
export type SweepMeasure = SweepResults['measures'][number];
export type MethodOutcome = SweepCase['methods'][number];
