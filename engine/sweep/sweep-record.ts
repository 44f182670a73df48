/**
 * `definition.json` of a sweep's folder: which sweep it holds, so that it is continued by the same one, or by one that has the same
 * cases and more, and by no other.
 */
import { z } from 'zod';
import { firstDifference } from '../output/run-record.ts';
import { MAXIMUM_SCENARIO_BYTES } from '../scenario/index.ts';
import { sweepDefinitionSchema } from './definition.ts';
import type { SweepPlan, SweepScenario } from './plan.ts';
import { planSweep } from './plan.ts';
import type { ReadSweep } from './read-definition.ts';
import { validateSweepDefinition } from './read-definition.ts';
import { parseDocument } from './read-results.ts';

const MOST_SWEEP_BYTES = 4 * MAXIMUM_SCENARIO_BYTES;

const sweepRecordSchema = z.object({
  format: z.literal(1),
  definition: sweepDefinitionSchema,
  /** As its file has it, in the present version of scenarios. */
  scenario: z.record(z.string(), z.json()),
  backend: z.object({ name: z.enum(['reference', 'wasm', 'webgpu']), adapter: z.string() }),
  versions: z.record(z.string(), z.string()),
  /** SHA-256 by name of the files that its scenarios refer to. */
  files: z.record(z.string(), z.string()),
});

export type SweepRecord = Readonly<z.infer<typeof sweepRecordSchema>>;

/** @param raw the scenario as its file has it */
export function recordSweep({ definition }: ReadSweep, raw: unknown, { origin, files }: SweepPlan): SweepRecord {
  const { backend, versions } = origin;
  return { format: 1, definition, scenario: raw as SweepRecord['scenario'], backend, versions, files };
}

/** @returns the file's text */
export function formatSweepRecord(record: SweepRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** @throws ScenarioError naming file, path, what was found and what is allowed */
export function readSweepRecord(bytes: Uint8Array, file: string): SweepRecord {
  return parseDocument(bytes, file, sweepRecordSchema, MOST_SWEEP_BYTES);
}

/** What of a sweep decides on its cases: neither its name nor what is taken from them. */
function essence({ definition, scenario, backend, versions, files }: SweepRecord): unknown {
  const { $schema: _schema, name: _name, measures: _measures, ...rest } = definition;
  const { shoal } = versions;
  return JSON.parse(JSON.stringify({ definition: rest, scenario, backend, versions: { shoal }, files }));
}

/**
 * @param stored of the folder
 * @param base reads the files that the scenarios name
 * @returns why the folder's sweep cannot be continued as another, naming the first difference; undefined where all of its cases are
 *   among those of the other
 */
export async function describeSweepDifference(
  stored: SweepRecord,
  wanted: SweepRecord,
  plan: SweepPlan,
  base: Omit<SweepScenario, 'raw'>,
): Promise<string | undefined> {
  const difference = firstDifference(essence(stored), essence(wanted), '');
  if (difference === undefined) return undefined;
  const origin = { backend: stored.backend, versions: stored.versions };
  const sweep = validateSweepDefinition(stored.definition, base.file);
  const before = await planSweep(sweep, { ...base, raw: stored.scenario }, origin).catch(() => undefined);
  const known = new Set(plan.hashes);
  return before?.hashes.every((hash) => known.has(hash)) ? undefined : difference;
}
