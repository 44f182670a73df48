/** Forking, and what can be done with each branch, as commands: keys, palette and sheet have them from here. */
import type { Command } from '../../page/commands.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { standingOf } from './branch-comparison.tsx';

/** Making a branch. */
export function forkCommands({ notices }: Pick<Laboratory, 'notices'>, run: RunView): readonly Command[] {
  const {
    branches: { forking },
    controller,
    course: { info, playing },
  } = run;
  return [
    {
      id: 'run.fork',
      group: 'Run',
      title: 'Fork at the cycle on screen…',
      shortcuts: ['F'],
      keywords: 'branch what if compare setting change beside',
      enabled: () => info.value !== undefined,
      run: () => {
        const obstacle = forking.obstacle();
        if (obstacle !== undefined) {
          notices.notify('information', 'The run cannot be forked here', { lines: [obstacle] });
          return;
        }
        if (playing.value) controller.pause();
        forking.begin();
      },
    },
  ];
}

/** For each branch: showing, computing, making it the run, removing. */
export function branchCommands({ branches, course }: RunView): readonly Command[] {
  return branches.entries.value.flatMap((entry): Command[] => {
    const { id, hidden } = entry;
    const title = branches.titleOf(id);
    return [
      {
        id: `branch.show.${id}`,
        group: 'Run',
        title: `Show branch: ${title}`,
        keywords: 'fork hide',
        checked: () => !hidden,
        run: () => branches.hide(id, !hidden),
      },
      {
        id: `branch.compute.${id}`,
        group: 'Run',
        title: `Compute branch: ${title}`,
        keywords: 'fork',
        enabled: () => standingOf(entry, course.newestCycle.value)?.isMissed === true,
        run: () => branches.compute(id),
      },
      {
        id: `branch.make-run.${id}`,
        group: 'Run',
        title: `Make the branch the run: ${title}`,
        keywords: 'fork keep main line',
        enabled: () => entry.branch.cycle <= course.newestCycle.value + 1,
        run: () => branches.makeMain(id),
      },
      {
        id: `branch.remove.${id}`,
        group: 'Run',
        title: `Remove branch: ${title}`,
        keywords: 'fork delete',
        run: () => branches.remove(id),
      },
    ];
  });
}
