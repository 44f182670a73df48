/** From the bytes of a hand-written `sweep.json` to a definition, or to what is wrong with it, place by place. */
import { z } from 'zod';
import { ScenarioError } from '../errors.ts';
import { decodeText, parseJsonText, problemsOf, type JsonSchema } from '../scenario/index.ts';
import { describeValue, scenarioError, suggestion, type Locate, type Path, type Problem } from '../settings/index.ts';
import { MEASURES, measureName, measureNamed } from './measures.ts';
import { MOST_AXES, MOST_CASES } from './results.ts';
import { MOST_SEEDS } from './seed-list.ts';

const MOST_VALUES = 1000;

const path = z.string().min(1).max(128).meta({
  title: 'Path',
  description:
    'A setting of the scenario, as `--set` has it: `methods[2].inflation`, or `methods[letkf].inflation` by label.',
});

const values = z.array(z.json()).min(1).max(MOST_VALUES);
const seed = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const sweepDefinitionSchema = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1).meta({ title: 'Version', description: 'Of the format of this file.' }),
  name: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ title: 'Name', description: 'Of the sweep; that of the file if omitted.' }),
  scenario: z.string().min(1).max(1024).meta({
    title: 'Scenario',
    description: 'The name of one that ships, or the path of a file, from the folder of this one.',
  }),
  set: z
    .record(path, z.json())
    .optional()
    .meta({ title: 'Settings', description: 'Values that all cases have, by path.' }),
  grid: z
    .record(path, values)
    .optional()
    .meta({ title: 'Grid', description: 'Values by path; every combination is a case.', maxProperties: MOST_AXES }),
  cases: z
    .array(z.record(path, z.json()))
    .min(1)
    .max(10_000)
    .optional()
    .meta({ title: 'Cases', description: 'In place of a grid: the values of each case by itself.' }),
  seeds: z
    .union([
      z.array(seed).min(1).max(MOST_SEEDS),
      z.strictObject({ from: seed, count: z.int().min(1).max(MOST_SEEDS) }),
    ])
    .optional()
    .meta({ title: 'Seeds', description: 'Each case is run with each; the scenario’s own if omitted.' }),
  methods: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(64)
    .optional()
    .meta({ title: 'Methods', description: 'Labels of the methods to run; all if omitted.' }),
  measures: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(64)
    .optional()
    .meta({ title: 'Measures', description: 'What is kept of each method; the usual ones if omitted.' }),
});

export type SweepDefinition = Readonly<z.infer<typeof sweepDefinitionSchema>>;

/** A definition that is right by itself, and where its parts are. */
export interface ReadSweep {
  readonly definition: SweepDefinition;
  /** What to call the file in an error. */
  readonly file: string;
  /** Locates a problem with a path inside the definition; nowhere if it was not read from a text. */
  readonly locate: Locate;
}

/** What a definition is at least, for whoever has an empty file. */
const LEAST = 'a sweep is a JSON object, at least {"version": 1, "scenario": "first-light"}';
/** A version of the file that this program knows. */
const VERSION = 1;

let schema: JsonSchema | undefined;

/** @returns the JSON Schema (draft 2020-12) of a sweep's definition */
export function sweepJsonSchema(): JsonSchema {
  schema ??= z.toJSONSchema(sweepDefinitionSchema, { io: 'input' }) as JsonSchema;
  return schema;
}

/** @throws ScenarioError with every problem that was found, by file, line and column, path, found and allowed */
export function readSweepDefinition(bytes: Uint8Array, file: string): ReadSweep {
  const { value, locate, sourceOf } = parseJsonText(decodeText(bytes, file), file, LEAST);
  return check(value, file, locate, sourceOf);
}

/** The same of a value that was not read from a text. */
export function validateSweepDefinition(value: unknown, file: string): ReadSweep {
  return check(value, file, () => undefined);
}

function check(value: unknown, file: string, locate: Locate, sourceOf?: (path: Path) => string | undefined): ReadSweep {
  const stopAt = (problems: readonly Problem[]): void => {
    if (problems.length > 0) throw scenarioError(problems, file, locate);
  };
  stopAt(notASweep(value));
  const { data: definition, error } = sweepDefinitionSchema.safeParse(value);
  if (!definition) throw scenarioError(problemsOf(error.issues, value, sourceOf, sweepJsonSchema()), file, locate);
  stopAt([
    ...axisProblems(definition),
    ...seedProblems(definition),
    ...repeated(definition.methods ?? [], ['methods']),
    ...measureProblems(definition.measures ?? []),
  ]);
  const { measures } = definition;
  return { definition: measures ? { ...definition, measures: measures.map(measureName) } : definition, file, locate };
}

