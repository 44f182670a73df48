/** What the charts share: the crosshair, the cycle that is shown, and the part of the run that is looked at. */
import { computed } from '@preact/signals';
import { runController } from '../state/run-controller.ts';
import { runMarks } from '../state/run-edits.ts';
import { cycle, cycleDomain } from '../state/session-state.ts';
import { hoveredCycle } from '../state/view-state.ts';
import type { Pointing } from './plot/line-plot.tsx';
import type { AxisSpec } from './plot/scales.ts';

export const CYCLE_AXIS: AxisSpec = { label: 'Cycle', unit: '', scale: 'linear', whole: true };

/** Pauses and shows a cycle everywhere; stays there unless it is the newest one. */
export function selectCycle(wanted: number): void {
  runController().pause();
  runController().scrub(wanted);
}

/** What was changed while the run went on, by cycle: charts over cycles show where. */
const editMarks = computed(() =>
  runMarks.value
    .filter(({ kind }) => kind === 'edit')
    .map(({ cycle: x, text }) => ({ x, text: `Changed at cycle ${x}: ${text}` })),
);

/** The latest changes in words, for a caption. */
const MOST_NAMED = 3;

export const editNote = computed(() => {
  const texts = editMarks.value.map(({ text }) => `${text}.`);
  const left = texts.length - MOST_NAMED;
  const named = texts.slice(-MOST_NAMED).join(' ');
  return left > 0 ? `${left} earlier changes. ${named}` : named;
});

/** Pointing of the charts over cycles: read while drawing, so that a chart follows all others. */
export function cyclePointing(): Pointing {
  return {
    hovered: hoveredCycle.value,
    hover: (x) => {
      hoveredCycle.value = x;
    },
    selected: cycle.value,
    marks: editMarks.value,
    select: selectCycle,
    domain: cycleDomain.value,
    zoom: (domain) => {
      cycleDomain.value = domain;
    },
  };
}

export function cycleName(x: number): string {
  return x < 0 ? 'before cycle 0' : `Cycle ${Math.round(x)}`;
}
