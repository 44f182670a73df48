/**
 * The branches of the run on screen, as they are in its scenario, and the lines that compute them. A branch waits until the run
 * comes to its cycle; from there on the lines and the run go in step. There are none in most runs, and nothing is done for them.
 */
import { batch, computed, signal, untracked } from '@preact/signals';
import {
  LimitError,
  MAXIMUM_BRANCHES,
  ScenarioError,
  branchScenario,
  describeProblem,
  interventionsBefore,
  DEFAULT_MEMORY_BYTES,
  estimateMemory,
} from '../../../engine/index.ts';
import type { Checkpoint, Intervention, Scenario, ScenarioBranch } from '../../../engine/index.ts';
import type { OpenRun } from '../run/page-run.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunController } from '../run/run-controller.ts';
import type { RunEdits } from '../scenario/run-edits.ts';
import type { ScenarioState } from '../scenario/scenario-state.ts';
import type { RunCourse } from '../run/run-course.ts';
import type { ViewState } from '../views/view-state.ts';
import { branchWords } from '../views/method-style.ts';
import { openLine, type Line } from './line.ts';
import { formatBytes } from '../../format/numbers.ts';

/**
 * @param lines the run and its branches, each as a scenario of its own
 * @param elementBytes of a real on the backend
 * @throws LimitError naming the estimate and the limit
 */
function checkLines(lines: readonly Scenario[], elementBytes: number, limitBytes: number = DEFAULT_MEMORY_BYTES): void {
  const bytes = lines.map((scenario) => estimateMemory(scenario, elementBytes));
  const total = bytes.reduce((sum, each) => sum + each, 0);
  if (total <= limitBytes) return;
  const [ofRun, ...others] = bytes.map(formatBytes);
  throw new LimitError(
    `the run with ${others.length === 1 ? 'a branch' : `${others.length} branches`} needs about ${formatBytes(total)} ` +
      `(${ofRun} for the run, ${others.join(', ')} beside it), allowed: ${formatBytes(limitBytes)}; ` +
      `a smaller grid or fewer members make room`,
  );
}

export interface BranchEntry {
  /** Stays with it for as long as the page is open. */
  readonly id: number;
  /** 0, 1, 2: by it the branch has its dash. */
  readonly slot: number;
  /** As the scenario has it. */
  readonly branch: ScenarioBranch;
  /** Undefined while it waits. */
  readonly line: Line | undefined;
  readonly hidden: boolean;
  /** Labels of the methods that the user chose to see; undefined where the rule chooses. */
  readonly chosen: readonly string[] | undefined;
}

/** What branches need of the run that they leave. */
export interface MainLine extends Pick<RunController, 'files' | 'goBackWith' | 'goForward'> {
  /** The latest checkpoint from which a cycle can be reached. */
  checkpointBefore(cycle: number): Checkpoint | undefined;
  /** Takes a checkpoint of the current state. */
  latestCheckpoint(): Promise<Checkpoint | undefined>;
}

export interface BranchListOptions {
  readonly memoryLimitBytes?: number;
}

interface BranchedRun {
  readonly scenario: Pick<ScenarioState, 'addRunStep'>;
  readonly course: RunCourse;
  readonly edits: RunEdits;
  readonly view: ViewState;
}

/** A real of the reference backend, and of the others. */
const ELEMENT_BYTES = { reference: 8, others: 4 };

/** Words that represent a cycle in a name, as in `the branch “inflation 1 → 2”`. */
function quoted(title: string): string {
  return `the branch “${title}”`;
}

