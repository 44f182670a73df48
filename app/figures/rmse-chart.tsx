/** Error and spread by cycle and method. The band ends at the spread: with consistent statistics the line follows its edge. */
import { Choice } from '../controls/choice.tsx';
import { Figure } from './figure.tsx';
import { CYCLE_AXIS, cycleName, cyclePointing } from './linked.ts';
import { labelLetters, legendOf } from './method-lines.ts';
import { formatQuantity } from '../format/numbers.ts';
import { shownOverlaid, withOverlaid } from '../document/lines/overlaid.ts';
import { LinePlot } from '../plot/line-plot.tsx';
import { rmseHelp, rmseLines, rmseTable } from './rmse-series.ts';
import type { DiagnosticsProps } from './rmse-series.ts';
import { rmseSeries, unitOf } from '../document/views/series.ts';
import { FreeRunToggle, VariableChoice } from './variable-choice.tsx';
import { useRun } from '../document/context.ts';
import { useLaboratory } from '../page/context.ts';
import { ZoomReset } from './zoom-reset.tsx';
import { chartsOf } from './chart-state.ts';
import { shownLines } from './chart-state.ts';

const STAGES = [
  { value: 'forecast', label: 'Forecast' },
  { value: 'analysis', label: 'Analysis' },
  { value: 'both', label: 'Both' },
] as const;

export function RmseChart(props: DiagnosticsProps) {
  const laboratory = useLaboratory();
  const run = useRun();
  const { shownVariables, errorStage, editNote, overlaid, overlaidNote } = chartsOf(run);
  const variables = shownVariables.value;
  const when = errorStage.value;
  const plots = variables.map((variable) => ({
    variable,
    unit: unitOf(variable),
    series: withOverlaid(shownLines(run), rmseLines(run, props, variable, when), props.styles, (rows) =>
      rmseSeries(rows, variable, when).filter(({ y }) => Number.isFinite(y)),
    ),
  }));
  const hasBands = plots.some(({ series }) => series.some(({ band }) => band !== undefined));
  const what = when === 'both' ? 'forecast and analysis' : when;
  return (
    <Figure
      id="rmse"
      title={hasBands ? 'Error and spread' : 'Error'}
      help={rmseHelp(variables, when, hasBands)}
      table={() => rmseTable(props, shownOverlaid(shownLines(run)))}
      legend={legendOf(laboratory, props.styles, overlaid.value)}
      note={[editNote.value, overlaidNote.value].filter(Boolean).join(' ') || undefined}
      empty={
        variables.length === 0
          ? 'The error of each method appears here after the first cycle. Press play or step.'
          : undefined
      }
      controls={
        <>
          <ZoomReset />
          <FreeRunToggle />
          <VariableChoice />
          <Choice
            label="State"
            value={errorStage.value}
            options={STAGES}
            onChange={(value) => {
              errorStage.value = value;
            }}
          />
        </>
      }
    >
      {plots.map(({ variable, unit, series }) => {
        const latest = series.map(({ label, points }) => `${label} ${formatQuantity(points.at(-1)?.y, unit)}`);
        return (
          <LinePlot
            key={variable}
            summary={`RMSE of ${variable} of the ${what} by cycle. Latest: ${latest.join(', ')}.`}
            x={CYCLE_AXIS}
            y={{ label: `RMSE of ${variable}`, unit, scale: 'linear' }}
            series={series}
            pointing={cyclePointing(run)}
            nameOf={cycleName}
            heightEm={plots.length > 1 ? 12.5 : 17}
            labelLetters={plots.length > 1 ? labelLetters(props.styles, overlaid.value) : 0}
          />
        );
      })}
    </Figure>
  );
}
