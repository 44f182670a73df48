/**
 * Whether a method's own idea of its errors agrees with its errors: spread over error, χ²/p of the innovations and the ranks of the
 * truth, each with what good looks like and what it says where it is not. The one place where these become words.
 */
import { NEARLY } from '../consistency/index.ts';
import type { CycleDiagnostics } from '../experiment/index.ts';
import type { MethodTuning } from '../methods/index.ts';
import { sumRanks, summariseRanks, comparePaired, medianInterval } from '../statistics/index.ts';
import type { Interval, PairedComparison } from '../statistics/index.ts';
import type { TuningParameter } from './parameter.ts';
import type { TuningMeasure } from './plan.ts';
import { bestOf, edgesOf, type Edge, type Point, type TriedPoint } from './search.ts';

/** What a search has found: the best point with its interval, what is not significantly different from it, and whether it is at an edge. Plain data. */
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

/** Over seeds and the cycles after the spin-up; null where the method has none. */
export interface Consistency {
  /** Mean spread of the forecast over its mean RMSE, mean over the compared variables. */
  readonly spreadOverError: number | null;
  readonly chiSquare: number | null;
  /** By the truth's rank among the members, from 0 to their number, of all compared variables. */
  readonly ranks: readonly number[] | null;
}

export interface ConsistencyFinding {
  readonly title: string;
  /** The number that is judged; of ranks the share of the truths outside all members. */
  readonly value: number;
  /** What good looks like. */
  readonly good: string;
  readonly isGood: boolean;
  /** What it says, in a sentence or two. */
  readonly says: string;
}

/** @param rows of one method after the spin-up, of all seeds */
export function consistencyOverSeeds(
  rows: readonly CycleDiagnostics[],
  compared: readonly string[],
  hasSpread: boolean,
): Consistency {
  const ratios = compared.flatMap((variable) => {
    const [spread, error] = [
      total(rows.map((row) => row.spread.forecast[variable])),
      total(rows.map((row) => row.rmse.forecast[variable])),
    ];
    return Number.isFinite(spread / error) ? [spread / error] : [];
  });
  const chiSquares = rows.flatMap(({ innovation }) => innovation?.chiSquare ?? []);
  const histograms = rows.flatMap(({ rankHistogram }) => Object.values(rankHistogram));
  return {
    spreadOverError: hasSpread && ratios.length > 0 ? total(ratios) / ratios.length : null,
    chiSquare: chiSquares.length > 0 ? total(chiSquares) / chiSquares.length : null,
    ranks: hasSpread && histograms.length > 0 ? sumRanks(histograms) : null,
  };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** @returns −1 for too little, 1 for too much, 0 for about right */
function offOne(ratio: number): -1 | 0 | 1 {
  if (ratio < 1 / NEARLY) return -1;
  return ratio > NEARLY ? 1 : 0;
}

function sentence(words: string | undefined, does: string): string {
  return words === undefined ? '' : ` ${words[0].toUpperCase()}${words.slice(1)} would ${does}.`;
}

type Remedies = Pick<MethodTuning, 'larger' | 'smaller'>;

function spreadFinding(ratio: number, { larger, smaller }: Remedies): ConsistencyFinding {
  const off = offOne(ratio);
  const says = {
    [-1]: `the ensemble is underdispersive: its members are closer to each other than to the truth.${sentence(larger, 'spread them')}`,
    0: 'the spread matches the error.',
    1: `the ensemble is overdispersive: its members are farther from each other than from the truth.${sentence(smaller, 'draw them together')}`,
  }[off];
  return { title: 'Spread over error, forecast', value: ratio, good: 'near 1', isGood: off === 0, says };
}

function chiSquareFinding(ratio: number, { larger, smaller }: Remedies): ConsistencyFinding {
  const off = offOne(ratio);
  const says = {
    [-1]: `the innovations are smaller than the stated errors of background and observations.${sentence(smaller, 'state less')}`,
    0: 'the innovations are as large as the stated errors let expect.',
    1: `the innovations are larger than the stated errors of background and observations.${sentence(larger, 'state more')}`,
  }[off];
  return { title: 'χ²/p of the innovations', value: ratio, good: 'near 1', isGood: off === 0, says };
}

/** What the form of a rank histogram says. */
const SHAPES = {
  u: (remedies: Remedies) =>
    `the truth lies outside the members, or near their ends, too often: too little spread.${sentence(remedies.larger, 'give more')}`,
  dome: (remedies: Remedies) =>
    `the truth lies in the middle of the members too often: too much spread.${sentence(remedies.smaller, 'give less')}`,
  high: () => 'the truth lies above the members too often: they are biased low.',
  low: () => 'the truth lies below the members too often: they are biased high.',
  uneven: () => 'the ranks are uneven without a form that says why.',
  flat: () => 'the truth is like one of the members.',
} as const;

function rankFinding(counts: readonly number[], remedies: Remedies): ConsistencyFinding {
  const { total: all, shape } = summariseRanks(counts);
  const outside = (counts[0] + counts[counts.length - 1]) / all;
  const expected = 2 / counts.length;
  // Thousands of ranks of neighbouring cells and cycles show every departure: it also has to be one that matters.
  const matters = offOne(outside / expected) !== 0;
  return {
    title: 'Truths outside all members',
    value: outside,
    good: `near ${Number((100 * expected).toPrecision(2))} %, of a flat histogram of ranks`,
    isGood: !matters,
    says: matters ? SHAPES[shape](remedies) : SHAPES.flat(),
  };
}

type Judgement = (remedies: Remedies) => ConsistencyFinding;

function names(said: string, remedy: string): boolean {
  return said.toLowerCase().includes(remedy.toLowerCase());
}

/**
 * @param remedies what makes the stated error larger or smaller; each is named by the first finding that asks for it
 * @returns what can be said of a method, in the order in which it is looked at
 */
export function judgeConsistency(
  { spreadOverError, chiSquare, ranks }: Consistency,
  remedies: Remedies,
): readonly ConsistencyFinding[] {
  const judgements: readonly Judgement[] = [
    ...(spreadOverError === null ? [] : [(of: Remedies) => spreadFinding(spreadOverError, of)]),
    ...(chiSquare === null ? [] : [(of: Remedies) => chiSquareFinding(chiSquare, of)]),
    ...(ranks === null || total(ranks) === 0 ? [] : [(of: Remedies) => rankFinding(ranks, of)]),
  ];
  let left: Remedies = remedies;
  return judgements.map((judge) => {
    const finding = judge(left);
    const { larger, smaller } = left;
    left = {
      ...(larger !== undefined && !names(finding.says, larger) && { larger }),
      ...(smaller !== undefined && !names(finding.says, smaller) && { smaller }),
    };
    return finding;
  });
}
