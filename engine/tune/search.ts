/**
 * The search for a method's best setting: every combination of the values to begin with; beyond them as long as the best lies at
 * their edge and more is allowed; then halfway between the best and its neighbours, level by level. What is tried depends on
 * nothing but what was found before, so that a search that is begun again goes the same way.
 */
import type { Goal } from '../statistics/index.ts';
import { isAllowed, beyond, between, positionOf, valueOn } from './parameter.ts';
import type { AllowedValues, TuningParameter } from './parameter.ts';

/** Values of the parameters, in their order. */
export type Point = readonly number[];

/** What one seed gave at one point. */
export interface SeedOutcome {
  /** Value of the measure; null if the method diverged, or the case could not be run. */
  readonly value: number | null;
  /** Why a case could not be run. */
  readonly reason?: string;
}

/** How a point came to be tried. */
export type Stage = 'present' | 'grid' | 'extension' | 'refinement';

export interface TriedPoint {
  readonly values: Point;
  readonly stage: Stage;
  /** One for each seed, in their order. */
  readonly outcomes: readonly SeedOutcome[];
  /** Median of the measure over the seeds; null if one diverged or failed: such a point is the worst. */
  readonly median: number | null;
  /** Earns a warning that the scenario does not earn as it is: such a point is shown and not taken. */
  readonly isWarned: boolean;
}

export interface SearchTerms {
  readonly parameters: readonly TuningParameter[];
  readonly goal: Goal;
  /** How often the steps are halved; 0 for the grid alone. */
  readonly levels: number;
  /** How often the grid may grow beyond an edge. */
  readonly extensions: number;
  readonly isWarned: (values: Point) => boolean;
  readonly median: (values: readonly number[]) => number;
}

/** Runs all seeds of each point. @returns for each point an outcome for each seed */
export type Evaluate = (points: readonly Point[]) => Promise<readonly (readonly SeedOutcome[])[]>;

/** @returns every combination of values, the last parameter running fastest */
function combinations(lists: readonly (readonly number[])[]): number[][] {
  const [first, ...rest] = lists;
  return first === undefined ? [[]] : first.flatMap((value) => combinations(rest).map((others) => [value, ...others]));
}

/** @returns how far a value is from the goal: less is better, and nothing else of it counts */
function distanceFrom(goal: Goal, value: number): number {
  if (goal === 'least') return value;
  return goal === 'most' ? -value : Math.abs(value - goal.near);
}

function keyOf(values: Point): string {
  return values.join(' ');
}

/** Points with one more or one less along each axis: all around for one or two parameters, along the axes for more. */
function neighbourhood(best: Point, axes: readonly (readonly number[])[]): number[][] {
  if (axes.length <= 2) return combinations(axes.map((values, axis) => [...values, best[axis]]));
  return axes.flatMap((values, axis) => values.map((value) => best.with(axis, value)));
}

/** @returns the points that a search begins with: every combination of the values, and the setting as it is where it is none of them */
export function firstPoints(parameters: readonly TuningParameter[]): readonly { values: Point; stage: Stage }[] {
  const grid = combinations(parameters.map(({ values }) => values));
  const present = parameters.flatMap((parameter) => parameter.present ?? []);
  const isNew = present.length === parameters.length && !grid.some((values) => keyOf(values) === keyOf(present));
  return [...staged(grid, 'grid'), ...staged(isNew ? [present] : [], 'present')];
}

function staged(points: readonly Point[], stage: Stage): { values: Point; stage: Stage }[] {
  return points.map((values) => ({ values, stage }));
}

/** @returns how many points a search tries at least, and at most */
export function pointsOf(
  parameters: readonly TuningParameter[],
  { levels, extensions }: Pick<SearchTerms, 'levels' | 'extensions'>,
): { readonly least: number; readonly most: number } {
  const axes = parameters.length;
  const grid = parameters.reduce((product, { values }) => product * values.length, 1);
  const hasPresent = parameters.every(({ present }) => present !== undefined);
  const isNew = hasPresent && parameters.some(({ values, present }) => !values.includes(present ?? NaN));
  const least = grid + (isNew ? 1 : 0);
  const around = axes <= 2 ? 3 ** axes - 1 : 2 * axes;
  const outward = axes === 1 ? 1 : axes === 2 ? 4 : axes;
  return { least, most: least + extensions * outward + levels * around };
}

/** Tried values of one parameter, ascending: steps are those of the grid, whatever the present setting is. */
function triedAlong(tried: ReadonlyMap<string, TriedPoint>, axis: number): number[] {
  const stepped = [...tried.values()].filter(({ stage }) => stage !== 'present');
  return [...new Set(stepped.map(({ values }) => values[axis]))].sort((a, b) => a - b);
}

/** @returns the nearest tried values below and above; undefined at an edge */
function besides(along: readonly number[], value: number): readonly [number | undefined, number | undefined] {
  return [along.findLast((each) => each < value), along.find((each) => each > value)];
}

