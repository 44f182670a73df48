/**
 * The scenario that is being edited, beside the one that runs: the settings of a `RunDocument` as signals. What is wrong with the
 * draft is reported with its path, and the run continues with what it has.
 */
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import { problemsIn, changesBetween, formatScenario, setPath, validateScenario } from '../../../engine/index.ts';
import type { ParsedScenario, Problem, Scenario, ScenarioChange } from '../../../engine/index.ts';
import { NO_DOCUMENT, reduce, type DocumentChange, type RunDocument, type ScenarioOrigin } from './run-document.ts';

/** A step of the run, which the run itself takes back. */
export interface RunStep {
  readonly title: string;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Whether there is still something to take back: the run may have gone back to before it. */
  readonly holds: () => boolean;
}

/** A snapshot of a scenario, for work during which the draft may change. */
export interface DraftVersion {
  readonly raw: unknown;
  readonly scenario: Scenario | undefined;
  /** `openings` at that moment. */
  readonly opening: number;
}

/** What a scenario as its file would have it is: valid, or what is wrong with it. */
interface Judgement {
  readonly scenario: Scenario | undefined;
  readonly warnings: readonly Problem[];
  readonly problems: readonly Problem[];
}

const NOTHING: Judgement = { scenario: undefined, warnings: [], problems: [] };

function judge(raw: unknown): Judgement {
  if (raw === undefined) return NOTHING;
  try {
    const { scenario, warnings } = validateScenario(raw, 'draft');
    return { scenario, warnings, problems: [] };
  } catch (error) {
    return { ...NOTHING, problems: problemsIn(error) };
  }
}

/** @returns a judge that does not judge an object twice */
function createJudge() {
  const known = new WeakMap<object, Judgement>();
  return (raw: unknown): Judgement => {
    if (typeof raw !== 'object' || raw === null) return judge(raw);
    const judgement = known.get(raw) ?? judge(raw);
    known.set(raw, judgement);
    return judgement;
  };
}

/** The scenario of one run. */
export function createScenarioState() {
  const document = signal<RunDocument>(NO_DOCUMENT);
  const part = <Key extends keyof RunDocument>(key: Key): ReadonlySignal<RunDocument[Key]> =>
    computed(() => document.value[key]);
  const change = (next: DocumentChange): void => {
    document.value = reduce(document.peek(), next);
  };
  const judged = createJudge();

  const draft = part('draft');
  const applied = part('applied');
  const saved = part('saved');
  const openings = part('opening');
  const past = part('past');
  const future = part('future');
  const ofDraft = computed(() => judged(draft.value));
  /** The draft as it runs, undefined while it has problems. */
  const draftScenario = computed(() => ofDraft.value.scenario);
  const problems = computed(() => ofDraft.value.problems);
  /** Settings of the draft without effect. */
  const draftWarnings = computed(() => ofDraft.value.warnings);
  /** What runs. */
  const appliedScenario = computed(() => judged(applied.value).scenario);
  /** As its file has it: as it was opened, or saved last. */
  const openedScenario = computed(() => judged(saved.value).scenario);

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

  /** Takes a scenario that was just opened, and a run of it that begins. */
  function openScenario({ raw }: Pick<ParsedScenario, 'raw'>, origin: ScenarioOrigin): void {
    change({ type: 'open', raw, origin });
  }

  /** The draft, or other settings, apply to the run now. */
  function markApplied(raw: unknown = draft.value): void {
    change({ type: 'apply', raw });
  }

  /**
   * A file holds the draft, or the version of it that was written.
   * @param name of the file
   */
  function markSaved(name: string, { raw, opening }: DraftVersion = draftNow()): void {
    // Another scenario was opened while this one was written: it has a file of its own.
    if (opening === openings.value) change({ type: 'save', name, raw });
  }

  /**
   * Replaces the draft as one step that can be undone.
   * @param title what the step did, as in "Undo set inflation"
   * @param key steps with the same key that follow each other count as one; none where empty
   */
  function editDraft(next: unknown, title: string, key = ''): void {
    change({ type: 'edit', draft: next, title, key });
  }

  /** What undoes and redoes the steps of the run that the document names. */
  const runSteps = new Map<number, RunStep>();
  let latestStep = 0;

  /** Something was done to the run that can be taken back, in a row with the changes of the draft. */
  function addRunStep(step: RunStep): void {
    latestStep += 1;
    change({ type: 'add-step', title: step.title, id: latestStep });
    runSteps.set(latestStep, step);
    const named = new Set(past.value.map((each) => each.kind === 'run' && each.id));
    for (const id of runSteps.keys()) if (!named.has(id)) runSteps.delete(id);
  }

  /** Forgets the steps of which the run holds nothing any more. */
  function forgetVoidSteps(): void {
    change({ type: 'keep-steps', ids: [...runSteps].filter(([, { holds }]) => holds()).map(([id]) => id) });
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
      return problemsIn(error);
    }
  }

  function travel(type: 'undo' | 'redo'): void {
    const step = (type === 'undo' ? past : future).value.at(-1);
    if (!step) return;
    batch(() => {
      change({ type });
      if (step.kind === 'run') runSteps.get(step.id)?.[type]();
    });
  }

  return {
    change,
    document: document as ReadonlySignal<RunDocument>,
    origin: part('origin'),
    /** The draft as its file would have it: defaults omitted. */
    draft,
    draftScenario,
    problems,
    draftWarnings,
    /** What runs, as its file would have it. */
    applied,
    appliedScenario,
    openedScenario,
    openings,
    /** What the file holds, to know what is not saved. */
    saved,
    undoTitle,
    redoTitle,
    pendingChanges,
    pendingEffect,
    revertible,
    draftNow,
    openScenario,
    markApplied,
    markSaved,
    editDraft,
    setDraftValue,
    addRunStep,
    forgetVoidSteps,
    /** Ends a sequence of edits that count as one step (the field lost focus, the drag ended). */
    endEdit: (): void => change({ type: 'end-edit' }),
    undo: (): void => travel('undo'),
    redo: (): void => travel('redo'),
    /** Back to what runs, as one step. */
    revertDraft: (): void => {
      if (applied.value !== undefined) editDraft(applied.value, 'discard changes');
    },
    /** @returns the draft, or a version of it, as the text of a scenario file */
    draftText: ({ raw }: Pick<DraftVersion, 'raw'> = draftNow()): string =>
      formatScenario(typeof raw === 'object' && raw !== null ? raw : {}),
  };
}

export type ScenarioState = ReturnType<typeof createScenarioState>;
