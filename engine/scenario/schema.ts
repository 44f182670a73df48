/**
 * The scenario file: its zod schema, section by section in the files beside this one, and the types that follow from it.
 * Lengths are metres, times seconds, angles degrees, shares numbers from 0 to 1. The length of a covariance is always L of
 * exp(−r²/2L²). Unknown keys are errors.
 */
import { z } from 'zod';
import { count, optionalSection, quantity, withCells, kindUnion, type CellSizes } from '../settings/index.ts';
import { expectedSchema } from './schema-expected.ts';
import { branchListSchema, interventionListSchema } from './schema-interventions.ts';
import { lessonSchema } from './schema-lesson.ts';
import { modelField } from '../model-kinds/index.ts';
import { gridSchema, backgroundSchema, truthSchema } from './schema-truth.ts';
import { observationListSchema, recordedImpactSchema } from './schema-observations.ts';
import { METHODS } from '../methods/index.ts';

/** Whether a value has keys: neither null nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns what names that look alike have in common: composed or decomposed letters, full or half width, spaces around */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim();
}

/** The scenario's assimilation methods, as `engine/methods` defines them. */
export const methodSchema = kindUnion(METHODS)
  // Always last, whether it was written or not: the same settings are then the same text, too.
  .transform(({ label, ...method }) => ({ ...method, label: label ?? method.kind }))
  .meta({ title: 'Method', description: 'One assimilation method with its settings.' });

const methodListSchema = z
  .array(methodSchema)
  .min(1)
  .max(32)
  .prefault([{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf' }])
  .meta({
    title: 'Methods',
    description: 'The methods that are compared, any number, also one kind twice with other settings and a label.',
  });

/** The version of the scenario file; one of an earlier version is made into it by `migrateScenario`. */
export const SCENARIO_VERSION = 3;

const experimentSchema = optionalSection(
  { title: 'Experiment', description: 'How long the run is.' },
  {
    cycles: count({
      title: 'Cycles',
      takesEffect: 'next-cycle',
      description: 'Forecasts, each followed by an analysis if there are observations.',
      unit: 'cycles',
      minimum: 1,
      maximum: 1e6,
      default: 40,
    }),
    window: quantity({
      title: 'Window',
      description: 'Time from one analysis to the next.',
      unit: 's',
      above: 0,
      maximum: 1e8,
      default: 1,
    }),
    spinup: count({
      title: 'Spin-up',
      takesEffect: 'next-cycle',
      description: 'First cycles that the means omit.',
      unit: 'cycles',
      minimum: 0,
      maximum: 1e6,
      default: 0,
    }),
    impact: recordedImpactSchema,
  },
);

/** Validates and fills in the defaults. Checks across fields are `checkScenario`'s. */
export const scenarioSchema = z
  .strictObject({
    $schema: z
      .string()
      .max(1024)
      .optional()
      .meta({ title: 'Schema', takesEffect: 'label', description: 'Where editors find the JSON Schema of this file.' }),
    version: z.literal(SCENARIO_VERSION).meta({ title: 'Version', description: 'Version of the file format.' }),
    name: z
      .string()
      .min(1)
      .max(64)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case letters and digits in words joined by hyphens')
      .meta({
        title: 'Name',
        takesEffect: 'label',
        description: 'Names the run’s folder: lower-case letters and digits in words joined by hyphens.',
        examples: ['water-drops'],
      }),
    title: z.string().max(200).default('').meta({ title: 'Title', takesEffect: 'label', description: 'A few words.' }),
    description: z
      .string()
      .max(10_000)
      .default('')
      .meta({ title: 'Description', takesEffect: 'label', description: 'What to look for, in a paragraph.' }),
    seed: count({
      title: 'Seed',
      description: 'All random numbers of the run follow from it.',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1,
    }),
    grid: gridSchema,
    model: modelField,
    truth: truthSchema,
    background: backgroundSchema,
    observations: observationListSchema,
    methods: methodListSchema,
    experiment: experimentSchema,
    interventions: interventionListSchema,
    branches: branchListSchema,
    lesson: lessonSchema,
    expected: expectedSchema,
  })
  .meta({
    title: 'Shoal scenario',
    description: 'A twin experiment: model, truth, background, observations and the methods that are compared.',
  });

/** @returns the cells of a scenario as a file has it; of a value that can be none, those of the default grid */
export function cellsOf(raw: unknown): CellSizes {
  const grid = isRecord(raw) && isRecord(raw['grid']) ? raw['grid'] : {};
  const among = (key: string, least: number, standard: number): number => {
    const value = grid[key];
    return typeof value === 'number' && value > least ? value : standard;
  };
  const [dx, dy] = [among('dx', 0, 1), among('dy', 0, 1)];
  const shortest = Math.min((among('nx', 1, 64) - 1) * dx, (among('ny', 1, 64) - 1) * dy);
  return { size: Math.min(dx, dy), shortest };
}

/** @returns the scenario of a file's value with every default filled in, lengths by the grid's cells; or what is wrong with it */
export function parseSettings(raw: unknown) {
  return withCells(cellsOf(raw), () => scenarioSchema.safeParse(raw));
}

/** A scenario with every default filled in. */
export type Scenario = z.output<typeof scenarioSchema>;
/** A scenario as a file may write it, defaults omitted. */
export type ScenarioInput = z.input<typeof scenarioSchema>;

export type Grid = Scenario['grid'];
/** Initial state of the truth or of the background; only the background's may be of kind `truth`. */
export type Initial = Scenario['background']['initial'];
export type Perturbation = Scenario['background']['perturbation'];
export type ObservationNetwork = Scenario['observations'][number];
export type Network = ObservationNetwork['network'];
export type ObservedVariable = ObservationNetwork['variable'];
export type Method = Scenario['methods'][number];
/** What was changed while the run continued. */
export type Intervention = Scenario['interventions'][number];
type InterventionKind = Intervention['kind'];
/** An intervention of one kind. */
export type InterventionOf<Kind extends InterventionKind> = Extract<Intervention, { readonly kind: Kind }>;
/** A run beside this one, from a cycle on. */
export type ScenarioBranch = Scenario['branches'][number];
export type ExpectedResults = NonNullable<Scenario['expected']>;
