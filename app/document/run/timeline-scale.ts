/** Where cycles lie on the timeline, and which of them get a tick and a number. */

export interface TimelineScale {
  /** The first and the last cycle that have a place. */
  readonly first: number;
  readonly last: number;
  /** Share of the width, 0 to 1. */
  place(cycle: number): number;
  /** The nearest cycle to a share of the width. */
  cycleAt(share: number): number;
}

export function timelineScale(cycles: number): TimelineScale {
  const first = -1;
  const last = Math.max(0, cycles - 1);
  const length = last - first;
  return {
    first,
    last,
    place: (cycle) => (Math.max(first, Math.min(last, cycle)) - first) / length,
    cycleAt: (share) => first + Math.round(Math.max(0, Math.min(1, share)) * length),
  };
}

/** @returns the smallest of 1, 2, 5, 10, 20, 50, … that leaves at least `pixels` between two of its multiples */
export function niceStep(cycles: number, width: number, pixels: number): number {
  if (width <= 0) return Math.max(1, cycles);
  const least = (cycles * pixels) / width;
  let decade = 1;
  for (;;) {
    for (const factor of [1, 2, 5]) if (factor * decade >= least) return factor * decade;
    decade *= 10;
  }
}

/** @returns multiples of a step from 0 to the last cycle */
export function multiples(step: number, last: number): number[] {
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step);
}

/** @returns of the given cycles, no two nearer than `pixels`; the first of each group */
export function thinned(cycles: readonly number[], scale: TimelineScale, width: number, pixels: number): number[] {
  let latest = -Infinity;
  return cycles.filter((cycle) => {
    const at = scale.place(cycle) * width;
    if (at - latest < pixels) return false;
    latest = at;
    return true;
  });
}
