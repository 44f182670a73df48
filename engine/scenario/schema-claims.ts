/**
 * What the texts of a scenario claim about its methods, as data: each claim is checked with every seed of `expected`, and with the
 * scenario's own. How many seeds it holds with is written beside it, so that a text cannot say more than was found.
 */
import { z } from 'zod';
import { MOST_SETTINGS_OF_A_STEP, settingSchema } from './schema-lesson.ts';

/** Share of the seeds with which a claim has to hold: 15 of 20. */
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

export const claimListSchema = z
  .array(claim)
  .max(MOST_CLAIMS)
  .optional()
  .meta(help('Claims', 'What the texts claim, and with how many seeds it holds.'));

/** The scenario with some other settings, about which a text says something. */
export const variantSettingsSchema = z
  .array(settingSchema)
  .min(1)
  .max(MOST_SETTINGS_OF_A_STEP)
  .meta(help('Settings', 'What is changed in the scenario.'));

export type Claim = z.output<typeof claim>;
export type ClaimFound = z.output<typeof found>;
