/** The scenario’s lesson, step by step, and the views that it, or a step, opens with. */
import { z } from 'zod';
import { oneLine, optionalSection, section } from '../settings/index.ts';
import { viewedImpactSchema } from './schema-observations.ts';

/**
 * What of a run is on screen: fields and rows, cameras, ranges, pins, hidden methods, what is asked about and the part of the
 * evidence. Links and the steps of lessons say it in these words; what they omit is as a new laboratory shows it.
 *
 * What a view can draw.
 */
export const VIEW_FIELDS = [
  'surface',
  'depth',
  'speed',
  'vorticity',
  'error',
  'spread',
  'increment',
  'froude-number',
  'local-observations',
  'local-weight',
  'inflation',
] as const;
/** Which state of a method is drawn. */
export const PHASES = ['analysis', 'forecast'] as const;
export const STAGE_LOOKS = ['auto', 'colour-mapped', 'photoreal'] as const;
/** `auto`: each view's own; `shared`: one for all views of a field, held for the run; `locked`: as it was when locked. */
export const RANGE_MODES = ['auto', 'shared', 'locked'] as const;
/** Where cameras can be by name, and two that move by themselves: slowly around the basin, and with the truth's highest wave. */
export const CAMERA_KINDS = ['perspective', 'stage', 'top', 'side', 'front', 'orbit', 'wave'] as const;
/** Heights can be drawn so many times as high. */
export const EXAGGERATIONS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];
/** The parts of the evidence. */
export const EVIDENCE_PARTS = [
  'errors',
  'observations',
  'consistency',
  'minimiser',
  'probes',
  'hovmoller',
  'xray',
  'speed',
] as const;

/** Pinned points, and rows of views: more would not be distinguishable. */
export const MOST_PINS = 6;
export const MAXIMUM_ROWS = 3;

/** Lowest and highest elevation of a camera above the horizon, radians. */
export const LOWEST_ELEVATION = 0.03;
export const HIGHEST_ELEVATION = Math.PI / 2 - 0.001;
/** What a question hides until it is answered: results after the cycle on screen, or all. */
const HIDDEN_PARTS = ['later', 'results'] as const;
/** Parts of the window that a step of a lesson can point at, beside the methods by their labels. */
export const POINTED_PARTS = ['truth', 'evidence', 'timeline'] as const;
/** More than one look takes in. */
export const MOST_POINTED = 4;
/** Nearest and farthest distance of a camera: at 1 the whole basin is in view, and no more. */
export const NEAREST = 0.12;
export const FARTHEST = 3;
/** The longer side of the basin in the scene's units, in which cameras look at points. */
export const BASIN_LENGTH = 2;

/** Methods that may be named. */
const MOST_METHODS = 64;
/** Views that cameras may be placed for: a row of all methods each. */
const MOST_VIEWS = MAXIMUM_ROWS * MOST_METHODS;
const LONGEST_LABEL = 200;
/** Cells along an axis, and observations of a cycle, are fewer. */
const MOST_CELLS = 8192;
const MOST_OBSERVATIONS = 2 ** 24;
/** Largest observed value, in its unit. */
const LARGEST_VALUE = 1e9;
/** A camera that was turned round and round, and what rounding adds to it, radians. */
const MOST_TURN = 2 * Math.PI + 0.001;

const help = (title: string, description: string) => ({ title, description });

const cellShape = {
  x: z
    .int()
    .min(0)
    .max(MOST_CELLS - 1)
    .meta(help('x', 'Column of the grid, from 0 in the west.')),
  y: z
    .int()
    .min(0)
    .max(MOST_CELLS - 1)
    .meta(help('y', 'Row of the grid, from 0 in the south.')),
};

const field = z.enum(VIEW_FIELDS);
const target = z.number().min(-BASIN_LENGTH).max(BASIN_LENGTH);

/** Azimuth and elevation in radians; the point looked at in units of half the basin’s longer side. */
const cameraSchema = z.strictObject({
  azimuth: z
    .number()
    .min(-MOST_TURN)
    .max(MOST_TURN)
    .meta(help('Azimuth', 'Radians; 0 looks north from the south, growing as the viewer goes east.')),
  elevation: z
    .number()
    .min(LOWEST_ELEVATION - 0.001)
    .max(HIGHEST_ELEVATION + 0.001)
    .meta(help('Elevation', 'Radians above the horizon.')),
  distance: z.number().min(NEAREST).max(FARTHEST).meta(help('Distance', '1 shows the whole basin; smaller is nearer.')),
  targetX: target.meta(help('Target, x', 'The point looked at: −1 to 1 along the longer side, from its middle.')),
  targetZ: target.meta(help('Target, z', 'The same, growing to the south.')),
  fits: z
    .boolean()
    .optional()
    .meta(help('Fits', 'Whether the elevation is the one from which the basin fills the view.')),
});

const range = z
  .tuple([z.number(), z.number()])
  .refine(([from, to]) => from <= to, 'the second number is not below the first');

