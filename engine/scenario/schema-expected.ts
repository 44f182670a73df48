/**
 * What runs of a scenario have given: medians and ranges over several seeds for each method, what its texts claim and with how many
 * seeds that holds, and the scans that found each method's settings. It changes no number of a run.
 */
import { z } from 'zod';
import { claimListSchema, variantSettingsSchema } from './schema-claims.ts';

const MOST_SEEDS = 100;
const MOST_LABELS = 64;

const label = z.string().min(1).max(64);

const seeds = z
  .array(z.int().min(0).max(Number.MAX_SAFE_INTEGER))
  .min(1)
  .max(MOST_SEEDS)
  .meta({ title: 'Seeds', description: 'Seeds of the runs that the numbers were taken from.' });

/** Median and range over the seeds of one number. */
function range(title: string, description: string, unit?: string) {
  const value = (name: string, help: string) =>
    z.number().meta({ title: name, description: help, ...(unit !== undefined && { unit }) });
  return z
    .strictObject({
      median: value('Median', 'Median over the seeds.'),
      low: value('Lowest', 'Lowest of all seeds.'),
      high: value('Highest', 'Highest of all seeds.'),
    })
    .refine(({ median, low, high }) => low <= median && median <= high, {
      error: 'the median is outside the range, allowed: low ≤ median ≤ high',
    })
    .meta({ title, description });
}

/** A range for each variable that is compared. */
function byVariable(title: string, measure: string) {
  return z
    .strictObject({
      h: range('h', `${measure} of the depth h, m.`, 'm').optional(),
      hu: range('hu', `${measure} of the momentum hu, m²/s.`, 'm²/s').optional(),
      hv: range('hv', `${measure} of the momentum hv, m²/s.`, 'm²/s').optional(),
      x: range('x', `${measure} of x, with the model "lorenz-96".`).optional(),
    })
    .meta({ title, description: `${measure}, mean over the cycles after the spin-up, by variable.` });
}

const result = z
  .strictObject({
    forecast: byVariable('Forecast', 'RMSE of the forecast'),
    analysis: byVariable('Analysis', 'RMSE of the analysis'),
    spread: byVariable('Spread', 'Spread of the analysis').optional(),
    pattern: byVariable('Pattern', 'RMSE of the analysis without the error of the basin’s mean').optional(),
    skill: range('Skill', 'Of the analysis against the free run: 1 − RMSE/RMSE(free run).').optional(),
    skillPattern: range(
      'Skill of the pattern',
      'The same of the RMSE without the error of the basin’s mean, where forcing changes the volume.',
    ).optional(),
    diverged: z.int().min(1).max(MOST_SEEDS).optional().meta({
      title: 'Diverged',
      description: 'With how many seeds the method diverged; the numbers are of the others.',
    }),
  })
  .meta({ title: 'Results', description: 'What runs of one method have given.' });

const scan = z
  .strictObject({
    method: label.meta({ title: 'Method', description: 'Label of the method whose settings were scanned.' }),
    parameters: z.record(z.string().min(1).max(128), z.array(z.number()).min(1).max(100)).meta({
      title: 'Parameters',
      description: 'The values that were tried, by the path of the setting inside the method.',
      maxProperties: 8,
    }),
    measure: z
      .string()
      .min(1)
      .max(200)
      .meta({ title: 'Measure', description: 'What the combinations were judged by, in words, with its unit.' }),
    seeds,
    table: z
      .array(
        z.strictObject({
          values: z
            .array(z.number())
            .min(1)
            .max(8)
            .meta({ title: 'Values', description: 'Of the parameters, in their order.' }),
          median: z
            .number()
            .nullable()
            .meta({ title: 'Median', description: 'Of the measure, over the seeds; null where a run diverged.' }),
          low: z.number().optional().meta({
            title: 'Low',
            description: 'Lower end of the median’s interval over the seeds, 95 % where they are enough.',
          }),
          high: z.number().optional().meta({ title: 'High', description: 'Upper end of that interval.' }),
        }),
      )
      .min(1)
      .max(1000)
      .meta({ title: 'Table', description: 'The measure for each combination that was tried.' }),
    best: z
      .array(z.number())
      .min(1)
      .max(8)
      .meta({ title: 'Best', description: 'Values of the parameters with the best median, in their order.' }),
    verdict: z.string().max(4000).optional().meta({
      title: 'Verdict',
      description: 'How sure the best values are, and whether they lie at an edge of what was tried.',
    }),
  })
  .meta({ title: 'Scan', description: 'How the settings of one method were found.' });

const results = z
  .record(label, result)
  .meta({ title: 'Results', description: 'By the label of the method.', maxProperties: MOST_LABELS });

const own = z
  .strictObject({
    seed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ title: 'Seed', description: 'Seed of the scenario.' }),
    results: z
      .record(label, z.record(label, z.number().meta({ title: 'Value', description: 'Of the measure.' })))
      .meta({
        title: 'Results',
        description: 'By the label of the method, and by the name of the measure.',
        maxProperties: MOST_LABELS,
      }),
  })
  .meta({ title: 'Own seed', description: 'What the scenario gives with the seed that it ships with.' });

const variant = z
  .strictObject({
    settings: variantSettingsSchema,
    results: results.optional(),
  })
  .meta({ title: 'Variant', description: 'The scenario with other settings, and what it gives with the same seeds.' });

export const expectedSchema = z
  .strictObject({
    seeds,
    results,
    own: own.optional(),
    variants: z.record(label, variant).optional().meta({
      title: 'Variants',
      description: 'Other settings of which the texts give numbers, by name.',
      maxProperties: MOST_LABELS,
    }),
    claims: claimListSchema,
    texts: z.record(z.string().min(1).max(128), z.string().min(1).max(10_000)).optional().meta({
      title: 'Texts',
      description:
        'Texts of this file with places for numbers in braces, by the path of the text; `npm run expected` fills them in.',
      maxProperties: MOST_LABELS,
    }),
    scans: z
      .array(scan)
      .max(MOST_LABELS)
      .optional()
      .meta({ title: 'Scans', description: 'How the settings of the methods were found.' }),
    verdict: z
      .string()
      .max(2000)
      .optional()
      .meta({ title: 'Verdict', description: 'What the numbers say, in a sentence or two.' }),
  })
  .optional()
  .meta({
    title: 'Expected results',
    takesEffect: 'label',
    description: 'What runs with several seeds have given, and the scans that found the settings.',
  });