function notASweep(value: unknown): Problem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ path: [], message: `found ${describeValue(value)}, allowed: an object; ${LEAST}` }];
  }
  const version: unknown = Reflect.get(value, 'version');
  if (version === undefined || version === VERSION) return [];
  const message = `found ${describeValue(version)}, allowed: ${VERSION}; this program knows no other version of the file format`;
  return [{ path: ['version'], message }];
}

/** How the values are given, and how many cases that makes. */
function axisProblems({ grid, cases, seeds = [] }: SweepDefinition): Problem[] {
  if (grid && cases) {
    const message = 'found beside a grid, allowed: one of the two: every combination of values, or each case by itself';
    return [{ path: ['cases'], atKey: true, message }];
  }
  const problems: Problem[] = [];
  const paths = grid ? Object.keys(grid) : [...new Set((cases ?? []).flatMap((values) => Object.keys(values)))];
  if (paths.length > MOST_AXES) {
    const message = `found ${paths.length} settings, allowed: at most ${MOST_AXES}`;
    problems.push({ path: [grid ? 'grid' : 'cases'], message });
  }
  for (const [path, values] of Object.entries(grid ?? {})) problems.push(...repeated(values, ['grid', path]));
  if (cases) problems.push(...repeated(cases, ['cases']));
  const combinations = cases?.length ?? Object.values(grid ?? {}).reduce((product, { length }) => product * length, 1);
  const runs = Array.isArray(seeds) ? Math.max(1, seeds.length) : (seeds as { readonly count: number }).count;
  if (combinations * runs > MOST_CASES) {
    const message = `found ${combinations * runs} cases (${combinations} combinations, ${runs} seeds), allowed: at most ${MOST_CASES}`;
    problems.push({ path: [], message });
  }
  return problems;
}

function seedProblems({ seeds }: SweepDefinition): Problem[] {
  if (seeds === undefined) return [];
  if ('count' in seeds) {
    const { from, count } = seeds;
    const most = Number.MAX_SAFE_INTEGER - from + 1;
    if (count <= most) return [];
    const message = `found ${count}, allowed: at most ${most} from ${from}, the last seed being ${Number.MAX_SAFE_INTEGER}`;
    return [{ path: ['seeds', 'count'], message }];
  }
  return repeated(seeds, ['seeds']);
}

/** What is there twice would count twice in every median. */
function repeated(list: readonly unknown[], path: Path): Problem[] {
  const first = new Map<string, number>();
  return list.flatMap((value, index): Problem[] => {
    const key = JSON.stringify(value);
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, index);
      return [];
    }
    const message = `found ${describeValue(value)} again, which is at ${before} already; allowed: each once`;
    return [{ path: [...path, index], message }];
  });
}

function measureProblems(names: readonly string[]): Problem[] {
  const known = MEASURES.map(({ name }) => name);
  const unknown = names.flatMap((name, index): Problem[] => {
    if (measureNamed(name)) return [];
    const near = suggestion(measureName(name), known);
    const message = `found ${describeValue(name)}, allowed: ${known.join(', ')}${near}`;
    return [{ path: ['measures', index], message }];
  });
  return [...unknown, ...repeated(names.map(measureName), ['measures'])];
}

/** @returns the seeds of a definition; none where the scenario's own is meant */
export function seedsOf({ seeds = [] }: SweepDefinition): readonly number[] {
  if (!('count' in seeds)) return seeds;
  return Array.from({ length: seeds.count }, (_, index) => seeds.from + index);
}

/** The file of a definition names itself where it has no name of its own. */
export function nameOf({ definition: { name }, file }: ReadSweep): string {
  const last = file.replaceAll('\\', '/').split('/').at(-1) ?? '';
  return name ?? (last.replace(/\.json$/, '').slice(0, 64) || 'sweep');
}

/** @throws ScenarioError of problems with paths inside the definition */
export function refuseSweep({ file, locate }: ReadSweep, problems: readonly Problem[]): ScenarioError {
  return scenarioError(problems, file, locate);
}
