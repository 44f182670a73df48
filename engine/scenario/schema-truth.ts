/** The scenario's hidden truth, and the background ensemble that starts beside it. */
import { forcingField } from '../forcing/index.ts';
import { backgroundInitialField, truthInitialField } from '../initial-states/index.ts';
import { count, optionalSection, perturbationSection, quantity, choice } from '../settings/index.ts';
import { z } from 'zod';
import { SCHEME_NAMES } from '../models/index.ts';

/** Cells along one axis, at most: 8192² cells of three float32 variables are 0.8 GB a member. */
export const MAXIMUM_CELLS = 8192;

export const gridSchema = optionalSection(
  { title: 'Grid', description: 'Cells of the basin. The centre of cell (i, j) lies at x = i·dx, y = j·dy.' },
  {
    nx: count({
      title: 'Cells along x',
      description: 'Number of cells along x; on a ring, of its variables.',
      unit: 'cells',
      minimum: 4,
      maximum: MAXIMUM_CELLS,
      default: 64,
    }),
    ny: count({
      title: 'Cells along y',
      description: 'Number of cells along y; 1 on a ring.',
      unit: 'cells',
      minimum: 1,
      maximum: MAXIMUM_CELLS,
      default: 64,
    }),
    dx: quantity({
      title: 'Cell size along x',
      description: 'Distance between cell centres along x.',
      unit: 'm',
      above: 0,
      maximum: 1e6,
      default: 1,
    }),
    dy: quantity({
      title: 'Cell size along y',
      description: 'Distance between cell centres along y.',
      unit: 'm',
      above: 0,
      maximum: 1e6,
      default: 1,
    }),
  },
);

/** Represents the value of the methods' model. */
export const AS_MODEL = 'model';
/** Fine cells of a cell along each axis, at most. */
const MAXIMUM_REFINEMENT = 8;

interface OwnHelp {
  readonly title: string;
  readonly description: string;
  readonly unit?: string;
}

/** A number of the truth's own, or the word for that of the methods. */
const own = (number: z.ZodNumber, { title, description, unit }: OwnHelp) =>
  z
    .union([number, z.literal(AS_MODEL)])
    .default(AS_MODEL)
    .meta({ title, description: `${description} "${AS_MODEL}" for the methods’ own.`, ...(unit && { unit }) });

/** Omitted where the truth has the methods' model: files from before do not say it, and runs of theirs continue as they began. */
const truthModelField = z
  .strictObject({
    refinement: count({
      title: 'Refinement',
      description:
        'Cells of the truth’s grid along each axis of a cell. The truth begins with the means that it would have on the methods’ grid; what is observed and compared are its means over their cells. A fixed time step is as many times shorter.',
      minimum: 1,
      maximum: MAXIMUM_REFINEMENT,
      default: 1,
    }),
    scheme: choice({
      title: 'Scheme',
      description: `Of the truth; "${AS_MODEL}" for the methods’ own.`,
      words: [AS_MODEL, ...SCHEME_NAMES],
      default: AS_MODEL,
    }),
    gravity: own(z.number().gt(0).max(1000), {
      title: 'Gravity',
      description: 'Of the truth: its waves run with √(gravity·depth).',
      unit: 'm/s²',
    }),
    coriolis: optionalSection(
      { title: 'Coriolis force', description: 'Turning of the truth’s basin.' },
      {
        f: own(z.number().min(-10).max(10), {
          title: 'f',
          description: 'Coriolis parameter of the truth in the middle of the basin.',
          unit: '1/s',
        }),
      },
    ),
    friction: optionalSection(
      { title: 'Friction', description: 'Friction at the truth’s bottom.' },
      {
        manning: own(z.number().min(0).max(1), {
          title: 'Manning coefficient',
          description: 'Roughness of the truth’s bottom.',
          unit: 's/m^(1/3)',
        }),
        linear: own(z.number().min(0).max(10), {
          title: 'Linear drag',
          description: 'Rate at which the truth’s bottom slows its currents.',
          unit: '1/s',
        }),
      },
    ),
    forcing: own(z.number().min(-1000).max(1000), {
      title: 'Forcing F',
      description: 'Of the truth, with the model "lorenz-96".',
    }),
  })
  .optional()
  .meta({
    title: 'Model of the truth',
    description:
      'Model error on purpose: what the truth’s model has otherwise than that of the methods. Omitted, the truth has theirs.',
  });

const perturbation = (whose: string) =>
  perturbationSection({ title: 'Perturbation', description: `Random smooth waves on top of ${whose}.` });

export const truthSchema = optionalSection(
  { title: 'Truth', description: 'The run that observations are made of and errors are measured against.' },
  {
    initial: truthInitialField,
    perturbation: perturbation('the initial state'),
    spinup: quantity({
      title: 'Spin-up',
      description: 'Time run before the first cycle, by truth, background and members alike.',
      unit: 's',
      minimum: 0,
      maximum: 1e9,
      default: 0,
    }),
    forcing: forcingField,
    model: truthModelField,
  },
);

export const backgroundSchema = optionalSection(
  {
    title: 'Background',
    description:
      'The ensemble before the first observation, drawn independently of the truth. A deterministic method starts from its mean.',
  },
  {
    initial: backgroundInitialField,
    perturbation: perturbation('each member’s initial state'),
    members: count({
      title: 'Members',
      description: 'States in the ensemble.',
      minimum: 1,
      maximum: 4096,
      default: 20,
    }),
  },
);
