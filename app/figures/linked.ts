/** What the charts share: the crosshair, the cycle that is shown, and the part of the run that is looked at. */
import type { RunView } from '../document/run-view.ts';
import type { Pointing } from '../plot/plot-overlay.tsx';
import { chartsOf } from './chart-state.ts';

/** Pauses and shows a cycle everywhere; stays there unless it is the newest one. */
export function selectCycle(run: RunView, wanted: number): void {
  const { controller } = run;
  controller.pause();
  controller.scrub(wanted);
}

/** Pointing of the charts over cycles: read while drawing, so that a chart follows all others. */
export function cyclePointing(run: RunView): Pointing {
  const {
    view: { hoveredCycle, pinnedCycle },
    course: { cycle, cycleDomain },
  } = run;
  const { editMarks } = chartsOf(run);
  return {
    hovered: hoveredCycle.value,
    hover: (x) => {
      hoveredCycle.value = x;
    },
    selected: cycle.value,
    ...(pinnedCycle.value !== undefined && { pinned: pinnedCycle.value }),
    pin: (at) => {
      pinnedCycle.value = at;
    },
    marks: editMarks.value,
    select: (wanted) => selectCycle(run, wanted),
    ...(cycleDomain.value && { domain: cycleDomain.value }),
    zoom: (domain) => {
      cycleDomain.value = domain;
    },
  };
}

export function cycleName(x: number): string {
  return x < 0 ? 'before cycle 0' : `Cycle ${Math.round(x)}`;
}
