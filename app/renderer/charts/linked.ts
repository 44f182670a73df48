/** What the charts share: the crosshair, the cycle that is shown, and the part of the run that is looked at. */
import type { MethodStyle } from '../state/method-style.ts';
import { runController } from '../state/run-controller.ts';
import { cycle, cycleDomain } from '../state/session-state.ts';
import { highlightedMethod, hoveredCycle } from '../state/view-state.ts';
import type { LineStyle } from './plot/layout.ts';
import type { Pointing } from './plot/line-plot.tsx';
import type { AxisSpec } from './plot/scales.ts';

export const CYCLE_AXIS: AxisSpec = { label: 'Cycle', unit: '', scale: 'linear', whole: true };

/** Pauses and shows a cycle everywhere; stays there unless it is the newest one. */
export function selectCycle(wanted: number): void {
  runController().pause();
  runController().scrub(wanted);
}

/** Pointing of the charts over cycles: read while drawing, so that a chart follows all others. */
export function cyclePointing(): Pointing {
  return {
    hovered: hoveredCycle.value,
    hover: (x) => {
      hoveredCycle.value = x;
    },
    selected: cycle.value,
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

/** The look of a method's line, drawn back while another method is pointed at. */
export function lineStyleOf({ label, colour, dash }: MethodStyle): LineStyle & { readonly faded: boolean } {
  const highlighted = highlightedMethod.value;
  return { color: colour, dash, faded: highlighted !== undefined && highlighted !== label };
}
