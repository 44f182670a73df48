/** The run on screen, as commands and panels drive it: a player over the one session of the page. */
import { batch } from '@preact/signals';
import { retargetCheckpoint } from '../../../engine/index.ts';
import type { Checkpoint, Scenario } from '../../../engine/index.ts';
import type { OpenSession } from '../session/session.ts';
import { createPlayer } from './player.ts';
import type { Clock, Player } from './player.ts';
import { draftNow, markApplied, origin, pendingEffect } from './scenario-state.ts';
import { createSessionKeeper } from './session-keeper.ts';
import type { BackendChoice, KeptSession, SessionFiles } from './session-keeper.ts';
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
  restart(): void;
  /** Brings the draft into the run: at once for words, at the next cycle or from the start as the changes need it. */
  apply(): Promise<void>;
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

/** The newest checkpoint there is of a session, also of one that has failed. */
function latestCheckpoint({ session, from }: KeptSession): Promise<Checkpoint | undefined> {
  return session.checkpoint().catch(() => session.lastCheckpoint ?? from);
}

export function createRunController(
  openSession: OpenSession,
  { backend = 'auto', clock, repeats = () => false }: RunControllerOptions = {},
): RunController {
  const keeper = createSessionKeeper(openSession, {
    backend,
    onOpening: () => player.interrupt(),
    onReady: () => player.resume(),
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
    keeper.forgetLosses();
    keeper.open(scenario, files, checkpoint);
  }

  function restart(): void {
    const { current } = keeper;
    if (current) start(current.scenario, current.files, { play: playing.value });
  }

  async function apply(): Promise<void> {
    const version = draftNow();
    const { scenario } = version;
    if (!scenario) return;
    const { files } = origin.value;
    const { current } = keeper;
    const begin = (): void => {
      markApplied(version);
      start(scenario, files);
    };
    if (!current || pendingEffect.value === 'restart') {
      begin();
      return;
    }
    if (pendingEffect.value === 'none') {
      markApplied(version);
      return;
    }
    const latest = await latestCheckpoint(current);
    const running = info.value?.backend;
    if (current !== keeper.current || !running) return;
    if (!latest) {
      begin();
      return;
    }
    markApplied(version);
    const { name, adapter } = running;
    keeper.open(scenario, files, retargetCheckpoint(latest, scenario, { name, adapter }));
  }

  return {
    ...player,
    start,
    restart,
    apply,
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