const shareOfWindow = (title: string, description: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta(help(title, `${description}, as a share of the window: 0 its beginning, 1 its end.`));

/** What the X-ray is of: a variable in a cell, or an observation of the cycle, perhaps as if it had read something else. */
const xraySubjectSchema = z.discriminatedUnion('kind', [
  section(help('Point', 'What links a point of the water with the rest.'), {
    kind: z.literal('point').meta(help('Kind', 'A point of the water.')),
    ...cellShape,
    variable: z.string().min(1).max(16).meta(help('Variable', 'Of the state in that cell, as h, hu or hv.')),
    times: section(
      help('Times', 'When in the window, for 4D-Var, which has a covariance between any two times of it.'),
      {
        field: shareOfWindow('Time of the field', 'When the field is that is shown'),
        cell: shareOfWindow('Time of the point', 'When the point is'),
      },
    ).optional(),
  }),
  section(help('Observation', 'What one observation does, by every method.'), {
    kind: z.literal('observation').meta(help('Kind', 'An observation of the cycle.')),
    index: z.int().min(0).max(MOST_OBSERVATIONS).meta(help('Index', 'Which observation of the cycle, from 0.')),
    value: z
      .number()
      .min(-LARGEST_VALUE)
      .max(LARGEST_VALUE)
      .optional()
      .meta(help('Value', 'What it is asked to have read, in its unit; what it read if omitted.')),
    errorStd: z
      .number()
      .gt(0)
      .max(LARGEST_VALUE)
      .optional()
      .meta(help('Error', 'Standard deviation that it is asked to have, in its unit; its own if omitted.')),
  }),
]);

const shape = {
  fields: z
    .array(field)
    .min(1)
    .max(MAXIMUM_ROWS)
    .default(['surface'])
    .meta(help('Fields', 'What is drawn, a row of views for each.')),
  phase: z.enum(PHASES).default('analysis').meta(help('Phase', 'Which state of a method is drawn.')),
  look: z
    .enum(STAGE_LOOKS)
    .default('auto')
    .meta(help('Look', 'How the water is drawn; auto draws it as it would look where a GPU draws.')),
  exaggeration: z
    .union([z.literal('auto'), z.literal(EXAGGERATIONS)])
    .default('auto')
    .meta(help('Exaggeration', 'Heights are drawn so many times as high; auto makes the largest wave well seen.')),
  camerasLinked: z.boolean().default(true).meta(help('Cameras linked', 'Whether the cameras move together.')),
  cameraKind: z
    .enum(CAMERA_KINDS)
    .optional()
    .meta(
      help(
        'Camera kind',
        'Of all views, in place of camera: a named place, orbit, which circles the basin slowly, or wave, which follows the highest wave.',
      ),
    ),
  camera: cameraSchema.optional().meta(help('Camera', 'Of all views; at an angle if omitted.')),
  freeCameras: z
    .record(z.string().max(LONGEST_LABEL), cameraSchema)
    .refine((record) => Object.keys(record).length <= MOST_VIEWS, `allowed: ${MOST_VIEWS} cameras at most`)
    .default({})
    .meta({
      ...help('Cameras of their own', 'Of views that were moved by themselves, by the view’s key, field/method.'),
      maxProperties: MOST_VIEWS,
    }),
  rangeMode: z.enum(RANGE_MODES).default('shared').meta(help('Colour range', 'How colours are given to values.')),
  lockedRanges: z
    .partialRecord(field, range)
    .default({})
    .meta(help('Locked ranges', 'Lowest and highest value by field, where the range is locked.')),
  freeRunCounts: z
    .boolean()
    .default(false)
    .meta(help('Free run counts', 'Whether the free run counts in the ranges of errors.')),
  difference: z
    .string()
    .max(LONGEST_LABEL)
    .optional()
    .meta(help('Difference', 'Label of the method that is subtracted from the others; fields are shown if omitted.')),
  showsObservations: z.boolean().default(true).meta(help('Observations', 'Whether observations are drawn as stems.')),
  showsBathymetry: z.boolean().default(true).meta(help('Bathymetry', 'Whether the bottom is drawn.')),
  probes: z
    .array(
      z.strictObject({
        ...cellShape,
        id: z.int().min(1).max(MOST_PINS).meta(help('Number', 'Of the probe, for its label.')),
      }),
    )
    .max(MOST_PINS)
    .default([])
    .meta(help('Probes', 'Pinned points.')),
  crossSection: section(help('Cross-section', 'A cut through the water.'), {
    from: section(help('From', 'Where it begins.'), cellShape),
    to: section(help('To', 'Where it ends.'), cellShape),
  }).optional(),
  hiddenMethods: z
    .array(z.string().max(LONGEST_LABEL))
    .max(MOST_METHODS)
    .default([])
    .meta(help('Hidden methods', 'Labels of methods that are not shown.')),
  xray: xraySubjectSchema.optional().meta(help('X-ray', 'What the X-ray asks about; it is off if omitted.')),
  impact: viewedImpactSchema,
  evidence: z.enum(EVIDENCE_PARTS).optional().meta(help('Evidence', 'The part of the evidence that is shown.')),
};

export const viewsSchema = optionalSection(
  help('Views', 'What is on screen of the run; what is omitted is as a new laboratory shows it.'),
  shape,
)
  .refine((views) => views.camera === undefined || views.cameraKind === undefined, {
    path: ['cameraKind'],
    error: 'views have a camera or a kind of camera, not both',
  })
  .refine((views) => views.xray === undefined || views.impact === undefined, {
    path: ['impact'],
    error: 'views have an X-ray or an impact, not both',
  });

export type Views = z.output<typeof viewsSchema>;
/** As it is written: without what a new laboratory shows anyway. */
export type WrittenViews = z.input<typeof viewsSchema> & object;
export type EvidencePart = (typeof EVIDENCE_PARTS)[number];
/** What the X-ray is of. */
export type XraySubject = z.output<typeof xraySubjectSchema>;

/** More steps than a lesson that people follow. */
export const MOST_STEPS_OF_A_LESSON = 32;
export const LONGEST_TITLE = 80;
/** One to three sentences. */
export const LONGEST_TEXT = 600;
export const LONGEST_CHOICE = 160;
export const MOST_CHOICES = 6;
export const MOST_SETTINGS_OF_A_STEP = 8;
const LAST_CYCLE = 1e6;

/** A text, with one like it for who has written another. */
const words = (longest: number, title: string, description: string, example: string) =>
  oneLine(longest).meta({ ...help(title, description), examples: [example] });

const question = section(
  help(
    'Question',
    'A question with choices; the answer is given as soon as one has chosen, and by the next step to those who have not.',
  ),
  {
    text: words(LONGEST_TEXT, 'Text', 'What is asked.', 'Which method finds the wave first?'),
    choices: z.array(oneLine(LONGEST_CHOICE)).min(2).max(MOST_CHOICES).meta(help('Choices', 'Answers to choose from.')),
    answer: z
      .int()
      .min(0)
      .max(MOST_CHOICES - 1)
      .meta(help('Answer', 'Which of the choices is right, from 0.')),
    why: words(LONGEST_TEXT, 'Why', 'Why it is, said as soon as one has chosen.', 'Its members are waves.'),
    hides: z
      .enum(HIDDEN_PARTS)
      .optional()
      .meta(
        help(
          'Hides',
          'What is hidden until one has chosen: all results, or those after the cycle on screen; if omitted, the latter only where the step shows a part of the evidence.',
        ),
      ),
  },
).refine(({ answer, choices }) => answer < choices.length, {
  path: ['answer'],
  error: 'there is no such choice; the first is 0',
});

export const settingSchema = section(help('Setting', 'Another value of a setting.'), {
  path: z
    .string()
    .min(1)
    .max(256)
    .meta({
      ...help('Path', 'Which setting, as after --set.'),
      examples: ['background.members'],
    }),
  value: z
    .unknown()
    .refine((value) => value !== undefined, { error: 'a value is needed' })
    .meta(help('Value', 'Its value; the run starts again with it.')),
});

const cycle = (lowest: number) => z.int().min(lowest).max(LAST_CYCLE).optional();

const show = optionalSection(help('Show', 'What is seen while the step is read.'), {
  cycle: cycle(-1).meta({ ...help('Cycle', 'Shown at once; −1 is the state before the first.'), unit: 'cycles' }),
  playTo: cycle(0).meta({
    ...help('Play to', 'The run plays up to this cycle and stops there; in place of cycle.'),
    unit: 'cycles',
  }),
  views: viewsSchema,
  pointsAt: z
    .array(z.string().min(1).max(LONGEST_LABEL))
    .max(MOST_POINTED)
    .default([])
    .meta({
      ...help(
        'Points at',
        'What the step is about, which is outlined: methods by their labels, truth, evidence, timeline.',
      ),
      examples: [['letkf']],
    }),
  settings: z
    .array(settingSchema)
    .max(MOST_SETTINGS_OF_A_STEP)
    .default([])
    .meta(help('Settings', 'What is changed of the scenario, for this step and those after it.')),
}).refine((shown) => shown.cycle === undefined || shown.playTo === undefined, {
  path: ['playTo'],
  error: 'a step shows a cycle or plays to one, not both',
});

const step = section(help('Step', 'One idea, and what is to be seen of it.'), {
  title: words(LONGEST_TITLE, 'Title', 'A few words.', 'Nine gauges'),
  text: words(LONGEST_TEXT, 'Text', 'One to three sentences.', 'Nine gauges report once a second.'),
  show,
  question: question.optional(),
  task: words(
    LONGEST_TEXT,
    'Task',
    'What to try by oneself at this step, with the laboratory free to use.',
    'Set the members to 8.',
  ).optional(),
});

export const lessonSchema = z.array(step).max(MOST_STEPS_OF_A_LESSON).default([]).meta({
  title: 'Lesson',
  takesEffect: 'label',
  description: 'Steps in which the scenario explains itself, played under the stage.',
});

export type LessonStep = z.output<typeof step>;
/** As a file writes it, defaults omitted. */
export type WrittenLessonStep = z.input<typeof step>;
export type LessonQuestion = NonNullable<LessonStep['question']>;
export type LessonSetting = LessonStep['show']['settings'][number];
