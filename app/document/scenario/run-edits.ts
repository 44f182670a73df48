/**
 * What was changed while the run on screen continued. The run's scenario is the one that it began with and its interventions;
 * the settings panel shows the settings as they are now. What is saved repeats the run.
 */
import { batch, computed, signal } from '@preact/signals';
import {
  ScenarioError,
  changesAt,
  describeInterventions,
  interventionsBefore,
  isRecord,
  isSetting,
  setPath,
  validateScenario,
} from '../../../engine/index.ts';
import type {
  Intervention,
  InterventionOf,
  MethodDivergence,
  Problem,
  Scenario,
  ScenarioBranch,
  ScenarioChange,
} from '../../../engine/index.ts';
import { withChanges } from './changes.ts';
import { settingsOf } from './scenario-state.ts';
import type { DraftVersion, ScenarioState } from './scenario-state.ts';
import type { RunCourse } from '../run/run-course.ts';

const LABEL_KEYS = ['$schema', 'title', 'description', 'name', 'lesson', 'expected'] as const;

function interventionsOf(raw: Readonly<Record<string, unknown>> | undefined): readonly Intervention[] {
  const list = raw?.['interventions'];
  // What runs was validated.
  return Array.isArray(list) ? (list as Intervention[]) : [];
}

/** A scenario as its file has it, with other interventions, in the place where it has them; with none it has no such key. */
function withInterventions(raw: unknown, list: readonly Intervention[]): Readonly<Record<string, unknown>> {
  const record = isRecord(raw) ? raw : {};
  if (list.length > 0) return { ...record, interventions: list };
  const { interventions: _interventions, ...rest } = record;
  return rest;
}

/** The branches of a run, which a draft of its settings knows nothing of, in a scenario as its file has it. */
function withBranches<Raw>(raw: Raw, run: Readonly<Record<string, unknown>> | undefined): Raw {
  const branches = run?.['branches'];
  return isRecord(raw) && Array.isArray(branches) && branches.length > 0 ? { ...raw, branches } : raw;
}

/** A scenario as its file has it, with other branches; with none it has no such key. */
function putBranches(
  raw: Readonly<Record<string, unknown>>,
  branches: readonly ScenarioBranch[],
): Readonly<Record<string, unknown>> {
  const { branches: _branches, ...rest } = raw;
  return branches.length > 0 ? { ...rest, branches } : rest;
}

type SettingEdit = InterventionOf<'setting'>;

/** @returns the settings with those that the list changes, which are all that the draft and what is applied show of it */
function applyTo(raw: unknown, list: readonly Intervention[]): unknown {
  return list.filter(isSetting).reduce((changed, { path, value }) => setPath(changed, path, value), raw);
}

/** Edits of one list before those of later cycles in another, in place of those of the same settings. */
function merged(list: readonly Intervention[], added: readonly SettingEdit[]): readonly Intervention[] {
  const [first] = added;
  if (!first) return list;
  const replaced = new Set(added.map(({ path }) => path));
  const isReplaced = (each: Intervention): boolean =>
    isSetting(each) && each.cycle === first.cycle && replaced.has(each.path);
  return withChanges(
    list.filter((each) => !isReplaced(each)),
    added,
  );
}

/**
 * What a run begins with that takes another's place: gauges as they were there from the first cycle on, settings as the draft
 * has them, and all else at its cycle.
 *
 * @param cycle up to which interventions are in the draft and in the water
 */
function carriedOver(list: readonly Intervention[], cycle: number): readonly Intervention[] {
  const carried = list.filter((each) => !isSetting(each) || each.cycle >= cycle);
  const moved = carried.map((each) => (each.kind === 'gauges' && each.cycle <= cycle ? { ...each, cycle: 0 } : each));
  return moved.sort((a, b) => a.cycle - b.cycle);
}

function editsFrom(changes: readonly ScenarioChange[], cycle: number): readonly SettingEdit[] {
  return changes
    .filter(({ effect }) => effect === 'next-cycle')
    .map(({ path, after }) => ({ kind: 'setting', cycle, path, value: after ?? null }));
}

