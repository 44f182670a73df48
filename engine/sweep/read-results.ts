/** Reads the documents of a sweep's folder, which may have been cut off or changed by hand: `sweep.json` among them. */
import { z } from 'zod';
import { ScenarioError } from '../errors.ts';
import { decodeUtf8, parseWrittenJson, problemsOf } from '../scenario/index.ts';
import type { JsonSchema } from '../scenario/index.ts';
import { describeValue, scenarioError } from '../settings/index.ts';
import type { Path, Problem } from '../settings/index.ts';
import { measureName } from './measures.ts';
import { sweepResultsSchema } from './results.ts';
import type { SweepResults } from './results.ts';

/** The largest file of results that is read, bytes: 512 MiB, more than the largest sweep fills. */
export const MAXIMUM_RESULTS_BYTES = 2 ** 29;

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
