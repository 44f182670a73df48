/** What a search has found: the best point with its interval, what is not significantly different from it, and whether it is at an edge. Plain data. */
import { comparePaired, medianInterval } from '../statistics/index.ts';
import type { Interval, PairedComparison } from '../statistics/index.ts';
import type { Consistency } from './consistency.ts';
import type { TuningParameter } from './parameter.ts';
import type { TuningMeasure } from './plan.ts';
import { bestOf, edgesOf } from './search.ts';
import type { Edge, Point, TriedPoint } from './search.ts';

export interface TuningVerdict {
  readonly best: TriedPoint;
  readonly interval: Interval;
  readonly edges: readonly Edge[];
  /** Values of the points that are not significantly different from the best over the seeds, itself omitted; the best first. */
  readonly alike: readonly Point[];
  /** The setting as it is; undefined where it is the best, or was not tried. */
  readonly present?: { readonly point: TriedPoint; readonly comparison: PairedComparison | undefined };
}

export interface TuningResult {
  /** Name of the scenario. */
  readonly name: string;
  /** Label. */
  readonly method: string;
  readonly parameters: readonly TuningParameter[];
  readonly measure: TuningMeasure;
  readonly seeds: readonly number[];
  readonly points: readonly TriedPoint[];
  /** Undefined where no point can be taken: all diverged, failed or earn a warning. */
  readonly found: TuningVerdict | undefined;
  /** At the best point; undefined without one, and where nobody looked. */
  readonly consistency: Consistency | undefined;
}

function valuesOf({ outcomes }: TriedPoint): readonly (number | null)[] {
  return outcomes.map(({ value }) => value);
}

function isSame(a: Point, b: Point): boolean {
  return a.every((value, index) => value === b[index]);
}

/** @returns undefined where no point can be taken */
export function judge(
  parameters: readonly TuningParameter[],
  { best: goal }: Pick<TuningMeasure, 'best'>,
  points: readonly TriedPoint[],
): TuningVerdict | undefined {
  const best = bestOf(points, goal);
  if (!best) return undefined;
  const against = (point: TriedPoint): PairedComparison | undefined =>
    comparePaired(valuesOf(best), valuesOf(point), { goal });
  const alike = points
    .filter((point) => point !== best && point.median !== null && !point.isWarned && against(point)?.verdict !== 'a')
    .map(({ values }) => values);
  const present = points.find(({ values }) => parameters.every((each, axis) => each.present === values[axis]));
  return {
    best,
    interval: medianInterval(best.outcomes.flatMap(({ value }) => value ?? [])),
    edges: edgesOf(parameters, points, best.values),
    alike,
    ...(present &&
      !isSame(present.values, best.values) && { present: { point: present, comparison: against(present) } }),
  };
}
