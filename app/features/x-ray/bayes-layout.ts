/**
 * Bayes on one axis: what a method expects of an observation, the reading, and the posterior. A row for each method,
 * all over one axis of what is observed; pure, in pixels.
 */
import type { ObservationExplanation } from '../../../engine/index.ts';
import { createScale, type AxisScale } from '../../plot/scales.ts';
import type { XraySubject } from './answers.ts';

/** What an observation is taken to have read: how hands and keys change its value and its error. */
export interface Reading {
  readonly value: number;
  /** Above 0. */
  readonly errorStd: number;
}

/** A key moves the value by this share of σₒ, with Shift by all of it; and σₒ by this factor. */
const KEY_SHARE = 0.1;
const KEY_FACTOR = 1.1;
/** Smallest share of the observation's error: smaller ones have no meaning. */
const LEAST_ERROR = 0.01;
const MOST_ERROR = 100;

/** @returns the error within what is sensible beside the one that the observation has */
export function boundedError(errorStd: number, own: number): number {
  return Math.min(MOST_ERROR * own, Math.max(LEAST_ERROR * own, errorStd));
}

/** @returns the value after a key; undefined for keys that mean nothing here */
export function movedValue({ value, errorStd }: Reading, key: string, isFar: boolean): number | undefined {
  const step = errorStd * (isFar ? 1 : KEY_SHARE);
  if (key === 'ArrowLeft' || key === 'ArrowDown') return value - step;
  if (key === 'ArrowRight' || key === 'ArrowUp') return value + step;
  return undefined;
}

/** @returns σₒ after a key; undefined for keys that mean nothing here */
export function movedError({ errorStd }: Reading, key: string): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return errorStd / KEY_FACTOR;
  if (key === 'ArrowRight' || key === 'ArrowUp') return errorStd * KEY_FACTOR;
  return undefined;
}

/** @returns the reading as a method receives it: with the errors that it assumes, if no others are given */
export function readBy(reading: Reading, own: Reading, { errorStd }: Pick<Reading, 'errorStd'>): Reading {
  return { ...reading, errorStd: reading.errorStd === own.errorStd ? errorStd : reading.errorStd };
}

/** @returns the subject with an assumed reading of its observation; unchanged if no reading is given */
export function takenToRead(subject: XraySubject, reading: Partial<Reading>): XraySubject {
  if (subject.kind === 'point') return subject;
  const { index } = subject;
  return Object.keys(reading).length === 0
    ? { kind: 'observation', index }
    : { kind: 'observation', index, value: subject.value, errorStd: subject.errorStd, ...reading };
}

/** A Gaussian; σ above 0. */
export interface Gaussian {
  readonly mean: number;
  readonly deviation: number;
}

/** Standard deviations of a curve that the axis shows to both sides. */
const REACH = 3;
/** Points of a curve. */
const POINTS = 96;

/** @returns the density, in 1/unit */
function density({ mean, deviation }: Gaussian, value: number): number {
  const z = (value - mean) / deviation;
  return Math.exp(-0.5 * z * z) / (deviation * Math.sqrt(2 * Math.PI));
}

/** @returns what is stated with an error; undefined where a method states none */
export function gaussianOf({
  mean,
  deviation,
}: {
  readonly mean: number;
  readonly deviation: number | undefined;
}): Gaussian | undefined {
  return deviation !== undefined && deviation > 0 ? { mean, deviation } : undefined;
}

function reachOf({ mean, deviation }: { readonly mean: number; readonly deviation: number | undefined }): number[] {
  const reach = REACH * (deviation ?? 0);
  return [mean - reach, mean, mean + reach];
}

/** @returns the axis of what is observed that holds all curves and members */
export function bayesDomain(told: readonly ObservationExplanation[], likelihood: Gaussian): readonly [number, number] {
  const values = [
    ...reachOf(likelihood),
    ...told.flatMap(({ prior, alone }) => [...reachOf(prior), ...prior.members, ...reachOf(alone), ...alone.members]),
  ];
  const finite = values.filter(Number.isFinite);
  return [Math.min(...finite), Math.max(...finite)];
}

/** Places of the rows. */
export interface BayesLayout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly x: AxisScale;
  /** Row of the likelihood: where its curve begins and how high it may be. */
  readonly top: BayesRow;
  /** Rows of the methods, in their order. */
  readonly rows: readonly BayesRow[];
  /** Place of the axis. */
  readonly bottom: number;
}

export interface BayesRow {
  readonly baseline: number;
  readonly height: number;
}

/** @param em size of the type, pixels @param methods rows */
export function layoutBayes(
  { width, em, methods }: { readonly width: number; readonly em: number; readonly methods: number },
  domain: readonly [number, number],
  { label, unit }: { readonly label: string; readonly unit: string },
): BayesLayout {
  const [left, right] = [1.4 * em, width - 1.4 * em];
  const curve = 4.4 * em;
  const first = 1.2 * em + curve;
  // Under each row its members, and the title of the next.
  const pitch = curve + 2.9 * em;
  const rows = Array.from({ length: methods }, (_, row) => ({
    baseline: first + (row + 1) * pitch - em,
    height: curve,
  }));
  const bottom = (rows.at(-1)?.baseline ?? first) + 1.9 * em;
  const axis = { label, unit, scale: 'linear', domain } as const;
  return {
    width,
    height: Math.ceil(bottom + 3 * em),
    left,
    right,
    x: createScale(axis, [], [left, right], true, em),
    top: { baseline: first, height: curve },
    rows,
    bottom,
  };
}

/** @returns the curve as a path, closed along its baseline; `most` is the density that takes the row's height */
export function curvePath(
  gaussian: Gaussian,
  { x, left, right }: BayesLayout,
  { baseline, height }: BayesRow,
  most: number,
): string {
  const step = (right - left) / (POINTS - 1);
  // The curve's own middle is one of its points, however narrow it is.
  const pixels = Array.from({ length: POINTS }, (_, n) => left + n * step);
  const around = [-2, -1.5, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.5, 2];
  const own = around.map((z) => x.at(gaussian.mean + z * gaussian.deviation)).filter((at) => at >= left && at <= right);
  const points = [...pixels, ...own]
    .sort((a, b) => a - b)
    .map((at) => `${at.toFixed(1)} ${(baseline - (height * density(gaussian, x.invert(at))) / most).toFixed(1)}`);
  return `M${left.toFixed(1)} ${baseline}L${points.join('L')}L${right.toFixed(1)} ${baseline}Z`;
}

/** @returns the density that takes the height of a method's row: that of its highest curve */
export function highestOf(curves: readonly (Gaussian | undefined)[]): number {
  return Math.max(...curves.flatMap((each) => (each ? [density(each, each.mean)] : [])), Number.MIN_VALUE);
}
