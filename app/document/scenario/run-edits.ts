/**
 * What was changed while the run on screen continued. The run's scenario is the one that it began with and its interventions;
 * the settings panel shows the settings as they are now. What is saved repeats the run.
 */
import { batch, computed } from '@preact/signals';
import {
  problemsIn,
  changesAt,
  describeInterventions,
  interventionsBefore,
  isRecord,
  isSetting,
  validateScenario,
  type Intervention,
  type InterventionOf,
  type MethodDivergence,
  type Problem,
  type Scenario,
  type ScenarioBranch,
  type ScenarioChange,
} from '../../../engine/index.ts';
import { withChanges } from './changes.ts';
import {
  branchesOf,
  interventionsOf,
  recorded,
  settingsBefore,
  withBranches,
  withInterventions,
  withLabels,
} from './run-document.ts';
import type { LentSettings, Raw } from './run-document.ts';
import type { DraftVersion, ScenarioState } from './scenario-state.ts';
import type { RunCourse } from '../run/run-course.ts';

type SettingEdit = InterventionOf<'setting'>;

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

/** What a run begins with that takes another's place. */
interface Beginning {
  /** As its file would have it. */
  readonly raw: Raw;
  readonly scenario: Scenario;
  /** What the changes of the world that were omitted have against it. */
  readonly misfits: readonly Problem[];
}

/** Whether two scenarios differ in no more than their words. */
function sameSettings(a: unknown, b: Raw): boolean {
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
  const { applied, change, document, draft, draftNow, draftScenario, openings, pendingChanges, pendingEffect, saved } =
    scenarioState;
  const { divergences, info, newestCycle } = course;
  /** The scenario of the run as its file would have it, with its interventions. */
  const runRaw = computed(() => document.value.run);
  /** Interventions of the run on screen, by ascending cycle, as its file would have them. */
  const interventions = computed(() => interventionsOf({ run: runRaw.value }));
  /** Runs that leave the one on screen at a cycle, as its scenario has them. */
  const branches = computed(() => branchesOf({ run: runRaw.value }));

  /** What was validated before it was recorded is not validated again. */
  const validated = new WeakMap<object, Scenario>();
  /** @throws ScenarioError */
  function scenarioOf(raw: Raw): Scenario {
    const scenario = validated.get(raw) ?? validateScenario(raw, 'the run').scenario;
    validated.set(raw, scenario);
    return scenario;
  }

  /** The run on screen with its current interventions. */
  const runScenario = computed<Scenario | undefined>(() => runRaw.value && scenarioOf(runRaw.value));

  /** The run with its edits, and what waits as it would take effect now. */
  const runOrDraft = computed<unknown>(() => {
    const run = runRaw.value;
    const settings = draft.value;
    if (!run || interventions.value.length === 0) {
      return isRecord(settings) ? withBranches(settings, branches.value) : settings;
    }
    const nextCycle = newestCycle.value + 1;
    if (!draftScenario.value || pendingEffect.value === 'restart') {
      return withBranches(withInterventions(settings, carriedOver(interventions.value, nextCycle)), branches.value);
    }
    const waiting = editsFrom(pendingChanges.value, nextCycle);
    return withInterventions(withLabels(run, settings), merged(interventions.value, waiting));
  });

  /** The settings that a lesson has lent, while nobody has changed them. */
  const lentNow = computed(() => {
    const now = document.value.lent;
    return now?.opening === openings.value && sameSettings(runOrDraft.value, now.to) ? now : undefined;
  });

  /** What a file of the scenario on screen would hold: what a lesson changes for a step of its own is the lesson's. */
  const fileRaw = computed<unknown>(() => {
    const now = lentNow.value;
    return now?.isOpen ? withLabels(now.from, draft.value) : runOrDraft.value;
  });

  /** What a file of the run on screen would hold, without what waits to be applied; undefined before there is a run. */
  const runFile = computed<Raw | undefined>(() => runRaw.value && withLabels(runRaw.value, applied.value));

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
    return draft.value !== undefined && JSON.stringify(raw) !== JSON.stringify(saved.value);
  });

  /**
   * @returns the draft as a scenario to begin with, and what was changed of the world, or which branches, do not fit into it; what
   *   has not taken effect in the run is still before it
   */
  function draftToBegin(raw: unknown): Beginning {
    const carried = carriedOver(interventions.value, Math.max(newestCycle.value + 1, document.value.followed));
    const alone = withInterventions(raw, carried);
    let misfits: readonly Problem[] = [];
    for (const tried of [withBranches(alone, branches.value), alone]) {
      try {
        return { raw: tried, scenario: validateScenario(tried, 'draft').scenario, misfits };
      } catch (error) {
        misfits = problemsIn(error);
      }
    }
    const settings = withInterventions(raw, carried.filter(isSetting));
    return { raw: settings, scenario: validateScenario(settings, 'draft').scenario, misfits };
  }

  /**
   * @returns the scenario of the run with other interventions and branches
   * @throws ScenarioError where one of them cannot be; then all stay as they were
   */
  function recordLines(list: readonly Intervention[], others: readonly ScenarioBranch[]): Scenario {
    const scenario = scenarioOf(recorded(document.value, list, others));
    change({ type: 'record', interventions: list, branches: others });
    if (runRaw.value) validated.set(runRaw.value, scenario);
    return scenario;
  }

  /** @returns the scenario of the run with other interventions @throws ScenarioError, and leaves all as it is */
  function recordInterventions(list: readonly Intervention[]): Scenario {
    return recordLines(list, branches.value);
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
    lentNow,
    /** A lesson lends settings, or takes them back. */
    lend: (lent: LentSettings | undefined) => change({ type: 'lend', lent }),
    /** The latest settings that a lesson lent, whether they were changed since or not. */
    lent: computed(() => document.value.lent),
    interventions,
    branches,
    recordLines,
    recordInterventions,
    /** @returns the scenario of the run with changes that take effect at a cycle */
    recordEdits: (changes: readonly ScenarioChange[], cycle: number) =>
      recordInterventions(merged(interventions.value, editsFrom(changes, cycle))),
    settingsBefore: (cycle: number) => settingsBefore(document.value, cycle),
    runScenario,
    fileRaw,
    fileNow,
    runOrDraft,
    runFile,
    unsaved,
    /** A run begins with a scenario as its file has it; the settings that are shown are those of its first cycle. */
    beginRun: (raw: unknown) => change({ type: 'begin', raw }),
    draftToBegin,
    /** The settings that are shown take in the interventions up to a cycle that was computed. */
    followInterventions: (cycle: number) => change({ type: 'follow', cycle }),
    /** The settings that are shown are those of the run's first cycle again. */
    followAnew: (): void => {
      if (runRaw.value) change({ type: 'rewind', cycle: 0, title: 'go back to cycle 0' });
    },
    /** Continues before a cycle with other interventions: a draft that is as what runs stays so. @throws ScenarioError */
    repeatFrom: (cycle: number, list: readonly Intervention[]): Scenario =>
      batch(() => {
        const scenario = recordInterventions(list);
        change({ type: 'rewind', cycle });
        return scenario;
      }),
    /** Drops the interventions from a cycle on, and shows the previous settings. @returns the scenario of the run */
    dropEditsFrom: (cycle: number): Scenario =>
      batch(() => {
        const scenario = recordInterventions(interventionsBefore(interventions.value, cycle));
        change({ type: 'rewind', cycle, title: `go back to cycle ${cycle}` });
        return scenario;
      }),
    runMarks,
    wayBack,
  };
}

export type RunEdits = ReturnType<typeof createRunEdits>;
