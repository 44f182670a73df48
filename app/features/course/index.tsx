/**
 * The course: the lessons of the scenarios that ship, in the order of the gallery, which of them somebody has seen to the end, and the
 * way to the next one. The progress is kept with the settings.
 */
import { commandHint, Icon } from '../../controls/buttons.tsx';
import { Dialog } from '../../controls/dialog.tsx';
import { useRun } from '../../document/context.ts';
import type { RunView } from '../../document/run-view.ts';
import { catalogueOf, BUNDLED_SCENARIOS, groupScenarios } from '../../document/scenario/bundled-scenarios.ts';
import type { Command } from '../../page/commands.ts';
import { useLaboratory, type Laboratory, slot } from '../../page/laboratory.ts';
import { lessonOf } from '../lessons/lesson-state.ts';
import { openingOf } from '../opening/open-scenario.ts';
import './course.css';
import { computed, effect, signal } from '@preact/signals';

const KEY = 'course';

/** The lessons in groups, by the names of their scenarios. */
export const COURSE = groupScenarios(BUNDLED_SCENARIOS.map(({ name }) => name));
const ORDER: readonly string[] = COURSE.flatMap(({ names }) => names);

/** @returns the names that were kept and still ship; none if nothing readable was kept */
function readDone(text: string | undefined): ReadonlySet<string> {
  if (text === undefined) return new Set();
  try {
    const kept: unknown = JSON.parse(text);
    return new Set(Array.isArray(kept) ? ORDER.filter((name) => kept.includes(name)) : []);
  } catch {
    // What cannot be read is written again with the next lesson.
    return new Set();
  }
}

/**
 * @param from name of the lesson that was taken last; undefined begins with the first
 * @returns the first lesson after it that is not done, else the first of all; undefined where all are done
 */
export function lessonAfter(from: string | undefined, done: ReadonlySet<string>): string | undefined {
  const at = from === undefined ? -1 : ORDER.indexOf(from);
  const isOpen = (name: string): boolean => name !== from && !done.has(name);
  return ORDER.slice(at + 1).find(isOpen) ?? ORDER.find(isOpen);
}

function createCourse({ host }: Pick<Laboratory, 'host'>) {
  const done = signal(readDone(host.readSetting(KEY)));

  function keep(next: ReadonlySet<string>): void {
    done.value = next;
    host.writeSetting(KEY, JSON.stringify([...next]));
  }

  return {
    done,
    count: ORDER.length,
    finish(name: string): void {
      if (ORDER.includes(name) && !done.peek().has(name)) keep(new Set(done.peek()).add(name));
    },
    /** Begins the course again. */
    forget: (): void => keep(new Set()),
  };
}

/** @returns the course of a page */
export const courseOf = slot((laboratory: Laboratory) => createCourse(laboratory));

/** The scenario on screen, if it ships. */
function createShippedName({ scenario: { origin } }: RunView) {
  return computed(() => (origin.value.kind === 'bundled' ? origin.value.name.replace(/\.json$/, '') : undefined));
}

/** @returns the name of the scenario on screen; undefined for one that does not ship */
export function shippedName(run: RunView): string | undefined {
  return run.use(createShippedName).value;
}

/**
 * Notes each lesson whose last step is shown.
 *
 * @param isShown whether it is only shown: a demonstration takes no lesson
 * @returns what ends that
 */
export function followCourse(run: RunView, isShown: () => boolean): () => void {
  const { at, steps } = lessonOf(run);
  return effect(() => {
    const name = shippedName(run);
    if (name !== undefined && at.value === steps.value.length - 1 && !isShown()) courseOf(run.laboratory).finish(name);
  });
}

/** Ends the lesson on screen, opens the scenario of another and begins its lesson. */
async function take(laboratory: Laboratory, run: RunView, name: string): Promise<void> {
  const lesson = lessonOf(run);
  laboratory.overlays.closeOverlay();
  if (name !== shippedName(run)) {
    lesson.finish();
    if (!(await openingOf(run).openBundled(name))) return;
  }
  lesson.open();
}