/** @returns a scenario with the words of a draft, which take effect without a part in the run */
export function withLabels(raw: Readonly<Record<string, unknown>>, draft: unknown): Readonly<Record<string, unknown>> {
  const words = isRecord(draft) ? draft : {};
  const next: Record<string, unknown> = { ...raw };
  for (const key of LABEL_KEYS) {
    if (words[key] === undefined) delete next[key];
    else next[key] = words[key];
  }
  return next;
}

/** What a run begins with that takes another's place. */
interface Beginning {
  /** As its file would have it. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly scenario: Scenario;
  /** What the changes of the world that were omitted have against it. */
  readonly misfits: readonly Problem[];
}

/** Settings that a step of a lesson has changed: a scenario as its file has it, and as the step runs it. */
export interface LentSettings {
  readonly from: Readonly<Record<string, unknown>>;
  readonly to: Readonly<Record<string, unknown>>;
  /** Opening of the lesson's scenario. */
  readonly opening: number;
  /** Whether the lesson is on screen; when it is over, what is on screen is the user's own. */
  readonly isOpen: boolean;
}

/** Whether two scenarios differ in no more than their words. */
function sameSettings(a: unknown, b: Readonly<Record<string, unknown>>): boolean {
  return isRecord(a) && JSON.stringify(withLabels(a, {})) === JSON.stringify(withLabels(b, {}));
}

/** What happened at a cycle of the run, for timeline and charts. */
export interface RunMark {
  readonly kind: 'edit' | 'divergence';
  readonly cycle: number;
  /** One line: `letkf: inflation 1.1 → 3`. */
  readonly text: string;
  /** That diverged. */
  readonly method: string | undefined;
}

/** @returns `inflation 1.1` */
function oldValue(change: ScenarioChange | undefined): string {
  const { path = '', before } = change ?? {};
  const isPlain = typeof before === 'number' || typeof before === 'string' || typeof before === 'boolean';
  return isPlain ? `${path.split('.').at(-1)} ${before}` : 'the old value';
}

