/** The run on screen, as commands and panels drive it: a player over the one that is kept. */
import { batch } from '@preact/signals';
import {
  describeProblem,
  type BackendChoice,
  type Checkpoint,
  type Intervention,
  type Scenario,
  type ScenarioChange,
  type MethodDivergence,
} from '../../../engine/index.ts';
import { createAgain, type PastCycle } from './again.ts';
import type { OpenRun, PageRun } from './page-run.ts';
import { goForward, prepared, createPlayer, type Clock, type Player } from './player.ts';
import type { Preferences } from '../../page/preferences.ts';
import type { RunEdits } from '../scenario/run-edits.ts';
import type { DraftVersion, ScenarioState } from '../scenario/scenario-state.ts';
import type { RunCourse } from './run-course.ts';
import { createRunKeeper } from './run-keeper.ts';
import type { KeeperStates, KeepsRecovery, RunFiles } from './keeper-contract.ts';
import type { ViewState } from '../views/view-state.ts';
import type { Notices } from '../../page/notices.ts';

interface DivergenceStates {
  readonly notices: Pick<Notices, 'notify'>;
  readonly edits: Pick<RunEdits, 'wayBack'>;
  readonly course: Pick<RunCourse, 'styleOf'>;
}

/** @param goBack goes back to a cycle, and plays on from there */
export function tellDivergence(
  { notices, edits, course }: DivergenceStates,
  divergence: MethodDivergence,
  goBack: (cycle: number, play: boolean) => void,
): void {
  const { method, cycle, message } = divergence;
  const { cycle: to, title } = edits.wayBack(divergence);
  notices.notify('warning', `${course.styleOf(method)?.title ?? method} diverged in cycle ${cycle}`, {
    lines: [message],
    actions: [{ title, run: () => goBack(to, true) }],
    run: course,
  });
}

export interface StartOptions {
  /** Whether it plays as soon as it is there; default: it does. */
  readonly play?: boolean;
  /** Where the run continues. */
  readonly checkpoint?: Checkpoint;
}

export type InterventionsChange = (
  interventions: readonly Intervention[],
  nextCycle: number,
) => readonly Intervention[] | undefined;

export interface RunController extends Pick<Player, 'play' | 'pause' | 'stepForward' | 'stepBack' | 'scrub'> {
  /** Ends what runs and begins another run. */
  start(scenario: Scenario, files: RunFiles, options?: StartOptions): void;
  /** Repeats the run from its first cycle, with what was changed on its way. */
  restart(): void;
  /** Begins with the current settings, in place of what was changed on the way to them. */
  restartAsNow(): void;
  /** Goes back to where a cycle comes next: what was changed and computed from then on is dropped. */
  goBack(cycle: number, play: boolean): void;
  /** Computes and shows cycle after cycle up to this one. @returns whether it is on screen: not if the user has stopped it */
  goForward(cycle: number): Promise<boolean>;
  /** Ends playing, and computes and shows cycle after cycle up to this one, as fast as they are computed. */
  runTo(cycle: number): Promise<boolean>;
  /** Brings the draft into the run: at once for words, at the next cycle or from the start as the changes need it. */
  apply(): Promise<void>;
  /**
   * Continues with other interventions from the next cycle on, which is when they take effect.
   *
   * @param change those of the run, by the cycle that comes next; undefined leaves them as they are
   * @returns the cycle that comes next; undefined if nothing was changed, as the run has failed or another took its place
   * @throws ScenarioError if they are rejected; the run then continues unchanged
   */
  changeInterventions(change: InterventionsChange): Promise<number | undefined>;
  /**
   * Goes back to where a cycle comes next, and on from there with interventions that may differ from then on.
   * @throws ScenarioError if they are rejected; the run then stays where it is
   */
  goBackWith(cycle: number, interventions: readonly Intervention[]): void;
  /** The files that the scenario of the run names, by those names. */
  readonly files: RunFiles;
  /** Asks the run, as `Run.ask`. Rejects while there is none. */
  readonly ask: PageRun['ask'];
  /** A cycle of the run that has gone by, computed again beside it; as `Again.at`. */
  againAt(cycle: number): Promise<PastCycle>;
  /** Ends what is computed again, or was. */
  endAgain(): void;
  /** Its checkpoint, or undefined while there is none. */
  checkpoint(): Promise<Checkpoint | undefined>;
  /** The latest checkpoint that is kept from which a cycle can be reached; undefined where that takes the start of the run. */
  checkpointBefore(cycle: number): Checkpoint | undefined;
  /** The newest checkpoint there is, also of a run that has failed; it is kept. */
  latestCheckpoint(): Promise<Checkpoint | undefined>;
  dispose(): void;
}

