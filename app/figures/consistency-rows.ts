/** Figures of consistency by what they are of, each with what it is for every method, its table, and where its marks are. */
import { consistencyOf } from '../../engine/index.ts';
import type { ConsistencyFigure, ConsistencyGroup, CycleDiagnostics, Scenario } from '../../engine/index.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import type { DataTable } from '../format/csv.ts';

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

interface FigureOfMethod {
  readonly style: MethodStyle;
  /** Place of the style among those that are shown. */
  readonly place: number;
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
  // The method with the most figures has them all in their order.
  const found = [...consistencyOf(rows, scenario)].sort((a, b) => b.figures.length - a.figures.length);
  const figures = found.flatMap(({ label, figures: own }) => {
    const place = styles.findIndex((each) => each.label === label);
    return place < 0 ? [] : own.map((figure): FigureOfMethod => ({ style: styles[place], place, figure }));
  });
  const rowOf = (key: string): ConsistencyRow => {
    const methods = figures.filter(({ figure }) => figure.key === key).sort((a, b) => a.place - b.place);
    const { title, meaning, good } = methods[0].figure;
    return { key, title, meaning, good, methods };
  };
  return GROUPS.flatMap((group): ConsistencySection[] => {
    const keys = new Set(figures.flatMap(({ figure }) => (figure.group === group ? [figure.key] : [])));
    return keys.size === 0 ? [] : [{ group, rows: [...keys].map(rowOf) }];
  });
}

export type VerdictCounts = Readonly<Record<ConsistencyFigure['verdict'], number>>;

/** @returns of each method that has figures, in the order of the styles they were made with, how many are of each verdict */
export function verdictCounts(
  sections: readonly ConsistencySection[],
): readonly (readonly [MethodStyle, VerdictCounts])[] {
  const all = sections.flatMap(({ rows }) => rows.flatMap(({ methods }) => methods));
  const longest = Math.max(0, ...all.map(({ place }) => place));
  return Array.from({ length: longest + 1 }, (_, place) => all.filter((each) => each.place === place)).flatMap(
    (own) => {
      if (own.length === 0) return [];
      const countOf = (verdict: ConsistencyFigure['verdict']): number =>
        own.filter(({ figure }) => figure.verdict === verdict).length;
      const counts = { good: countOf('good'), low: countOf('low'), high: countOf('high'), unknown: countOf('unknown') };
      return [[own[0].style, counts] as const];
    },
  );
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
