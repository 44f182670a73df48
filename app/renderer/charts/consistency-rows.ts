/** Figures of consistency by what they are of, each with what it is for every method, its table, and where its marks stand. */
import { consistencyOf } from '../../../engine/index.ts';
import type { ConsistencyFigure, ConsistencyGroup, CycleDiagnostics, Scenario } from '../../../engine/index.ts';
import type { MethodStyle } from '../state/method-style.ts';
import type { DataTable } from './csv.ts';

/** Cycles that are looked at: the uncertainty of a longer series takes longer than a frame. */
export const MOST_CYCLES = 200;

export const GROUP_TITLES: Readonly<Record<ConsistencyGroup, string>> = {
  departures: 'Innovations and residuals',
  ensemble: 'Ensemble',
  scales: 'Long and short waves',
  water: 'Water',
};
const GROUPS = Object.keys(GROUP_TITLES) as ConsistencyGroup[];

/** A symbol and a word of each verdict: neither is told by colour alone. */
export const VERDICTS: Readonly<Record<ConsistencyFigure['verdict'], readonly [symbol: string, word: string]>> = {
  good: ['✓', 'good'],
  low: ['▼', 'low'],
  high: ['▲', 'high'],
  unknown: ['?', 'unsure'],
};

interface FigureOfMethod {
  readonly style: MethodStyle;
  readonly figure: ConsistencyFigure;
}

export interface ConsistencyRow {
  readonly key: string;
  readonly title: string;
  readonly meaning: string;
  readonly good: ConsistencyFigure['good'];
  readonly methods: readonly FigureOfMethod[];
}

export interface ConsistencySection {
  readonly group: ConsistencyGroup;
  readonly rows: readonly ConsistencyRow[];
}

type Diagnostics = ReadonlyMap<string, readonly CycleDiagnostics[]>;

/** @returns figures of the last cycles, in the order in which they are looked at; empty before there are any */
export function consistencySections(
  styles: readonly MethodStyle[],
  diagnostics: Diagnostics,
  scenario: Scenario,
): readonly ConsistencySection[] {
  const rows = [...diagnostics.values()].flatMap((ofMethod) => ofMethod.slice(-MOST_CYCLES));
  const figures = consistencyOf(rows, scenario).flatMap(({ label, figures: found }) => {
    const style = styles.find((each) => each.label === label);
    return style ? found.map((figure): FigureOfMethod => ({ style, figure })) : [];
  });
  const rowOf = (key: string): ConsistencyRow => {
    const methods = figures.filter(({ figure }) => figure.key === key);
    const { title, meaning, good } = methods[0].figure;
    return { key, title, meaning, good, methods };
  };
  return GROUPS.flatMap((group): ConsistencySection[] => {
    const keys = new Set(figures.flatMap(({ figure }) => (figure.group === group ? [figure.key] : [])));
    return keys.size === 0 ? [] : [{ group, rows: [...keys].map(rowOf) }];
  });
}

/** @returns by method, how many of its figures are of each verdict */
export function verdictCounts(
  sections: readonly ConsistencySection[],
): ReadonlyMap<MethodStyle, Readonly<Record<ConsistencyFigure['verdict'], number>>> {
  const counts = new Map<MethodStyle, Record<ConsistencyFigure['verdict'], number>>();
  for (const { style, figure } of sections.flatMap(({ rows }) => rows.flatMap(({ methods }) => methods))) {
    const of = counts.get(style) ?? { good: 0, low: 0, high: 0, unknown: 0 };
    of[figure.verdict] += 1;
    counts.set(style, of);
  }
  return counts;
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

/** @returns where a value stands on the strip of a figure, from 0 to 1; what is beyond its ends stands at them */
export function placeOnStrip(value: number, [low, high]: readonly [number, number]): number {
  const place = (1 - GOOD_SHARE) / 2 + ((value - low) / (high - low)) * GOOD_SHARE;
  return Math.min(1, Math.max(0, place));
}
