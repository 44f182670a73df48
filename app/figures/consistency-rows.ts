/**
 * Figures of consistency by what they are of, each with what it is for every method, its table, the curve behind it, and its strip, in
 * the window and on a page: what is good shaded, the value a mark and its interval a line.
 */
import { consistencyOf } from '../../engine/index.ts';
import type { ConsistencyFigure, ConsistencyGroup, CycleDiagnostics, Scenario } from '../../engine/index.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import type { DataTable } from '../format/tables.ts';
import { formatMeasured, formatNumber } from '../format/numbers.ts';

/** Cycles that are looked at: the uncertainty of a longer series takes longer than a frame. */
export const MOST_CYCLES = 200;

export const GROUP_TITLES: Readonly<Record<ConsistencyGroup, string>> = {
  departures: 'Innovations and residuals',
  ensemble: 'Ensemble',
  scales: 'Long and short waves',
  water: 'Water',
};
const GROUPS = Object.keys(GROUP_TITLES) as ConsistencyGroup[];

/** A symbol and a word of each verdict: neither is shown by colour alone. */
export const VERDICTS: Readonly<Record<ConsistencyFigure['verdict'], readonly [symbol: string, word: string]>> = {
  good: ['✓', 'good'],
  low: ['▼', 'low'],
  high: ['▲', 'high'],
  unknown: ['?', 'unsure'],
};

/** The curves that show more of a figure, by the ids of the charts. */
export const CURVES = [
  { value: 'spread-skill', label: 'Spread and skill' },
  { value: 'ranks', label: 'Ranks of the truth' },
  { value: 'score', label: 'Score and its parts' },
  { value: 'octaves', label: 'Long and short waves' },
  { value: 'innovations', label: 'Innovations' },
  { value: 'budgets', label: 'Budgets' },
  { value: 'imbalance', label: 'Balance' },
] as const;

export type ConsistencyCurve = (typeof CURVES)[number]['value'];

/** Which curve is behind a figure, by how its key begins. */
const CURVES_BY_KEY: readonly (readonly [beginning: string, curve: ConsistencyCurve])[] = [
  ['spread', 'spread-skill'],
  ['ranks', 'ranks'],
  ['crps', 'score'],
  ['spectrum', 'octaves'],
  ['imbalance', 'imbalance'],
  ['ageostrophic', 'imbalance'],
  ['mass', 'budgets'],
  ['energy', 'budgets'],
  ['potential-enstrophy', 'budgets'],
];

/** @returns the curve behind a figure: what compares errors that were stated with departures follows the innovations */
export function curveOf(key: string): ConsistencyCurve {
  return CURVES_BY_KEY.find(([beginning]) => key.startsWith(beginning))?.[1] ?? 'innovations';
}

interface FigureOfMethod {
  readonly style: MethodStyle;
  readonly figure: ConsistencyFigure;
}

export interface ConsistencyRow {
  readonly key: string;
  readonly title: string;
  readonly meaning: string;
  readonly good: ConsistencyFigure['good'];
  /** The methods that have it, in their order. */
  readonly methods: readonly FigureOfMethod[];
}

export interface ConsistencySection {
  readonly group: ConsistencyGroup;
  readonly rows: readonly ConsistencyRow[];
}

/** @returns the figures of one method over its last cycles; none before there are any */
export function figuresOf(rows: readonly CycleDiagnostics[], scenario: Scenario): readonly ConsistencyFigure[] {
  return consistencyOf(rows.slice(-MOST_CYCLES), scenario)[0]?.figures ?? [];
}