/** @param main the run that they leave, known when the first of them is opened */
export function createBranchList(
  { notices, progress }: Pick<Laboratory, 'notices' | 'progress'>,
  { scenario: { addRunStep }, course, edits, view }: BranchedRun,
  openRun: OpenRun,
  main: () => MainLine,
  { memoryLimitBytes }: BranchListOptions = {},
) {
  const { info, newestCycle } = course;
  const { notify } = notices;
  const entries = signal<readonly BranchEntry[]>([]);
  let nextId = 1;

  /** The run with its branches as a file of it has them. */
  const scenario = computed<Scenario | undefined>(() =>
    entries.value.length === 0 ? undefined : edits.runScenario.value,
  );
  /** What each is called, by its id. */
  const titles = computed<ReadonlyMap<number, string>>(() => {
    const whole = scenario.value;
    const styles = course.styles.value;
    return new Map(whole ? entries.value.map(({ id }, index) => [id, branchWords(whole, index, styles)]) : []);
  });
  const titleOf = (id: number): string => titles.value.get(id) ?? 'branch';

  const find = (id: number): BranchEntry | undefined => entries.peek().find((each) => each.id === id);
  function change(id: number, with_: Partial<Pick<BranchEntry, 'line' | 'hidden' | 'chosen'>>): void {
    entries.value = entries.peek().map((each) => (each.id === id ? { ...each, ...with_ } : each));
  }
  function freeSlot(taken: readonly BranchEntry[]): number {
    return [0, 1, 2].find((slot) => !taken.some((each) => each.slot === slot)) ?? 0;
  }
  function entryOf(branch: ScenarioBranch, others: readonly BranchEntry[]): BranchEntry {
    return { id: nextId++, slot: freeSlot(others), branch, line: undefined, hidden: false, chosen: undefined };
  }
  function branchesIn(list: readonly BranchEntry[]): readonly ScenarioBranch[] {
    return list.map(({ branch }) => branch);
  }
  function withEntry(list: readonly BranchEntry[], added: BranchEntry, index: number): readonly BranchEntry[] {
    return [...list.slice(0, index), added, ...list.slice(index)];
  }

  /** @throws LimitError where run and branches together need too much memory */
  function checkRoom(list: readonly ScenarioBranch[]): void {
    const { backend, scenario: running } = info.peek() ?? {};
    if (!running) return;
    const whole = { ...running, branches: [...list] };
    const lines = [running, ...list.map((_, index) => branchScenario(whole, index))];
    checkLines(lines, ELEMENT_BYTES[backend?.name === 'reference' ? 'reference' : 'others'], memoryLimitBytes);
  }

  /** Opens the line of a branch that waits, where the branch leaves the run. */
  async function open(id: number): Promise<void> {
    const { cycle } = find(id)?.branch ?? {};
    if (cycle === undefined) return;
    // The run is at that cycle: the branch continues from its current states.
    if (cycle > 0 && newestCycle.peek() + 1 === cycle) await main().latestCheckpoint();
    const [entry, whole] = [find(id), scenario.peek()];
    if (!entry || entry.line || !whole) return;
    const { files } = main();
    const line = openLine(
      openRun,
      { view, notices, progress },
      {
        scenario: branchScenario(whole, entries.peek().indexOf(entry)),
        files,
        backend: info.peek()?.backend.name ?? 'auto',
        first: cycle,
        checkpoint: main().checkpointBefore(cycle),
        name: () => quoted(titleOf(id)),
        onDiverged: ({ method, cycle: at, message }) => {
          const title = course.styleOf(method)?.title ?? method;
          const its = find(id)?.line?.course;
          notify('warning', `${title} diverged in cycle ${at} of ${quoted(titleOf(id))}`, {
            lines: [message],
            ...(its && { run: its }),
          });
        },
        restart: () => void compute(id),
      },
    );
    change(id, { line });
  }

  /** Discards what a branch has computed: it waits again. */
  function close(id: number): void {
    find(id)?.line?.dispose();
    change(id, { line: undefined });
  }

  /** Computes a branch from where it leaves the run up to where the run is. */
  async function compute(id: number): Promise<void> {
    close(id);
    await open(id);
    const line = find(id)?.line;
    if (!line) return;
    const { first } = line;
    let isStopped = false;
    const goesOn = (cycle: number): boolean => !isStopped && cycle <= newestCycle.peek();
    const work = progress.beginWork(`Computing ${quoted(titleOf(id))}`, () => {
      isStopped = true;
    });
    try {
      for (let cycle = first; goesOn(cycle); cycle++) {
        await line.reach(cycle);
        if (line.course.newestCycle.peek() < cycle) break;
        work.update((cycle + 1 - first) / Math.max(1, newestCycle.peek() + 1 - first));
      }
    } finally {
      work.end();
    }
  }

  /**
   * Adds a branch, and computes it up to where the run is.
   *
   * @throws ScenarioError where it changes what cannot be changed
   * @throws LimitError if there is no room for it; then nothing was opened
   */
  function add(branch: ScenarioBranch): void {
    const list = entries.peek();
    const entry = entryOf(branch, list);
    place(entry, list.length);
    addRunStep({
      title: `fork ${titleOf(entry.id)}`,
      undo: () => takeOut(entry.id),
      redo: () => putBack(entry, list.length),
      holds: () => true,
    });
  }

  /** Puts a branch back where it was, if there is room for it. */
  function place(entry: BranchEntry, index: number): void {
    const others = entries.peek();
    if (others.length >= MAXIMUM_BRANCHES || others.some(({ id }) => id === entry.id)) return;
    const slot = others.some((each) => each.slot === entry.slot) ? freeSlot(others) : entry.slot;
    const next = withEntry(others, { ...entry, slot, line: undefined }, index);
    checkRoom(branchesIn(next));
    batch(() => {
      edits.recordLines(edits.interventions.peek(), branchesIn(next));
      entries.value = next;
    });
    if (entry.branch.cycle <= newestCycle.peek() + 1) void compute(entry.id);
  }

  function takeOut(id: number): void {
    const entry = find(id);
    if (!entry) return;
    entry.line?.dispose();
    const left = entries.peek().filter((each) => each !== entry);
    batch(() => {
      entries.value = left;
      edits.recordLines(edits.interventions.peek(), branchesIn(left));
    });
  }

  /**
   * Writes what a branch changes, in place of what it has changed so far.
   *
   * @returns the branch alone
   * @throws ScenarioError where it cannot be: then all stays as it was
   */
  function record(id: number, interventions: readonly Intervention[]): Scenario {
    const next = entries
      .peek()
      .map((each) =>
        each.id === id ? { ...each, branch: { ...each.branch, interventions: [...interventions] } } : each,
      );
    const whole = edits.recordLines(edits.interventions.peek(), branchesIn(next));
    entries.value = next;
    return branchScenario(
      whole,
      next.findIndex((each) => each.id === id),
    );
  }

  /** Takes a branch away, as a step that can be undone. */
  function remove(id: number): void {
    const entry = find(id);
    if (!entry) return;
    const [index, title] = [entries.peek().indexOf(entry), titleOf(id)];
    const undo = (): void => putBack(entry, index);
    takeOut(id);
    addRunStep({ title: `remove ${quoted(title)}`, undo, redo: () => takeOut(id), holds: () => true });
    notify('information', `Removed ${quoted(title)}`, { actions: [{ title: 'Bring back', run: undo }] });
  }

  /** Puts a branch where it was; the run may have changed so that it cannot be there any more. */
  function putBack(entry: BranchEntry, index: number): void {
    try {
      place(entry, index);
    } catch (error) {
      if (!(error instanceof ScenarioError) && !(error instanceof LimitError)) throw error;
      const lines = error instanceof ScenarioError ? error.problems.map(describeProblem) : [error.message];
      notify('error', 'The branch cannot be brought back', { lines });
    }
  }

  /** @returns what the others are when a branch is the run: each still changes what it changed */
  function rebased(of: BranchEntry, tail: readonly Intervention[]): readonly BranchEntry[] {
    const { cycle } = of.branch;
    return entries.peek().map((each): BranchEntry => {
      if (each === of) return { ...each, branch: { cycle, interventions: [...tail] } };
      if (each.branch.cycle <= cycle) return each;
      const before = tail.filter((change_) => change_.cycle < each.branch.cycle);
      return { ...each, branch: { ...each.branch, cycle, interventions: [...before, ...each.branch.interventions] } };
    });
  }

  /** Makes a branch the run, and the run from there on a branch, as a step that can be undone. */
  function makeMain(id: number): Promise<void> {
    const again = (): void => void exchange(id);
    addRunStep({ title: `make ${quoted(titleOf(id))} the run`, undo: again, redo: again, holds: () => true });
    return exchange(id);
  }

  /** Both are computed again, to the same numbers. */
  async function exchange(id: number): Promise<void> {
    const entry = find(id);
    const newest = newestCycle.peek();
    if (!entry || entry.branch.cycle > newest + 1) return;
    const { cycle, interventions } = entry.branch;
    const all = edits.interventions.peek();
    const head = interventionsBefore(all, cycle);
    const next = rebased(
      entry,
      all.filter((each) => !head.includes(each)),
    );
    batch(() => {
      for (const each of entries.peek()) if (each.branch.cycle >= cycle) each.line?.dispose();
      entries.value = next.map((each) => (each.branch.cycle >= cycle ? { ...each, line: undefined } : each));
      edits.recordLines([...head, ...interventions], branchesIn(next));
    });
    main().goBackWith(cycle, [...head, ...interventions]);
    await main().goForward(newest);
  }

  return {
    entries,
    titles,
    scenario,
    titleOf,
    find,
    add,
    record,
    compute,
    remove,
    makeMain,
    hide: (id: number, hidden: boolean) => change(id, { hidden }),
    choose: (id: number, chosen: readonly string[]) => change(id, { chosen }),
    isAlone: () => entries.peek().length === 0,
    /** Another run begins, with the branches that its scenario has: they wait. */
    begin() {
      const before = entries.peek();
      for (const { line } of before) line?.dispose();
      const branches = untracked(() => edits.branches.value);
      const next: BranchEntry[] = [];
      for (const [index, branch] of branches.entries()) {
        const known = JSON.stringify(before[index]?.branch) === JSON.stringify(branch) ? before[index] : undefined;
        next.push(known ? { ...known, line: undefined } : entryOf(branch, next));
      }
      entries.value = next;
    },
    /** The run goes back to where a cycle comes next: so do its branches, and one that left it there or later waits. */
    goBack(cycle: number) {
      for (const { id, branch, line } of entries.peek()) {
        if (branch.cycle >= cycle) close(id);
        else line?.goBack(cycle);
      }
    },
    /** Computes a cycle of all branches that have left the run by then, one after the other; never rejects. */
    async reach(cycle: number) {
      for (const { id, branch, line } of entries.peek()) {
        if (!line && branch.cycle === cycle) await open(id);
        await find(id)?.line?.reach(cycle);
      }
    },
    dispose() {
      for (const { line } of entries.peek()) line?.dispose();
      entries.value = [];
    },
  };
}

export type BranchList = ReturnType<typeof createBranchList>;
