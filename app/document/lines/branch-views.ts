/** What stage, charts and strip show of the branches of a run: their columns, how they look, and how they do beside the run. */
import { computed } from '@preact/signals';
import { inflates, localVolumesOf, METHODS } from '../../../engine/index.ts';
import type { CycleDiagnostics, Intervention, MethodSummary } from '../../../engine/index.ts';
import type { OverlaidRun } from './overlaid.ts';
import { isFreeRun, TRUTH, TRUTH_STYLE, type MethodStyle, withoutOwner } from '../views/method-style.ts';
import type { RunEdits } from '../scenario/run-edits.ts';
import type { RunCourse } from '../run/run-course.ts';
import type { ViewState } from '../views/view-state.ts';
import type { BranchEntry, BranchList } from './branch-list.ts';
import { branchesAt, branchSubject, createComposer, snapshotOf, transitWith } from './shown.ts';
import type { BranchColumn, ShownBranch, ShownSnapshot, ShownTransit } from './shown.ts';

/** @returns the index of the method that an intervention is of; undefined where it has a part in all of them */
function methodOf(intervention: Intervention): number | undefined {
  if (intervention.kind !== 'setting') return undefined;
  const [, index] = /^methods\[(\d+)\]/.exec(intervention.path) ?? [];
  return index === undefined ? undefined : Number(index);
}

/** @returns whether a change has a part in the truth: of its water, its bed or its model */
function changesTruth(intervention: Intervention): boolean {
  if (intervention.kind === 'setting') return /^(truth|model)\b/.test(intervention.path);
  return intervention.kind !== 'gauges';
}

/** @returns whether run and branch have a truth each, by what they change otherwise than the other */
function hasOwnTruth(differences: readonly Intervention[]): boolean {
  return differences.some(changesTruth);
}

function assimilates({ kind }: MethodSummary): boolean {
  return METHODS.find((definition) => definition.kind === kind)?.assimilates !== false;
}

/**
 * @param methods of the run, in the scenario's order
 * @param differences what branch and run change otherwise than the other
 * @returns labels of the methods whose numbers may differ, in the order of the methods
 */
function changedMethods(methods: readonly MethodSummary[], differences: readonly Intervention[]): string[] {
  const changed = new Set(differences.map(methodOf));
  const found = changed.has(undefined) ? methods : methods.filter((_, index) => changed.has(index));
  return found.map(({ label }) => label);
}

/**
 * The methods that a branch changes by name; where it changes only what all of them work with, or nothing yet, the first that
 * assimilates.
 *
 * @returns labels, in the order of the methods
 */
export function columnsByRule(methods: readonly MethodSummary[], differences: readonly Intervention[]): string[] {
  const named = differences.filter((each) => methodOf(each) !== undefined);
  if (named.length > 0) return changedMethods(methods, named);
  return methods
    .filter(assimilates)
    .slice(0, 1)
    .map(({ label }) => label);
}

/** SVG stroke-dasharrays of the first, second and third branch. */
export const BRANCH_DASHES = ['7 2 1.5 2', '7 2 1.5 2 1.5 2', '1.5 2'] as const;

/** A method of a branch on the stage. */
interface ColumnOf {
  readonly entry: BranchEntry;
  readonly label: string;
  /** What differs in the branch, in words. */
  readonly detail: string;
  readonly style: MethodStyle;
}

/** A subject of the stage. */
interface ShownSubject {
  readonly label: string;
  readonly members: number;
  readonly isFreeRun: boolean;
  /** Whether it analyses places one by one, and whether it inflates its members' covariance. */
  readonly isLocal?: boolean;
  readonly isInflated?: boolean;
}

const NONE: readonly ShownBranch[] = [];
const NO_COLUMNS: ReadonlyMap<number, readonly BranchColumn[]> = new Map();

interface BranchedRun {
  readonly course: RunCourse;
  readonly view: ViewState;
  readonly edits: RunEdits;
}

/** What run and branch change otherwise than the other, from the branch's cycle on. */
function differencesOf({ branch }: BranchEntry, ofRun: readonly Intervention[]): readonly Intervention[] {
  const tail = ofRun.filter(({ cycle }) => cycle >= branch.cycle);
  const [own, others] = [branch.interventions, tail].map((list) => new Set(list.map((each) => JSON.stringify(each))));
  return [
    ...branch.interventions.filter((each) => !others.has(JSON.stringify(each))),
    ...tail.filter((each) => !own.has(JSON.stringify(each))),
  ];
}

