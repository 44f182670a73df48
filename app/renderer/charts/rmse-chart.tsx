/** Error and spread by cycle and method. The band ends at the spread: with honest statistics the line runs along its edge. */
import { signal } from '@preact/signals';
import { Choice } from './choice.tsx';
import { shownVariables, withFreeRun } from './compared.ts';
import { Figure } from './figure.tsx';
import { CYCLE_AXIS, cycleName, cyclePointing, editNote } from './linked.ts';
import { legendOf } from './method-lines.ts';
import { formatQuantity } from './numbers.ts';
import { leaveOutFreeRun } from './outside.ts';
import { LinePlot } from './plot/line-plot.tsx';
import { rmseHelp, rmseLines, rmseTable } from './rmse-series.ts';
import type { DiagnosticsProps } from './rmse-series.ts';
import { unitOf } from './series.ts';
import type { Stage } from './series.ts';
import { FreeRunToggle, VariableChoice } from './variable-choice.tsx';
import { ZoomReset } from './zoom-reset.tsx';

const stage = signal<Stage | 'both'>('analysis');

const STAGES = [
  { value: 'forecast', label: 'Forecast' },
  { value: 'analysis', label: 'Analysis' },
  { value: 'both', label: 'Both' },
] as const;

export function RmseChart(props: DiagnosticsProps) {
  const variables = shownVariables.value;
  const plots = variables.map((variable) => ({
    variable,
    unit: unitOf(variable),
    series: leaveOutFreeRun(rmseLines(props, variable, stage.value), props.styles, withFreeRun.value),
  }));
  const hasBands = plots.some(({ series }) => series.some(({ band }) => band !== undefined));
  const what = stage.value === 'both' ? 'forecast and analysis' : stage.value;
  return (
    <Figure
      id="rmse"
      title={hasBands ? 'Error and spread' : 'Error'}
      help={rmseHelp(variables, stage.value, hasBands)}
      table={() => rmseTable(props)}
      legend={legendOf(props.styles)}
      note={editNote.value || undefined}
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
            value={stage.value}
            options={STAGES}
            onChange={(value) => {
              stage.value = value;
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
            pointing={cyclePointing()}
            nameOf={cycleName}
            heightEm={plots.length > 1 ? 12.5 : 17}
          />
        );
      })}
    </Figure>
  );
}
