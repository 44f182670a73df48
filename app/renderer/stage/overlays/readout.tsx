/** The numbers of all subjects at the crosshair. */
import { formatNumber } from '../../charts/numbers.ts';
import { fieldOf } from '../../state/fields.ts';
import { TRUTH, TRUTH_STYLE } from '../../state/method-style.ts';
import { info, styleOf } from '../../state/session-state.ts';
import { field, hoveredCell } from '../../state/view-state.ts';
import { distanceText } from './measures.tsx';
import { currentStage, drawnFrame, numbersArrived } from '../stage-state.ts';
import { Swatch } from './swatch.tsx';

export function Readout() {
  const cell = hoveredCell.value;
  const basin = info.value?.basin;
  const stage = currentStage.value;
  // Readings change with the picture and with numbers that arrive later.
  void drawnFrame.value;
  void numbersArrived.value;
  if (!cell || !basin || !stage) return null;
  const { symbol, unit, title } = fieldOf(field.value);
  const readings = stage.readings(field.value, cell);
  const bed = basin.bed[cell.y * basin.nx + cell.x] ?? 0;
  return (
    <div class="readout" role="group" aria-label="Values at the crosshair">
      <header>
        <span class="number">
          x {distanceText((cell.x + 0.5) * basin.dx)}, y {distanceText((cell.y + 0.5) * basin.dy)}
        </span>
        <span class="number readout-cell">{`[${String(cell.x)}, ${String(cell.y)}] bed ${formatNumber(bed)} m`}</span>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">{`${title} ${symbol} (${unit})`}</th>
            <th scope="col">forecast</th>
            <th scope="col">analysis</th>
            <th scope="col" title="Standard deviation of η over the members, m">
              σ(η) (m)
            </th>
          </tr>
        </thead>
        <tbody>
          {readings.map(({ subject, forecast, analysis, spread }) => {
            const style = subject === TRUTH ? TRUTH_STYLE : styleOf(subject);
            return (
              <tr key={subject}>
                <th scope="row">
                  {style && <Swatch style={style} />} {style?.title ?? subject}
                </th>
                <td class="number">{subject === TRUTH ? '' : formatNumber(forecast)}</td>
                <td class="number">{formatNumber(analysis)}</td>
                <td class="number">{Number.isFinite(spread) ? formatNumber(spread) : ''}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