/** What was changed of one run: the draft and the run that it is of. */
export function createRunEdits(scenarioState: ScenarioState, course: RunCourse) {
  const { applied, draft, draftNow, draftScenario, editDraft, markApplied, openings, savedRaw, setDraft } =
    scenarioState;
  const { pendingChanges, pendingEffect } = scenarioState;
  const { divergences, info, newestCycle } = course;
  /** The scenario of the run as its file would have it, with its interventions. */
  const runRaw = signal<Readonly<Record<string, unknown>> | undefined>(undefined);
  /** Interventions before this cycle are in the settings that are shown. */
  let followed = 0;

  /** Interventions of the run on screen, by ascending cycle, as its file would have them. */
  const interventions = computed<readonly Intervention[]>(() => interventionsOf(runRaw.value));

  /** Runs that leave the one on screen at a cycle, as its scenario has them. */
  const branches = computed<readonly ScenarioBranch[]>(() => {
    const list = runRaw.value?.['branches'];
    return Array.isArray(list) ? (list as ScenarioBranch[]) : [];
  });

  /** What was validated before it was recorded is not validated again. */
  const validated = new WeakMap<object, Scenario>();
  /** @throws ScenarioError */
  function scenarioOf(raw: Readonly<Record<string, unknown>>): Scenario {
    const scenario = validated.get(raw) ?? validateScenario(raw, 'the run').scenario;
    validated.set(raw, scenario);
    return scenario;
  }

  /** The run on screen with its current interventions. */
  const runScenario = computed<Scenario | undefined>(() => runRaw.value && scenarioOf(runRaw.value));

  const lent = signal<LentSettings | undefined>(undefined);
  /** The settings that a lesson has lent, while nobody has changed them. */
  const lentNow = computed(() => {
    const now = lent.value;
    return now?.opening === openings.value && sameSettings(runOrDraft.value, now.to) ? now : undefined;
  });

  /** The run with its edits, and what waits as it would take effect now. */
  const runOrDraft = computed<unknown>(() => {
    const run = runRaw.value;
    if (!run || interventions.value.length === 0) return withBranches(draft.value, run);
    const nextCycle = newestCycle.value + 1;
    if (!draftScenario.value || pendingEffect.value === 'restart') {
      return withBranches(withInterventions(draft.value, carriedOver(interventions.value, nextCycle)), run);
    }
    const waiting = editsFrom(pendingChanges.value, nextCycle);
    return withInterventions(withLabels(run, draft.value), merged(interventions.value, waiting));
  });

  /** What a file of the scenario on screen would hold: what a lesson changes for a step of its own is the lesson's. */
  const fileRaw = computed<unknown>(() => {
    const now = lentNow.value;
    return now?.isOpen ? withLabels(now.from, draft.value) : runOrDraft.value;
  });

  /** What a file of the run on screen would hold, without what waits to be applied; undefined before there is a run. */
  const runFile = computed<Readonly<Record<string, unknown>> | undefined>(
    () => runRaw.value && withLabels(runRaw.value, applied.value),
  );

  /** What a file would hold now, as one version: choosing its name takes time, in which the draft may change. */
  function fileNow(): DraftVersion {
    const raw = fileRaw.value;
    const scenario = draftScenario.value && validateScenario(raw, 'draft').scenario;
    return { raw, scenario, opening: draftNow().opening };
  }

  /** What a lesson has changed is nothing that a user would lose. */
  const unsaved = computed(() => {
    const now = lentNow.value;
    const raw = now ? withLabels(now.from, draft.value) : fileRaw.value;
    return draft.value !== undefined && JSON.stringify(raw) !== JSON.stringify(savedRaw.value);
  });

  /** A run begins with a scenario as its file has it; the settings that are shown are those of its first cycle. */
  function beginRun(raw: unknown): void {
    batch(() => {
      followed = 0;
      runRaw.value = isRecord(raw) ? raw : undefined;
    });
  }

  /**
   * @returns the draft as a scenario to begin with, and what was changed of the world, or which branches, do not fit into it; what
   *   has not taken effect in the run is still before it
   */
  function draftToBegin(raw: unknown): Beginning {
    const carried = carriedOver(interventions.value, Math.max(newestCycle.value + 1, followed));
    const alone = withInterventions(raw, carried);
    let misfits: readonly Problem[] = [];
    for (const tried of [withBranches(alone, runRaw.value), alone]) {
      try {
        return { raw: tried, scenario: validateScenario(tried, 'draft').scenario, misfits };
      } catch (error) {
        if (!(error instanceof ScenarioError)) throw error;
        misfits = error.problems;
      }
    }
    const settings = withInterventions(raw, carried.filter(isSetting));
    return { raw: settings, scenario: validateScenario(settings, 'draft').scenario, misfits };
  }

  /** @returns the scenario of the run with changes that take effect at a cycle */
  function recordEdits(changes: readonly ScenarioChange[], cycle: number): Scenario {
    const run = withLabels(runRaw.value ?? {}, draft.value);
    const next = withInterventions(run, merged(interventions.value, editsFrom(changes, cycle)));
    const scenario = scenarioOf(next);
    runRaw.value = next;
    return scenario;
  }

  /** @returns the scenario of the run with other interventions @throws ScenarioError, and leaves all as it is */
  function recordInterventions(list: readonly Intervention[]): Scenario {
    return recordLines(list, branches.value);
  }

  /**
   * @returns the scenario of the run with other interventions and branches
   * @throws ScenarioError where one of them cannot be; then all stay as they were
   */
  function recordLines(list: readonly Intervention[], others: readonly ScenarioBranch[]): Scenario {
    const next = putBranches(withInterventions(withLabels(runRaw.value ?? {}, draft.value), list), others);
    const scenario = scenarioOf(next);
    runRaw.value = next;
    return scenario;
  }

  /** The settings that are shown take in the interventions up to a cycle that was computed. */
  function followInterventions(cycle: number): void {
    const due = interventions.value.filter((each) => isSetting(each) && each.cycle >= followed && each.cycle <= cycle);
    followed = Math.max(followed, cycle + 1);
    if (due.length === 0) return;
    batch(() => {
      const follows = JSON.stringify(draft.value) === JSON.stringify(applied.value);
      const raw = applyTo(applied.value, due);
      markApplied({ raw, scenario: validateScenario(raw, 'the run').scenario, opening: 0 });
      if (follows) setDraft(raw);
    });
  }

  /** @returns the settings that hold before the forecast of a cycle, as a scenario without interventions would have them */
  function settingsBefore(cycle: number): unknown {
    const before = interventions.value.filter((each) => each.cycle < cycle);
    return applyTo(settingsOf(runRaw.value), before);
  }

  /** The settings that are shown are those of the run's first cycle again. */
  function followAnew(): void {
    if (runRaw.value) editDraft(applyBefore(0), 'go back to cycle 0');
  }

  /** What is applied are the settings of before a cycle. @returns them */
  function applyBefore(cycle: number): unknown {
    followed = cycle;
    const raw = settingsBefore(cycle);
    markApplied({ raw, scenario: validateScenario(raw, 'the run').scenario, opening: 0 });
    return raw;
  }

  /** Continues before a cycle with other interventions: a draft that is as what runs stays so. @throws ScenarioError */
  function repeatFrom(cycle: number, list: readonly Intervention[]): Scenario {
    return batch(() => {
      const scenario = recordInterventions(list);
      const follows = JSON.stringify(draft.value) === JSON.stringify(applied.value);
      const raw = applyBefore(cycle);
      if (follows) setDraft(raw);
      return scenario;
    });
  }

  /** Drops the interventions from a cycle on, and shows the previous settings. @returns the scenario of the run */
  function dropEditsFrom(cycle: number): Scenario {
    return batch(() => {
      const scenario = recordInterventions(interventionsBefore(interventions.value, cycle));
      editDraft(applyBefore(cycle), `go back to cycle ${cycle}`);
      return scenario;
    });
  }

  /** By ascending cycle; edits of a cycle are one mark. */
  const runMarks = computed<readonly RunMark[]>(() => {
    const scenario = info.value?.scenario;
    const cycles = [...new Set((scenario?.interventions ?? []).map(({ cycle }) => cycle))];
    const edits = cycles.flatMap((cycle): RunMark[] => {
      const changes = scenario ? describeInterventions(scenario, cycle) : [];
      // What a restart has taken into the settings of the first cycle changes nothing any more.
      return changes.length === 0 ? [] : [{ kind: 'edit', cycle, text: changes.join(', '), method: undefined }];
    });
    const ends = divergences.value.map(({ method, cycle }): RunMark => ({
      kind: 'divergence',
      cycle,
      text: `${method} diverged`,
      method,
    }));
    return [...edits, ...ends].sort((a, b) => a.cycle - b.cycle);
  });

  /** Where to go back to from a divergence, and how to call that. */
  function wayBack({ cycle, edits }: MethodDivergence): { readonly cycle: number; readonly title: string } {
    const scenario = info.value?.scenario;
    const [edit] = edits;
    if (!edit || !scenario) {
      const before = Math.max(0, cycle - 1);
      return { cycle: before, title: `Back to cycle ${before}` };
    }
    if (!edits.every(isSetting)) return { cycle: edit.cycle, title: `Back to cycle ${edit.cycle} without the change` };
    const [only, ...more] = changesAt(scenario, edit.cycle);
    return {
      cycle: edit.cycle,
      title: `Back to cycle ${edit.cycle} with ${more.length > 0 ? 'the old values' : oldValue(only)}`,
    };
  }

  return {
    lent,
    lentNow,
    interventions,
    branches,
    recordLines,
    settingsBefore,
    runScenario,
    fileRaw,
    fileNow,
    runOrDraft,
    runFile,
    unsaved,
    beginRun,
    draftToBegin,
    recordEdits,
    recordInterventions,
    followInterventions,
    followAnew,
    repeatFrom,
    dropEditsFrom,
    runMarks,
    wayBack,
  };
}

export type RunEdits = ReturnType<typeof createRunEdits>;
