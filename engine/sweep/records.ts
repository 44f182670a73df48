/** The documents of a sweep’s folder: which sweep it holds, what came of each case, and the results. */
import { z } from 'zod';
import { ScenarioError } from '../errors.ts';
import { MAXIMUM_SCENARIO_BYTES, decodeUtf8, parseWrittenJson, problemsOf } from '../scenario/index.ts';
import type { CaseSummary } from './run-cases.ts';
import { measureName } from './measures.ts';
import { firstDifference, type Versions } from '../output/run-record.ts';
import { sweepDefinitionSchema, validateSweepDefinition, type ReadSweep } from './read-definition.ts';
import { planSweep, type PlannedCase, type SweepPlan, type SweepScenario, type NumbersOrigin } from './plan.ts';
import type { JsonSchema } from '../scenario/index.ts';
import { describeValue, scenarioError, type Path, type Problem } from '../settings/index.ts';
import { sweepResultsSchema, type SweepResults } from './results.ts';

/** The largest file of results that is read, bytes: 512 MiB, more than the largest sweep fills. */
const MAXIMUM_RESULTS_BYTES = 2 ** 29;

function parse(bytes: Uint8Array, file: string, most: number): unknown {
  const refuse = (message: string): ScenarioError => new ScenarioError([{ file, path: [], message }]);
  if (bytes.byteLength > most) throw refuse(`found ${bytes.byteLength} bytes, allowed: ${most}`);
  return parseWrittenJson(decodeUtf8(bytes, file), file);
}

/**
 * @param most bytes that the file may have
 * @throws ScenarioError naming file, path, what was found and what is allowed
 */
export function parseDocument<Schema extends z.ZodType>(
  bytes: Uint8Array,
  file: string,
  schema: Schema,
  most: number,
): z.output<Schema> {
  const value = parse(bytes, file, most);
  const { data, error } = schema.safeParse(value);
  if (data !== undefined) return data;
  const whole = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
  throw scenarioError(problemsOf(error?.issues ?? [], value, undefined, whole), file);
}

/** What each case has against the axes, methods and measures. */
function shapeProblems({ axes, seeds, methods, measures, cases }: SweepResults): Problem[] {
  const known = new Set(methods);
  const seeded = new Set(seeds);
  return cases.flatMap(({ values, seed, methods: outcomes }, index): Problem[] => {
    const tell = (path: Path, message: string): Problem[] => [{ path: ['cases', index, ...path], message }];
    if (values.length !== axes.length)
      return tell(['values'], `found ${values.length} values, the sweep has ${axes.length} axes`);
    if (!seeded.has(seed)) return tell(['seed'], `found ${seed}, which is not among the seeds`);
    return outcomes.flatMap(({ method, values: measured }, row) => {
      if (!known.has(method))
        return tell(['methods', row, 'method'], `found ${describeValue(method)}, which is not among the methods`);
      if (measured.length === measures.length) return [];
      return tell(
        ['methods', row, 'values'],
        `found ${measured.length} values, the sweep has ${measures.length} measures`,
      );
    });
  });
}

/** @throws ScenarioError naming file, path, what was found and what is allowed */
export function readSweepResults(bytes: Uint8Array, file: string): SweepResults {
  const results = parseDocument(bytes, file, sweepResultsSchema, MAXIMUM_RESULTS_BYTES);
  const problems = shapeProblems(results);
  if (problems.length > 0) throw scenarioError(problems, file);
  const measures = results.measures.map((measure) => ({ ...measure, name: measureName(measure.name) }));
  return { ...results, measures };
}

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

/**
 * `definition.json` of a sweep's folder: which sweep it holds, so that it is continued by the same one, or by one that has the same
 * cases and more, and by no other.
 */
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