/** @returns the figures of all methods, in the order in which they are looked at */
export function consistencySections(
  styles: readonly MethodStyle[],
  byMethod: ReadonlyMap<string, readonly ConsistencyFigure[]>,
): readonly ConsistencySection[] {
  const found = styles.flatMap((style) =>
    (byMethod.get(style.label) ?? []).map((figure): FigureOfMethod => ({ style, figure })),
  );
  // The method with the most figures has them all in their order.
  const inOrder = [...byMethod.values()].sort((a, b) => b.length - a.length).flat();
  const rowOf = (key: string): ConsistencyRow => {
    const methods = found.filter(({ figure }) => figure.key === key);
    const { title, meaning, good } = methods[0].figure;
    return { key, title, meaning, good, methods };
  };
  const shown = new Set(found.map(({ figure }) => figure.key));
  return GROUPS.flatMap((group): ConsistencySection[] => {
    const ofGroup = inOrder.filter((figure) => figure.group === group && shown.has(figure.key));
    const keys = new Set(ofGroup.map(({ key }) => key));
    return keys.size === 0 ? [] : [{ group, rows: [...keys].map(rowOf) }];
  });
}

export function consistencyTable(sections: readonly ConsistencySection[]): DataTable {
  return {
    columns: ['figure', 'method', 'value', 'low', 'high', 'good from', 'good to', 'verdict', 'meaning'],
    rows: sections.flatMap(({ rows }) =>
      rows.flatMap(({ title, meaning, good, methods }) =>
        methods.map(({ style, figure: { value, interval, verdict } }) => [
          title,
          style.title,
          value,
          interval?.[0] ?? null,
          interval?.[1] ?? null,
          good?.[0] ?? null,
          good?.[1] ?? null,
          VERDICTS[verdict][1],
          meaning,
        ]),
      ),
    ),
  };
}

/** How much of a strip is what is good; the rest is half of it to each side. */
const GOOD_SHARE = 0.4;
/** Height of the strip, pixels. */
export const STRIP_HEIGHT = 14;
const MIDDLE = STRIP_HEIGHT / 2;

/** Which end of the strip a value lies beyond. */
export type Beyond = 'low' | 'high';

/** Shares of the strip's length, from 0 to 1. */
interface StripLayout {
  readonly good: readonly [from: number, to: number];
  /** A value beyond an end is drawn at it. */
  readonly value: number;
  readonly beyond: Beyond | undefined;
  /** Undefined if there is no interval, and where all of it lies beyond. */
  readonly interval: readonly [from: number, to: number] | undefined;
}

function within(place: number): number {
  return Math.min(1, Math.max(0, place));
}

export function layoutStrip(
  { value, interval }: Pick<ConsistencyFigure, 'value' | 'interval'>,
  [low, high]: readonly [number, number],
): StripLayout {
  const first = (1 - GOOD_SHARE) / 2;
  const placeOf = (number: number): number => first + ((number - low) / (high - low)) * GOOD_SHARE;
  const place = placeOf(value);
  const [from, to] = (interval ?? []).map((end) => within(placeOf(end)));
  return {
    good: [first, first + GOOD_SHARE],
    value: within(place),
    beyond: place < 0 ? 'low' : place > 1 ? 'high' : undefined,
    interval: from < to ? [from, to] : undefined,
  };
}

/** @returns a triangle, as points of a polygon about its tip at 0, that points out of the strip's end */
export function beyondMark(beyond: Beyond): string {
  const back = beyond === 'high' ? -8 : 8;
  return `${back},${MIDDLE - 5} 0,${MIDDLE} ${back},${MIDDLE + 5}`;
}

/** @returns what a strip shows, in words: value, interval, what is good, and whether the value lies beyond an end */
export function stripWords(figure: Pick<ConsistencyFigure, 'value' | 'unit' | 'interval' | 'good'>): string {
  const { value, unit, interval, good } = figure;
  const beyond = good && layoutStrip(figure, good).beyond;
  const withUnit = (text: string): string => (unit === '' ? text : `${text}\u00a0${unit}`);
  const parts = [
    withUnit(formatMeasured(value)),
    beyond && `beyond the ${beyond === 'low' ? 'left' : 'right'} end of the strip`,
    interval
      ? `95 % from ${formatMeasured(interval[0])} to ${withUnit(formatMeasured(interval[1]))}`
      : 'no interval yet',
    good && `good from ${formatNumber(good[0])} to ${withUnit(formatNumber(good[1]))}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}
