/** The CRPS of a method's forecast by cycle, taken apart: what is lost to unreliability, what is left, and what the truth alone tells. */
import { crpsParts } from '../../../engine/index.ts';
import { useRun } from '../state/context.ts';
import { withUnit } from '../state/fields.ts';
import { ConsistencyMethodChoice, SampledVariableChoice, useConsistencyMethod } from './consistency-choices.tsx';
import { SCORE_CURVES, SCORE_HELP } from './consistency-curves.ts';
import type { DataTable } from './csv.ts';
import { Figure } from './figure.tsx';
import { CYCLE_AXIS, cycleName, cyclePointing } from './linked.ts';
import { formatQuantity } from './numbers.ts';
import type { PlotSeries } from './plot/layout.ts';
import { LinePlot } from './plot/line-plot.tsx';
import { needsDecades } from './plot/scales.ts';
import type { DiagnosticsProps } from './rmse-series.ts';
import { unitOf } from './series.ts';
import { ZoomReset } from './zoom-reset.tsx';

function table({ styles, diagnostics }: DiagnosticsProps, variable: string): DataTable {
  const unit = unitOf(variable);
  const named = SCORE_CURVES.map(({ label }) => withUnit(label, unit));
  return {
    columns: ['cycle', 'time (s)', 'method', ...named],
    rows: styles.flatMap(({ label, title }) =>
      (diagnostics.get(label) ?? []).flatMap((row) => {
        const parts = crpsParts(row, variable);
        return parts ? [[row.cycle, row.timeSeconds, title, ...SCORE_CURVES.map(({ of }) => parts[of])]] : [];
      }),
    ),
  };
}

export function ScoreChart(props: DiagnosticsProps) {
  const { styles, diagnostics } = props;
  const run = useRun();
  const variable = run.charts.sampledVariable.value;
  const unit = unitOf(variable);
  const candidates = styles.filter(({ label }) =>
    (diagnostics.get(label) ?? []).some((row) => crpsParts(row, variable) !== undefined),
  );
  const style = useConsistencyMethod(candidates);
  const rows = style ? (diagnostics.get(style.label) ?? []) : [];
  const ended = style && run.session.divergedMethods.value.has(style.label);
  const series = SCORE_CURVES.map(({ of, label, dash }): PlotSeries => ({
    key: of,
    label,
    color: style?.colour ?? '',
    dash,
    ...(ended && { ends: true }),
    points: rows.flatMap((row) => {
      const parts = crpsParts(row, variable);
      return parts ? [{ x: row.cycle, y: parts[of] }] : [];
    }),
  }));
  const values = series.flatMap(({ points }) => points.map(({ y }) => y));
  const latest = series.map(({ label, points }) => `${label} ${formatQuantity(points.at(-1)?.y, unit)}`);
  return (
    <Figure
      id="score"
      title={style ? `CRPS of ${variable} and its parts, ${style.title}` : 'CRPS and its parts'}
      help={SCORE_HELP}
      table={() => table(props, variable)}
      empty={
        style ? undefined : 'The parts of the CRPS appear here for methods with an ensemble, after the first cycle.'
      }
      controls={
        <>
          <ZoomReset />
          <SampledVariableChoice />
          <ConsistencyMethodChoice candidates={candidates} chosen={style} />
        </>
      }
    >
      <LinePlot
        summary={`CRPS of the forecast of ${variable} and its parts by cycle. Latest: ${latest.join(', ')}.`}
        x={CYCLE_AXIS}
        y={{ label: 'CRPS', unit, scale: needsDecades(values) ? 'log' : 'linear' }}
        series={series}
        pointing={cyclePointing(run)}
        nameOf={cycleName}
        heightEm={15}
      />
    </Figure>
  );
}
