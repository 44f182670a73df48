/**
 * The scenario that is being edited, beside the one that runs. Every change is a step that can be undone; what is wrong is
 * reported with its path, and the run continues with what it has.
 */
import { batch, computed, signal } from '@preact/signals';
import { ScenarioError, changesBetween, formatScenario, setPath, validateScenario } from '../../../engine/index.ts';
import type { ParsedScenario, Problem, Scenario, ScenarioChange } from '../../../engine/index.ts';

/** Where a scenario came from. */
export interface ScenarioOrigin {
  /** The file's name, also of one that ships; of what is in no file, as the scenario of a run folder, the name that it would have. */
  readonly name: string;
  readonly kind: 'bundled' | 'file' | 'run';
  /** Contents of the files beside it that it refers to, by name. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** More steps are forgotten, oldest first. */
export const MAXIMUM_UNDO = 200;

const NOWHERE: ScenarioOrigin = { name: '', kind: 'bundled', files: {} };

interface DraftStep {
  readonly title: string;
  readonly before: unknown;
  /** Steps with one key that follow each other (typing, dragging) are one. */
  readonly key: string;
}

/** A step of the run, which the run itself takes back. */
export interface RunStep {
  readonly title: string;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Whether there is still something to take back: the run may have gone back to before it. */
  readonly holds: () => boolean;
}

type Step = DraftStep | RunStep;

/** The draft as it was at one moment, for work that takes time while the draft may change. */
export interface DraftVersion {
  readonly raw: unknown;
  readonly scenario: Scenario | undefined;
  /** `openings` at that moment. */
  readonly opening: number;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** @returns a scenario's settings without what is changed while it runs and the branches of that, which are the run's affair */
export function settingsOf(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null) return raw;
  const { interventions: _interventions, branches: _branches, ...settings } = raw as Record<string, unknown>;
  return settings;
}

/** The scenario of one run. */
export function createScenarioState() {
  const origin = signal<ScenarioOrigin>(NOWHERE);
  /** The draft as its file would have it: defaults omitted. */
  const draft = signal<unknown>(undefined);
  /** The draft as it runs, undefined while it has problems. */
  const draftScenario = signal<Scenario | undefined>(undefined);
  const problems = signal<readonly Problem[]>([]);
  /** Settings of the draft without effect. */
  const draftWarnings = signal<readonly Problem[]>([]);
  /** What runs, as its file would have it. */
  const applied = signal<unknown>(undefined);
  const appliedScenario = signal<Scenario | undefined>(undefined);
  /** As its file has it: as it was opened, or saved last. */
  const openedScenario = signal<Scenario | undefined>(undefined);
  /** How often a scenario was opened: what belongs to one that was open before has another number. */
  const openings = signal(0);
  /** What the file holds, to know what is not saved. */
  const savedRaw = signal<unknown>(undefined);

  const past = signal<readonly Step[]>([]);
  const future = signal<readonly Step[]>([]);

  const undoTitle = computed(() => past.value.at(-1)?.title);
  const redoTitle = computed(() => future.value.at(-1)?.title);
  /** What the draft changes of the run, and when each change takes effect. */
  const pendingChanges = computed<readonly ScenarioChange[]>(() =>
    draftScenario.value && appliedScenario.value ? changesBetween(appliedScenario.value, draftScenario.value) : [],
  );
  /** `restart` where any change needs it. */
  const pendingEffect = computed<'none' | 'next-cycle' | 'restart'>(() => {
    const effects = new Set(pendingChanges.value.map(({ effect }) => effect));
    if (effects.has('restart')) return 'restart';
    return effects.has('next-cycle') ? 'next-cycle' : 'none';
  });

  /** Whether there is anything to discard. */
  const revertible = computed(() => pendingChanges.value.length > 0 || problems.value.length > 0);

  function draftNow(): DraftVersion {
    return { raw: draft.value, scenario: draftScenario.value, opening: openings.value };
  }

  function judge(raw: unknown): void {
    try {
      const { scenario, warnings } = validateScenario(raw, 'draft');
      draftScenario.value = scenario;
      draftWarnings.value = warnings;
      problems.value = [];
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      draftScenario.value = undefined;
      draftWarnings.value = [];
      problems.value = error.problems;
    }
  }

  /** Replaces the draft without a step that could be undone: it follows what runs. */
  function setDraft(raw: unknown): void {
    draft.value = raw;
    judge(raw);
  }

  /** Takes a scenario that was just opened: it is the draft, it is what the file holds, and nothing can be undone. */
  function adoptScenario(parsed: ParsedScenario, from: ScenarioOrigin): void {
    batch(() => {
      openings.value += 1;
      origin.value = from;
      past.value = [];
      future.value = [];
      const { interventions, branches } = parsed.scenario;
      savedRaw.value = interventions.length + branches.length > 0 ? parsed.raw : settingsOf(parsed.raw);
      openedScenario.value = parsed.scenario;
      setDraft(settingsOf(parsed.raw));
    });
  }

  /** Says that the draft, or the version of it that was taken for the run, is what runs now. */
  function markApplied({ raw, scenario }: DraftVersion = draftNow()): void {
    batch(() => {
      applied.value = raw;
      appliedScenario.value = scenario;
    });
  }

  /**
   * Says that a file holds the draft, or the version of it that was written.
   * @param name of the file
   */
  function markSaved(name: string, { raw, scenario, opening }: DraftVersion = draftNow()): void {
    // Another scenario was opened while this one was written: it has a file of its own.
    if (opening !== openings.value) return;
    batch(() => {
      savedRaw.value = raw;
      openedScenario.value = scenario;
      origin.value = { ...origin.value, name, kind: 'file' };
    });
  }

  /**
   * Replaces the draft as one step that can be undone.
   * @param title what the step did, as in "Undo set inflation"
   * @param key steps with the same key that follow each other count as one; none where empty
   */
  function editDraft(next: unknown, title: string, key = ''): void {
    if (same(next, draft.value)) return;
    batch(() => {
      const latest = past.value.at(-1);
      const row = latest && 'key' in latest && latest.key === key && key !== '' && future.value.length === 0;
      if (!row) past.value = [...past.value, { title, before: draft.value, key }].slice(-MAXIMUM_UNDO);
      // Back where the row of edits began, there is nothing left to take back.
      else if (same(next, latest.before)) past.value = past.value.slice(0, -1);
      future.value = [];
      setDraft(next);
    });
  }

  /** Something was done to the run that can be taken back, in a row with the changes of the draft. */
  function addRunStep(step: RunStep): void {
    batch(() => {
      past.value = [...past.value, step].slice(-MAXIMUM_UNDO);
      future.value = [];
    });
  }

  /** Forgets the steps of which the run holds nothing any more. */
  function forgetVoidSteps(): void {
    const held = past.value.filter((step) => 'key' in step || step.holds());
    if (held.length < past.value.length) past.value = held;
  }

  /**
   * Sets one value by its path, as one step.
   * @returns the problems with that value, none if it was set; a value that is refused changes nothing
   */
  function setDraftValue(path: string, value: unknown, title = `set ${path}`): readonly Problem[] {
    try {
      editDraft(setPath(draft.value, path, value, 'draft'), title, `set ${path}`);
      return [];
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      return error.problems;
    }
  }

  /** Ends a row of edits that count as one step (the field lost focus, the drag ended). */
  function endEdit(): void {
    const latest = past.value.at(-1);
    if (latest && 'key' in latest && latest.key !== '')
      past.value = [...past.value.slice(0, -1), { ...latest, key: '' }];
  }

  function travel(from: typeof past, to: typeof past): void {
    const step = from.value.at(-1);
    if (!step) return;
    batch(() => {
      from.value = from.value.slice(0, -1);
      to.value = [...to.value, 'key' in step ? { ...step, before: draft.value, key: '' } : step];
      if ('key' in step) setDraft(step.before);
      else if (from === past) step.undo();
      else step.redo();
    });
  }

  function undo(): void {
    travel(past, future);
  }

  function redo(): void {
    travel(future, past);
  }

  /** Back to what runs, as one step. */
  function revertDraft(): void {
    if (applied.value !== undefined) editDraft(applied.value, 'discard changes');
  }

  /** @returns the draft, or a version of it, as the text of a scenario file */
  function draftText({ raw }: Pick<DraftVersion, 'raw'> = draftNow()): string {
    return formatScenario(typeof raw === 'object' && raw !== null ? raw : {});
  }

  return {
    origin,
    draft,
    draftScenario,
    problems,
    draftWarnings,
    applied,
    appliedScenario,
    openedScenario,
    openings,
    savedRaw,
    undoTitle,
    redoTitle,
    pendingChanges,
    pendingEffect,
    revertible,
    draftNow,
    setDraft,
    adoptScenario,
    markApplied,
    markSaved,
    editDraft,
    setDraftValue,
    addRunStep,
    forgetVoidSteps,
    endEdit,
    undo,
    redo,
    revertDraft,
    draftText,
  };
}

export type ScenarioState = ReturnType<typeof createScenarioState>;
