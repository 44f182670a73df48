/**
 * `sweep.json` of a sweep's folder: every case with its outcome, as the command line writes it and the map reads it. A key stays
 * once it is there.
 */
import { z } from 'zod';
import { csvFormatRows } from 'd3-dsv';
import { toSpreadsheetText } from '../words.ts';

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
