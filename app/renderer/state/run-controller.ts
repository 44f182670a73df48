/** The run on screen, as commands and panels drive it: a player over the one session of the page. */
import { batch } from '@preact/signals';
import { validateScenario } from '../../../engine/index.ts';
import type { Checkpoint, Scenario } from '../../../engine/index.ts';
import type { OpenSession } from '../session/session.ts';
import { createPlayer } from './player.ts';
import type { Clock, Player } from './player.ts';
import { beginRun, draftToBegin, dropEditsFrom, followAnew, followInterventions, recordEdits } from './run-edits.ts';
import { applied, draftNow, markApplied, origin, pendingChanges, pendingEffect } from './scenario-state.ts';
import type { DraftVersion } from './scenario-state.ts';
import { tellDivergence } from './tell-divergence.ts';
import { createSessionKeeper } from './session-keeper.ts';
import type { BackendChoice, SessionFiles } from './session-keeper.ts';
import { clearRun, info, playing } from './session-state.ts';
import { clearSelection } from './view-state.ts';

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
  /** Brings the draft into the run: at once for words, at the next cycle or from the start as the changes need it. */
  apply(): Promise<void>;
  /** The files that the scenario of the run names, by those names. */
  readonly files: SessionFiles;
  /** The session's checkpoint, or undefined while there is none. */
  checkpoint(): Promise<Checkpoint | undefined>;
  dispose(): void;
}

export interface RunControllerOptions {
  readonly backend?: BackendChoice;
  readonly clock?: Clock;
  /** Whether playing begins anew at the end of the run. */
  readonly repeats?: () => boolean;
}

export function createRunController(
  openSession: OpenSession,
  { backend = 'auto', clock, repeats = () => false }: RunControllerOptions = {},
): RunController {
  const keeper = createSessionKeeper(openSession, {
    backend,
    onOpening: () => player.interrupt(),
    onReady: () => player.resume(),
    onCycle: followInterventions,
    onDiverged: (divergence) => tellDivergence(divergence, goBack),
    restart,
  });
  const player = createPlayer({ compute: () => keeper.compute(), clock, repeats });

  function start(scenario: Scenario, files: SessionFiles, { play = true, checkpoint }: StartOptions = {}): void {
    const { nx, ny } = scenario.grid;
    const basin = info.peek()?.basin;
    batch(() => {
      // Probes stay where they are while the basin does.
      if (basin?.nx !== nx || basin.ny !== ny) clearSelection();
      clearRun();
      playing.value = play;
    });
    keeper.forgetPast();
    keeper.open(scenario, files, checkpoint);
  }

  function restart(): void {
    const { current } = keeper;
    if (!current) return;
    followAnew();
    start(current.scenario, current.files, { play: playing.value });
  }

  /** Begins with settings as they are now, in place of a run that was changed on its way to them. */
  function begin({ raw }: DraftVersion, files: SessionFiles): void {
    const next = draftToBegin(raw);
    const { scenario } = validateScenario(next, 'draft');
    markApplied({ raw, scenario: validateScenario(raw, 'draft').scenario, opening: 0 });
    beginRun(next);
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
    const changes = pendingChanges.value;
    const latest = await keeper.latestCheckpoint();
    if (current !== keeper.current) return;
    if (!latest || latest.cycle === 0) {
      begin(version, files);
      return;
    }
    const scenario = recordEdits(changes, latest.cycle);
    markApplied(version);
    keeper.goBack(scenario, latest.cycle);
  }

  function goBack(cycle: number, play: boolean): void {
    if (!keeper.current) return;
    playing.value = play;
    keeper.goBack(dropEditsFrom(cycle), cycle);
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
    apply,
    get files() {
      return keeper.current?.files ?? {};
    },
    checkpoint: async () => keeper.current?.session.checkpoint(),
    dispose() {
      player.interrupt();
      keeper.dispose();
    },
  };
}

let controller: RunController | undefined;

/** Sets the controller of this page, once, before anything is drawn. */
export function setRunController(next: RunController): void {
  controller = next;
}

/** @throws RangeError before it is set */
export function runController(): RunController {
  if (!controller) throw new RangeError('the run controller is not set yet; setRunController comes first');
  return controller;
}
