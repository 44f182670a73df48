/**
 * Planes that the views of methods show in place of the first row's field (what links a point with the rest, what one observation
 * changes, an increment as it grows, what local analyses are made of), with their score and the text beside their colour bar. One
 * mechanism for all of them: views, colour bars, readouts, cuts and pictures follow it.
 */
import { type HostPlane, localSums, usedIn, type LocalSums, type CycleDiagnostics } from '../../../engine/index.ts';
import { fieldIn, isFieldId, fieldOf, withUnit } from '../../fields/fields.ts';
import type { Field, ViewFieldId, World } from '../../fields/fields.ts';
import type { GridPoint, Phase } from './view-state.ts';
import { joinRanges, rounded, type Range } from '../../fields/ranges.ts';
import type { ShownMethod, ShownSnapshot } from '../lines/shown.ts';
import { formatMeasured, ABSENT, formatNumber, scientific } from '../../format/numbers.ts';
import { unitOf } from './series.ts';

export interface ViewScore {
  /** `RMSE`; with the variables' names where it is not h: `RMSE of hu, hv`. */
  readonly title: string;
  /** With its unit. */
  readonly text: string;
}

/**
 * @param compared variables that the charts show: a score of others names its own
 * @returns the score of a method's view in a cycle; undefined if there is none
 */
export function viewScore(
  row: CycleDiagnostics | undefined,
  field: ViewFieldId,
  phase: Phase,
  compared: readonly string[] = ['h'],
): ViewScore | undefined {
  const rmse = row?.rmse[phase];
  if (rmse === undefined) return undefined;
  const scoredBy = Object.hasOwn(rmse, 'x') ? ['x'] : fieldOf(field).scoredBy;
  const names = scoredBy.filter((name) => Object.hasOwn(rmse, name));
  const [only] = names;
  if (only === undefined) return undefined;
  const size = Math.hypot(...names.map((name) => rmse[name]));
  return {
    title:
      names.length === 1 && (only === 'x' || (only === 'h' && compared.includes('h')))
        ? 'RMSE'
        : `RMSE of ${names.join(', ')}`,
    text: `${formatMeasured(size)}\u00a0${unitOf(only)}`.trim(),
  };
}

/** A place that is marked in all views. */
export interface ShownMark extends GridPoint {
  /** What is asked about, or another place that has a part in it. */
  readonly kind: 'asked' | 'other';
}

export interface ShownPlanes {
  /** `Correlation with the point`. */
  readonly title: string;
  /** As it is written beside colour bars and in tables. */
  readonly symbol: string;
  readonly unit: string;
  /** What the numbers mean, in one line. */
  readonly description?: string | undefined;
  /** The title of the method whose field is subtracted: views are called by both. */
  readonly minus?: string | undefined;
  /** The one number of a view, by method label. */
  readonly scores?: ReadonlyMap<string, ViewScore> | undefined;
  readonly scale: 'diverging' | 'sequential';
  /** Range of the colours; default: that of all planes together. */
  readonly range?: readonly [number, number] | undefined;
  /** The size of number that is lifted as high as waves; default: that at the ends of the range. */
  readonly reach?: number | undefined;
  /** By method label, [y][x], finite; other methods and the truth keep their field. */
  readonly planes: ReadonlyMap<string, Float32Array>;
  /** Whether the water is drawn at its own height, or lifted by the numbers, in metres. */
  readonly lift: 'surface' | 'value';
  readonly marks: readonly ShownMark[];
  /** Weight of each observation of the cycle on screen, 0 … 1, by method label: stems of less weight step back. */
  readonly stems?: ReadonlyMap<string, Float64Array> | undefined;
}

/** What is said of the numbers that a view shows. */
export type FieldWords = Pick<Field, 'title' | 'symbol' | 'unit' | 'description' | 'scale' | 'colourMap'> &
  Pick<ShownPlanes, 'minus'>;

/** @returns the symbol of a variable's increment: that of the water's depth is that of its surface */
export function incrementSymbol(variable: string): string {
  return variable === 'h' ? 'δη' : `δ${variable}`;
}

/** @returns the field by which views draw the planes */
export function fieldOfShown({ lift }: ShownPlanes): ViewFieldId {
  return lift === 'value' ? 'shown-lifted' : 'shown';
}

/** @returns whether a view shows planes in place of a field */
export function isShownField(field: ViewFieldId): boolean {
  return !isFieldId(field);
}

const asPlanes = new WeakMap<Float32Array, HostPlane>();

/** @returns the plane that a method's view shows, always the same one for the same numbers */
export function planeOfShown(shown: ShownPlanes | undefined, subject: string): HostPlane | undefined {
  const values = shown?.planes.get(subject);
  if (!values) return undefined;
  const known = asPlanes.get(values) ?? { kind: 'host', values };
  asPlanes.set(values, known);
  return known;
}

