/** `case.json` of a case's folder: what was run, where, and the outcome. */
import { z } from 'zod';
import { ScenarioError } from '../errors.ts';
import { MAXIMUM_SCENARIO_BYTES } from '../scenario/index.ts';
import type { Versions } from '../output/run-record.ts';
import type { NumbersOrigin } from './case-hash.ts';
import { parseDocument } from './read-results.ts';
import type { CaseSummary } from './assemble.ts';
import { measureName } from './measures.ts';
import type { PlannedCase } from './plan.ts';

/** A scenario, and the measures of at most 32 methods beside it. */
const MOST_CASE_BYTES = 2 * MAXIMUM_SCENARIO_BYTES;

const whole = z.int().min(0);

const caseRecordSchema = z.object({
  format: z.literal(1),
  hash: z.string().regex(/^[0-9a-f]{16,64}$/),
  /** By the paths of the sweep that ran it. */
  values: z.record(z.string(), z.unknown()),
  seed: whole,
  state: z.enum(['complete', 'failed']),
  reason: z.string().nullable(),
  methods: z
    .array(
      z.object({
        method: z.string(),
        kind: z.string(),
        members: whole,
        state: z.enum(['complete', 'diverged']),
        divergedAt: whole.nullable(),
        /** Means over the cycles after the spin-up, by name; null where a measure does not apply. */
        measures: z
          .record(z.string(), z.number().nullable())
          .transform((measures) =>
            Object.fromEntries(Object.entries(measures).map(([name, value]) => [measureName(name), value])),
          ),
      }),
    )
    .readonly(),
  backend: z.object({ name: z.string(), adapter: z.string() }),
  versions: z.record(z.string(), z.string()),
  /** ISO 8601. */
  start: z.string(),
  end: z.string(),
  /** SHA-256 by name of the files that the scenario refers to. */
  files: z.record(z.string(), z.string()),
  /** As it ran, with every default; whoever runs it again checks it. */
  scenario: z.record(z.string(), z.unknown()),
});

export type CaseRecord = Readonly<z.infer<typeof caseRecordSchema>>;

/** When a case ran. */
export interface CaseTimes {
  readonly start: Date;
  readonly end: Date;
}

/** @param paths of the axes, in the order of the case's values. @returns the file's text */
export function formatCaseRecord(
  { hash, values, seed, scenario, files }: PlannedCase,
  { state, reason, methods }: CaseSummary,
  paths: readonly string[],
  { backend, versions }: NumbersOrigin & { readonly versions: Versions },
  { start, end }: CaseTimes,
): string {
  const record = {
    format: 1,
    hash,
    values: Object.fromEntries(paths.map((path, index) => [path, values[index] ?? null])),
    seed,
    state,
    reason,
    methods,
    backend,
    versions,
    start: start.toISOString(),
    end: end.toISOString(),
    files,
    scenario,
  };
  return `${JSON.stringify(record, null, 2)}\n`;
}

/**
 * @param hash that the folder is named by
 * @throws ScenarioError naming file, path, what was found and what is allowed
 */
export function readCaseRecord(bytes: Uint8Array, file: string, hash: string): CaseRecord {
  const record = parseDocument(bytes, file, caseRecordSchema, MOST_CASE_BYTES);
  if (record.hash === hash) return record;
  const message = `found "${record.hash}", allowed: "${hash}", by which its folder is named`;
  throw new ScenarioError([{ file, path: ['hash'], message }]);
}
