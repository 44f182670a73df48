/**
 * The tools that change the world while it runs: which one is in the hand, what it is set to, when a change takes effect, and why
 * none can be made now. Each tool has a file of its own.
 */
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { MAXIMUM_INTERVENTIONS, type BasinInfo, type Intervention } from '../../../engine/index.ts';
import type { GridPoint, ViewState } from '../../document/views/view-state.ts';
import { isWorldChange } from '../../document/scenario/changes.ts';
import { createTargets, type WorldEdit, type TargetStates } from './world-edits.ts';
import { createGaugeTool } from './gauge-tool.ts';
import { placeWords, NO_GHOST, WORLD_TOOLS } from './tools.ts';
import type { Ghost, HeldTool, ToolContext, WorldTool } from './tools.ts';
import { createRoundTools } from './round-tools.ts';
import type { ToolEvent } from '../../stage/stage-model.ts';
import type { RunEdits } from '../../document/scenario/run-edits.ts';
import type { ScenarioState } from '../../document/scenario/scenario-state.ts';
import type { RunCourse } from '../../document/run/run-course.ts';
import type { RunView } from '../../document/run-view.ts';
import { slot } from '../../page/laboratory.ts';

export interface WorldStates extends Omit<TargetStates, 'said' | 'underway'> {
  readonly scenario: ScenarioState;
  readonly edits: RunEdits;
  readonly course: RunCourse;
  readonly view: Pick<ViewState, 'hoveredCell'>;
}

export function createWorld(states: WorldStates) {
  const { course, view, scenario } = states;
  const { info } = course;
  const tool = signal<WorldTool | undefined>(undefined);
  /** What happened last, in words, for who cannot see it. */
  const said = signal('');
  /** Edits that wait for the cycle that is being computed. */
  const underway = signal<readonly WorldEdit[]>([]);
  const targets = createTargets({ ...states, said, underway });
  const basin = computed<BasinInfo | undefined>(() => info.value?.basin);
  /** The first cycle that a change has a part in. */
  const nextCycle = computed(() => targets.now.value.newestCycle.value + 1);
  /** What the tools act on, with what was changed of it. */
  const runScenario = computed(() => targets.now.value.scenario.value);

  /** All that was changed of it, in its order. */
  const changes = computed<readonly Intervention[]>(() => runScenario.value?.interventions ?? []);

  /** Why nothing of the world can be changed at all. */
  const general = computed<string | undefined>(() => {
    if (!info.value) return 'Open a scenario first.';
    if (changes.value.length >= MAXIMUM_INTERVENTIONS) {
      return `${targets.now.value.name} has ${MAXIMUM_INTERVENTIONS} changes, the most that a scenario holds: take some out.`;
    }
    return undefined;
  });

  /** Why nothing can be changed from the next cycle on. */
  const refusal = computed<string | undefined>(() => {
    const { name, status, plannedCycles, further } = targets.now.value;
    if (status.value === 'failed') return `${name} has failed: go back or start again, then change it.`;
    if (nextCycle.value >= plannedCycles.value && further.value === undefined) {
      return `${name} has ended: continue from an earlier cycle, or give it more cycles.`;
    }
    return undefined;
  });

  /** What was changed of the world that waits for the next cycle. */
  const waiting = computed(() => changes.value.filter(isWorldChange).filter(({ cycle }) => cycle === nextCycle.value));

  const act: ToolContext['act'] = (edit) => targets.now.value.worldEdits.act(edit);
  const context: ToolContext = { basin, nextCycle, waiting, act, underway, view };
  const gauges = createGaugeTool({ ...context, edits: { runScenario }, scenario });
  const round = createRoundTools({ ...context, scenario, controller: states.controller, notices: states.notices });
  const held: Readonly<Record<WorldTool, HeldTool>> = { gauges, drop: round.drop, island: round.island };

  /** An island is there from the first cycle on, which a branch shares with the run. */
  const islandInBranch = computed(() =>
    targets.now.value.branch === undefined ? undefined : 'An island is in the bed from the start: raise it in the run.',
  );

  /** Why a tool cannot be used now. */
  function refusalOf(which: WorldTool): string | undefined {
    if (which === 'island') return general.value ?? islandInBranch.value ?? round.islandRefusal.value;
    return general.value ?? refusal.value ?? (which === 'drop' ? round.dropRefusal.value : undefined);
  }

  // What a hand holds is of one run.
  const endGivingUp = effect(() => {
    if (course.runNumber.value > 0) untracked(() => WORLD_TOOLS.forEach((which) => held[which].giveUp()));
  });

  /** Takes a tool into the hand, in place of another; the same one again is put away. */
  function hold(which: WorldTool | undefined): void {
    batch(() => {
      if (tool.value) held[tool.value].giveUp();
      tool.value = which === tool.value ? undefined : which;
    });
  }

  function use(event: ToolEvent): void {
    const which = tool.value;
    if (!which) return;
    const hand = held[which];
    if (event.kind === 'leave') {
      if (!hand.giveUp()) hold(undefined);
      return;
    }
    if (event.kind === 'give-up') {
      hand.giveUp();
      return;
    }
    if (event.kind === 'resize') {
      hand.resize(event.by);
      return;
    }
    if (event.kind === 'down' && event.subject !== undefined) targets.pointAt(event.subject);
    const reason = refusalOf(which);
    if (reason !== undefined) {
      said.value = reason;
      hand.giveUp();
      return;
    }
    if (event.kind === 'down') hand.down(event.cell, event.erases);
    else if (event.kind === 'up') hand.up();
    else if (event.kind === 'cursor') goTo(hand, event.cell);
    else hand[event.kind](event.cell);
  }

  /** Keys move what the hand holds, and the words say where it is. */
  function goTo(hand: HeldTool, cell: GridPoint): void {
    const of = basin.value;
    if (!of) return;
    if (gauges.carried.value) hand.move(cell);
    said.value = placeWords(of, cell, gauges.standing.value);
  }

  const ghost = computed<Ghost>(() => {
    const which = tool.value;
    return which && refusalOf(which) === undefined ? held[which].ghost.value : NO_GHOST;
  });

  return {
    tool,
    hold,
    use,
    ghost,
    refusalOf,
    nextCycle,
    waiting,
    changes,
    said,
    takeOut: targets.run.worldEdits.takeOut,
    targets,
    gauges,
    drop: round.drop,
    island: round.island,
    dispose: endGivingUp,
  };
}

export type World = ReturnType<typeof createWorld>;

/** @returns the tools that change the world of a run */
export const worldOf = slot<RunView, World>((run) => createWorld({ ...run, notices: run.laboratory.notices }));