function reachOf(values: Float32Array): Range {
  let [from, to] = [0, 0];
  for (const value of values) {
    if (value < from) from = value;
    if (value > to) to = value;
  }
  return { from, to };
}

/** @returns the range of all planes, from the least to the largest number and 0; undefined where all are 0 */
export function measuredShown({ planes }: Pick<ShownPlanes, 'planes'>): Range | undefined {
  const all = joinRanges([...planes.values()].map(reachOf));
  return all && (all.from < 0 || all.to > 0) ? all : undefined;
}

const ranges = new WeakMap<ShownPlanes, Range>();

/** @returns the range of colours, one for all methods: they are compared */
export function rangeOfShown(shown: ShownPlanes): Range {
  if (shown.range) return { from: shown.range[0], to: shown.range[1] };
  const known = ranges.get(shown) ?? rounded(measuredShown(shown), shown.scale);
  ranges.set(shown, known);
  return known;
}

/** @returns the size of number that is lifted as high as waves */
export function reachOfShown(shown: ShownPlanes): number {
  if (shown.reach !== undefined) return shown.reach;
  const { from, to } = rangeOfShown(shown);
  return Math.max(-from, to);
}

/** @returns what is said of the numbers of a view: of a field by its definition, of planes by what came with them */
export function wordsOfField(field: ViewFieldId, shown: ShownPlanes | undefined, world: World): FieldWords {
  const defined = fieldIn(world, field);
  if (!shown || !isShownField(field)) return defined;
  const { title, symbol, unit, scale, minus, description = defined.description } = shown;
  const colourMap = scale === 'diverging' ? 'diverging' : 'viridis';
  return { title, symbol, unit, description, scale, colourMap, ...(minus !== undefined && { minus }) };
}

interface Known {
  readonly observations: HostPlane;
  readonly weight: HostPlane;
}

const sums = new WeakMap<ShownMethod, Known>();
const constants = new WeakMap<ShownMethod, HostPlane>();

function host(values: Float32Array): HostPlane {
  return { kind: 'host', values };
}

function sumsOf(snapshot: ShownSnapshot, method: ShownMethod): Known | undefined {
  const { volumes, observations = snapshot.observations, method: label } = method;
  if (!volumes) return undefined;
  const known = sums.get(method);
  if (known) return known;
  const { observations: count, weight }: LocalSums = localSums(volumes, observations, usedIn(observations, label));
  const found = { observations: host(count), weight: host(weight) };
  sums.set(method, found);
  return found;
}

function inflationOf(snapshot: ShownSnapshot, method: ShownMethod): HostPlane | undefined {
  const { inflation } = method;
  if (typeof inflation !== 'number') return inflation;
  const known = constants.get(method);
  if (known) return known;
  const { eta } = snapshot.truth;
  const cells = eta.kind === 'host' ? eta.values.length : eta.cells;
  const plane = host(new Float32Array(cells).fill(inflation));
  constants.set(method, plane);
  return plane;
}

/** @returns the numbers of a field of local analyses, the same object for the same snapshot; undefined for other fields, and for a method that has none */
export function localPlane(snapshot: ShownSnapshot, method: ShownMethod, field: ViewFieldId): HostPlane | undefined {
  if (field === 'local-observations') return sumsOf(snapshot, method)?.observations;
  if (field === 'local-weight') return sumsOf(snapshot, method)?.weight;
  return field === 'inflation' ? inflationOf(snapshot, method) : undefined;
}

/** @returns the power of ten that all numbers of a range share, so that these stay short; 0 where they are short */
export function sharedExponent({ from, to }: Range): number {
  const size = Math.max(Math.abs(from), Math.abs(to));
  return size > 0 && (size < 0.01 || size >= 1e4) ? Math.floor(Math.log10(size) + 1e-9) : 0;
}

/**
 * @param isKnown whether the range is of numbers that were seen: a placeholder has no ends to show
 * @returns ends and middle of a range as texts, in units of its shared power of ten
 */
export function barTexts({ from, to }: Range, isKnown: boolean): readonly [string, string, string] {
  if (!isKnown) return [ABSENT, ABSENT, ABSENT];
  const unit = 10 ** sharedExponent({ from, to });
  return [formatNumber(from / unit), formatNumber((from + to) / 2 / unit), formatNumber(to / unit)];
}

/** @returns `η (m)`, or `ζ (1e−5 1/s)` */
export function barTitle({ symbol, unit }: Pick<FieldWords, 'symbol' | 'unit'>, range: Range): string {
  const exponent = sharedExponent(range);
  return withUnit(symbol, `${exponent === 0 ? '' : `${scientific(1, exponent)} `}${unit}`.trim());
}