/** Lines that go along with a run in step. */
interface Company {
  /** Whether there are any: nothing is done for none. */
  isAlone(): boolean;
  /** Another run begins. */
  begin(): void;
  /** The run goes back to where a cycle comes next. */
  goBack(cycle: number): void;
  /** Computes up to and with this cycle, before the run does; never rejects. */
  reach(cycle: number): Promise<void>;
}

export interface RunControllerOptions {
  readonly company?: Company;
  readonly backend?: BackendChoice;
  readonly clock?: Clock;
  /** Keeps what the run needs to continue after its page broke down. */
  readonly keepsRecovery?: KeepsRecovery;
  /** Whether playing begins again at the end of the run. */
  readonly repeats?: () => boolean;
  /** Shows something of the state before the first cycle: see the player. */
  readonly opening?: () => Promise<number>;
}

/** What a controller drives, and what of the page it looks at. */
interface ControlledStates extends KeeperStates {
  readonly scenario: ScenarioState;
  readonly edits: RunEdits;
  readonly view: ViewState;
  readonly preferences: Pick<Preferences, 'reducedMotion'>;
}

/**
 * @param own computes one cycle of the run
 * @returns computes the cycle that comes next of all lines, the run's last: when it is stored all have it. Who asks again meanwhile
 *   waits for the same cycle
 */
function createStep(
  { computingBeside, newestCycle, status }: RunCourse,
  own: () => Promise<boolean>,
  company: Company | undefined,
): () => Promise<boolean> {
  const together = async (others: Company): Promise<boolean> => {
    computingBeside.value = true;
    try {
      await others.reach(newestCycle.value + 1);
    } finally {
      computingBeside.value = false;
    }
    return own();
  };
  let step: Promise<boolean> | undefined;
  return () => {
    if (!company || company.isAlone() || status.value !== 'ready') return own();
    step ??= together(company).finally(() => {
      step = undefined;
    });
    return step;
  };
}

