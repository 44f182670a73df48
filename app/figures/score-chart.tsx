/** The CRPS of a method's forecast by cycle, taken apart: what is lost to unreliability, what is left, and the uncertainty of the truth. */
import { crpsParts } from '../../engine/index.ts';
import { useRun } from '../document/context.ts';
import { useLaboratory } from '../page/context.ts';
import { withUnit } from '../fields/fields.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import type { RunView } from '../document/run-view.ts';
import {
  ComparedCurveChoice,
  ConsistencyMethodChoice,
  SampledVariableChoice,
  useConsistencyMethod,
} from './consistency-choices.tsx';
import { SCORE_CURVES, SCORE_HELP } from './consistency-curves.ts';
import type { ScoreCurve } from './consistency-curves.ts';
import type { DataTable } from '../format/csv.ts';
import { Figure } from './figure.tsx';
import { CYCLE_AXIS, cycleName, cyclePointing } from './linked.ts';
import { curveLegend } from './method-lines.ts';
import { formatQuantity } from '../format/numbers.ts';
import { methodRows, overlaidCurve, shownOverlaid } from '../document/lines/overlaid.ts';
import type { OverlaidRun } from '../document/lines/overlaid.ts';
import type { PlotSeries } from '../plot/layout.ts';
import { LinePlot } from '../plot/line-plot.tsx';
import { needsDecades } from '../plot/scales.ts';
import type { DiagnosticsProps } from './rmse-series.ts';
import { unitOf } from '../document/views/series.ts';
import type { CyclePoint, MethodDiagnostics } from '../document/views/series.ts';
import { ZoomReset } from './zoom-reset.tsx';
import { chartsOf } from './chart-state.ts';
import { shownLines } from './chart-state.ts';

function table(given: DiagnosticsProps, overlaid: readonly OverlaidRun[], variable: string): DataTable {
  const unit = unitOf(variable);
  const named = SCORE_CURVES.map(({ label }) => withUnit(label, unit));
  return {
    columns: ['cycle', 'time (s)', 'method', ...named],
    rows: methodRows(given, overlaid).flatMap(({ title, rows }) =>
      rows.flatMap((row) => {
        const parts = crpsParts(row, variable);
        return parts ? [[row.cycle, row.timeSeconds, title, ...SCORE_CURVES.map(({ of }) => parts[of])]] : [];
      }),
    ),
  };
}

function pointsOf(rows: MethodDiagnostics, variable: string, of: ScoreCurve): CyclePoint[] {
  return rows.flatMap((row) => {
    const parts = crpsParts(row, variable);
    return parts ? [{ x: row.cycle, y: parts[of] }] : [];
  });
}

/** The curves of a method, and beside one of them those of overlaid runs. */
function linesOf(run: RunView, { diagnostics }: DiagnosticsProps, style: MethodStyle, variable: string) {
  const compared = SCORE_CURVES.find(({ of }) => of === chartsOf(run).comparedScore.value) ?? SCORE_CURVES[0];
  const beside = overlaidCurve(shownLines(run), style.label, { key: compared.of, label: compared.label }, (rows) =>
    pointsOf(rows, variable, compared.of),
  );
  const ended = run.course.divergedMethods.value.has(style.label);
  const own = SCORE_CURVES.map(({ of, label, dash }): PlotSeries => ({
    key: of,
    label,
    color: style.colour,
    dash,
    faded: beside.length > 0 && of !== compared.of,
    ...(ended && { ends: true }),
    points: pointsOf(diagnostics.get(style.label) ?? [], variable, of),
  }));
  return [...own, ...beside];
}

export function ScoreChart(props: DiagnosticsProps) {
  const { styles, diagnostics } = props;
  const laboratory = useLaboratory();
  const run = useRun();
  const { comparedScore, editNote, overlaid } = chartsOf(run);
  const variable = chartsOf(run).sampledVariable.value;
  const unit = unitOf(variable);
  const candidates = styles.filter(({ label }) =>
    (diagnostics.get(label) ?? []).some((row) => crpsParts(row, variable) !== undefined),
  );
  const style = useConsistencyMethod(candidates);
  const series = style ? linesOf(run, props, style, variable) : [];
  const values = series.flatMap(({ points }) => points.map(({ y }) => y));
  const latest = series.map(({ label, points }) => `${label} ${formatQuantity(points.at(-1)?.y, unit)}`);
  return (
    <Figure
      id="score"
      title={style ? `CRPS of ${variable} and its parts, ${style.title}` : 'CRPS and its parts'}
      help={SCORE_HELP}
      table={() => table(props, shownOverlaid(shownLines(run)), variable)}
      legend={style && curveLegend(laboratory, style, SCORE_CURVES, overlaid.value)}
      note={editNote.value || undefined}
      empty={
        style ? undefined : 'The parts of the CRPS appear here for methods with an ensemble, after the first cycle.'
      }
      controls={
        <>
          <ZoomReset />
          <SampledVariableChoice />
          <ConsistencyMethodChoice candidates={candidates} chosen={style} />
          <ComparedCurveChoice
            curves={SCORE_CURVES}
            chosen={comparedScore.value}
            onChange={(curve) => {
              comparedScore.value = curve;
            }}
          />
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
