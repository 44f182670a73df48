/** Transport of the run: playing, stepping, the loop; and the draft of its scenario. */
import type { Command } from '../../page/commands.ts';
import type { RunView } from '../../document/run-view.ts';
import { SPEEDS } from '../../document/run/run-course.ts';

function changeSpeed(run: RunView, by: number): void {
  const { speed } = run.course;
  const at = SPEEDS.findIndex((each) => each >= speed.value);
  speed.value = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + by))];
}

/** Sets one end of the loop at the cycle on screen; the other stays where it is, or lies at the end of what is stored. */
function setLoopEnd(run: RunView, end: 'from' | 'to'): void {
  const { loopRange, oldestCycle, lastCycle, cycle } = run.course;
  const { from, to } = loopRange.value ?? { from: oldestCycle.value, to: lastCycle.value };
  const here = cycle.value;
  loopRange.value = end === 'from' ? { from: here, to: Math.max(here, to) } : { from: Math.min(here, from), to: here };
}

/** What can be done with the run. */
export function runCommands(run: RunView): readonly Command[] {
  const {
    controller,
    course: {
      info,
      playing,
      cycle,
      oldestCycle,
      newestCycle,
      lastCycle,
      goesOn,
      followNewest,
      loopRange,
      plannedCycles,
    },
    edits: { interventions },
  } = run;
  const hasRun = (): boolean => info.value !== undefined;
  return [
    {
      id: 'run.play',
      group: 'Run',
      title: 'Play or pause',
      shortcuts: ['Space', 'K'],
      enabled: hasRun,
      run: () => (playing.value ? controller.pause() : controller.play()),
    },
    {
      id: 'run.step-back',
      group: 'Run',
      title: 'One cycle back',
      shortcuts: [','],
      enabled: () => cycle.value > oldestCycle.value,
      run: () => controller.stepBack(),
    },
    {
      id: 'run.step-forward',
      group: 'Run',
      title: 'One cycle forward',
      shortcuts: ['.'],
      enabled: () => hasRun() && (cycle.value < lastCycle.value || goesOn.value),
      run: () => controller.stepForward(),
    },
    {
      id: 'run.first',
      group: 'Run',
      title: 'To the first stored cycle',
      shortcuts: ['Shift+Home'],
      enabled: () => cycle.value > oldestCycle.value,
      run: () => controller.scrub(oldestCycle.value),
    },
    {
      id: 'run.follow',
      group: 'Run',
      title: 'Follow the newest cycle',
      shortcuts: ['Shift+F', 'Shift+End'],
      enabled: hasRun,
      checked: () => followNewest.value,
      run: () => {
        if (followNewest.value) followNewest.value = false;
        else controller.scrub(lastCycle.value);
      },
    },
    {
      id: 'run.to-end',
      group: 'Run',
      title: 'Run to the end',
      shortcuts: ['Shift+E'],
      keywords: 'compute all cycles fast finish last',
      enabled: () => goesOn.value && newestCycle.value < plannedCycles.value - 1,
      run: () => void controller.runTo(plannedCycles.value - 1),
    },
    {
      id: 'run.go-to-cycle',
      group: 'Run',
      title: 'Go to a cycle…',
      shortcuts: ['Shift+G'],
      keywords: 'number compute jump',
      enabled: () => hasRun() && run.laboratory.preferences.full.value,
      run: () => document.querySelector<HTMLElement>('.cycle-field input')?.focus(),
    },
    { id: 'run.slower', group: 'Run', title: 'Slower', shortcuts: ['-'], run: () => changeSpeed(run, -1) },
    { id: 'run.faster', group: 'Run', title: 'Faster', shortcuts: ['+', '='], run: () => changeSpeed(run, 1) },
    {
      id: 'run.loop-from',
      group: 'Run',
      title: 'Loop from here',
      shortcuts: ['['],
      enabled: hasRun,
      run: () => setLoopEnd(run, 'from'),
    },
    {
      id: 'run.loop-to',
      group: 'Run',
      title: 'Loop to here',
      shortcuts: [']'],
      enabled: hasRun,
      run: () => setLoopEnd(run, 'to'),
    },
    {
      id: 'run.loop',
      group: 'Run',
      title: 'Loop',
      shortcuts: ['\\'],
      keywords: 'repeat range',
      enabled: () => lastCycle.value > oldestCycle.value,
      checked: () => loopRange.value !== undefined,
      run: () => {
        loopRange.value = loopRange.value ? undefined : { from: oldestCycle.value, to: lastCycle.value };
      },
    },
    {
      id: 'run.go-on-from-here',
      group: 'Run',
      title: 'Continue from the cycle on screen',
      keywords: 'back rewind again undo change',
      enabled: () => hasRun() && cycle.value < newestCycle.value,
      run: () => controller.goBack(cycle.value + 1, playing.value),
    },
    {
      id: 'run.restart',
      group: 'Run',
      title: 'Start again from the first cycle',
      shortcuts: ['Shift+R'],
      enabled: hasRun,
      run: () => controller.restart(),
    },
    {
      id: 'run.restart-as-now',
      group: 'Run',
      title: 'Restart with the current settings',
      keywords: 'edits interventions from the first cycle',
      enabled: () => hasRun() && interventions.value.length > 0,
      run: () => controller.restartAsNow(),
    },
  ];
}

/** Undo, redo, apply, discard. */
export function editCommands(run: RunView): readonly Command[] {
  const {
    controller,
    scenario: { undoTitle, undo, redoTitle, redo, draftScenario, pendingEffect, revertible, revertDraft },
  } = run;
  return [
    {
      id: 'edit.undo',
      group: 'Edit',
      title: 'Undo',
      shortcuts: ['Mod+Z'],
      enabled: () => undoTitle.value !== undefined,
      run: undo,
    },
    {
      id: 'edit.redo',
      group: 'Edit',
      title: 'Redo',
      shortcuts: ['Mod+Shift+Z', 'Mod+Y'],
      enabled: () => redoTitle.value !== undefined,
      run: redo,
    },
    {
      id: 'edit.apply',
      group: 'Edit',
      title: 'Apply changed settings',
      shortcuts: ['Mod+Enter'],
      enabled: () => draftScenario.value !== undefined && pendingEffect.value !== 'none',
      run: () => controller.apply(),
    },
    {
      id: 'edit.revert',
      group: 'Edit',
      title: 'Discard changed settings',
      enabled: () => revertible.value,
      run: revertDraft,
    },
  ];
}