export function createRunController(
  openRun: OpenRun,
  states: ControlledStates,
  { backend = 'auto', clock, company, keepsRecovery, repeats = () => false, opening }: RunControllerOptions = {},
): RunController {
  const { course, view, edits } = states;
  const { applied, draftNow, forgetVoidSteps, markApplied, origin, pendingChanges, pendingEffect } = states.scenario;
  const { followNewest, info, loopRange, newestCycle, playing, status } = course;
  const keeper = createRunKeeper(openRun, states, {
    backend,
    keepsRecovery,
    onOpening: () => player.interrupt(),
    onReady: () => player.resume(),
    onCycle: edits.followInterventions,
    onDiverged: (divergence) => tellDivergence(states, divergence, goBack),
    restart,
  });
  const compute = createStep(course, () => keeper.compute(), company);
  const player = createPlayer(course, {
    compute,
    clock,
    reducedMotion: states.preferences.reducedMotion,
    repeats,
    opening,
  });
  const again = createAgain(openRun, () => {
    const { current } = keeper;
    const place = info.peek()?.backend.name;
    return current && place && { ...current, backend: place, before: (cycle) => keeper.before(cycle) };
  });

  function start(scenario: Scenario, files: RunFiles, { play = true, checkpoint }: StartOptions = {}): void {
    const { nx, ny } = scenario.grid;
    const basin = info.peek()?.basin;
    batch(() => {
      // Probes stay where they are while the basin does.
      if (basin?.nx !== nx || basin.ny !== ny) view.clearSelection();
      course.clearRun();
      playing.value = play;
    });
    company?.begin();
    keeper.forgetPast();
    keeper.open(scenario, files, checkpoint);
  }

  function restart(): void {
    const { current } = keeper;
    if (!current) return;
    edits.followAnew();
    start(current.scenario, current.files, { play: playing.value });
  }

  /** Begins with settings as they are now, in place of a run that was changed on its way to them. */
  function begin({ raw }: DraftVersion, files: RunFiles): void {
    const next = edits.draftToBegin(raw);
    markApplied(raw);
    edits.beginRun(next.raw);
    forgetVoidSteps();
    start(next.scenario, files);
    if (next.misfits.length > 0) {
      const what = next.misfits.every(({ path: [first] }) => first === 'branches')
        ? 'Branches'
        : 'Gauges, drops and islands';
      states.notices.notify('warning', `${what} of the previous run were incompatible and removed`, {
        lines: next.misfits.map(describeProblem),
      });
    }
  }

  async function apply(): Promise<void> {
    const version = draftNow();
    if (!version.scenario) return;
    const { files } = origin.value;
    const { current } = keeper;
    if (!current || pendingEffect.value === 'restart') {
      begin(version, files);
      return;
    }
    if (pendingEffect.value === 'none') {
      markApplied(version.raw);
      return;
    }
    await changeOnTheWay(version, pendingChanges.value);
  }

  /** What takes effect at the next cycle: the run continues with it, or from its last checkpoint where it has failed. */
  async function changeOnTheWay(version: DraftVersion, changes: readonly ScenarioChange[]): Promise<void> {
    const { current } = keeper;
    if (!current) return;
    const record = (nextCycle: number): Scenario => {
      const scenario = edits.recordEdits(changes, nextCycle);
      markApplied(version.raw);
      return scenario;
    };
    if (await keeper.edit(record)) return;
    const latest = await keeper.latestCheckpoint();
    if (current !== keeper.current) return;
    if (!latest || latest.cycle === 0) begin(version, origin.value.files);
    else keeper.goBack(record(latest.cycle), latest.cycle);
  }

  function goBack(cycle: number, play: boolean): void {
    if (!keeper.current) return;
    playing.value = play;
    keeper.goBack(edits.dropEditsFrom(cycle), cycle);
    company?.goBack(cycle);
    forgetVoidSteps();
  }

  function goBackWith(cycle: number, interventions: readonly Intervention[]): void {
    const { current } = keeper;
    if (!current) return;
    const scenario = edits.repeatFrom(cycle, interventions);
    if (cycle === 0) start(scenario, current.files, { play: playing.value });
    else {
      keeper.goBack(scenario, cycle);
      company?.goBack(cycle);
    }
    forgetVoidSteps();
  }

  async function changeInterventions(change: InterventionsChange): Promise<number | undefined> {
    // A run that goes back to a cycle is soon there; one that has not begun is restarted.
    if (newestCycle.value >= 0) await prepared(status);
    const { current } = keeper;
    let recorded: { readonly cycle: number; readonly before: readonly Intervention[] } | undefined;
    const record = (nextCycle: number): Scenario | undefined => {
      const before = edits.interventions.value;
      const next = change(before, nextCycle);
      const scenario = next && edits.recordInterventions(next);
      if (scenario) recorded = { cycle: nextCycle, before };
      return scenario;
    };
    try {
      if (await keeper.edit(record)) return recorded?.cycle;
    } catch (error) {
      if (recorded) edits.recordInterventions(recorded.before);
      throw error;
    }
    const isBefore = newestCycle.value < 0 && (status.value === 'ready' || status.value === 'opening');
    if (!isBefore || current !== keeper.current) return undefined;
    const scenario = record(0);
    if (scenario) {
      keeper.goBack(scenario, 0);
      company?.goBack(0);
    }
    return recorded?.cycle;
  }

  /** Counts where the run was sent to: the last place holds. */
  let errand = 0;

  function comeTo(cycle: number): Promise<boolean> {
    errand += 1;
    const own = errand;
    return goForward(cycle, states, compute, () => own === errand);
  }

  return {
    ...player,
    start,
    restart,
    restartAsNow() {
      if (applied.value === undefined) return;
      begin({ raw: applied.value, scenario: undefined, opening: 0 }, keeper.current?.files ?? {});
    },
    goBack,
    goBackWith,
    changeInterventions,
    scrub(cycle) {
      errand += 1;
      player.scrub(cycle);
    },
    goForward: comeTo,
    runTo(cycle) {
      player.pause();
      loopRange.value = undefined;
      player.scrub(newestCycle.value);
      followNewest.value = true;
      return comeTo(cycle);
    },
    apply,
    get files() {
      return keeper.current?.files ?? {};
    },
    ask: (question) => keeper.current?.run.ask(question) ?? Promise.reject(new Error('there is no run to ask about')),
    againAt: (cycle) => again.at(cycle),
    endAgain: () => again.dispose(),
    checkpoint: async () => keeper.current?.run.ask({ kind: 'checkpoint' }),
    checkpointBefore: (cycle) => keeper.before(cycle),
    latestCheckpoint: () => keeper.latestCheckpoint(),
    dispose() {
      player.interrupt();
      again.dispose();
      keeper.dispose();
    },
  };
}
