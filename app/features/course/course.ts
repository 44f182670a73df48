/**
 * The course: the lessons of the scenarios that ship, in the order of the gallery, and which of them somebody has seen to the end. The
 * progress is kept with the settings.
 */
import { computed, effect, signal } from '@preact/signals';
import { BUNDLED_SCENARIOS, groupScenarios } from '../../document/scenario/bundled-scenarios.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { lessonOf } from '../lessons/lesson-state.ts';

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
export function courseOf(laboratory: Laboratory): ReturnType<typeof createCourse> {
  return laboratory.use(createCourse);
}

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
