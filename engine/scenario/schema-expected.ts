/**
 * What runs of a scenario have given: medians and ranges over several seeds for each method, what its texts claim and with how many
 * seeds that holds, and the scans that found each method's settings. It changes no number of a run.
 */
import { z } from 'zod';
import { MOST_SETTINGS_OF_A_STEP, settingSchema } from './schema-lesson.ts';

/**
 * What the texts of a scenario claim about its methods, as data: each claim is checked with every seed of `expected`, and with the
 * scenario's own. How many seeds it holds with is written beside it, so that a text cannot say more than was found.
 *
 * Share of the seeds with which a claim has to hold: 15 of 20.
 */
export const LEAST_SHARE = 0.75;
/** In `with`, the scenario itself: beside a variant on the first side. */
export const AS_SHIPPED = 'as-shipped';
const MOST_CLAIMS = 64;
const LAST_CYCLE = 1e6;

const help = (title: string, description: string) => ({ title, description });
const nameOf = (title: string, description: string) => z.string().min(1).max(64).meta(help(title, description));
const number = (title: string, description: string) => z.number().meta(help(title, description));

/** What is measured of which method; all but the method has a usual value. */
const quantity = {
  method: nameOf('Method', 'Label of the method.'),
  measure: nameOf(
    'Measure',
    'Name of the measure, as in a sweep or in diagnostics.csv: rmse_analysis_h. If it is missing, the skill that the table shows first.',
  ).optional(),
  cycles: z
    .tuple([z.int().min(0).max(LAST_CYCLE), z.int().min(0).max(LAST_CYCLE)])
    .optional()
    .meta(
      help(
        'Cycles',
        'First and last cycle of the mean. If they are missing, those after the spin-up, as in the table.',
      ),
    ),
  with: nameOf(
    'With',
    'Name of the variant whose runs are measured. If it is missing, the scenario itself.',
  ).optional(),
};

const other = z
  .strictObject({ ...quantity, method: quantity.method.optional() })
  .meta(help('Than', 'The other quantity. What it does not state is the same as on the first side.'));

const span = (title: string, description: string) =>
  z
    .strictObject({
      median: number('Median', 'Median.'),
      low: number('Lowest', 'Lowest.'),
      high: number('Highest', 'Highest.'),
    })
    .meta(help(title, description));

const found = z
  .strictObject({
    holds: z.int().min(0).meta(help('Holds', 'With how many seeds the claim holds.')),
    of: z.int().min(1).meta(help('Of', 'How many seeds were run.')),
    own: z.boolean().meta(help('Own seed', 'Whether it holds with the seed of the scenario.')),
    value: span(
      'Value',
      'Of what is claimed about, over the seeds: of the ratio of both sides, or of the one quantity.',
    ).optional(),
    ownValue: number('Own value', 'The same with the seed of the scenario.').optional(),
  })
  .meta(help('Found', 'What `npm run expected` has found.'));

const common = {
  name: nameOf('Name', 'By which a text refers to the claim.').optional(),
  says: z.string().min(1).max(300).meta(help('Says', 'The claim in words.')),
  ...quantity,
  share: z
    .tuple([z.number().min(0).max(1), z.number().min(0).max(1)])
    .optional()
    .meta(
      help(
        'Share',
        'Least and largest share of the seeds with which it has to hold. If it is missing, three quarters to all. A failure that happens with some seeds has a smaller share.',
      ),
    ),
  onlyOwnSeed: z
    .boolean()
    .optional()
    .meta(help('Only its own seed', 'Whether the text speaks of the run on screen alone, and not of other seeds.')),
  found: found.optional(),
};

const bounds = {
  low: number('Lowest', 'Least value that agrees with the text. If it is missing, any.').optional(),
  high: number('Highest', 'Largest value that agrees with the text. If it is missing, any.').optional(),
};

const kind = <Kind extends string>(name: Kind, description: string) => z.literal(name).meta(help('Kind', description));

const claim = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: kind('better', 'The first side is better than the other by their measure.'),
      ...common,
      than: other,
    })
    .meta(help('Better', 'One method is better than another, or with a setting than without.')),
  z
    .strictObject({
      kind: kind('ratio', 'The first side divided by the other lies between two bounds.'),
      ...common,
      than: other,
      ...bounds,
    })
    .meta(help('Ratio', 'How many times one quantity is as large as another: about 1 if two methods are equal.')),
  z
    .strictObject({ kind: kind('within', 'The quantity lies between two bounds.'), ...common, ...bounds })
    .meta(help('Within', 'A quantity lies between two bounds.')),
]);

const claimListSchema = z
  .array(claim)
  .max(MOST_CLAIMS)
  .optional()
  .meta(help('Claims', 'What the texts claim, and with how many seeds it holds.'));

/** The scenario with some other settings, about which a text says something. */
const variantSettingsSchema = z
  .array(settingSchema)
  .min(1)
  .max(MOST_SETTINGS_OF_A_STEP)
  .meta(help('Settings', 'What is changed in the scenario.'));

export type Claim = z.output<typeof claim>;
export type ClaimFound = z.output<typeof found>;

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
