/** The run on screen, as commands and panels drive it: a player over the one session of the page. */
import { batch } from '@preact/signals';
import { validateScenario } from '../../../engine/index.ts';
import type { Checkpoint, Scenario, ScenarioChange } from '../../../engine/index.ts';
import { createAgain } from '../session/again.ts';
import type { PastCycle } from '../session/again.ts';
import type { OpenSession, Session } from '../session/session.ts';
import { goForward } from './go-forward.ts';
import { createPlayer } from './player.ts';
import type { Clock, Player } from './player.ts';
import type { Preferences } from './preferences.ts';
import type { RunEdits } from './run-edits.ts';
import type { DraftVersion, ScenarioState } from './scenario-state.ts';
import { createSessionKeeper } from './session-keeper.ts';
import type { BackendChoice, KeeperStates, SessionFiles } from './session-keeper.ts';
import { tellDivergence } from './tell-divergence.ts';
import type { ViewState } from './view-state.ts';

export interface StartOptions {
  /** Whether it plays as soon as it is there; it does unless it is told not to. */
  readonly play?: boolean;
  /** Where the run goes on. */
  readonly checkpoint?: Checkpoint;
}

export interface RunController extends Pick<Player, 'play' | 'pause' | 'stepForward' | 'stepBack' | 'scrub'> {
  /** Ends what runs and begins another run. */
  start(scenario: Scenario, files: SessionFiles, options?: StartOptions): void;
  /** Repeats the run from its first cycle, with what was changed on its way. */
  restart(): void;
  /** Begins with the settings of now, in place of what was changed on the way to them. */
  restartAsNow(): void;
  /** Goes back to where a cycle comes next: what was changed and computed from then on is dropped. */
  goBack(cycle: number, play: boolean): void;
  /** Computes and shows cycle after cycle up to this one. @returns whether it is on screen: not where a person has stopped it */
  goForward(cycle: number): Promise<boolean>;
  /** Brings the draft into the run: at once for words, at the next cycle or from the start as the changes need it. */
  apply(): Promise<void>;
  /** The files that the scenario of the run names, by those names. */
  readonly files: SessionFiles;
  /** Asks the run, as `Session.ask`. Rejects while there is none. */
  readonly ask: Session['ask'];
  /** A cycle of the run that has gone by, computed again beside it; as `Again.at`. */
  againAt(cycle: number): Promise<PastCycle>;
  /** Ends what is computed again, or was. */
  endAgain(): void;
  /** The session's checkpoint, or undefined while there is none. */
  checkpoint(): Promise<Checkpoint | undefined>;
  dispose(): void;
}

export interface RunControllerOptions {
  readonly backend?: BackendChoice;
  readonly clock?: Clock;
  /** Opens sessions beside that of the run, which leave nothing behind; as that one is opened where left out. */
  readonly openBeside?: OpenSession;
  /** Whether playing begins anew at the end of the run. */
  readonly repeats?: () => boolean;
}

/** What a controller drives, and what of the page it looks at. */
export interface ControlledStates extends KeeperStates {
  readonly scenario: ScenarioState;
  readonly edits: RunEdits;
  readonly view: ViewState;
  readonly preferences: Pick<Preferences, 'reducedMotion'>;
}

export function createRunController(
  openSession: OpenSession,
  states: ControlledStates,
  { backend = 'auto', clock, openBeside = openSession, repeats = () => false }: RunControllerOptions = {},
): RunController {
  const { session, view, edits } = states;
  const { applied, draftNow, markApplied, origin, pendingChanges, pendingEffect } = states.scenario;
  const { info, playing } = session;
  const keeper = createSessionKeeper(openSession, states, {
    backend,
    onOpening: () => player.interrupt(),
    onReady: () => player.resume(),
    onCycle: edits.followInterventions,
    onDiverged: (divergence) => tellDivergence(states, divergence, goBack),
    restart,
  });
  const player = createPlayer(session, {
    compute: () => keeper.compute(),
    clock,
    reducedMotion: states.preferences.reducedMotion,
    repeats,
  });
  const again = createAgain(openBeside, () => {
    const { current } = keeper;
    const place = info.peek()?.backend.name;
    return current && place && { ...current, backend: place, before: (cycle) => keeper.before(cycle) };
  });

  function start(scenario: Scenario, files: SessionFiles, { play = true, checkpoint }: StartOptions = {}): void {
    const { nx, ny } = scenario.grid;
    const basin = info.peek()?.basin;
    batch(() => {
      // Probes stay where they are while the basin does.
      if (basin?.nx !== nx || basin.ny !== ny) view.clearSelection();
      session.clearRun();
      playing.value = play;
    });
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
  function begin({ raw }: DraftVersion, files: SessionFiles): void {
    const next = edits.draftToBegin(raw);
    const { scenario } = validateScenario(next, 'draft');
    markApplied({ raw, scenario: validateScenario(raw, 'draft').scenario, opening: 0 });
    edits.beginRun(next);
    start(scenario, files);
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
      markApplied(version);
      return;
    }
    await changeOnTheWay(version, pendingChanges.value);
  }

  /** What takes hold at the next cycle: the run goes on with it, or from its last checkpoint where it has failed. */
  async function changeOnTheWay(version: DraftVersion, changes: readonly ScenarioChange[]): Promise<void> {
    const { current } = keeper;
    if (!current) return;
    const record = (nextCycle: number): Scenario => {
      const scenario = edits.recordEdits(changes, nextCycle);
      markApplied(version);
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
    goForward: (cycle) => goForward(cycle, states, () => keeper.compute()),
    apply,
    get files() {
      return keeper.current?.files ?? {};
    },
    ask: (question) =>
      keeper.current?.session.ask(question) ?? Promise.reject(new Error('there is no run to ask about')),
    againAt: (cycle) => again.at(cycle),
    endAgain: () => again.dispose(),
    checkpoint: async () => keeper.current?.session.checkpoint(),
    dispose() {
      player.interrupt();
      again.dispose();
      keeper.dispose();
    },
  };
}