/** At the end of a lesson: the one that follows. */
export function NextLesson() {
  const laboratory = useLaboratory();
  const run = useRun();
  const name = lessonAfter(shippedName(run), courseOf(laboratory).done.value);
  if (name === undefined) return null;
  const title = catalogueOf(laboratory).bundledTitle(name);
  return (
    <button
      type="button"
      class="button lesson-following"
      title={`Opens the scenario “${title}” and begins its lesson`}
      onClick={() => void take(laboratory, run, name)}
    >
      Next lesson: {title}
    </button>
  );
}

function LessonItem({ name }: { readonly name: string }) {
  const laboratory = useLaboratory();
  const run = useRun();
  const isDone = courseOf(laboratory).done.value.has(name);
  const isHere = shippedName(run) === name;
  return (
    <li data-done={isDone}>
      <button
        type="button"
        class="course-lesson"
        aria-current={isHere ? 'true' : undefined}
        onClick={() => void take(laboratory, run, name)}
      >
        <span class="course-mark" aria-hidden="true">
          {isDone ? '✓' : '○'}
        </span>
        <span class="visually-hidden">{isDone ? 'Done: ' : ''}</span>
        {catalogueOf(laboratory).bundledTitle(name)}
        {isHere && <span class="label"> open now</span>}
      </button>
    </li>
  );
}

export function CoursePage() {
  const laboratory = useLaboratory();
  const run = useRun();
  const { closeOverlay } = laboratory.overlays;
  const { count, done, forget } = courseOf(laboratory);
  const here = shippedName(run);
  const next = here !== undefined && !done.value.has(here) ? here : lessonAfter(here, done.value);
  return (
    <Dialog label="Course" class="course" first=".primary, .course-lesson" onClose={closeOverlay}>
      <header class="course-head">
        <h2>Course</h2>
        <p class="label" role="status">
          {done.value.size} of {count} lessons done
        </p>
        <progress value={done.value.size} max={count} aria-label="Lessons done" />
        <button type="button" class="icon-button" aria-label="Close" onClick={closeOverlay}>
          <Icon name="close" />
        </button>
      </header>
      <div class="course-ways">
        {next === undefined ? (
          <p>All lessons are done.</p>
        ) : (
          <button type="button" class="button primary" onClick={() => void take(laboratory, run, next)}>
            {next === here ? 'Take this lesson' : 'Next lesson'}: {catalogueOf(laboratory).bundledTitle(next)}
          </button>
        )}
        {done.value.size > 0 && (
          <button type="button" class="button" onClick={forget}>
            Begin the course again
          </button>
        )}
      </div>
      <div class="course-groups">
        {COURSE.map(({ title, names }) => (
          <section key={title}>
            <h3>{title}</h3>
            <ol>
              {names.map((name) => (
                <LessonItem key={name} name={name} />
              ))}
            </ol>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** In a newcomer’s bar: the lessons, that of the scenario on screen first. */
export function CourseButton() {
  const laboratory = useLaboratory();
  return (
    <button
      type="button"
      class="button course-button learner-only"
      title={commandHint(laboratory, 'lesson.course', 'The lessons, and which of them are done')}
      onClick={() => void laboratory.commands.runCommand('lesson.course')}
    >
      <Icon name="lesson" />
      Lessons
    </button>
  );
}

/** The ways to the course. */
export function courseCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  const { openOverlay } = laboratory.overlays;
  const next = (): string | undefined => lessonAfter(shippedName(run), courseOf(laboratory).done.peek());
  return [
    {
      id: 'lesson.course',
      group: 'Lesson',
      title: 'Course…',
      shortcuts: ['Shift+C'],
      keywords: 'lessons list progress learn order done',
      run: () => openOverlay('course'),
    },
    {
      id: 'lesson.following',
      group: 'Lesson',
      title: 'Next lesson of the course',
      keywords: 'following scenario',
      enabled: () => next() !== undefined,
      run: async () => {
        const name = next();
        if (name !== undefined) await take(laboratory, run, name);
      },
    },
  ];
}
