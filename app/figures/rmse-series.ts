/** Lines, table and words of the chart of errors. */
import type { CycleDiagnostics } from '../../engine/index.ts';
import type { RunView } from '../document/run-view.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import type { DataTable } from '../format/csv.ts';
import { lineStyleOf } from './method-lines.ts';
import { methodRows } from '../document/lines/overlaid.ts';
import type { OverlaidRun } from '../document/lines/overlaid.ts';
import type { PlotSeries } from '../plot/layout.ts';
import { rmseSeries, spreadSeries, unitOf, variablesOf } from '../document/views/series.ts';
import type { MethodDiagnostics, Stage } from '../document/views/series.ts';

export interface DiagnosticsProps {
  readonly styles: readonly MethodStyle[];
  readonly diagnostics: ReadonlyMap<string, MethodDiagnostics>;
}

/** The lines and bands of one variable. */
export function rmseLines(
  run: Pick<RunView, 'course' | 'view'>,
  { styles, diagnostics }: DiagnosticsProps,
  variable: string,
  when: Stage | 'both',
): PlotSeries[] {
  const { divergedMethods } = run.course;
  const ended = divergedMethods.value;
  return styles.map((style) => {
    const rows = diagnostics.get(style.label) ?? [];
    const band = spreadSeries(rows, variable, when).map(({ x, y }) => ({ x, low: 0, high: y }));
    return {
      key: style.label,
      label: style.title,
      ...lineStyleOf(run, style),
      points: rmseSeries(rows, variable, when),
      ...(ended.has(style.label) && { ends: true }),
      ...(band.length > 0 && { band }),
    };
  });
}

/** What the table has of each variable: its name in words, and where it is in a row of diagnostics. */
const MEASURES: readonly {
  readonly title: string;
  readonly of: (row: CycleDiagnostics, variable: string) => number | undefined;
}[] = [
  { title: 'RMSE of the forecast', of: ({ rmse }, name) => rmse.forecast[name] },
  { title: 'RMSE of the analysis', of: ({ rmse }, name) => rmse.analysis[name] },
  // A single member has no spread, which is not the same as a spread of 0.
  { title: 'spread of the forecast', of: ({ spread }, name) => spread.forecast[name] || undefined },
  { title: 'spread of the analysis', of: ({ spread }, name) => spread.analysis[name] || undefined },
  { title: 'CRPS of the forecast', of: ({ crps }, name) => crps.forecast[name] },
  { title: 'CRPS of the analysis', of: ({ crps }, name) => crps.analysis[name] },
  { title: 'fair CRPS of the forecast', of: ({ fairCrps }, name) => fairCrps.forecast[name] },
  { title: 'fair CRPS of the analysis', of: ({ fairCrps }, name) => fairCrps.analysis[name] },
];

/** Errors, spread and scores of every variable of the model, whichever are shown; those of overlaid runs after them. */
export function rmseTable({ styles, diagnostics }: DiagnosticsProps, overlaid: readonly OverlaidRun[] = []): DataTable {
  const variables = variablesOf(diagnostics.values());
  const methods = methodRows({ styles, diagnostics }, overlaid);
  const heads = variables.flatMap((variable) => {
    const unit = unitOf(variable);
    return MEASURES.map(({ title }) => `${title} of ${variable}${unit === '' ? '' : ` (${unit})`}`);
  });
  const cycles = new Map<number, number>();
  for (const { rows } of methods) {
    for (const { cycle, timeSeconds } of rows) cycles.set(cycle, timeSeconds);
  }
  const byCycle = methods.map(({ rows }) => new Map(rows.map((row) => [row.cycle, row])));
  return {
    columns: ['cycle', 'time (s)', ...methods.flatMap(({ title }) => heads.map((head) => `${title}: ${head}`))],
    rows: [...cycles]
      .sort(([a], [b]) => a - b)
      .map(([cycle, time]) => [
        cycle,
        time,
        ...byCycle.flatMap((rows) => {
          const row = rows.get(cycle);
          return variables.flatMap((variable) =>
            MEASURES.map(({ of }) => (row === undefined ? null : (of(row, variable) ?? null))),
          );
        }),
      ]),
  };
}

/** What the lines are, and the bands if there are any. */
export function rmseHelp(variables: readonly string[], when: Stage | 'both', hasBands: boolean): string {
  const what = when === 'both' ? 'forecast and analysis' : when;
  const lines = `Lines: RMSE of ${variables.join(' and ')} of the ${what} against the truth.`;
  if (!hasBands) return lines;
  return `${lines} Bands end at the ensemble’s spread. For a consistent ensemble the line follows the edge of its band.`;
}