/** The next value beyond an edge: as far out as its neighbour is in, or the end of what is allowed; undefined if there is none. */
function outside(
  scale: TuningParameter['scale'],
  allowed: AllowedValues,
  at: number,
  inner: number,
): number | undefined {
  const isUp = at > inner;
  if (!Number.isFinite(positionOf(scale, at)) || !Number.isFinite(positionOf(scale, inner))) return undefined;
  const mirrored = beyond(scale, inner, at);
  const wanted = allowed.isWhole ? Math.round(mirrored) : mirrored;
  const next = isUp ? Math.min(allowed.most, wanted) : Math.max(allowed.least, wanted);
  return next !== at && isAllowed(allowed, next) ? next : undefined;
}

/** A value halfway, if there is one that differs from both. */
function halfway({ scale, allowed }: TuningParameter, a: number, b: number | undefined): number[] {
  if (b === undefined) return [];
  const middle = [a, b].every((value) => Number.isFinite(positionOf(scale, value)))
    ? between(scale, a, b)
    : valueOn({ kind: 'linear' }, (a + b) / 2);
  const value = allowed.isWhole ? Math.round(middle) : middle;
  return value === a || value === b || !isAllowed(allowed, value) ? [] : [value];
}

/** @returns the best of the points that may be taken, the first tried of equal ones; undefined if there is none */
export function bestOf(points: Iterable<TriedPoint>, goal: Goal): TriedPoint | undefined {
  let best: { readonly point: TriedPoint; readonly distance: number } | undefined;
  for (const point of points) {
    if (point.median === null || point.isWarned) continue;
    const distance = distanceFrom(goal, point.median);
    if (best === undefined || distance < best.distance) best = { point, distance };
  }
  return best?.point;
}

/** @returns every point that was tried, in the order of their trial */
export async function search(terms: SearchTerms, evaluate: Evaluate): Promise<readonly TriedPoint[]> {
  const { parameters, goal, levels, extensions, isWarned, median } = terms;
  const tried = new Map<string, TriedPoint>();

  async function attempt(wanted: readonly { readonly values: Point; readonly stage: Stage }[]): Promise<boolean> {
    const fresh = new Map(
      wanted.filter(({ values }) => !tried.has(keyOf(values))).map((each) => [keyOf(each.values), each]),
    );
    if (fresh.size === 0) return false;
    const points = [...fresh.values()];
    const found = await evaluate(points.map(({ values }) => values));
    points.forEach(({ values, stage }, index) => {
      const outcomes = found[index];
      const known = outcomes.flatMap(({ value }) => value ?? []);
      const isWhole = known.length === outcomes.length && known.length > 0;
      const point = { values, stage, outcomes, median: isWhole ? median(known) : null, isWarned: isWarned(values) };
      tried.set(keyOf(values), point);
    });
    return true;
  }

  const best = (): TriedPoint | undefined => bestOf(tried.values(), goal);

  /** Values beyond the edges at which the best is. */
  function beyondEdges({ values }: TriedPoint): number[][] {
    return parameters.flatMap(({ scale, allowed }, axis) => {
      const [below, above] = besides(triedAlong(tried, axis), values[axis]);
      const inner = below ?? above;
      if (inner === undefined || (below !== undefined && above !== undefined)) return [];
      const next = outside(scale, allowed, values[axis], inner);
      if (next === undefined) return [];
      const along = parameters.map((_, other) => {
        if (other === axis) return [next];
        if (parameters.length > 2) return [];
        return besides(triedAlong(tried, other), values[other]).flatMap((value) => value ?? []);
      });
      const moved = values.with(axis, next);
      return combinations(along.map((each, other) => (other === axis ? [next] : [...each, moved[other]])));
    });
  }

  /** Halfway between the best and its neighbours. */
  function around({ values }: TriedPoint): number[][] {
    const axes = parameters.map((parameter, axis) =>
      besides(triedAlong(tried, axis), values[axis]).flatMap((beside) => halfway(parameter, values[axis], beside)),
    );
    return neighbourhood(values, axes);
  }

  await attempt(firstPoints(parameters));

  for (let times = 0; times < extensions; times++) {
    const at = best();
    if (!at || !(await attempt(staged(beyondEdges(at), 'extension')))) break;
  }
  for (let level = 0; level < levels; level++) {
    const at = best();
    if (!at || !(await attempt(staged(around(at), 'refinement')))) break;
  }
  return [...tried.values()];
}

/** An end of what was tried, at which the best value is. */
export interface Edge {
  readonly parameter: TuningParameter;
  readonly side: 'least' | 'most';
  readonly value: number;
  /** Whether more would have been allowed. */
  readonly isAllowedBeyond: boolean;
}

/** @returns the edges of what was tried that a point lies at; of a parameter with one value there are none */
export function edgesOf(
  parameters: readonly TuningParameter[],
  points: readonly TriedPoint[],
  at: Point,
): readonly Edge[] {
  return parameters.flatMap((parameter, axis): Edge[] => {
    const along = points.map(({ values }) => values[axis]);
    const [least, most] = [Math.min(...along), Math.max(...along)];
    const value = at[axis];
    if (least === most || (value !== least && value !== most)) return [];
    const side = value === least ? 'least' : 'most';
    const inner =
      side === 'least'
        ? Math.min(...along.filter((each) => each > value))
        : Math.max(...along.filter((each) => each < value));
    const isAllowedBeyond = outside(parameter.scale, parameter.allowed, value, inner) !== undefined;
    return [{ parameter, side, value, isAllowedBeyond }];
  });
}