export function createBranchViews({ entries, titleOf }: BranchList, { course, view, edits }: BranchedRun) {
  const { currentSnapshot, diagnostics, info, styleOf, styles, transit } = course;
  const { selectedMethods } = view;
  const compose = createComposer();
  /** The composer of all cycles: if a branch has another one than the run, it has nothing there. */
  const composeStored = createComposer();

  /** Labels of the methods of a branch that are shown. */
  function columnsOf(entry: BranchEntry): readonly string[] {
    const methods = info.value?.methods ?? [];
    const wanted = entry.chosen ?? columnsByRule(methods, differencesOf(entry, edits.interventions.value));
    return selectedMethods.value.filter((label) => wanted.includes(label));
  }

  /** Whether the truth of a branch is another than the run's. */
  function isTruthOwn(entry: BranchEntry): boolean {
    return hasOwnTruth(differencesOf(entry, edits.interventions.value));
  }

  /** Whether the truth of a branch is on the stage: if it is its own, unless the user has hidden it. */
  function isTruthShown(entry: BranchEntry): boolean {
    return isTruthOwn(entry) && (entry.chosen?.includes(TRUTH) ?? true);
  }

  /** Labels of the methods of a branch that are compared with the run's: those that may differ, and those that are shown. */
  function comparedOf(entry: BranchEntry): readonly string[] {
    const methods = info.value?.methods ?? [];
    const changed = changedMethods(methods, differencesOf(entry, edits.interventions.value));
    const shown = columnsOf(entry);
    return methods.map(({ label }) => label).filter((label) => changed.includes(label) || shown.includes(label));
  }

  /** By the branch's id, of those that are shown. */
  const columns = computed<ReadonlyMap<number, readonly BranchColumn[]>>(() => {
    if (entries.value.length === 0) return NO_COLUMNS;
    const shown = entries.value.filter(({ line, hidden }) => line !== undefined && !hidden);
    return new Map(
      shown.map((entry) => [
        entry.id,
        [...(isTruthShown(entry) ? [TRUTH] : []), ...columnsOf(entry)].map((label) => ({
          subject: branchSubject(entry.id, label),
          label,
        })),
      ]),
    );
  });

  /** Those that are on the stage, with what they stored. */
  const shownBranches = computed<readonly ShownBranch[]>(() => {
    if (columns.value.size === 0) return NONE;
    const device = info.value?.device;
    return entries.value.flatMap(({ id, line }): ShownBranch[] => {
      const own = columns.value.get(id);
      // Planes on another device cannot be drawn: those of a branch that is being opened again.
      if (!line || !own || own.length === 0 || line.course.info.value?.device !== device) return [];
      const { snapshots, motions } = line.course.history.value;
      return [{ id, columns: own, first: line.first, snapshots, motions }];
    });
  });

  const bySubject = computed<ReadonlyMap<string, ColumnOf>>(() => {
    const found = new Map<string, ColumnOf>();
    for (const entry of entries.value) {
      for (const { subject, label } of columns.value.get(entry.id) ?? []) {
        const ofRun = label === TRUTH ? TRUTH_STYLE : styleOf(label);
        if (!ofRun) continue;
        const detail = withoutOwner(titleOf(entry.id), ofRun);
        const title = `${ofRun.title}, ${detail}`;
        found.set(subject, {
          entry,
          label,
          detail,
          style: { ...ofRun, label: subject, title, dash: BRANCH_DASHES[entry.slot] },
        });
      }
    }
    return found;
  });

  /** The cycle on screen, of the run and of the branches that are shown. */
  const snapshot = computed<ShownSnapshot | undefined>(
    () => currentSnapshot.value && compose(currentSnapshot.value, shownBranches.value),
  );
  const shownTransit = computed<ShownTransit | undefined>(
    () => transit.value && transitWith(transit.value, shownBranches.value, compose),
  );

  /** The stored cycles of the run, each with what the branches that are shown have of the same cycle. */
  const stored = computed<readonly ShownSnapshot[]>(() =>
    course.snapshots.value.map((ofRun) => composeStored(ofRun, branchesAt(ofRun, shownBranches.value))),
  );

  /** @returns subjects of the branches that are shown of the truth or a method of the run, by its label */
  function besideOf(label: string): readonly string[] {
    const columns = shownBranches.value.flatMap((branch) => branch.columns);
    return columns.filter((column) => column.label === label).map(({ subject }) => subject);
  }

  /** Columns of the stage beside the truth: those of branches, then each method of the run that is shown, and behind it its branches. */
  const subjects = computed<readonly ShownSubject[]>(() => {
    const shown = new Set(selectedMethods.value);
    const branches = shownBranches.value.flatMap((branch) => branch.columns);
    const truths = branches
      .filter(({ label }) => label === TRUTH)
      .map(({ subject }): ShownSubject => ({ label: subject, members: 1, isFreeRun: false }));
    const methods = (info.value?.methods ?? [])
      .filter(({ label }) => shown.has(label))
      .flatMap(({ label, members, kind }): ShownSubject[] => {
        const free = isFreeRun(kind);
        const settings = info.value?.scenario.methods.find((method) => method.label === label);
        const isInflated = settings !== undefined && inflates(settings);
        const isLocal = info.value !== undefined && localVolumesOf(info.value.scenario, label) !== undefined;
        const beside = branches.filter((column) => column.label === label);
        return [label, ...beside.map(({ subject }) => subject)].map((subject) => ({
          label: subject,
          members,
          isFreeRun: free,
          isLocal,
          isInflated,
        }));
      });
    return [...truths, ...methods];
  });

  /** @returns the scores of a subject of the stage in a cycle */
  function rowOf(subject: string, cycle: number): CycleDiagnostics | undefined {
    const column = bySubject.value.get(subject);
    const rowsOf = (rows: RunCourse['diagnostics'], label: string): CycleDiagnostics | undefined =>
      rows.value.get(label)?.find((row) => row.cycle === cycle);
    if (!column) return rowsOf(diagnostics, subject);
    const { entry, label } = column;
    const { line } = entry;
    return line && cycle >= line.first ? rowsOf(line.course.diagnostics, label) : rowsOf(diagnostics, label);
  }

  /** @returns the cycle that a column shows where it is not the one on screen: its branch has not come there */
  function behindOf(subject: string): number | undefined {
    const column = bySubject.value.get(subject);
    const branch = column && shownBranches.value.find(({ id }) => id === column.entry.id);
    const ofRun = currentSnapshot.value;
    const shown = branch && ofRun && snapshotOf(branch, ofRun);
    return shown && shown.cycle !== ofRun.cycle ? shown.cycle : undefined;
  }

  /** The branches as the charts over cycles draw them: from the last cycle that they share with the run. */
  const overlaid = computed<readonly OverlaidRun[]>(() =>
    entries.value.flatMap((entry): OverlaidRun[] => {
      const { id, slot, line, hidden } = entry;
      if (!line || hidden) return [];
      const { first, course: own } = line;
      const compared = comparedOf(entry);
      const rows = new Map(
        compared.map((label) => {
          const shared = (diagnostics.value.get(label) ?? []).filter(({ cycle }) => cycle === first - 1);
          const since = (own.diagnostics.value.get(label) ?? []).filter(({ cycle }) => cycle >= first);
          return [label, [...shared, ...since]];
        }),
      );
      return [
        {
          id: `branch ${id}`,
          title: titleOf(id),
          dash: BRANCH_DASHES[slot],
          diagnostics: rows,
          styles: styles.value,
          diverged: own.divergedMethods.value,
          cells: own.info.value?.basin,
        },
      ];
    }),
  );

  return {
    snapshot,
    transit: shownTransit,
    stored,
    besideOf,
    subjects,
    /** Labels of what the stage shows beside the truth. */
    shownLabels: computed(() => subjects.value.map(({ label }) => label)),
    columnsOf,
    comparedOf,
    isTruthOwn,
    isTruthShown,
    /** What differs in the branch of a column, in words; undefined of the run's own. */
    detailOf: (subject: string): string | undefined => bySubject.value.get(subject)?.detail,
    overlaid,
    rowOf,
    behindOf,
    /** The style of the truth or a method, of the run or of a branch. */
    styleOf: (subject: string): MethodStyle | undefined =>
      subject === TRUTH ? TRUTH_STYLE : (bySubject.value.get(subject)?.style ?? styleOf(subject)),
  };
}
