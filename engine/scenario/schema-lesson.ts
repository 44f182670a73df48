/**
 * A lesson: steps in which a scenario explains itself, each with what is to be seen while it is read. It is words and views, and
 * has no part in any number of a run: what a step changes of the settings runs only while the lesson is played. All of its texts
 * are plain.
 */
import { z } from 'zod';
import { oneLine, optionalSection, section } from '../settings/index.ts';
import { viewsSchema } from './schema-views.ts';

/** More steps than a lesson that people follow. */
export const MOST_STEPS_OF_A_LESSON = 32;
export const LONGEST_TITLE = 80;
/** One to three sentences. */
export const LONGEST_TEXT = 600;
export const LONGEST_CHOICE = 160;
export const MOST_CHOICES = 6;
export const MOST_SETTINGS_OF_A_STEP = 8;
const LAST_CYCLE = 1e6;

const help = (title: string, description: string) => ({ title, description });

/** A text, with one like it for who has written another. */
const words = (longest: number, title: string, description: string, example: string) =>
  oneLine(longest).meta({ ...help(title, description), examples: [example] });

const question = section(
  help('Question', 'A question with choices; the next step gives the answer, after the last one the choice.'),
  {
    text: words(LONGEST_TEXT, 'Text', 'What is asked.', 'Which method finds the wave first?'),
    choices: z.array(oneLine(LONGEST_CHOICE)).min(2).max(MOST_CHOICES).meta(help('Choices', 'Answers to choose from.')),
    answer: z
      .int()
      .min(0)
      .max(MOST_CHOICES - 1)
      .meta(help('Answer', 'Which of the choices is right, from 0.')),
    why: words(LONGEST_TEXT, 'Why', 'Why it is, said by the next step.', 'Its members are waves.'),
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
