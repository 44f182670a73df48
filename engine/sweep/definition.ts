/** `sweep.json` as a user writes it: which scenario, which values of which settings, which seeds, and what is measured. */
import { z } from 'zod';
import { MOST_AXES } from './results.ts';

const MOST_VALUES = 1000;
/** How many seeds a sweep may have. */
export const MOST_SEEDS = 1000;

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
