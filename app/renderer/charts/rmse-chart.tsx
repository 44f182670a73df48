/** Error and spread by cycle and method. The band ends at the spread: with honest statistics the line runs along its edge. */
import { signal } from '@preact/signals';
import type { MethodStyle } from '../state/method-style.ts';
import type { DataTable } from './csv.ts';
import { Figure } from './figure.tsx';
import { Choice } from './choice.tsx';
import { CYCLE_AXIS, cycleName, cyclePointing, lineStyleOf } from './linked.ts';
import { formatQuantity } from './numbers.ts';
import type { PlotSeries } from './plot/layout.ts';
import { LinePlot } from './plot/line-plot.tsx';
import { ZoomReset } from './zoom-reset.tsx';
import { rmseSeries, spreadSeries, unitOf, variablesOf } from './series.ts';
import type { MethodDiagnostics, Stage } from './series.ts';

const stage = signal<Stage | 'both'>('analysis');
const chosenVariable = signal('');

const STAGES = [
  { value: 'forecast', label: 'Forecast' },
  { value: 'analysis', label: 'Analysis' },
  { value: 'both', label: 'Both' },
] as const;

export interface DiagnosticsProps {
  readonly styles: readonly MethodStyle[];
  readonly diagnostics: ReadonlyMap<string, MethodDiagnostics>;
}

/** The lines and bands of the chart. */
export function rmseLines(
  { styles, diagnostics }: DiagnosticsProps,
  variable: string,
  when: Stage | 'both',
): PlotSeries[] {
  return styles.map((style) => {
    const rows = diagnostics.get(style.label) ?? [];
    const band = spreadSeries(rows, variable, when).map(({ x, y }) => ({ x, low: 0, high: y }));
    return {
      key: style.label,
      label: style.title,
      ...lineStyleOf(style),
      points: rmseSeries(rows, variable, when),
      ...(band.length > 0 && { band }),
    };
  });
}

export function rmseTable({ styles, diagnostics }: DiagnosticsProps, variable: string): DataTable {
  const unit = unitOf(variable);
  const of = (what: string, title: string): string =>
    `${title}: ${what} of ${variable}${unit === '' ? '' : ` (${unit})`}`;
  const cycles = new Map<number, number>();
  for (const { label } of styles) {
    for (const { cycle, timeSeconds } of diagnostics.get(label) ?? []) cycles.set(cycle, timeSeconds);
  }
  const byCycle = styles.map(({ label }) => new Map((diagnostics.get(label) ?? []).map((row) => [row.cycle, row])));
  return {
    columns: [
      'cycle',
      'time (s)',
      ...styles.flatMap(({ title }) => [
        of('RMSE of the forecast', title),
        of('RMSE of the analysis', title),
        of('spread of the forecast', title),
        of('spread of the analysis', title),
      ]),
    ],
    rows: [...cycles]
      .sort(([a], [b]) => a - b)
      .map(([cycle, time]) => [
        cycle,
        time,
        ...byCycle.flatMap((rows) => {
          const row = rows.get(cycle);
          return row === undefined
            ? [null, null, null, null]
            : [
                row.rmse.forecast[variable] ?? null,
                row.rmse.analysis[variable] ?? null,
                // A single member has no spread, which is not the same as a spread of 0.
                row.spread.forecast[variable] || null,
                row.spread.analysis[variable] || null,
              ];
        }),
      ]),
  };
}

export function RmseChart(props: DiagnosticsProps) {
  const variables = variablesOf(props.diagnostics.values());
  const variable = variables.includes(chosenVariable.value) ? chosenVariable.value : (variables[0] ?? '');
  const unit = unitOf(variable);
  const series = rmseLines(props, variable, stage.value);
  const latest = series.map(({ label, points }) => `${label} ${formatQuantity(points.at(-1)?.y, unit)}`);
  const what = stage.value === 'both' ? 'forecast and analysis' : stage.value;
  return (
    <Figure
      id="rmse"
      title="Error and spread"
      help="Lines: RMSE against the truth. Bands end at the ensemble’s spread; with honest statistics a line follows the edge of its band."
      table={() => rmseTable(props, variable)}
      empty={
        variables.length === 0
          ? 'The error of each method appears here after the first cycle. Press play or step.'
          : undefined
      }
      controls={
        <>
          <ZoomReset />
          <Choice
            label="Variable"
            value={variable}
            options={variables.map((name) => ({ value: name, label: name }))}
            onChange={(name) => {
              chosenVariable.value = name;
            }}
          />
          <Choice
            label="State"
            value={stage.value}
            options={STAGES}
            onChange={(value) => {
              stage.value = value;
            }}
          />
        </>
      }
    >
      <LinePlot
        summary={`RMSE of ${variable} of the ${what} by cycle. Latest: ${latest.join(', ')}.`}
        x={CYCLE_AXIS}
        y={{ label: `RMSE of ${variable}`, unit, scale: 'linear' }}
        series={series}
        pointing={cyclePointing()}
        nameOf={cycleName}
        heightEm={17}
      />
    </Figure>
  );
}
